/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Punycode (RFC 3492), as Rust's names have it. */
#ifndef PROFILE_NAMES_PUNYCODE_H
#define PROFILE_NAMES_PUNYCODE_H

#include <stddef.h>

/*
 * Decodes len bytes, in which "_" and not "-" ends the ASCII letters, to UTF-8 in a buffer;
 * returns the length, 0 if they are no punycode, or too long.
 */
size_t punycode_decode(const char *text, size_t len, char *buffer, size_t size);

#endif
