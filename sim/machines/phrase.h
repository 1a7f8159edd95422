/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text that grows at its end, in memory of the caller's: what is too long is cut.  For messages and
 * machines, where there is no libc.
 */
#ifndef SIM_MACHINES_PHRASE_H
#define SIM_MACHINES_PHRASE_H

#include <stddef.h>
#include <stdint.h>

/* Always NUL-terminated, once something was put into it; size is at least 1. */
struct phrase {
	char *text;
	size_t size,
		len; /* bytes there are room for, NUL and all; bytes that are used, without it */
};

static inline void phrase_char(struct phrase *phrase, char c)
{
	if (phrase->len + 1 >= phrase->size)
		return;
	phrase->text[phrase->len++] = c;
	phrase->text[phrase->len] = '\0';
}

static inline void phrase_text(struct phrase *phrase, const char *text)
{
	for (; *text != '\0'; text++)
		phrase_char(phrase, *text);
}

/* len bytes; a dot for each that is no printable ASCII. */
static inline void phrase_bytes(struct phrase *phrase, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = bytes[i];

		if (c < ' ' || c > '~')
			c = '.';
		phrase_char(phrase, c);
	}
}

/* The same with capitals as small letters: the names of policies are the same in either. */
static inline void phrase_lower(struct phrase *phrase, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = bytes[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		phrase_bytes(phrase, &c, 1);
	}
}

static inline void phrase_number(struct phrase *phrase, uint64_t number)
{
	char digits[20]; /* of 2^64 - 1 */
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	while (n > 0)
		phrase_char(phrase, digits[--n]);
}

/* Bytes, as a machine's text has them: 1280K. */
static inline void phrase_size(struct phrase *phrase, uint64_t size)
{
	static const char units[] = "KMG";
	size_t unit = 0;

	while (size != 0 && size % 1024 == 0 && unit < 3) {
		size /= 1024;
		unit++;
	}
	phrase_number(phrase, size);
	if (unit > 0)
		phrase_char(phrase, units[unit - 1]);
}

#endif
