/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replacement policies: which line of a full set goes when another one comes.
 *
 * A policy is a file with three functions, and a row of the list below;
 * nothing else knows policies by name.
 *
 *	hit	the line in this way was referenced
 *	fill	a line has just come into this way, which was empty or the victim
 *	victim	every way of the set has a line: which one is to go?
 *
 * What it knows of a set it keeps in one of two forms, or both:
 *
 *	order	of the ways: policy_to_front() changes it, and of short tags sim/shorttags.h.  This
 *		costs no memory, and is all that LRU and FIFO need.
 *	bits	so many for each way (bits), in words of its own, 0 at first.  They
 *		belong to places in the row of ways, whatever line stands there; a
 *		policy that has them leaves the order alone.
 *
 * A way whose line is taken out by cache_evict() is empty; it becomes the last
 * one of the row in a policy without bits, and stays where it is in others.
 *
 * LRU is the policy that the rest of sim/ knows: a cache has it
 * without a call, and generated code has it in the first level
 * (sim/machine.h).
 */
#ifndef SIM_POLICY_H
#define SIM_POLICY_H

#include <stddef.h>
#include <stdint.h>

enum {
	POLICY_LEVEL_WORDS = 2, /* of all sets together: a seed, a counter */
};

/* A set, as a policy sees it. */
struct policy_set {
	uint64_t *tags;  /* of assoc ways; 0: an empty one.  For policy_to_front() alone */
	uint32_t *slots; /* what moves with them, or NULL: see sim/cache.h */
	uint64_t *bits;  /* the policy's, of this set */
	uint64_t *level; /* the policy's, POLICY_LEVEL_WORDS words of the whole level */
	uint32_t assoc;
};

struct policy {
	const char *name;
	uint32_t bits; /* a way */
	void (*hit)(const struct policy_set *set, uint32_t way);
	void (*fill)(const struct policy_set *set, uint32_t way);
	uint32_t (*victim)(const struct policy_set *set);
};

/* A line becomes the first of its set; those that were before it move down by one. */
static inline void policy_to_front(const struct policy_set *set, size_t way)
{
	uint64_t tag = set->tags[way];

	for (size_t i = way; i > 0; i--)
		set->tags[i] = set->tags[i - 1];
	set->tags[0] = tag;
	if (set->slots != NULL) {
		uint32_t slot = set->slots[way];

		for (size_t i = way; i > 0; i--)
			set->slots[i] = set->slots[i - 1];
		set->slots[0] = slot;
	}
}

/*
 * Exact LRU, the least recently used line goes: the ways of a set are kept in
 * the order of their last touch.  So the first one is that of the line that
 * was touched last, and the last one is empty, or the victim.
 */
static inline void lru_touch(const struct policy_set *set, uint32_t way)
{
	policy_to_front(set, way);
}

static inline uint32_t lru_victim(const struct policy_set *set)
{
	return set->assoc - 1;
}

/* ROW(name): policy_name is defined in sim/name.c. */
#define POLICIES(ROW) ROW(lru)

#define POLICY_DECLARATION(name) extern const struct policy policy_##name;
POLICIES(POLICY_DECLARATION)
#undef POLICY_DECLARATION

#endif
