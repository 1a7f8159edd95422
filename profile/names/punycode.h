/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters by their code, as bytes; and Punycode (RFC 3492), as Rust's names have it. */
#ifndef PROFILE_NAMES_PUNYCODE_H
#define PROFILE_NAMES_PUNYCODE_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX = 4, UTF8_MAX_CODE = 0x10ffff };

/* The bytes of a character up to UTF8_MAX_CODE, into a buffer of UTF8_MAX; how many there are. */
static inline size_t utf8_put(uint32_t code, char *buffer)
{
	size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = n; i-- > 1; code >>= 6)
		buffer[i] = (char)(0x80 | (code & 0x3f));
	buffer[0] = (char)(first[n] | code);
	return n;
}

/*
 * Decodes len bytes, in which "_" and not "-" ends the ASCII letters, to UTF-8 in a buffer;
 * returns the length, 0 if they are no punycode, or too long.
 */
size_t punycode_decode(const char *text, size_t len, char *buffer, size_t size);

#endif
