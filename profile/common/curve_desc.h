/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The desc line that says of which lines misses by size of cache are: "exact", or "sampled, one line of 8". */
#ifndef PROFILE_COMMON_CURVE_DESC_H
#define PROFILE_COMMON_CURVE_DESC_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CURVE_DESC "Miss curve"

/* For so many lines does each stand that was looked at: 1 if it is exact; 0: the value does not say. */
static inline uint64_t curve_desc_weight(const char *value)
{
	static const char sampled[] = "sampled, one line of ";
	const char *number = value + sizeof(sampled) - 1;

	if (strcmp(value, "exact") == 0)
		return 1;
	/* strtoull() takes "-3" for a large number. */
	return strncmp(value, sampled, sizeof(sampled) - 1) == 0 && *number >= '1' && *number <= '9'
		       ? strtoull(number, NULL, 10)
		       : 0;
}

#endif
