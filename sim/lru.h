/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact LRU, the least recently used line goes: the ways of a set are kept in
 * the order of their last touch.  So the first one is that of the line that
 * was touched last, and the last one is empty, or the victim.
 */
#ifndef SIM_LRU_H
#define SIM_LRU_H

#include "sim/policy.h"

static inline void lru_touch(const struct policy_set *set, uint32_t way)
{
	policy_to_front(set, way);
}

static inline uint32_t lru_victim(const struct policy_set *set)
{
	return set->assoc - 1;
}

#endif
