/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observers of misses: who wants to know of each reference that misses the
 * first level.  They are asked about nothing: what is counted, and what is
 * simulated, is the same with them and without.
 *
 * If there are observers when the engine is made, generated code calls other
 * slow paths (tool/translate/miss_path.h); without, nothing looks for them.
 */
#ifndef TOOL_TRANSLATE_MISSOBSERVER_H
#define TOOL_TRANSLATE_MISSOBSERVER_H

#include "pub_tool_basics.h"

#include "tool/counts/levels.h"

struct context;
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

/* Whether there are any. */
Bool missobserver_exists(void);

/* For slow paths: tells all of them.  The context and thread are those that run. */
void missobserver_tell(const struct site *site, enum reference_kind kind, Addr address, UInt size,
		       UInt served);

/* With --trace-misses=yes: adds one that prints a line for each miss. */
void missobserver_trace(void);

#endif
