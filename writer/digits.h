/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to writer/: how long a number is when written. */
#ifndef WRITER_DIGITS_H
#define WRITER_DIGITS_H

#include <stddef.h>
#include <stdint.h>

enum {
	DECIMAL_MAX = 20, /* digits of UINT64_MAX */
	HEX_MAX = 16,
};

/* Digits of value, 1 to DECIMAL_MAX. */
static inline size_t decimal_digits(uint64_t value)
{
	size_t n = 1;

	while (value >= 10000) {
		value /= 10000;
		n += 4;
	}
	return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Digits of value, 1 to HEX_MAX, without the "0x". */
static inline size_t hex_digits(uint64_t value)
{
	size_t n = 1;

	while (value >>= 4)
		n++;
	return n;
}

#endif
