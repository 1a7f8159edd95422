/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions: stretches of a run that the program names, COSTGRIND_REGION_BEGIN and
 * _END.  They nest, and overlap.  What threads spend in one is added up by name; regions that
 * --collect-region names are what is collected.
 *
 * A region is of one thread, and within it of one signal handler, or of none:
 * what handlers cost that interrupt it is theirs.  One that is begun again in itself costs nothing more: costs are
 * inclusive, of the outermost one.
 *
 * Requests cost no region anything if the program executes a marker first (tool/costgrind.h).  There the thread's totals are noted;
 * when the request comes, all regions that are open forget what has been spent since.  Until then nothing has changed,
 * so that a program may jump away from between the two.
 */
#ifndef TOOL_CALLS_REGION_H
#define TOOL_CALLS_REGION_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

struct region;
struct thread;
struct writer;

/* With which caches and predictors a region begins while no other one is open, in any thread. */
enum region_start {
	REGION_START_WARM,   /* as they are */
	REGION_START_COLD,   /* empty */
	REGION_START_BEFORE, /* as such a region that has ended left them */
};

/* One that was begun and is not over; or a marker. */
struct open_region {
	struct region *region; /* NULL: a marker */
	const struct thread *thread;
	const void *handler; /* what it suspended, NULL if it is none */
	Bool is_inner;       /* the same region was open there: it costs nothing */
	ULong starts[N_EVENTS];
};

struct regions {
	struct region *first, **end; /* in the order of their first beginnings */
	void *by_name;               /* the same; NULL: there are none */
	const struct region *last;   /* begun while no other one was open; NULL: none */
	struct open_region *open;
	UInt n_open, room;
	UInt n_markers; /* among them */
	Bool forgotten; /* counting was off for a while: ends may come whose beginnings are not known */
};

/* The instruction at an address, of so many bytes, is a marker. */
Bool region_is_marker(const UChar *address, UInt size);

/* Generated code of the running thread is at a marker; all before it has been counted. */
VG_REGPARM(0) void region_mark(void);

/* A request of the running thread says that it comes after a marker: open regions do not pay for what was executed in between. */
void regions_skip(void);

/* Whether one is open, in any thread. */
Bool regions_are_open(void);

/* True if no region is open, and the last one that began so, if any, has another name. */
Bool region_is_another(const HChar *name);

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

/* A line of the header for each that was begun; of a thread's number, or of all threads if it is 0. */
void regions_write(struct writer *writer, UInt thread);

#endif
