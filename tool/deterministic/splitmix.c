/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/splitmix.h"

/* What the state grows by: 2^64 divided by the golden ratio, odd. */
static const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);

uint64_t splitmix_next(struct splitmix *splitmix)
{
	uint64_t word = splitmix->state += step;

	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

void splitmix_init(struct splitmix *splitmix, uint64_t seed, uint64_t number)
{
	/* Neighbouring seeds and numbers must not give sequences that are each other's rest. */
	*splitmix = (struct splitmix){ .state = number };
	splitmix->state = splitmix_next(splitmix) ^ seed;
	splitmix->state = splitmix_next(splitmix);
}

void splitmix_fill(struct splitmix *splitmix, void *data, size_t len)
{
	unsigned char *bytes = data;
	uint64_t word = 0;

	for (size_t i = 0; i < len; i++, word >>= 8) {
		if (i % 8 == 0)
			word = splitmix_next(splitmix);
		bytes[i] = (unsigned char)word;
	}
}
