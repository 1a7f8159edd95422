/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * About as much code as a compiler has, in 4,096 functions; each one runs
 * a few times.  What it takes is the time to translate code, to look up its
 * symbols and lines, and to write a large profile; counting takes hardly any.
 *
 * bigcode.inc is eight functions of different kinds and one that calls them.
 * It includes itself until it is there 512 times, each time with other names
 * and constants.
 */
#include "tests/bench/bench.h"

#include <stdlib.h>

enum {
	PASSES = 4,
	GROUPS = 512,
	TABLE = 64,
	RECORDS = 32,
};

struct record {
	struct record *next;
	uint32_t kind;
	uint32_t flags;
	unsigned char text[8];
	double weight;
};

/* What the functions work on. */
struct state {
	uint32_t table[TABLE];
	struct record records[RECORDS]; /* a ring by next */
	uint64_t total;
};

#include "tests/bench/bigcode.inc"

typedef uint32_t run_group(struct state *state, uint32_t x);

#define ROW(a, b)                                                                     \
 group_##a##b##0, group_##a##b##1, group_##a##b##2, group_##a##b##3, group_##a##b##4, \
	 group_##a##b##5, group_##a##b##6, group_##a##b##7
#define ROWS(a) \
 ROW(a, 0), ROW(a, 1), ROW(a, 2), ROW(a, 3), ROW(a, 4), ROW(a, 5), ROW(a, 6), ROW(a, 7)

static run_group *const groups[GROUPS] = { ROWS(0), ROWS(1), ROWS(2), ROWS(3),
					   ROWS(4), ROWS(5), ROWS(6), ROWS(7) };

static void state_init(struct state *state)
{
	uint64_t seed = 23;

	for (size_t i = 0; i < TABLE; i++)
		state->table[i] = random_next(&seed);
	for (size_t i = 0; i < RECORDS; i++) {
		struct record *record = &state->records[i];

		/* Far from the neighbour, and all are reached: 7 and 32 have no common divisor. */
		record->next = &state->records[(i + 7) % RECORDS];
		record->kind = random_below(&seed, 12);
		record->flags = random_next(&seed);
		record->weight = record->kind + 0.5;
		for (size_t j = 0; j < sizeof(record->text); j++)
			record->text[j] = (unsigned char)('a' + random_below(&seed, 26));
	}
}

int main(void)
{
	struct state *state = allocate(1, sizeof(*state));
	uint64_t seed = 29;
	uint64_t sum = 0;

	state_init(state);
	for (int pass = 0; pass < PASSES; pass++) {
		/* 211 and 512 have no common divisor either. */
		for (size_t i = 0; i < GROUPS; i++)
			sum = checksum_add(sum,
					   groups[i * 211 % GROUPS](state, random_next(&seed)));
	}
	sum = checksum_add(sum, state->total);
	free(state);
	return report("bigcode", sum);
}
