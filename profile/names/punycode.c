/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder of RFC 3492, section 6.2, with the constants of section 5. */
#include "profile/names/punycode.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	BASE = 36,
	T_MIN = 1,
	T_MAX = 26,
	SKEW = 38,
	DAMP = 700,
	FIRST_BIAS = 72,
	FIRST_CODE = 0x80,
	MAX_CHARACTERS = 256,
};

static int digit_value(char c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= '0' && c <= '9' ? c - '0' + 26 : -1;
}

static uint32_t adapt(uint32_t delta, uint32_t n, bool first)
{
	uint32_t k = 0;

	delta /= first ? DAMP : 2;
	delta += delta / n;
	for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

/* A number of variable length, added to *sum; returns the bytes it takes, 0 = wrong. */
static size_t take_delta(const char *text, size_t len, uint32_t bias, uint32_t *sum)
{
	uint32_t weight = 1;

	for (size_t i = 0; i < len; i++) {
		uint32_t k = BASE * (uint32_t)(i + 1);
		uint32_t t = k <= bias + T_MIN ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
		int digit = digit_value(text[i]);

		if (digit < 0 || (digit > 0 && weight > (UINT32_MAX - *sum) / (uint32_t)digit))
			return 0;
		*sum += (uint32_t)digit * weight;
		if ((uint32_t)digit < t)
			return i + 1;
		if (weight > UINT32_MAX / (BASE - t))
			return 0;
		weight *= BASE - t;
	}
	return 0;
}

/* Characters of all insertions, into codes, which begin with n; how many there are, 0 = wrong. */
static size_t insert_all(const char *text, size_t len, uint32_t *codes, size_t n)
{
	uint32_t code = FIRST_CODE, bias = FIRST_BIAS, at = 0;

	for (bool first = true; len > 0; first = false) {
		uint32_t before = at;
		size_t used = take_delta(text, len, bias, &at);

		if (used == 0 || n == MAX_CHARACTERS)
			return 0;
		n++;
		bias = adapt(at - before, (uint32_t)n, first);
		code += at / (uint32_t)n;
		at %= (uint32_t)n;
		if (code > UTF8_MAX_CODE || (code >= 0xd800 && code < 0xe000))
			return 0;
		memmove(codes + at + 1, codes + at, (n - 1 - at) * sizeof(*codes));
		codes[at++] = code;
		text += used;
		len -= used;
	}
	return n;
}

size_t punycode_decode(const char *text, size_t len, char *buffer, size_t size)
{
	uint32_t codes[MAX_CHARACTERS];
	size_t plain = len, used = 0;

	while (plain > 0 && text[plain - 1] != '_')
		plain--;
	if (plain > MAX_CHARACTERS || plain == len)
		return 0;
	for (size_t i = 0; i + 1 < plain; i++)
		codes[i] = (unsigned char)text[i];
	len = insert_all(text + plain, len - plain, codes, plain > 0 ? plain - 1 : 0);
	for (size_t i = 0; i < len; i++) {
		if (size - used < UTF8_MAX)
			return 0;
		used += utf8_put(codes[i], buffer + used);
	}
	return used;
}
