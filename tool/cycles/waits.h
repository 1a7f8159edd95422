/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a miss costs, in cycles: what nothing hides.
 *
 * That is interval analysis (Karkhanis and Smith, "A First-Order Superscalar Processor Model", 2004; Eyerman and others, "A
 * Mechanistic Performance Model for Superscalar Out-of-Order Processors", 2009), with the misses that really happened. Clocks
 * are those of retirement: all cycles so far. A read begins at the latest of these times:
 *
 *	when the instruction was retired whose place in the reorder buffer it took: what that many instructions cost
 *			where nothing is missed (reference.hidden), and what the last ones waited, ago
 *	when the last mispredicted branch was resolved, or code had come that was waited for: half way from the time above to
 *			that, as wrong paths often come to the same loads (Mutlu and others, "Understanding the Effects of
 *			Wrong-Path Memory References on Processor Performance", 2004, find that mostly so)
 *	when the value has come, of a load that missed, from which its address comes
 *	if no such load is known: when the line has come, of a load that missed, that has the address as one of its words
 *	when it is its turn: as many misses are under way at a time as the machine has room for, and on some, those of one set
 *			of L1D one after the other (set= of the line misses); likewise walks
 *
 * and what it has not got when it could be retired, is waited for.  A load on the critical path (core_walk_critical())
 * is waited for from its beginning to its end.
 *
 * A line of a stream, the third one or a later one of which each is within four lines of the one before, waits for its
 * transfer and for those of the lines between: the machine's prefetchers have asked for all of these (whether they are
 * simulated or not).  They need not be in order: walks by steps of one to four lines, and in any order within eight, are
 * as fast as that (measured on Zen 5).  Lines that are written wait for their transfer, too.  Transfers are those of a
 * channel to each level, and of one of the stream's own, as a prefetcher runs ahead by so many lines: one begins when the
 * one before has ended.  A load on the critical path waits for its transfer; for all others, as long as a channel is not
 * farther behind than the core can run ahead, nobody waits: so a stream costs what it computes, or what it transfers,
 * whichever is more.
 *
 * The last rule is for values that pass through memory: an interpreter stores a pointer in a slot and loads it from there, and
 * no register says where it came from.  So the eight aligned words of each line that a load missed are kept, and compared
 * with the address less the displacement of the instruction:
 *
 *	words are read when the next reference to data misses, not before: C is called for a load before it is made, and
 *			the load may fault.  If the program has stored to the line by then, they are what it stored
 *	only lines of anonymous memory have words: a device may do something when it is read, and a file may have become
 *			shorter meanwhile
 *	a line whose words have not been read when generated code is left (a fault, a signal, a system call, another
 *			thread) has none: its memory may be gone
 *	of several lines with the word, the last one counts that comes later than the read could begin otherwise
 *	numbers below WAITS_LEAST, or that cannot be addresses, match no word
 *	addresses of two registers, or of a scaled index, match none: the pointer in them is not known
 *	what store and load take on the way is not counted
 *
 * Where a level's bandwidth is known (cycles_costs.least_apart), lines from it that are not on the critical path come no faster.
 *
 * A fetch pays its latency, but what a hit in L2 takes: the front end goes ahead by what branches are predicted to be (Reinman,
 * Calder and Austin, "Fetch Directed Instruction Prefetching", 1999). One of the next line pays the transfer.
 *
 * A mispredicted branch whose condition comes from a load that has missed waits for that.
 */
#ifndef TOOL_CYCLES_WAITS_H
#define TOOL_CYCLES_WAITS_H

#include <stdint.h>

#include "pub_tool_basics.h"

#include "sim/hierarchy.h"

struct reference;

enum {
	WAITS_MISSES = 32, /* misses that are looked at */
	WAITS_RECENT = 64, /* waits, likewise */
	WAITS_PAGES_BITS = 6,
	WAITS_PAGES = 1 << WAITS_PAGES_BITS, /* pages that streams are looked for in */
	WAITS_PAGE_BITS = 12,
	WAITS_WORDS = 8,    /* of a line of 64 bytes */
	WAITS_LEAST = 4096, /* addresses of a program are not below */
	WAITS_SETS = 64,    /* of L1D, by lines of 64 bytes: a page, as most have */
};

struct wait_miss {
	Addr load;      /* its instruction */
	ULong at;       /* in instructions of its thread */
	ULong ready;    /* its value, by the clock of its thread */
	Bool has_words; /* those of its line are known */
};

/* What was waited for. */
struct wait_recent {
	ULong at; /* in instructions of its thread */
	ULong tenths;
};

/* The last lines of a page that missed. */
struct wait_page {
	Addr page;
	Addr line;
	Int step;      /* from the one before to that, in lines */
	UInt n_steps;  /* near ones, one after the other */
	ULong free_at; /* its own channel: tenths, by the clock */
};

struct waits {
	UInt thread; /* whose all this is */
	ULong clock; /* its clock, when something was last asked for */
	struct wait_miss misses[WAITS_MISSES];
	UInt low_loads
		[WAITS_MISSES]; /* the lower half of each load's address: what a search looks at first */
	/* The words of the line of each that has_words, and their lower halves, to be looked at first. */
	uint64_t words[WAITS_MISSES][WAITS_WORDS];
	UInt low_words[WAITS_MISSES][WAITS_WORDS];
	Addr unread; /* the line of the last miss, if its words are still to be read; else 0 */
	Addr harmless_from,
		harmless_to; /* memory that can be read: a segment, until code is left */
	UInt n_misses;       /* so far */
	/* Those of the last instructions, as many as the reorder buffer holds: a ring. */
	struct wait_recent recent[WAITS_RECENT];
	UInt first_recent, n_recent;
	ULong in_window; /* their sum */
	ULong restarted; /* nothing that is behind began before, by the clock of the thread */
	struct wait_page pages[WAITS_PAGES];
	ULong free_at[HIERARCHY_MAX_LEVELS + 1]; /* channels to what serves: tenths, by the clock */
	ULong set_free_at[WAITS_SETS];
	ULong second_tlb_free_at, walker_free_at;
	Addr last_fetch; /* the line that was missed last, of code */
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

/*
 * What a reference that missed waits for.  If it is_loaded, the next call reads the 64 bytes around its address: the load must have
 * been made by then, or waits_leave() called.
 */
struct wait_cost waits_cost(struct waits *waits, const struct wait_reference *made);

/* Generated code has been left, perhaps by a fault of the load that missed last; memory may be unmapped before it runs again. */
void waits_leave(struct waits *waits);

/* The core begins anew at this time, clock as above: a mispredicted branch was resolved. */
void waits_restart(struct waits *waits, ULong clock);

/*
 * A branch was mispredicted whose condition comes from this load: tenths of a cycle until that has come, if it missed.  now and
 * clock as above.
 */
UInt waits_of_branch(struct waits *waits, Addr load, ULong now, ULong clock);

#endif
