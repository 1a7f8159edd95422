/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a miss costs, in cycles: the part of its latency that nothing hides.
 *
 * This is interval analysis (Karkhanis and Smith, "A First-Order Superscalar Processor Model", 2004; Eyerman and others, "A
 * Mechanistic Performance Model for Superscalar Out-of-Order Processors", 2009), applied to the misses that really
 * happened.  Clocks count retirement: all cycles so far.  A read begins at the latest of these times:
 *
 *	the retirement of the instruction whose place in the reorder buffer it took: that is as long ago as that many
 *			instructions cost where nothing misses (reference.hidden), plus what the last ones waited
 *	when the last mispredicted branch was resolved, or missing code had arrived: half way from the time above to that,
 *			since wrong paths often reach the same loads (Mutlu and others, "Understanding the Effects of
 *			Wrong-Path Memory References on Processor Performance", 2004, find that they mostly do)
 *	when the value of the load that its address comes from has arrived, if that load missed
 *	if no such load is known: when the line of a load that missed has arrived, if one of its words is the address
 *	its turn: the machine has room for a number of misses at a time, and on some, misses in one set of L1D are
 *			served one after the other (set= of the line misses); walks also take turns
 *
 * If its value is not there when it could be retired, the core waits for it.  For a load on the critical path
 * (core_walk_critical()) it waits from the beginning to the end.
 *
 * A line belongs to a stream if it is at least the third that is within four lines of the one before.  It waits for its transfer
 * and for the transfers of the lines between: the machine's prefetchers have asked for all of these, whether they are
 * simulated or not.  The lines need not be in order: walks with steps of one to four lines, and in any order within
 * eight, are as fast (measured on Zen 5).  Lines that are written wait for their transfer, too.  Each level has a channel
 * for transfers, and so has each stream, since a prefetcher runs only some lines ahead: a transfer begins when the one before it in
 * the channel has ended.  A load on the critical path waits for its transfer; the others wait only if a channel is
 * later than the core can run ahead.  So a stream costs what it computes or what it transfers, whichever is
 * more.
 *
 * The rule for words of lines is for values that pass through memory: an interpreter stores a pointer in a slot and loads it
 * from there, and no register says where it came from.  So the eight aligned words of each line that a load missed are
 * kept, and compared with the address less the displacement of the instruction:
 *
 *	words are read when the next reference to data misses, not before: C is called for a load before it is made, and
 *			the load may fault.  If the program has stored to the line by then, they are what it stored
 *	only lines of anonymous memory have words: reading a device may have effects, and a file may have become
 *			shorter meanwhile
 *	a line whose words have not been read when generated code is left (a fault, a signal, a system call, another
 *			thread) has none: its memory may be gone
 *	of several lines with the word, the latest miss counts that arrives after the read could begin otherwise
 *	numbers below WAITS_LEAST, or that cannot be addresses, match no word
 *	addresses of two registers, or of a scaled index, match none: the pointer in them is not known
 *	what store and load take on the way is not counted
 *
 * Where a level's bandwidth is known (cycles_costs.least_apart), lines from it that are not on the critical path come no
 * faster.
 *
 * A fetch costs its latency, less a hit in L2: the front end runs ahead along predicted branches (Reinman, Calder and
 * Austin, "Fetch Directed Instruction Prefetching", 1999).  A fetch of the next line costs its transfer.
 *
 * A mispredicted branch whose condition comes from a load that missed waits for that load.
 */
#ifndef TOOL_CYCLES_WAITS_H
#define TOOL_CYCLES_WAITS_H

#include <stdint.h>

#include "pub_tool_basics.h"

#include "sim/lower.h"

struct reference;

enum {
	WAITS_MISSES = 32, /* that are remembered */
	WAITS_RECENT = 64, /* waits that are remembered */
	WAITS_PAGES_BITS = 6,
	WAITS_PAGES = 1 << WAITS_PAGES_BITS, /* pages that streams are looked for in */
	WAITS_PAGE_BITS = 12,
	WAITS_WORDS = 8,    /* of a line of 64 bytes */
	WAITS_LEAST = 4096, /* addresses of a program are not below */
	WAITS_SETS = 64,    /* of L1D, by lines of 64 bytes: one page, the usual number */
};

/* What serves a reference: levels, memory after the last one (sim/lower.h), and another core. */
enum {
	WAIT_CORE = HIERARCHY_MAX_LEVELS + 1,
	N_WAIT_SERVERS,
};

struct wait_miss {
	Addr load;      /* its instruction */
	ULong at;       /* in instructions of its thread */
	ULong ready;    /* its value, by the clock of its thread */
	Bool has_words; /* the words of its line are known */
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
		[WAITS_MISSES]; /* lower halves of the loads' addresses, which a search looks at first */
	/* For each that has_words: the words of its line, and their lower halves, which a search looks at first. */
	uint64_t words[WAITS_MISSES][WAITS_WORDS];
	UInt low_words[WAITS_MISSES][WAITS_WORDS];
	Addr unread; /* the line of the last miss, if its words are still to be read; else 0 */
	Addr harmless_from,
		harmless_to; /* memory that can be read: a segment, until code is left */
	UInt n_misses;       /* so far */
	/* Waits of the last instructions, as many as the reorder buffer holds: a ring. */
	struct wait_recent recent[WAITS_RECENT];
	UInt first_recent, n_recent;
	ULong in_window; /* their sum */
	ULong restarted; /* nothing after this began earlier, by the clock of the thread */
	struct wait_page pages[WAITS_PAGES];
	ULong free_at[N_WAIT_SERVERS]; /* channels to what serves: tenths, by the clock */
	ULong set_free_at[WAITS_SETS];
	ULong second_tlb_free_at, walker_free_at;
	Addr last_fetch; /* the line that was missed last, of code */
};

/* What a reference waits for, in tenths; not both are 0. */
struct wait_cost {
	UInt caches, pages;
};

/* A reference. */
struct wait_reference {
	const struct reference *reference;
	Addr address;
	UInt served; /* by this level, or WAIT_CORE */
	Bool is_upgrade; /* its core has the line, but has to take it from others; served is WAIT_CORE */
	UInt missed_pages; /* levels of TLBs */
	ULong now;         /* in instructions of its thread */
	ULong clock;       /* tenths of a cycle, of its thread so far */
};

/*
 * What a reference that missed waits for.  If it is_loaded, the next call reads the 64 bytes around its address: by
 * then the load must have been made, or waits_leave() called.
 */
struct wait_cost waits_cost(struct waits *waits, const struct wait_reference *made);

/* Generated code has been left, perhaps by a fault of the load that missed last; memory may be unmapped before it runs again. */
void waits_leave(struct waits *waits);

/* The core starts again at this time, clock as above: a mispredicted branch was resolved. */
void waits_restart(struct waits *waits, ULong clock);

/*
 * A branch was mispredicted whose condition comes from this load: tenths of a cycle until its value arrives; 0 if it did
 * not miss.  now and clock as above.
 */
UInt waits_of_branch(struct waits *waits, Addr load, ULong now, ULong clock);

#endif
