/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to profile/: eight bytes at a time, the first being the lowest on every machine.  What
 * takes a byte at a time costs a mispredicted branch wherever lengths vary, as those of numbers do.
 */
#ifndef PROFILE_COMMON_WORD_H
#define PROFILE_COMMON_WORD_H

#include <stdint.h>
#include <string.h>

enum { WORD_BYTES = 8 };

static inline uint64_t word_in_order(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(word);
#else
	return word;
#endif
}

static inline uint64_t word_load(const void *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word_in_order(word);
}

static inline void word_store(void *p, uint64_t word)
{
	word = word_in_order(word);
	memcpy(p, &word, sizeof(word));
}

/* How many bits below the lowest that is set; word is not 0. */
static inline unsigned word_lowest_bit(uint64_t word)
{
	return (unsigned)__builtin_ctzll(word);
}

/* How many bits below the highest that is set; word is not 0. */
static inline unsigned word_highest_bit(uint64_t word)
{
	return 63 - (unsigned)__builtin_clzll(word);
}

#endif
