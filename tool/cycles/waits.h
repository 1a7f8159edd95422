/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a miss costs, in cycles: what nothing hides.
 *
 * That is interval analysis (Karkhanis and Smith 2004; Eyerman and others, "A Mechanistic Performance Model for
 * Superscalar Out-of-Order Processors", 2009), with the misses that really happened:
 *
 *	a read behind a load that missed, from which its address comes, pays its latency: nothing else can be done
 *			meanwhile, whatever there is
 *	a line of a stream, the third one or a later one in its page and in one direction, pays what its
 *			transfer takes: the machine's prefetchers have asked for it (whether they are simulated or not)
 *	a read within a reorder buffer's length behind another one that missed as far, or farther, pays
 *			the distance between two that are under way at the same time: the latency by how many there can be
 *	any other read pays its latency, but what the core does until its reorder buffer is full
 *	a write pays as those do that are under way together: nothing waits for it
 *	a fetch pays its latency, but what there is to do before the code is needed; one of the next line, the transfer
 *
 * Misses of TLBs likewise, with the latency of the second TLB, or of walking the page table.
 */
#ifndef TOOL_CYCLES_WAITS_H
#define TOOL_CYCLES_WAITS_H

#include "pub_tool_basics.h"

struct reference;

enum {
	WAITS_MISSES = 32,  /* misses that are looked at */
	WAITS_PAGES = 64,   /* pages that streams are looked for in: a power of two */
	WAITS_PAGE_BITS = 12,
};

struct wait_miss {
	Addr load;   /* its instruction */
	ULong at;    /* in instructions of its thread */
	UInt served; /* by the level, or beyond the first TLB (tool/cycles/waits.c) */
};

/* The last lines of a page that missed. */
struct wait_page {
	Addr page;
	Addr line;
	Int step;      /* from the one before to that, in lines */
	UInt n_steps;  /* so many times */
};

struct waits {
	struct wait_miss misses[WAITS_MISSES];
	UInt n_misses; /* so far */
	ULong last_miss[16]; /* by what served it: when one was that far, or farther */
	struct wait_page pages[WAITS_PAGES];
	Addr last_fetch; /* the line that was missed last, of code */
};

/* What a reference waits for, of which something is not 0, in tenths. */
struct wait_cost {
	UInt caches, pages;
};

/*
 * A reference at an address that level served serves, and that missed so many levels of TLBs; now: in instructions of its thread.
 */
struct wait_cost waits_cost(struct waits *waits, const struct reference *reference, Addr address, UInt served,
			    UInt missed_pages, ULong now);

#endif
