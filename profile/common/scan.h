/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to profile/: eight bytes at a time, and numbers in lines.  A line ends in a line feed, so that
 * nothing has to look for the end of the buffer.
 */
#ifndef PROFILE_COMMON_SCAN_H
#define PROFILE_COMMON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The first byte is the lowest on every machine.  What takes a byte at a time costs a mispredicted
 * branch wherever lengths vary, as they do for numbers.
 */
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

enum { SCAN_SLACK = WORD_BYTES }; /* bytes after the last line feed that may be read */

static inline bool scan_is_digit(char c)
{
	return (unsigned char)(c - '0') <= 9;
}

static inline bool scan_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline const char *scan_blanks(const char *p)
{
	while (scan_is_blank(*p))
		p++;
	return p;
}

/*
 * Up to 7 decimal digits at p, followed by SCAN_SLACK bytes that may be read.  Returns how many there
 * are, 0 if there are none or more.
 */
static inline unsigned scan_short_number(const char *p, uint64_t *value)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word = word_load(p) ^ ones * '0'; /* digits are 0 to 9 now */
	/* The high bit of each byte that is no digit, up to the first one at least. */
	uint64_t others = ((word + ones * (0x80 - 10)) | word) & ones * 0x80;
	unsigned bits;

	if (others == 0 || others & 0x80) /* eight digits or more, or none */
		return 0;
	bits = word_lowest_bit(others) & ~7u;
	word <<= 64 - bits;             /* with zeros before it, a number of eight digits */
	word = word * 10 + (word >> 8); /* pairs, in every other byte */
	word = ((word & UINT64_C(0x000000ff000000ff)) * (100 + (UINT64_C(1000000) << 32)) +
		(word >> 16 & UINT64_C(0x000000ff000000ff)) * (1 + (UINT64_C(10000) << 32))) >>
	       32;
	*value = word;
	return bits / 8;
}

/* The value of a hexadecimal digit, 16 if it is none. */
static inline unsigned scan_hex_digit(char c)
{
	if (scan_is_digit(c))
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* After "0x"; NULL if no digit follows, or if there are too many. */
static inline const char *scan_hex(const char *p, uint64_t *value)
{
	const char *start = p;
	uint64_t v = 0;
	unsigned digit;

	for (; (digit = scan_hex_digit(*p)) < 16; p++) {
		if (v >> 60)
			return NULL;
		v = v << 4 | digit;
	}
	*value = v;
	return p == start ? NULL : p;
}

/*
 * Number := HexNumber | (Digit)+, at p; returns what follows it, or NULL if
 * there is no number or one beyond 64 bits.
 */
static inline const char *scan_number(const char *p, uint64_t *value)
{
	const char *start = p;
	uint64_t v = 0;

	if (*p == '0' && (p[1] | 0x20) == 'x')
		return scan_hex(p + 2, value);
	for (; scan_is_digit(*p); p++) {
		unsigned digit = (unsigned)(*p - '0');

		/* Nineteen digits always fit. */
		if (p - start >= 19 && (v > UINT64_MAX / 10 || v * 10 > UINT64_MAX - digit))
			return NULL;
		v = v * 10 + digit;
	}
	*value = v;
	return p == start ? NULL : p;
}

#endif
