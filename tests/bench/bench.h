/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the benchmark programs share.  They read nothing, so that a run is the
 * same everywhere, and end with a checksum of what they computed: the compiler
 * cannot leave work out, and a tool under which a program goes another way is
 * found out.
 */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A call that is written is one that is made, also by recursion. */
#ifdef __clang__
# define NOINLINE __attribute__((noinline))
#else
# define NOINLINE __attribute__((noinline, noclone))
#endif

/* The next of a sequence of numbers that look random; *state begins as anything but 0. */
static inline uint32_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)(*state * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

/* The next number below limit, which is not 0. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)((uint64_t)random_next(state) * limit >> 32);
}

/* A checksum to which a value is added; the order of values matters.  Begins as 0. */
static inline uint64_t checksum_add(uint64_t sum, uint64_t value)
{
	sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ sum >> 29;
}

/* Memory for count objects of size bytes, all 0; free() releases it.  Ends the program if there is
 * none. */
static inline void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory) {
		fprintf(stderr, "bench: out of memory\n");
		exit(1);
	}
	return memory;
}

/* Ends the program unless what it computed is right. */
static inline void require(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "bench: wrong result: %s\n", what);
	exit(1);
}

/* The last words of the program: returns its exit status. */
static inline int report(const char *program, uint64_t sum)
{
	printf("%s: checksum %016" PRIx64 "\n", program, sum);
	return fflush(stdout) != 0;
}

#endif
