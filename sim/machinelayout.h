/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the machine, the simulated processor, in the layout that generated code works on.
 *
 * It behaves like caches by their rules alone (sim/lower.h) and Cachegrind's two predictors, to the last miss.  But what
 * nearly every reference does, hitting the first level, takes a few instructions without a call:
 *
 *	data	The *line filter*, direct-mapped by line number, names lines that are resident in D1, and where the
 *		stamp of each is.  A reference inside a line that its entry names only stores a stamp there.
 *	code	Each line of code that was ever translated has a struct code_line that says where its stamp is, if the
 *		line is in I1.
 *	branch	A cell of the table holds counter and outcome, so that one small table gives the next cell.
 *
 * Everything else is a call (sim/machine.h).
 *
 * This is how a *plain* first level works (sim/plain.h): one with sets by low bits, and a policy whose victim follows
 * from when each way was touched last (sim/stamped.h), as with LRU and tree-PLRU.  One that is not plain is *called*
 * (sim/called.h).  It has names only for the *newest* line of each set, the one that was touched last, if its policy
 * settles (struct policy): touching that line again changes nothing, so it does not matter where its stamp goes.  With
 * other policies C is called for each reference (machine_is_called_for_data(), ..._code()), the filter stays empty, and
 * no line of code has a stamp.
 *
 * If dirty lines are known (hierarchy_config.write_back), each stamp of a plain D1 has a second word, written_offset bytes
 * after it, which is not 0 if its line is dirty.  A write, or a modify, stores its stamp there, too; one whose line the
 * filter does not name calls machine_write().  So a line becomes dirty without a call.  If D1 is called, each write is a
 * call.  What was written to memory is in lower.n_written: what a call adds to it is the reference's.
 *
 * With twins (sim/misses/twin.h), names are only for lines that the twin has.  With TLBs, they are only for lines whose
 * page is in the first TLB (sim/tlbs/machinetlbs.h): what is said below of resident lines then holds for those.
 *
 * A call may take any line out of the first level if a lower one is inclusive, except the one last fetched from: the one
 * with the largest stamp.  So generated code may leave out the fetch from a line that it has just fetched from, whatever
 * data was referenced since, and must not leave out any other.
 *
 * With several cores (sim/cores.h) each has a machine of its own.  A write, or modify, of a line that the core does not
 * have alone concerns the others.  So generated code looks for writes in a second filter, of writes: each of its entries
 * is empty, or equals the filter's and has a line that is modified in this core.  Whatever changes an entry of
 * the filter empties the other one, as does another core that reads the line.
 *
 * What generated code may do, and nothing else:
 *
 *	clock		load; store a larger value.  Every stamp that is stored later in I1 must be larger than every
 *			stamp stored there before; the same for D1.
 *	filter[i]	load; never store
 *	*filter[i].stamp	store a stamp, if the reference lies inside [line, line + line size) of entry i of its
 *			address; or, once more, the stamp that was given to machine_data(), after it (the entry then
 *			names the first line), if size <= line size.  With cores, of a write, or a modify: the same of
 *			filter[i + write_names] (which may be empty after machine_write())
 *	... + written_offset	if that is not 0, a write stores the same stamp there, too; if
 *			machine_is_called_for_writes(), it stores neither
 *	code_line	load stamp; store a stamp to *stamp (always allowed: for a line that is not resident it is a word
 *			that is never read)
 *	history, cells, targets	as machine_branch() and machine_jump() do
 *	next_cell	load
 *
 * The functions at the end do what generated code does; tests run both against naive models.
 */
#ifndef SIM_MACHINELAYOUT_H
#define SIM_MACHINELAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cache.h"
#include "sim/lower.h"

struct cores;
struct machine_tlbs;
struct machine_twins;

/* Cachegrind's predictors (Cachegrind manual 5.7): 16,384 counters of two bits, 512 targets. */
enum {
	BRANCH_HISTORY_BITS = 7,
	BRANCH_ADDRESS_BITS = 7,
	BRANCH_COUNTERS = 1 << (BRANCH_HISTORY_BITS + BRANCH_ADDRESS_BITS),
	BRANCH_TARGETS = 512,
};

enum {
	MACHINE_MIN_FILTER = 2048, /* entries; 32 KiB.  With fewer, more lines share one. */
	MACHINE_CELL_TAKEN = 8,    /* next_cell[cell + MACHINE_CELL_TAKEN] for a taken branch */
	MACHINE_CELL_MISS_BIT = 2, /* bit of a cell: its last prediction was wrong */
	MACHINE_HISTORIES = 1 << BRANCH_HISTORY_BITS,
	/* One byte of displacement reaches 127: an entry's two words are at 112 and 120. */
	MACHINE_BASE = 112,
	MACHINE_MISSED_PAGES_BITS = 8, /* of each view, in missed_pages */
	MACHINE_NEAR =
		1208, /* bytes for its user; with the clock a multiple of 64, as the filter needs */
};

