/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last level with what Callgrind's simulators add to it, each of them to be
 * had alone or with the others:
 *
 *	write-back	LL knows which lines were written to.  The first level
 *			writes through: a write that hits there is seen by LL
 *			too, which brings the line in if it must; nobody waits
 *			for that, so it is no miss.
 *	prefetcher	watches what LL is asked for, and asks
 *			it for lines of its own, which are no misses either.
 *	uses		(sim/lineuse.h) of each line are watched, in all caches.
 *
 * What hits and misses is as in struct hierarchy otherwise.  Uses change
 * nothing of it; write-back and prefetcher change LL alone, so the levels
 * before it may be whatever tells whether all of them missed: a struct
 * hierarchy or a struct machine without its last level, or the first level of
 * this struct, which watches uses.
 *
 * What a write-back costs is seen only at a reference that missed LL: lines
 * that were pushed out by a prefetch or a write that hit the first level are
 * nobody's.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/lines.h"
#include "sim/lineuse.h"
#include "sim/lower.h"
#include "sim/range.h"

/* -- the prefetcher -------------------------------------------------------- */

/*
 * A hardware prefetcher: it watches what asks the last level for lines, and
 * where three lines in a row are asked for, upwards or downwards, it asks for
 * the one five lines further on, and so at each step of the run.
 *
 * Runs are told apart by the page (4 KiB) that they are in, modulo eight, so
 * eight can be followed at once.  It does not know what the caches hold, and
 * what it asks for is there in time: a best case (as in Callgrind's model).
 */

enum {
	HWPREF_STREAMS = 8,
	HWPREF_DISTANCE = 5, /* lines */
};

struct prefetcher {
	struct prefetch_stream {
		uint64_t last; /* line number */
		int run;       /* steps in a row, up or (below zero) down; at most two count */
	} streams[HWPREF_STREAMS];
	uint32_t line_bits;
};

/* Nothing was watched yet; the lines are those of the last level. */
void prefetcher_init(struct prefetcher *prefetcher, uint32_t line_bits);

/*
 * Sees a reference that begins at address.  Returns how many lines from there
 * one is to be fetched: HWPREF_DISTANCE, -HWPREF_DISTANCE, or 0 for none.
 */
int prefetcher_watch(struct prefetcher *prefetcher, uint64_t address);

/* -- memory ---------------------------------------------------------------- */

/* What the last level did; the second is only ever set together with the first. */
enum {
	MEMORY_MISSED = 1,
	MEMORY_WROTE_BACK = 2, /* a line that it pushed out had been written to */
};

struct memory_options {
	bool write_back;
	bool prefetch;
	bool uses;
};

struct memory {
	struct memory_options options;
	struct lines ll;
	struct prefetcher prefetcher;
	/* Only if uses are watched; else without lines. */
	struct lines i1, d1;
	struct line_sink sink;
};

/* A reference to size bytes (1 or more) at address; the end may wrap around. */
struct memory_reference {
	uint64_t address, size;
	struct loader loader;
	bool is_write, is_fetch;
};

/* Bytes of memory that memory_init() needs; all geometries must be legal. */
size_t memory_size(const struct hierarchy_config *config, const struct memory_options *options);

/*
 * Makes empty caches in the caller's memory, memory_size() bytes, all zero,
 * aligned to 64.  The sink, which may be NULL unless uses are watched, is
 * copied; it gets the costs of each line that goes.
 */
void memory_init(struct memory *memory, const struct hierarchy_config *config,
		 const struct memory_options *options, const struct line_sink *sink, void *space);

/*
 * Takes lines that have a byte in the range out of all caches; what is dirty is not counted as
 * written back.  If it is all of the address space, streams are forgotten too.
 */
void memory_evict(struct memory *memory, struct address_range range);

/* The first level, if uses are watched; returns whether the reference missed it. */
bool memory_touch_code(struct memory *memory, const struct memory_reference *reference);
bool memory_touch_data(struct memory *memory, const struct memory_reference *reference);

/*
 * The last level, to be called for each reference with whether it missed all
 * levels before; for those that did not and are no writes it does nothing.
 * Returns MEMORY_MISSED | MEMORY_WROTE_BACK bits, none for a reference that did not miss.
 */
unsigned memory_behind(struct memory *memory, const struct memory_reference *reference,
		       bool missed);

/* Sends to a sink what lines would cost if they all went now; changes nothing. */
void memory_charge_resident(const struct memory *memory, const struct line_sink *sink);

#endif
