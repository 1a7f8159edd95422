/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observers of misses: they are called for each reference that misses the first level.
 * They only look on: what is simulated and counted is the same with them and without.
 *
 * Where there are observers, the run's slow paths (tool/translate/miss_path.h) are wrapped in
 * some that report to them what was missed; without, nothing looks for them.
 */
#ifndef TOOL_TRANSLATE_MISSOBSERVER_H
#define TOOL_TRANSLATE_MISSOBSERVER_H

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
	UInt served;             /* level that served it (sim/hierarchy.h): 1.. */
	const struct site *site; /* its instruction */
	const struct context *context;
	ThreadId thread;
};

struct miss_observer {
	/* Called when the miss has been counted.  *miss is gone when it returns. */
	void (*missed)(struct miss_observer *self, const struct miss *miss);
	struct miss_observer *next; /* for missobserver_add() */
};

/* Adds an observer, which must live to the end: before any code is translated. */
void missobserver_add(struct miss_observer *observer);

/*
 * The slow paths that generated code is to call: those given, which report to observers if there
 * are any.
 */
const struct miss_paths *missobserver_wrap(const struct miss_paths *paths);

/*
 * Reports a miss to all of them; nothing if the first level served it (0).  The context and thread are
 * those that run.
 */
void missobserver_report(const struct site *site, enum reference_kind kind, Addr address, UInt size,
			 UInt served);

/* With --trace-misses=yes: adds one that prints a line for each miss. */
void missobserver_trace(void);

#endif
