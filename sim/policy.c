/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies for which the order of a row is enough, and the table of all policies. */
#include "sim/policy.h"

/* --- LRU, FIFO, random ------------------------------------------------------------------ */

const struct policy policy_lru = {
	.name = "lru",
	.settles = true,
	.tree_ways = 1,
	.hit = lru_touch,
	.miss = lru_miss,
};

static void ignore(const struct policy_set *set, uint32_t way)
{
	(void)set;
	(void)way;
}

/* The order is the order of arrival: what LRU does, but hits do not count. */
const struct policy policy_fifo = {
	.name = "fifo",
	.settles = true,
	.hit = ignore,
	.miss = lru_miss,
};

/* Lines stay where they came, and any of them may go. */
static uint32_t any_way(const struct policy_set *set)
{
	uint32_t way = policy_first_empty(set);

	if (way < set->assoc)
		return way;
	return (uint32_t)((uint64_t)policy_chance(set, set->variant) * set->assoc >> 32);
}

const struct policy policy_random = {
	.name = "random",
	.settles = true,
	.hit = ignore,
	.miss = any_way,
};

/* --- names ------------------------------------------------------------------------------ */

static const struct policy *const named[] = {
#define ROW(name, listed) &policy_##name,
	POLICIES(ROW)
#undef ROW
};

static char lower_case(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c;
}

/* How many of the length bytes of a text follow this beginning, in any case; SIZE_MAX if it begins otherwise. */
static size_t rest_after(const char *text, size_t length, const char *beginning)
{
	size_t i = 0;

	for (; beginning[i] != '\0'; i++) {
		if (i == length || lower_case(text[i]) != beginning[i])
			return SIZE_MAX;
	}
	return length - i;
}

/* Reads a text that is a decimal number. */
static bool read_seed(const char *text, size_t length, uint32_t *seed)
{
	uint64_t value = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		value = value * 10 + (uint64_t)(text[i] - '0');
		if (value > UINT32_MAX)
			return false;
	}
	*seed = (uint32_t)value;
	return length != 0;
}

bool policy_named(struct policy *policy, const char *name, size_t length)
{
	size_t rest;
	uint32_t variant;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (rest_after(name, length, named[i]->name) != 0)
			continue;
		*policy = *named[i];
		return true;
	}
	rest = rest_after(name, length, "random_");
	if (rest != SIZE_MAX && read_seed(name + length - rest, rest, &variant)) {
		*policy = policy_random;
		policy->variant = variant;
		return true;
	}
	rest = rest_after(name, length, "qlru");
	if (rest != SIZE_MAX && qlru_variant(name + length - rest, rest, &variant)) {
		*policy = policy_qlru;
		policy->variant = variant;
		return true;
	}
	return false;
}

const char *policy_misfit(const struct policy *policy, uint32_t assoc)
{
	return policy->misfit == NULL ? NULL : policy->misfit(policy, assoc);
}

bool policy_is_lru(const struct policy *policy)
{
	return policy == NULL || policy->hit == policy_lru.hit;
}
