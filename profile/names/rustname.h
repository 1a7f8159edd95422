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

#endif
