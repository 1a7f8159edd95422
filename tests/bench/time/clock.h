/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many cycles this processor has in a nanosecond, at the time.
 *
 * Each addition of a chain waits for the one before it, and takes a cycle on every processor
 * (of two registers: adding a constant may be eliminated when registers are renamed). The fastest
 * of several stretches counts: what disturbs one only makes it longer.
 */
#ifndef TESTS_BENCH_TIME_CLOCK_H
#define TESTS_BENCH_TIME_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { CLOCK_TURNS = 30000, CLOCK_CHAIN = 100 };

/* Nanoseconds of this process. */
static double clock_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Cycles in a nanosecond, of a stretch of a millisecond. */
static double clock_rate(void)
{
	const double began = clock_now();
	uint64_t turns = CLOCK_TURNS, sum = 0;

	__asm__ volatile("1:\n"
			 ".rept %c3\n"
			 "add %2, %1\n"
			 ".endr\n"
			 "dec %0\n"
			 "jnz 1b"
			 : "+r"(turns), "+r"(sum)
			 : "r"(UINT64_C(1)), "i"(CLOCK_CHAIN)
			 : "cc");
	return (double)CLOCK_TURNS * CLOCK_CHAIN / (clock_now() - began);
}

#endif
