/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lastlevel SIZE: prints how many bytes of a last-level cache of that size (bytes) this program has to itself.
 *
 * Other cores, and other machines on the same processor, take their part of it, and nothing tells how much.  So a walk in random
 * order through areas from an eighth of the size to twice that is timed: of each, the share that was not in the cache
 * follows from its latency, which is between that of the smallest area and that of one of eight times the size.
 * The largest part that was in the cache, of any area, is what there is.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/time/clock.h"

enum { LINE = 64, STEPS = 200000, TRIALS = 4 };

/* Nanoseconds a load of the fastest of some walks, through all lines or as many as STEPS, in random order. */
static double walk(size_t size)
{
	const uint32_t n = (uint32_t)(size / LINE);
	char *area = allocate(size, 1);
	uint32_t *order = allocate(n, sizeof(*order));
	uint64_t state = 1;
	double best = 1e9;

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		const uint32_t other = random_below(&state, i + 1), kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
	for (uint32_t i = 0; i < n; i++)
		*(char **)(void *)(area + (size_t)order[i] * LINE) =
			area + (size_t)order[(i + 1) % n] * LINE;
	for (int trial = 0; trial < TRIALS; trial++) {
		const uint32_t steps = n > STEPS ? n : STEPS;
		const char *at = area;
		const double began = clock_now();
		double took;

		for (uint32_t i = 0; i < steps; i++)
			__asm__ volatile("mov (%0), %0" : "+r"(at)::"memory");
		took = (clock_now() - began) / steps;
		if (trial > 0 && took < best) /* the first one brings it */
			best = took;
	}
	free(order);
	free(area);
	return best;
}

int main(int argc, char **argv)
{
	const size_t size = argc == 2 ? (size_t)strtoull(argv[1], NULL, 10) / LINE * LINE : 0;
	double cached, memory, most = 0;

	require(size >= (size_t)8 * LINE * LINE, "argument: the cache's bytes");
	cached = walk(size / 8);
	memory = walk(8 * size);
	require(memory > cached, "no difference between cache and memory");
	for (size_t eighths = 2; eighths <= 16; eighths += eighths < 8 ? 1 : 4) {
		const double took = walk(size / 8 * eighths);
		const double share = (memory - took) / (memory - cached);

		if (share * (double)eighths > most)
			most = share * (double)eighths;
	}
	printf("%.0f\n", most >= 8 ? (double)size : most * (double)size / 8);
	return 0;
}
