/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of templates (C++) and generics (Rust) in demangled names. */
#ifndef PROFILE_NAMES_TEMPLATE_H
#define PROFILE_NAMES_TEMPLATE_H

#include <stddef.h>

#include "profile/common/bytes.h"

/*
 * Adds len bytes of a demangled name to out with "<>" in the place of all
 * arguments.  If the name itself had some, what is made of them goes too: the type before
 * it, parameters, and what is behind those ("const"):
 *
 *	void sort<int*>(int*, int*)           sort<>
 *	f(std::vector<int> const&)            f(std::vector<> const&)
 *	<Vec<u8> as Write>::write::<u8>       <Vec<> as Write>::write<>
 *
 * A name whose brackets do not match is added as it is.
 */
void template_fold(const char *name, size_t len, struct bytes *out);

/*
 * The length of "operator<<" and the like at a place of a name, whose brackets are none;
 * 0 if nothing of that is there.  "operator bool" is none of them, nor is a literal's: what
 * follows 'operator""' is a word.
 */
size_t template_operator(const char *name, size_t len, size_t at);

#endif
