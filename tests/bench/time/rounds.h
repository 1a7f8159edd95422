/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs of functions that are run again and again, for scripts/compare-time.
 *
 *	PROGRAM			lines "NAME COUNT": what there is, and how many times each does what it is there for
 *	PROGRAM NAME ROUNDS	runs it once, so that caches and predictors know it, and then so often; 0 is as
 *				often as 0.2 s have room for, and three times at least.  Prints of each its
 *				nanoseconds, and how many cycles these had at least, just before and after; that is 0
 *				unless ROUNDS is: what collects has no use for it.  A sum goes to standard error.
 *
 * A round is a call of measured_round(): a tool that collects below it sees all rounds but the first, and
 * neither what comes before nor what prints.
 */
#ifndef TESTS_BENCH_TIME_ROUNDS_H
#define TESTS_BENCH_TIME_ROUNDS_H

#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/time/clock.h"

struct rounds {
	const char *name;
	uint64_t count;                  /* of what a round does */
	uint64_t (*run)(uint64_t count); /* a round */
	void (*set_up)(size_t size);     /* before the first one; may be NULL */
	size_t size;                     /* for set_up() */
};

static NOINLINE uint64_t measured_round(const struct rounds *what)
{
	const uint64_t sum = what->run(what->count);

	__asm__ volatile("" ::: "memory"); /* no jump instead of the call */
	return sum;
}

static inline void rounds_run(const struct rounds *what, long rounds)
{
	const double first = clock_now();
	double before;
	uint64_t sum;

	if (what->set_up)
		what->set_up(what->size);
	sum = what->run(what->count);
	before = rounds > 0 ? 0 : clock_rate();
	for (long i = 0; rounds > 0 ? i < rounds : i < 3 || clock_now() - first < 2e8; i++) {
		const double began = clock_now();
		double took, after;

		sum += measured_round(what);
		took = clock_now() - began;
		after = rounds > 0 ? 0 : clock_rate();
		printf("%.0f %.4f\n", took, before < after ? before : after);
		before = after;
	}
	fprintf(stderr, "%" PRIu64 "\n", sum);
}

/* All of main(). */
static inline int rounds_main(const struct rounds *table, size_t size, int argc, char **argv)
{
	for (size_t i = 0; i < size; i++) {
		if (argc < 3) {
			printf("%s %" PRIu64 "\n", table[i].name, table[i].count);
		} else if (strcmp(argv[1], table[i].name) == 0) {
			rounds_run(&table[i], strtol(argv[2], NULL, 10));
			return 0;
		}
	}
	return argc < 3 ? 0 : 2;
}

#endif
