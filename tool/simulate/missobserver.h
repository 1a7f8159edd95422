/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observers of misses: they are called for each reference that misses the first level.
 * They only look on: what is simulated and counted is the same with them and without.
 *
 * Where there are observers, the run's slow paths (tool/simulate/miss_path.h) are wrapped in
 * some that report to them what was missed; without, nothing looks for them.
 */
#ifndef TOOL_SIMULATE_MISSOBSERVER_H
#define TOOL_SIMULATE_MISSOBSERVER_H

#include "pub_tool_basics.h"

#include "tool/counts/levels.h"

struct context;
struct miss_paths;
struct site;

/* A reference that missed one level or more. */
struct miss {
	Addr address; /* of its first byte */
	UInt size;    /* bytes; it may be on several lines */
	enum reference_kind kind;
	UInt served;             /* level that served it (sim/lower.h): 1.. */
	const struct site *site; /* its instruction */
	const struct context *context;
	ThreadId thread;
};

/*
 * MISS_OBSERVERS(ROW): ROW(id, name), in the order in which they are called.  name is the observer's
 * struct miss_observer, in a file of its own, maybe of a room above, or, of --trace-misses, in missobserver.c.  An option, a row
 * of writer/shared/optionlist.h whose value is simulate.observes[MISS_OBSERVER_id], asks for it.
 */
#define MISS_OBSERVERS(ROW) ROW(TRACE, trace_misses) ROW(DATA, data_observer)

#define MISS_OBSERVER_ID(id, name) MISS_OBSERVER_##id,
enum { MISS_OBSERVERS(MISS_OBSERVER_ID) N_MISS_OBSERVERS };
#undef MISS_OBSERVER_ID

/* NULL: it has nothing to do then. */
struct miss_observer {
	/* Before code is translated; it may add hooks of calls (tool/calls/callhook.h). */
	void (*start)(void);
	/* The miss has been counted.  *miss is gone when it returns. */
	void (*missed)(const struct miss *miss);
	/* The running thread is about to create a thread of that number; the process is a fork's child. */
	void (*create_thread)(UInt number);
	void (*fork)(void);
	/* The costs of all threads begin anew. */
	void (*zero)(void);
	/* At the end of the run, but not before another program is executed; may print. */
	void (*finish)(void);
};

/*
 * What --sharing=yes has noted of a reference to data that moved a line between cores: threads used other bytes of it, or the
 * same.
 */
enum sharing_kind { SHARING_FALSE, SHARING_TRUE, N_SHARING_KINDS, SHARING_NONE = N_SHARING_KINDS };

#define MISS_OBSERVER_DECLARATION(id, name) extern const struct miss_observer name;
MISS_OBSERVERS(MISS_OBSERVER_DECLARATION)
#undef MISS_OBSERVER_DECLARATION

/*
 * The slow paths that generated code is to call: those given, which report to the observers that
 * options ask for, if there are any.
 */
const struct miss_paths *missobserver_wrap(const struct miss_paths *paths);

/*
 * Reports a miss to all of them; does nothing if the first level served it (0).  The context and thread are
 * those that run.
 */
void missobserver_report(const struct site *site, enum reference_kind kind, Addr address, UInt size,
			 UInt served);

/* Have all of them start, learn of a thread and of a fork, begin anew, and finish. */
void missobservers_start(void);
void missobservers_create_thread(UInt number);
void missobservers_fork(void);
void missobservers_zero(void);
void missobservers_finish(void);

#endif