/*
 * Invariant: line is resident in D1 and stamp points to its way's stamp (of a D1 that is not plain: it is the
 * newest of its set); or
 * the entry is empty: line is the address of a line that belongs to another
 * entry, so that no reference that looks here lies in it.
 */
struct filter_entry {
	uint64_t line;
	uint64_t *stamp;
};

/* What a reference did to other cores' caches (sim/coherence.h). */
struct machine_coherence {
	uint32_t n_upgraded; /* lines that it has upgraded */
	bool from_core;      /* another core served a line of it */
	bool was_invalidated; /* a line that it missed had been taken from this core by a write of another */
};

/*
 * A line of code.  Invariant: stamp points to the stamp of its way of I1 if
 * it is resident, else to machine.nowhere.
 */
struct code_line {
	uint64_t *stamp;
	uint64_t address; /* of the line */
};

/*
 * The ways of D1.  A tag is the line's address; an empty way has the tag 1 and the stamp 0.  Its low tag
 * is what a search looks at first: the low half of the line's number, 0 of an empty way.
 */
struct data_ways {
	uint64_t *tags;
	uint32_t *low_tags;
	uint64_t *stamps;
	/* The stamp of empty entries of the filter: after the ways' stamps, or machine.nowhere if D1 is not plain. */
	uint64_t *nowhere;
	uint64_t set_mask;
	size_t written_offset; /* bytes from a way's stamp to its word that says if it is dirty; 0: not known */
	uint32_t assoc;
	uint32_t tree_ways; /* policy_tree_ways() */
	uint32_t line_bits;
	bool has_common_miss; /* LRU, 8 or 12 ways, lower levels that are not related, no TLBs, no twins */
};

/* The ways of I1 hold their line instead of a tag; NULL is an empty way. */
struct code_ways {
	struct code_line **lines;
	uint64_t *stamps;
	uint64_t set_mask;
	uint32_t assoc;
	uint32_t tree_ways; /* policy_tree_ways() */
	uint32_t line_bits;
};

/*
 * The newest lines of data, by set; NO_LINE where there is none.  The filter names no others.  lines is NULL
 * if none are kept.
 */
struct newest_data {
	uint64_t *lines;
	uint64_t *stamps; /* by set, where their stamps go */
};

/*
 * The newest lines of code, by set; NULL where there is none.  Each has its stamp in stamps, by which the line of the
 * last fetch is known; all other lines have theirs at machine.nowhere.
 */
struct newest_code {
	struct code_line **lines;
	uint64_t *stamps;
};

/*
 * Invariant: every stamp in I1 or D1 is smaller than clock.
 *
 * Generated code reaches what it needs most by a base register and one byte of displacement:
 * MACHINE_BASE bytes before the filter, so that an entry's words are just in reach, and with them
 * what is before it, most of which is the user's.
 */
struct machine {
	uint64_t nowhere; /* where stamps of absent lines go, except in a plain D1: below all others */
	uint64_t history;     /* last 7 outcomes, the newest in bit 0 */
	uint64_t filter_mask; /* entries - 1 */
	uint64_t write_names; /* entries from the filter to the filter of writes; 0: one core */
	struct data_ways d1;  /* without ways (assoc is 0) if D1 is not plain */
	struct code_ways i1;  /* without ways if I1 is not plain */
	struct cache called_d1, called_i1; /* these are used then */
	struct newest_data newest_data;    /* of called_d1, if its policy settles */
	struct newest_code newest_code;    /* of called_i1, if its policy settles */
	uint64_t last_code;  /* of called_i1: the line that was fetched from last, or NO_LINE */
	uint64_t evicted_at; /* the clock when machine_evict() was called last */
	struct lower_levels lower;
	struct machine_tlbs *tlbs;   /* TLBs, or NULL */
	struct machine_twins *twins; /* fully associative caches next to the first level, or NULL */
	bool hides; /* machine_hide() was called: a line of code in I1 may not be named */
	uint32_t missed_pages; /* by the reference that was made last: machine_missed_pages() */
	uint32_t core;         /* which one of cores this is, from 0 */
	struct cores *cores;   /* several cores (sim/cores.h), or NULL */
	struct machine_coherence
		coherence; /* what the reference that was made last did; only with cores */
	uint64_t targets[BRANCH_TARGETS];
	uint8_t next_cell[2 * MACHINE_CELL_TAKEN];
	/*
	 * cell = counter | wrong << MACHINE_CELL_MISS_BIT.  Those of one branch lie
	 * together, one a history: a loop has few branches and many histories.
	 */
	uint8_t cells[BRANCH_COUNTERS];
	_Alignas(64) uint8_t near[MACHINE_NEAR]; /* the user's; the last bytes are the nearest */
	uint64_t clock; /* the next stamp, of I1 and of D1, to be given to generated code */
	/*
	 * filter_mask + 1 of them, each within a line of the host's cache: of entries
	 * that began 8 bytes further on, every fourth would lie in two.  If there may be several
	 * cores, twice as many: the filter of writes follows.
	 */
	_Alignas(64) struct filter_entry filter[];
};

