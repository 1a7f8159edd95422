/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sets.h"

/* 2 to the exponent, divided by a divisor below 2 to the 63, rounded up; by hand, since there is no library. */
static uint64_t power_over(uint32_t exponent, uint64_t divisor)
{
	uint64_t quotient = 0, rest = 1;

	/* Digit by digit of the power, of which all but the first are 0. */
	for (uint32_t i = 0; i < exponent; i++) {
		rest *= 2;
		quotient *= 2;
		if (rest >= divisor) {
			rest -= divisor;
			quotient++;
		}
	}
	return quotient + (rest != 0);
}

void sets_init(struct sets *sets, uint64_t n, bool is_hashed, uint32_t seed)
{
	*sets = (struct sets){
		.n = n,
		.key = (seed + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15),
		.is_hashed = is_hashed,
	};
	while (UINT64_C(1) << sets->bits < n)
		sets->bits++;
	if (UINT64_C(1) << sets->bits != n)
		sets->reciprocal = power_over(SETS_LINE_BITS + sets->bits, n);
}
