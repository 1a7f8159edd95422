/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a miss costs, in cycles: what nothing hides.
 *
 * That is interval analysis (Karkhanis and Smith 2004; Eyerman and others, "A Mechanistic Performance Model for
 * Superscalar Out-of-Order Processors", 2009), with the misses that really happened:
 *
 *	a read behind a load that missed, from which its address comes, pays its latency: nothing else can be done
 *			meanwhile, whatever there is
 *	a line of a stream, the third one or a later one in its page and in one direction, waits for its
 *			transfer: the machine's prefetchers have asked for it (whether they are simulated or not)
 *	a read within a reorder buffer's length behind another one that missed as far, or farther, waits for
 *			its turn among those that are under way at the same time, which takes the latency by how many there can be
 *	any other read pays its latency, but what the core does until its reorder buffer is full
 *	a write is like those that are under way together: nothing waits for it
 *	a fetch pays its latency, but what there is to do before the code is needed; one of the next line, the transfer
 *
 * A mispredicted branch whose condition comes from a load that has missed waits for that, whatever was hidden.
 *
 * Transfers, and turns, are those of a channel to each level: one begins when the one before has ended, by the clock that all
 * cycles so far are.  As long as a channel is not farther behind than the core can run ahead, nobody waits: so
 * a stream costs what it computes, or what it transfers, whichever is more.
 *
 * Misses of TLBs likewise, with the latency of the second TLB, or of walking the page table.
 */
#ifndef TOOL_CYCLES_WAITS_H
#define TOOL_CYCLES_WAITS_H

#include "pub_tool_basics.h"

struct reference;

enum {
	WAITS_MISSES = 32, /* misses that are looked at */
	WAITS_PAGES_BITS = 6,
	WAITS_PAGES = 1 << WAITS_PAGES_BITS, /* pages that streams are looked for in */
	WAITS_PAGE_BITS = 12,
};

struct wait_miss {
	Addr load;   /* its instruction */
	ULong at;    /* in instructions of its thread */
	ULong ready; /* its value, by the clock of its thread */
};

/* The last lines of a page that missed. */
struct wait_page {
	Addr page;
	Addr line;
	Int step;     /* from the one before to that, in lines */
	UInt n_steps; /* so many times */
};

struct waits {
	struct wait_miss misses[WAITS_MISSES];
	UInt n_misses;       /* so far */
	ULong last_miss[16]; /* by what served it: when one was that far, or farther */
	struct wait_page pages[WAITS_PAGES];
	ULong free_at[16]; /* channels to what serves: tenths of a cycle on the clock of the run */
	Addr last_fetch;   /* the line that was missed last, of code */
};

/* What a reference waits for, of which something is not 0, in tenths. */
struct wait_cost {
	UInt caches, pages;
};

/* A reference. */
struct wait_reference {
	const struct reference *reference;
	Addr address;
	UInt served;       /* by this level */
	UInt missed_pages; /* levels of TLBs */
	ULong now;         /* in instructions of its thread */
	ULong clock;       /* tenths of a cycle, of its thread so far */
};

struct wait_cost waits_cost(struct waits *waits, const struct wait_reference *made);

/*
 * A branch was mispredicted whose condition comes from this load: tenths of a cycle until that has come, if it missed.  now and
 * clock as above.
 */
UInt waits_of_branch(const struct waits *waits, Addr load, ULong now, ULong clock);

#endif
