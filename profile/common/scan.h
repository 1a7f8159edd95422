/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to profile/: numbers in lines.  A line ends in a line feed, so that
 * nothing has to look for the end of the buffer.
 */
#ifndef PROFILE_COMMON_SCAN_H
#define PROFILE_COMMON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The value of a hexadecimal digit, 16 if it is none. */
static inline unsigned scan_hex_digit(char c)
{
	if (scan_is_digit(c))
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* "0x" is behind; NULL if no digit follows, or if there are too many. */
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
 * Number := HexNumber | (Digit)+, at p; returns what is behind it, or NULL if
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
