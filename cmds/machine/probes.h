/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops of known shape, timed on the processor that runs this, for costgrind machine --measure.
 *
 * All results are cycles, or counts derived from cycles. A probe returns NAN where it cannot tell: where it
 * needs machine code that is only written for amd64, or where no step shows in its curve. Results are the
 * fastest of several trials, since other programs and other machines on the same processor only ever add time.
 */
#ifndef CMDS_MACHINE_PROBES_H
#define CMDS_MACHINE_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the processor says about itself; probes look for steps around these sizes. Bytes; 0 where there is no such level. */
struct probe_hints {
	size_t line;
	size_t l1d, l2, l3;
	size_t stlb; /* entries */
};

/* Memory to walk through, and the clock. Fields are private. */
struct probes {
	struct probe_hints hints;
	char *large; /* in huge pages, if the kernel grants them */
	size_t large_size;
	char *small; /* in pages of 4 KiB */
	size_t small_size;
	uint32_t *order; /* one entry for each line of the large area */
	double clock;    /* cycles in a nanosecond */
};

/* Maps memory: a part of what is free. False, with errno set, if there is too little. Release it in either case. */
bool probes_init(struct probes *probes, const struct probe_hints *hints);
void probes_release(struct probes *probes);

/* Measures the clock, in cycles per nanosecond, by a chain of additions; all other probes count in its cycles. */
double probe_clock(struct probes *probes);

/* -- caches: walks in random order -- */

/* Cycles of a load whose address comes from the load before, out of this many bytes. */
double probe_chase(struct probes *probes, size_t size);

/*
 * The same from memory, without what pages add to it: lines have been flushed, and a page that the second TLB has takes second_tlb
 * cycles, any other one page_walk (probe_pages(); NAN: not known, and not taken off). NAN where a program cannot flush lines.
 */
double probe_memory(struct probes *probes, double second_tlb, double page_walk);

/* Bytes of a line of L1D. */
double probe_line(struct probes *probes);

/* Bytes up to which walks are as fast as within that level; near is its latency, far the next level's. */
double probe_level_size(struct probes *probes, size_t claimed, double near, double far);

/* Ways of a set of L1D. */
double probe_l1d_ways(struct probes *probes);

/*
 * Bytes of the last level that one program has: other cores and other machines take their part.  memory: the latency beyond it.
 * last: receives the latency of a hit.
 */
double probe_last_level(struct probes *probes, double memory, double *last);

/* -- TLBs: walks with one line a page of 4 KiB, less a walk through as many lines -- */

/* Cycles that pages add to each load. */
double probe_pages(struct probes *probes, size_t n_pages);

/* Pages up to which these are fewer than this. */
double probe_tlb_reach(struct probes *probes, size_t from, size_t to, double least);

/* -- memory that is flushed: transfers, and misses at a time -- */

/* Cycles a line, with that many sequential streams at a time. */
double probe_streams(struct probes *probes, unsigned n);

/* The same of one stream that goes through this many bytes again and again, from the level that they fit into. */
double probe_stream_within(struct probes *probes, size_t size);

/* The most loads from memory that are under way at a time: as many as one takes the time of. */
double probe_parallel_misses(struct probes *probes);

/* Cycles between two independent loads of one set of L1D, of that many bytes; *others: between loads of any sets. */
double probe_same_set(struct probes *probes, size_t size, double *others);

/* Cycles of a load of the walk, where it goes through lines in their order: stride 1, or each third line. */
double probe_ordered(struct probes *probes, size_t size, size_t stride, bool is_flushed);

/* Cycles of a load of the second line of a pair whose first one was just loaded from memory. */
double probe_pair(struct probes *probes, double memory);

/* -- the core -- */

double probe_mispredict(struct probes *probes);
/* From a store to a load of what it stored: always of one place, by one register, or of places that change, by two. */
double probe_forward(struct probes *probes, bool is_same_place);
/* Cycles of each of n consecutive taken jumps, 32 bytes apart; n is 2 to 1024. */
double probe_jumps(struct probes *probes, unsigned n);
/* Half of a call and its return. */
double probe_call(struct probes *probes);

#endif
