/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quad-age LRU: each way has an age of 0 to 3, 3 at first; the victim is one of age 3.  What is
 * done to ages, and when, is the policy's variant.
 */
#ifndef SIM_POLICIES_QLRU_H
#define SIM_POLICIES_QLRU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/policy.h"

enum {
	QLRU_AGE_BITS = 2, /* of a way */
	QLRU_OLDEST = 3,
	QLRU_SRRIP = 0x10aff, /* the variant that srrip is, qlru_h00_m2_r0_u0_umo */
};

/*
 * Finds a variant by what follows on "qlru" in its name (sim/policy.h), of length bytes, in upper or
 * lower case.  Returns false if there is none of that name.
 */
bool qlru_variant(const char *name, size_t length, uint32_t *variant);

/* Of all variants; which one is to be set. */
extern const struct policy policy_qlru;

/* A line was referenced. */
void qlru_hit(const struct policy_set *set, uint32_t way);

/* A line comes, which gets this age, 0 to 3; returns its way. */
uint32_t qlru_fill(const struct policy_set *set, uint32_t age);

#endif
