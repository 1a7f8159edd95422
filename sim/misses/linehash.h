/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buckets of lines by their addresses: twice as many as there are lines, or up to four times, a power of two. */
#ifndef SIM_MISSES_LINEHASH_H
#define SIM_MISSES_LINEHASH_H

#include <stdint.h>

/* log2 of how many buckets n lines have; n is below 2 to the 29. */
static inline uint32_t linehash_bits(uint32_t n)
{
	uint32_t bits = 1;

	while (UINT32_C(1) << bits < n)
		bits++;
	return bits + 1;
}

/* The bucket of a line with this number, of 2 to the bits. */
static inline uint32_t linehash(uint64_t number, uint32_t bits)
{
	return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

#endif
