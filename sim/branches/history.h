/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of branches that a predictor of the TAGE class looks back on: a sequence of bits, of which
 * a conditional branch adds one, its outcome (1: taken), and an indirect jump or call some that its
 * target says (sim/branches/ittage.h).
 *
 * The newest bits are in one word, recent, to which generated code adds; when a longer look back is needed, or that
 * word is full, they are moved to the others.
 */
#ifndef SIM_BRANCHES_HISTORY_H
#define SIM_BRANCHES_HISTORY_H

#include <stdint.h>

enum {
	HISTORY_FEW_WORDS = 4,
	HISTORY_WORDS = 10,
	HISTORY_BITS = HISTORY_WORDS * 64, /* that it remembers at least */
	HISTORY_MAX_TABLES = 12,
};

struct branch_history {
	/* Bits that are not in words yet, the newest in bit 0, below a bit that is 1; so 1 is none of them. */
	uint64_t recent;
	uint64_t words[HISTORY_WORDS]; /* bit i of word w: the bit 64 w + i before those */
	uint64_t n_words;              /* that are in use: 4, or all */
};

/* Without any bits; n_bits: how far back it has to reach. */
static inline void history_init(struct branch_history *history, unsigned n_bits)
{
	history->recent = 1;
	history->n_words = n_bits <= HISTORY_FEW_WORDS * 64 ? HISTORY_FEW_WORDS : HISTORY_WORDS;
}

/* Whether so many more bits (1 or more) do not fit into recent: history_make_room() is to be called before. */
static inline uint64_t history_is_full(const struct branch_history *history, unsigned n)
{
	return history->recent >> (64 - n);
}

/* Moves all bits to words. */
static inline void history_settle(struct branch_history *history)
{
	const unsigned n = 63 - (unsigned)__builtin_clzll(history->recent);
	uint64_t *past = history->words;

	if (n == 0)
		return;
	if (history->n_words > HISTORY_FEW_WORDS)
		for (unsigned w = HISTORY_WORDS - 1; w >= HISTORY_FEW_WORDS; w--)
			past[w] = past[w] << n | past[w - 1] >> (64 - n);
	for (unsigned w = HISTORY_FEW_WORDS - 1; w > 0; w--)
		past[w] = past[w] << n | past[w - 1] >> (64 - n);
	past[0] = past[0] << n | (history->recent ^ UINT64_C(1) << n);
	history->recent = 1;
}

static inline void history_make_room(struct branch_history *history, unsigned n)
{
	if (history_is_full(history, n))
		history_settle(history);
}

/* Adds n bits, of which bit 0 is the newest, for which there is room. */
static inline void history_add(struct branch_history *history, uint64_t bits, unsigned n)
{
	history->recent = history->recent << n | bits;
}

/* -- hashes --------------------------------------------------------------------------------- */

/* How the newest bits of the history, so many, become one word: see history_hash(). */
struct history_length {
	uint32_t n_words;   /* that hold them all */
	uint64_t last_mask; /* of the last of these: the bits that belong to them */
};

/* n: 1 to HISTORY_BITS */
static inline struct history_length history_length_of(unsigned n)
{
	return (struct history_length){ (n + 63) / 64, UINT64_MAX >> (63 - (n - 1) % 64) };
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

/*
 * A hash of a key, which has to be one itself, and of the newest bits of a settled history, so many, in as many words as
 * hold them: a step for each word but the last, from 0 on; what comes of them ^ the last goes into a step of the key.
 */
static inline uint64_t history_hash(const struct branch_history *history,
				    const struct history_length *length, uint64_t key)
{
	const unsigned last = length->n_words - 1;
	uint64_t bits = 0;

	for (unsigned w = 0; w < last; w++)
		bits = history_mix(bits, history->words[w]);
	return history_mix(key, bits ^ (history->words[last] & length->last_mask));
}

#endif
