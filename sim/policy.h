/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replacement policies: which line of a full set goes when another one comes.
 *
 * A policy is two functions and a row of the table in sim/policy.c; nothing else knows policies by name.
 *
 *	hit	the line in this way was referenced
 *	miss	a line comes: into which way?  An empty one, or the victim's.  When it returns, the policy knows that
 *		the new line is there.
 *
 * It keeps what it knows about a set in one of two forms, or both:
 *
 *	order	of the ways: policy_to_front() changes it, and sim/shorttags.h for short tags.  This costs no memory,
 *		and is all that LRU and FIFO need.
 *	bits	some for each way (policy.bits), in words of its own, 0 at first.  They belong to places in the row of
 *		ways, whatever line is there; a policy that has them leaves the order alone.  State of the
 *		whole set, like a hand, takes bits of the same words: there are `bits` times the ways.
 *
 * A way whose line is taken out by cache_evict() is empty; it becomes the last one of the row if the policy has no bits,
 * and else stays where it is, with its bits.
 *
 * LRU is the one policy that the rest of sim/ knows: a cache has it without a call.  Generated code has it in the first
 * level, and the other policies whose victim follows from when each way was touched last (sim/machine.h).
 */
#ifndef SIM_POLICY_H
#define SIM_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/shorttags.h"

enum {
	POLICY_LEVEL_WORDS = 2,    /* of all sets together: a seed, a counter */
	POLICY_BITS_PER_WORD = 64, /* of the words that a set's bits are in */
	POLICY_WHOLE_SET = -1,     /* as many ways as a set has */
};

/* A set, as a policy sees it. */
struct policy_set {
	/* The row of ways, in one of two forms: the other is NULL.  0 is an empty way. */
	uint64_t *tags;
	uint32_t *short_tags;
	uint32_t *slots; /* what moves with them, or NULL: see sim/cache.h */
	uint64_t *bits;  /* the policy's, of this set */
	uint64_t *level; /* the policy's, POLICY_LEVEL_WORDS words of the whole level, 0 at first */
	uint64_t number; /* of the set, from 0 */
	uint64_t n_sets; /* of the level */
	uint32_t assoc;
	uint32_t variant; /* struct policy's */
};

struct policy {
	const char *name; /* without the part that tells variants apart */
	uint32_t bits;    /* a way */
	bool settles;     /* touching a set's last touched line once more changes nothing */
	/*
	 * If the victim of a full set follows from when each way was touched last (sim/stamped.h): how many ways a
	 * tree has; POLICY_WHOLE_SET; 0 if it does not follow.
	 */
	uint32_t tree_ways;
	uint32_t variant; /* what hit() and miss() are to do, in a form that is their own */
	void (*hit)(const struct policy_set *set, uint32_t way);
	uint32_t (*miss)(const struct policy_set *set);
	/* Why it cannot have assoc ways (1 or more), or NULL if it can; the function is NULL if it always can. */
	const char *(*misfit)(const struct policy *policy, uint32_t assoc);
};

/*
 * POLICIES(ROW): ROW(name, names for messages).  struct policy policy_name is in a file of sim/policies/, or in
 * sim/policy.c.  Quad-age LRU is not here: it needs a variant.
 */
#define POLICIES(ROW)               \
 ROW(lru, "lru")                    \
 ROW(fifo, "fifo")                  \
 ROW(random, "random, random_SEED") \
 ROW(plru, "plru")                  \
 ROW(mru, "mru")                    \
 ROW(mru_n, "mru_n")                \
 ROW(srrip, "srrip")                \
 ROW(drrip, "drrip")                \
 ROW(lru3plru4, "lru3plru4")

/* What policy_named() knows, for messages. */
#define POLICY_LISTED(name, listed) listed ", "
#define POLICY_NAMES                POLICIES(POLICY_LISTED) "or qlru_hXY_mX_rN_uN"

