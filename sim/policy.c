/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/policy.h"

#include "sim/policies/qlru.h"

static const struct policy *const named[] = {
	&policy_lru,   &policy_fifo,  &policy_random, &policy_plru,      &policy_mru,
	&policy_mru_n, &policy_srrip, &policy_drrip,  &policy_lru3plru4,
};

static char lower_case(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c;
}

/* How much of a text of length bytes is behind this beginning, in any case; SIZE_MAX if it has another. */
static size_t behind(const char *text, size_t length, const char *beginning)
{
	size_t i = 0;

	for (; beginning[i] != '\0'; i++) {
		if (i == length || lower_case(text[i]) != beginning[i])
			return SIZE_MAX;
	}
	return length - i;
}

/* A decimal number that is all of the text. */
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
		if (behind(name, length, named[i]->name) != 0)
			continue;
		*policy = *named[i];
		return true;
	}
	rest = behind(name, length, "random_");
	if (rest != SIZE_MAX && read_seed(name + length - rest, rest, &variant)) {
		*policy = policy_random;
		policy->variant = variant;
		return true;
	}
	rest = behind(name, length, "qlru");
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