_Static_assert(offsetof(struct machine, filter) ==
		       offsetof(struct machine, near) + MACHINE_NEAR + sizeof(uint64_t),
	       "nothing between what is near and the filter");

/* True if generated code has to call machine_data() for each reference, hit or miss. */
static inline bool machine_is_called_for_data(const struct machine *machine)
{
	return machine->d1.assoc == 0 && machine->newest_data.lines == NULL;
}

/* The same for machine_write(): writes, and reads whose place is written, too. */
static inline bool machine_is_called_for_writes(const struct machine *machine)
{
	return machine_is_called_for_data(machine) ||
	       (machine->d1.assoc == 0 && machine->called_d1.dirty_bit != 0);
}

/* The same for machine_fetch(). */
static inline bool machine_is_called_for_code(const struct machine *machine)
{
	return machine->i1.assoc == 0 && machine->newest_code.lines == NULL;
}

/* How many levels of TLBs that reference missed in a view: 0, 1, or 2, the page table was walked; 0 without TLBs. */
static inline unsigned machine_missed_pages(const struct machine *machine, unsigned view)
{
	return machine->missed_pages >> MACHINE_MISSED_PAGES_BITS * view &
	       ((1U << MACHINE_MISSED_PAGES_BITS) - 1);
}

/* --- what generated code does -------------------------------------------------- */

static inline struct filter_entry *machine_filter_entry(struct machine *machine, uint64_t address)
{
	return &machine->filter[(address >> machine->d1.line_bits) & machine->filter_mask];
}

/* An entry that is empty: it names a line that belongs to its neighbour, which no reference that looks here is in. */
static inline struct filter_entry machine_empty_entry(struct machine *machine, uint64_t index)
{
	return (struct filter_entry){
		.line = (index ^ 1) << machine->d1.line_bits,
		.stamp = machine->d1.nowhere,
	};
}

/* The entry of the filter of writes; of the filter, if there is one core. */
static inline struct filter_entry *machine_write_entry(struct machine *machine, uint64_t address)
{
	return machine_filter_entry(machine, address) + machine->write_names;
}

/* Empties an entry of the filter of writes; of the filter, if there is one core. */
static inline void machine_empty_write_entry(struct machine *machine, uint64_t index)
{
	machine->filter[index + machine->write_names] = machine_empty_entry(machine, index);
}

/* True if a reference is on one line of a cache with lines of 2 to the line_bits bytes. */
static inline bool is_on_one_line(uint32_t line_bits, uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << line_bits;

	return (address & (line_size - 1)) + size <= line_size;
}

/* The word that says if the line with this stamp of a plain D1 is dirty, if dirty lines are known. */
static inline uint64_t *machine_written(const struct machine *machine, uint64_t *stamp)
{
	return stamp + machine->d1.written_offset / sizeof(*stamp);
}

/* Fetches from a line of code, if it is in I1; returns true then. */
static inline bool machine_fetch_fast(struct machine *machine, struct code_line *line,
				      uint64_t stamp)
{
	*line->stamp = stamp;
	return line->stamp != &machine->nowhere;
}

/* Index of the first cell of a branch; address as for direction_predict(). */
static inline uint64_t machine_first_cell(uint64_t address)
{
	return (address & (BRANCH_COUNTERS / MACHINE_HISTORIES - 1)) * MACHINE_HISTORIES;
}

/* A conditional branch; returns true if it was mispredicted. */
static inline bool machine_branch(struct machine *machine, uint64_t address, bool taken)
{
	uint8_t *cell = &machine->cells[machine_first_cell(address) + machine->history];
	uint8_t next = machine->next_cell[*cell + (taken ? MACHINE_CELL_TAKEN : 0)];

	*cell = next;
	machine->history = (machine->history << 1 | taken) & (MACHINE_HISTORIES - 1);
	return next >> MACHINE_CELL_MISS_BIT;
}

/* An indirect jump or call; address as for target_predict(). */
static inline bool machine_jump(struct machine *machine, uint64_t address, uint64_t target)
{
	uint64_t *cell = &machine->targets[address & (BRANCH_TARGETS - 1)];
	bool wrong = *cell != target;

	*cell = target;
	return wrong;
}

#endif