/*
 * Finds a policy by its name, of length bytes, in upper or lower case:
 *
 *	lru		the least recently used line goes
 *	fifo		the line that came first goes, used or not
 *	random		any line, by a sequence that is the same in every run; random_7 by another,
 *			for each number below 2^32.  random is random_0.
 *	plru		tree-PLRU: bits in a binary tree lead away from what was used (sim/policies/plru.c)
 *	mru		bit-PLRU: the first line goes that was not used since each had been
 *			(sim/policies/mru.c)
 *	mru_n		the same, but nothing is noted while a way of the set is empty
 *	srrip		re-reference interval prediction, static (sim/policies/qlru.c)
 *	drrip		... or bimodal, as a duel of sets decides (sim/policies/qlru.c)
 *	lru3plru4	three trees of four ways, in order of use (sim/policies/plru.c)
 *	qlru_...	quad-age LRU (sim/policies/qlru.c):
 *			_h21 _h20 _h11 _h10 _h00, _m0 .. _m3 or _mr10 _mr20 _mr21 _mr30 _mr31 _mr32,
 *			_r0 .. _r2, _u0 .. _u3, and _umo or nothing, in this order
 *
 * Fills *policy and returns true; it is the caller's, and must outlive the caches that use it.
 * Returns false if there is no such policy; then *policy is as it was.  Empty
 * ways are taken first in all of them, from the left, but for _r2.
 *
 * Sources: for the names and definitions of plru to qlru, Abel and Reineke, "nanoBench", ISPASS 2020, and
 * uops.info/cache.html; for srrip and drrip, Jaleel et al., "High performance cache
 * replacement using re-reference interval prediction", ISCA 2010.
 */
bool policy_named(struct policy *policy, const char *name, size_t length);

/*
 * Why a cache of assoc ways (1 or more) cannot have a policy, in words that follow "NAME: ", or NULL if it can.  The
 * text is static.
 */
const char *policy_misfit(const struct policy *policy, uint32_t assoc);

/* True if a policy is LRU, or a copy of it; NULL is LRU. */
bool policy_is_lru(const struct policy *policy);

/*
 * How many ways each tree has (struct policy), of a policy that goes with assoc ways, NULL for LRU; 0 if the victim does
 * not follow from the time of last touches.
 */
static inline uint32_t policy_tree_ways(const struct policy *policy, uint32_t assoc)
{
	if (policy == NULL)
		return 1;
	return policy->tree_ways == (uint32_t)POLICY_WHOLE_SET ? assoc : policy->tree_ways;
}

/* A line becomes the first of its set; those that were before it move down by one. */
static inline void policy_to_front(const struct policy_set *set, size_t way)
{
	if (set->short_tags != NULL) {
		shorttags_to_front(set->short_tags, way, set->short_tags[way]);
	} else {
		uint64_t tag = set->tags[way];

		for (size_t i = way; i > 0; i--)
			set->tags[i] = set->tags[i - 1];
		set->tags[0] = tag;
	}
	if (set->slots != NULL) {
		uint32_t slot = set->slots[way];

		for (size_t i = way; i > 0; i--)
			set->slots[i] = set->slots[i - 1];
		set->slots[0] = slot;
	}
}

/* The first empty way, assoc if none is. */
static inline uint32_t policy_first_empty(const struct policy_set *set)
{
	uint32_t way = 0;

	if (set->short_tags != NULL)
		return (uint32_t)shorttags_find(set->short_tags, set->assoc, SHORTTAGS_NONE,
						SHORTTAGS_ALL);
	while (way < set->assoc && set->tags[way] != 0)
		way++;
	return way;
}

/* The last empty way, assoc if none is. */
static inline uint32_t policy_last_empty(const struct policy_set *set)
{
	for (uint32_t way = set->assoc; way-- > 0;) {
		if (set->short_tags != NULL ? set->short_tags[way] == SHORTTAGS_NONE
					    : set->tags[way] == 0)
			return way;
	}
	return set->assoc;
}

/*
 * 32 bits by chance, the same ones in every run: Marsaglia's xorshift of 64 bits, whose
 * upper half is better.  Its state is the first word of the level, its seed the caller's.
 */
static inline uint32_t policy_chance(const struct policy_set *set, uint32_t seed)
{
	uint64_t state = set->level[0];

	/* 0 stays 0 for ever, and no other state becomes it. */
	if (state == 0)
		state = (seed + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	set->level[0] = state;
	return (uint32_t)(state >> 32);
}

/*
 * Exact LRU, the least recently used line goes: the ways of a set are kept in
 * the order of their last touch.  So the first one holds the line that was
 * touched last, and the last one is empty, or the victim.
 */
static inline void lru_touch(const struct policy_set *set, uint32_t way)
{
	policy_to_front(set, way);
}

static inline uint32_t lru_miss(const struct policy_set *set)
{
	policy_to_front(set, set->assoc - 1);
	return 0;
}

/*
 * The variant of quad-age LRU with this name, as far as it follows on "qlru", of length bytes, in upper or lower case.
 * Returns false if there is none.
 */
bool qlru_variant(const char *name, size_t length, uint32_t *variant);

/* policy_qlru needs a variant, and policy_random has one; the others are complete. */
extern const struct policy policy_qlru;
#define POLICY_DECLARED(name, listed) extern const struct policy policy_##name;
POLICIES(POLICY_DECLARED)
#undef POLICY_DECLARED

#endif
