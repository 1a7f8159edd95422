/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step against the run, or away from it, ends it without beginning another
 * one: it takes two steps more.
 *
 *	lines seen	7  8  9 10  9  8  7  6
 *	run		0  1  2  2  0 -1 -2 -2
 *	fetched		      14 15       2  1
 */
#include "sim/prefetch.h"

enum {
	PAGE_BITS = 12,
	RUN_LENGTH = 2, /* steps from which on it fetches */
};

/* No line has this number, nor one of its neighbours: lines have 16 bytes at least. */
static const uint64_t NO_LINE = UINT64_MAX / 2;

void prefetcher_init(struct prefetcher *prefetcher, uint32_t line_bits)
{
	prefetcher->line_bits = line_bits;
	for (unsigned i = 0; i < PREFETCH_STREAMS; i++)
		prefetcher->streams[i] = (struct prefetch_stream){ .last = NO_LINE };
}

/* The run after a step of -1, 0 or 1; 0 is a jump elsewhere. */
static int next_run(int run, int step)
{
	if (run * step > 0)
		return RUN_LENGTH * step;
	return run == 0 ? step : 0;
}

int prefetcher_watch(struct prefetcher *prefetcher, uint64_t address)
{
	uint64_t line = address >> prefetcher->line_bits;
	struct prefetch_stream *stream =
		&prefetcher->streams[(address >> PAGE_BITS) % PREFETCH_STREAMS];
	uint64_t last = stream->last;

	if (line == last)
		return 0;
	stream->last = line;
	stream->run = next_run(stream->run, (line == last + 1) - (line + 1 == last));
	return stream->run / RUN_LENGTH * PREFETCH_DISTANCE;
}
