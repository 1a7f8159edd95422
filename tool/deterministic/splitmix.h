/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pseudo-random numbers from a seed, by the generator SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", 2014).  Not for secrets.
 */
#ifndef TOOL_DETERMINISTIC_SPLITMIX_H
#define TOOL_DETERMINISTIC_SPLITMIX_H

#include <stddef.h>
#include <stdint.h>

struct splitmix {
	uint64_t state;
};

static inline uint64_t splitmix_next(struct splitmix *splitmix)
{
	/* 2^64 divided by the golden ratio, odd. */
	uint64_t word = splitmix->state += UINT64_C(0x9e3779b97f4a7c15);

	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

/* Begins the sequence of a seed and a number; equal ones give equal sequences. */
static inline void splitmix_init(struct splitmix *splitmix, uint64_t seed, uint64_t number)
{
	/* The sequences of neighbouring seeds and numbers must not be parts of each other. */
	*splitmix = (struct splitmix){ .state = number };
	splitmix->state = splitmix_next(splitmix) ^ seed;
	splitmix->state = splitmix_next(splitmix);
}

/* Fills bytes; takes one number for each eight of them, and one for the rest. */
static inline void splitmix_fill(struct splitmix *splitmix, void *data, size_t len)
{
	unsigned char *bytes = data;
	uint64_t word = 0;

	for (size_t i = 0; i < len; i++, word >>= 8) {
		if (i % 8 == 0)
			word = splitmix_next(splitmix);
		bytes[i] = (unsigned char)word;
	}
}

#endif
