/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions: stretches of a run that the program names, COSTGRIND_REGION_BEGIN and
 * _END.  They nest.  What a thread spends in one is added up by name; regions that
 * --collect-region names are what is collected.
 *
 * A region is of one thread, and within it of one signal handler, or of none:
 * what handlers cost that interrupt it is theirs.
 */
#ifndef TOOL_CALLS_REGION_H
#define TOOL_CALLS_REGION_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

struct region;
struct thread;
struct writer;

/* One that was begun and is not over. */
struct open_region {
	struct region *region;
	const struct thread *thread;
	const void *handler; /* what it suspended, NULL if it is none */
	ULong starts[N_EVENTS];
};

struct regions {
	struct region *first; /* in the order of their first beginnings */
	struct open_region *open;
	UInt n_open, room;
	Bool forgotten; /* counting was off for a while: ends may come whose beginnings are not known */
};

/* Of the running thread; the name is copied. */
void region_begin(const HChar *name);

/* Ends the one of this name that was begun last; False if there is none. */
Bool region_end(const HChar *name);

/*
 * All costs are zero; those that are open begin anew.  Called when running totals are zero:
 * those of this thread, or of all if it is 0.
 */
void regions_zero(UInt thread);

/*
 * These regions are over, without a word: those of a thread that ends, which stay marked as not over,
 * those of the handler that a thread is in, and those of all threads but one (NULL: of all).
 */
void regions_forget(const struct thread *thread);
void regions_end_handler(const struct thread *thread);
void regions_keep_only(const struct thread *thread);

/* A line if no region of a name that is collected was begun (message_note). */
void regions_report_unmatched(void);

/* A line of the header for each. */
void regions_write(struct writer *writer);

#endif
