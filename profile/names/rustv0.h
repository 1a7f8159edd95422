/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names mangled by Rust's v0 scheme (RFC 2603); for rustname.c. */
#ifndef PROFILE_NAMES_RUSTV0_H
#define PROFILE_NAMES_RUSTV0_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/bytes.h"

/*
 * Adds what len bytes behind "_R" stand for to out, without disambiguators but
 * those in braces ("{closure#0}"); false, and out as it was, if it is no such name.
 */
bool rustv0_demangle(const char *name, size_t len, struct bytes *out);

#endif
