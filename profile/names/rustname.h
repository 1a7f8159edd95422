/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mangled names of Rust, demangled as Valgrind and "c++filt" do: without
 * the hashes and numbers that tell crates and versions apart.  By the RFC 2603
 * (v0) and what rustc's documentation says of the legacy scheme.
 */
#ifndef PROFILE_NAMES_RUSTNAME_H
#define PROFILE_NAMES_RUSTNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/bytes.h"

/*
 * Adds the path that len bytes stand for, _RNv... or _ZN...17h0123456789abcdefE,
 * to out; false, and out as it was, if they are not such a name (or one
 * that would be more than 64 KiB).
 */
bool rustname_demangle(const char *name, size_t len, struct bytes *out);

/*
 * Adds a legacy path whose escapes are still there, as a demangler of C++ leaves
 * them: _$LT$T$u20$as$u20$core..fmt..Debug$GT$::fmt is <T as core::fmt::Debug>::fmt.
 * False, and out as it was, if it has none or they are wrong.
 */
bool rustname_unescape(const char *name, size_t len, struct bytes *out);

/* -- Punycode ------------------------------------------------------------------ */

/* Characters by their code, as bytes; and Punycode (RFC 3492), as Rust's names have it. */

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

/* -- the v0 scheme (rustv0.c) -------------------------------------------------- */

/*
 * Adds what len bytes behind "_R" stand for to out, without disambiguators but
 * those in braces ("{closure#0}"); false, and out as it was, if it is no such name.
 */
bool rustv0_demangle(const char *name, size_t len, struct bytes *out);

#endif
