/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dynamic re-reference interval prediction: SRRIP, or bimodal RRIP, which differs in the age that
 * a new line gets: 3, and 2 only once in 32.  Some sets, the leaders, always do
 * the one, as many others the other; a counter of the level goes up when a leader of SRRIP
 * misses, and down when one of the other does, and all other sets do what has missed less
 * often.
 *
 * The parameters are those of the paper (sim/policy.h): 2 bits a way, a counter of 10 bits.  It has 32 leaders
 * of each kind; here each group of 32 sets has one of each, in the g'th group sets g and g + 16 of it, modulo
 * 32.  If there are fewer than 64 sets, each is a leader, every other one of SRRIP.
 */
#include "sim/policies/qlru.h"

enum {
	GROUP = 32,    /* sets */
	FEW_SETS = 64, /* below them all are leaders */
	SOON = 2,      /* ages */
	LATE = 3,
	RARITY = 32,
	COUNTER_MAX = 511, /* of 10 bits, with 0 in the middle */
	COUNTER_MIN = -512,
};

enum role {
	SRRIP_LEADER,
	BIMODAL_LEADER,
	FOLLOWER,
};

static enum role role_of(uint64_t set, uint64_t n_sets)
{
	uint64_t place = (set - set / GROUP) % GROUP;

	if (n_sets < FEW_SETS)
		return set % 2 == 0 ? SRRIP_LEADER : BIMODAL_LEADER;
	if (place == 0)
		return SRRIP_LEADER;
	return place == GROUP / 2 ? BIMODAL_LEADER : FOLLOWER;
}

static bool is_bimodal(const struct policy_set *set)
{
	/* The second word: the first one is the state of chance. */
	int64_t counter = (int64_t)set->level[1];
	enum role role = role_of(set->number, set->n_sets);

	if (role == SRRIP_LEADER && counter < COUNTER_MAX)
		counter++;
	else if (role == BIMODAL_LEADER && counter > COUNTER_MIN)
		counter--;
	set->level[1] = (uint64_t)counter;
	return role == BIMODAL_LEADER || (role == FOLLOWER && counter > 0);
}

static uint32_t miss(const struct policy_set *set)
{
	bool late = is_bimodal(set) && policy_chance(set, 0) % RARITY != 0;

	return qlru_fill(set, late ? LATE : SOON);
}

const struct policy policy_drrip = {
	.name = "drrip",
	.bits = QLRU_AGE_BITS,
	.variant = QLRU_SRRIP,
	.hit = qlru_hit,
	.miss = miss,
};
