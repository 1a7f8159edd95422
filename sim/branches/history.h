/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of branches that a predictor of the TAGE class looks back on: a sequence of bits, of which
 * a conditional branch adds one, its outcome (1: taken), and an indirect jump or call some that its
 * target says (sim/branches/ittage.h).
 *
 * Its newest bits, HISTORY_NEWEST or fewer, choose the cell of a branch, so generated code has them in one word, recent,
 * to which it adds.  The older ones of that word go to the others when a predictor needs them (history_settle()).
 *
 * In recent a 1, the marker, stands above the bits that have come since then and the newest ones of before.  Nobody looks
 * whether it is full: bits beyond 64 are lost, the marker with them, and then the highest 1 is the marker.  So of a long
 * run of branches that all go as expected only the last 50 or so are remembered.
 */
#ifndef SIM_BRANCHES_HISTORY_H
#define SIM_BRANCHES_HISTORY_H

#include <stdint.h>

enum {
	HISTORY_WORDS = 10,
	HISTORY_NEWEST = 8, /* at most so many bits choose cells */
};

struct branch_history {
	uint64_t recent;
	uint64_t words[HISTORY_WORDS]; /* bit i of word w: 64 w + i bits before the newest ones */
	uint32_t n_words;              /* in use: 1 to HISTORY_WORDS */
	uint32_t n_newest;             /* 0 to HISTORY_NEWEST */
};

/* All bits are 0.  n_older: how far back it has to reach, without the newest ones, 1 to 64 * HISTORY_WORDS. */
static inline void history_init(struct branch_history *history, unsigned n_newest, unsigned n_older)
{
	*history = (struct branch_history){
		.recent = UINT64_C(1) << n_newest,
		.n_words = (n_older + 63) / 64,
		.n_newest = n_newest,
	};
}

/* The newest bits. */
static inline uint32_t history_newest(const struct branch_history *history)
{
	return (uint32_t)history->recent & ((UINT32_C(1) << history->n_newest) - 1);
}

/* Moves the bits of recent that are older than the newest ones to words. */
static inline void history_settle(struct branch_history *history)
{
	const uint64_t recent = history->recent;
	const unsigned newest = history->n_newest;
	uint64_t *past = history->words;
	unsigned n;

	history->recent = history_newest(history) | UINT64_C(1) << newest;
	if (recent >> newest < 2)
		return;
	n = 63 - newest - (unsigned)__builtin_clzll(recent);
	for (unsigned w = history->n_words - 1; w > 0; w--)
		past[w] = past[w] << n | past[w - 1] >> (64 - n);
	past[0] = past[0] << n | (recent >> newest & ((UINT64_C(1) << n) - 1));
}

/* Adds n bits, of which bit 0 is the newest. */
static inline void history_add(struct branch_history *history, uint64_t bits, unsigned n)
{
	history->recent = history->recent << n | bits;
}

/*
 * One step of a hash; the multiplier is 2^64 by the golden ratio (Knuth, The Art of Computer
 * Programming, 6.4).  The upper half has more of the argument in it than the lower one.
 */
static inline uint64_t history_mix(uint64_t hash, uint64_t bits)
{
	hash ^= bits;
	hash = (hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

#endif
