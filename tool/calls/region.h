/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions: parts of a run that the program names by COSTGRIND_REGION_BEGIN and _END. They may nest
 * and overlap. What threads spend in one is added up by name. With --collect-region, only the
 * regions that it names are collected.
 *
 * A region belongs to one thread, and within it to one signal handler or none: it does not pay for
 * handlers that interrupt it. Costs are inclusive, so a region that is begun again within itself
 * costs nothing more.
 *
 * Requests cost no region anything if the program executes a marker first (tool/costgrind.h), where
 * the thread's totals are noted. When the request comes, all open regions forget what has been
 * spent since. Until then nothing has changed, so that a program may jump away between the two.
 */
#ifndef TOOL_CALLS_REGION_H
#define TOOL_CALLS_REGION_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

struct region;
struct thread;
struct writer;

/* Caches and predictors when a region begins while no other one is open in any thread. */
enum region_start {
	REGION_START_WARM,   /* as they are */
	REGION_START_COLD,   /* empty */
	REGION_START_BEFORE, /* as the last such region left them */
};

/* A region that was begun and is not over; or a marker. */
struct open_region {
	struct region *region; /* NULL: a marker */
	const struct thread *thread;
	const void *handler; /* what the signal handler suspended; NULL outside of handlers */
	Bool is_inner;       /* the same region was open already: this one costs nothing */
	ULong starts[N_EVENTS];
};

struct regions {
	struct region *first, **end; /* in the order of their first beginnings */
	void *by_name;               /* hash table of the same; NULL: there are none */
	const struct region *last;   /* the last one begun while no other was open, or NULL */
	struct open_region *open;
	UInt n_open, room;
	UInt n_markers; /* among them */
	Bool forgotten; /* counting was off for a while: there may be ends of regions whose beginning is not known */
};

/* True if the instruction of size bytes at an address is a marker. */
Bool region_is_marker(const UChar *address, UInt size);

/* Called by generated code at a marker, when everything before it has been counted. */
VG_REGPARM(0) void region_mark(void);

/*
 * A request of the running thread that comes after a marker: open regions do not pay for what ran
 * in between.
 */
void regions_skip(void);

/* True if a region is open in any thread. */
Bool regions_are_open(void);

/* True if no region is open, and the last one begun in that state has another name. */
Bool region_is_another(const HChar *name);

/* Begins a region of the running thread; the name is copied. */
void region_begin(const HChar *name);

/* Ends the region of this name that the running thread began last; False if there is none. */
Bool region_end(const HChar *name);

/*
 * Sets the costs of regions to zero: of a thread, or of all if it is 0, whose running totals are
 * zero already. Open regions begin anew.
 */
void regions_zero(UInt thread);

/*
 * These end regions that the program has not ended: of a thread that ends, which are marked as left
 * open; of the handler that a thread is in; of all threads but one (NULL: of all).
 */
void regions_forget(const struct thread *thread);
void regions_end_handler(const struct thread *thread);
void regions_keep_only(const struct thread *thread);

/* Prints a line if no region with a name that is to be collected was begun (message_note). */
void regions_report_unmatched(void);

/* Writes a header line for each region that a thread (0: any) has begun. */
void regions_write(struct writer *writer, UInt thread);

#endif
