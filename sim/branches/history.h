/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of branches that a predictor of the TAGE class looks back on: a sequence of bits, of which
 * a conditional branch adds one, its outcome (1: taken), and an indirect jump or call some that its
 * target says (sim/branches/ittage.h).
 *
 * The newest of them, n_newest, choose the cell of a branch, so generated code has them in one word, recent,
 * to which it adds.  The older ones of that word are taken from it when a predictor needs them (history_settle()).
 *
 * In recent a 1, the marker, stands above the bits that have come since then and the newest ones of before.  Nobody looks
 * whether it is full: bits beyond 64 are lost, the marker with them, and then the highest 1 is the marker.  So of a long
 * run of branches that all go as expected only the last 50 or so are remembered.
 *
 * Long histories are *folded*, as hardware does it: the n bits that follow the newest ones are cut into words of 64, the youngest
 * bit in bit 0, and ^ makes one word of them.  To settle, a fold is rotated, takes in the young bits, and drops those that are
 * past n by now, which the ring still has.
 */
#ifndef SIM_BRANCHES_HISTORY_H
#define SIM_BRANCHES_HISTORY_H

#include <stdint.h>

enum {
	HISTORY_NEWEST = 8, /* at most so many bits choose cells */
	HISTORY_FOLDS = 3,
	HISTORY_WORDS = 16,
	/* That a fold may look back, without the newest ones. */
	HISTORY_BITS = (HISTORY_WORDS - 1) * 64,
};

struct history_size {
	uint16_t n_newest;             /* 0 to HISTORY_NEWEST */
	uint16_t folds[HISTORY_FOLDS]; /* lengths, 64 to HISTORY_BITS */
};

struct branch_history {
	uint64_t recent;
	uint64_t older; /* the 64 youngest bits behind the newest ones */
	uint64_t folds[HISTORY_FOLDS];
	uint32_t newest_mask;
	uint32_t begin; /* of the youngest bit in ring, modulo its bits; older ones are behind it */
	uint64_t ring[HISTORY_WORDS];
	struct history_size size;
};

/* All bits are 0. */
static inline void history_init(struct branch_history *history, const struct history_size *size)
{
	*history = (struct branch_history){
		.recent = UINT64_C(1) << size->n_newest,
		.newest_mask = (UINT32_C(1) << size->n_newest) - 1,
		.size = *size,
	};
}

/* The newest bits. */
static inline uint32_t history_newest(const struct branch_history *history)
{
	return (uint32_t)history->recent & history->newest_mask;
}

static inline uint64_t history_rotate(uint64_t word, unsigned n)
{
	return word << n % 64 | word >> (64 - n) % 64;
}

/* The 64 bits of the ring from a place on. */
static inline uint64_t history_at(const struct branch_history *history, uint32_t at)
{
	const uint64_t *ring = history->ring;
	const uint64_t first = ring[at / 64 % HISTORY_WORDS];
	const uint64_t second = ring[(at / 64 + 1) % HISTORY_WORDS];

	return first >> at % 64 | second << 1 << (63 - at % 64);
}

/* Moves the bits of recent that are older than the newest ones. */
static inline void history_settle(struct branch_history *history)
{
	const uint64_t recent = history->recent;
	const unsigned newest = history->size.n_newest;
	uint64_t *ring = history->ring;
	uint64_t bits;
	uint32_t first;
	unsigned n;

	history->recent = history_newest(history) | UINT64_C(1) << newest;
	if (recent >> newest < 2)
		return;
	n = 63 - newest - (unsigned)__builtin_clzll(recent);
	bits = recent >> newest & ((UINT64_C(1) << n) - 1);
	for (unsigned i = 0; i < HISTORY_FOLDS; i++) {
		const unsigned length = history->size.folds[i];
		const uint64_t leaving = history_at(history, history->begin + length - n) &
					 ((UINT64_C(1) << n) - 1);

		history->folds[i] = history_rotate(history->folds[i], n) ^ bits ^
				    history_rotate(leaving, length);
	}
	history->older = history->older << n | bits;
	first = history->begin - n;
	/* The two words of the ring in which the youngest 64 bits lie. */
	ring[first / 64 % HISTORY_WORDS] = history->older << first % 64;
	ring[(first / 64 + 1) % HISTORY_WORDS] =
		(ring[(first / 64 + 1) % HISTORY_WORDS] & UINT64_MAX << first % 64) |
		history->older >> 1 >> (63 - first % 64);
	history->begin = first;
}

/* Adds n bits, of which bit 0 is the newest. */
static inline void history_add(struct branch_history *history, uint64_t bits, unsigned n)
{
	history->recent = history->recent << n | bits;
}

#endif
