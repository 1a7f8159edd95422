/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hardware prefetcher: it watches what asks the last level for lines, and
 * where three lines in a row are asked for, upwards or downwards, it asks for
 * the one five lines further on, and so at each step of the run.
 *
 * Runs are told apart by the page (4 KiB) that they are in, modulo eight, so
 * eight can be followed at once.  It does not know what the caches hold, and
 * what it asks for is there in time: a best case (as in Callgrind's model).
 */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include <stdint.h>

enum {
	PREFETCH_STREAMS = 8,
	PREFETCH_DISTANCE = 5, /* lines */
};

struct prefetcher {
	struct prefetch_stream {
		uint64_t last; /* line number */
		int run;       /* steps in a row, up or (below zero) down; at most two count */
	} streams[PREFETCH_STREAMS];
	uint32_t line_bits;
};

/* Nothing was watched yet; the lines are those of the last level. */
void prefetcher_init(struct prefetcher *prefetcher, uint32_t line_bits);

/*
 * Sees a reference that begins at address.  Returns how many lines from there
 * one is to be fetched: PREFETCH_DISTANCE, -PREFETCH_DISTANCE, or 0 for none.
 */
int prefetcher_watch(struct prefetcher *prefetcher, uint64_t address);

#endif
