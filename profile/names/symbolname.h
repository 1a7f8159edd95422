/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The normal form of a function's name: without what compilers put into it that is
 * not from the source, so that the same function of two builds, or
 * the pieces and copies that a compiler made of it, are called the same.
 *
 * Names are as in profiles: of C, and of C++ and Rust as Valgrind or c++filt
 * demangle them; mangled names of Rust are demangled here, since their hashes are
 * in the middle.  Mangled names of C++ lose what clones add.  A name that is not
 * understood stays as it is.  docs/NAMES.md has the rules as a table.
 */
#ifndef PROFILE_NAMES_SYMBOLNAME_H
#define PROFILE_NAMES_SYMBOLNAME_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/heap.h"

enum symbolname_flags {
	/* f.constprop.0, f.part.1.cold, f(int) [clone .isra.0], f.lto_priv.0 -> f */
	SYMBOLNAME_CLONES = 1,
	/*
	 * a::f::h0123456789abcdef, a[0123456789abcdef]::f, _RNvCs1234_1a1f.llvm.77 -> a::f.  Closures of the
	 * legacy scheme keep their hash, since nothing else tells them apart.
	 */
	SYMBOLNAME_HASHES = 2,
	/*
	 * Numbers of different functions, which another build may number otherwise: inner.0 -> inner,
	 * f.llvm.77 -> f, {lambda(int)#2} -> {lambda(int)}, {closure#1} -> {closure}, $_0 -> $_;
	 * and the hashes of closures.
	 */
	SYMBOLNAME_NUMBERS = 4,
	/*
	 * std::vector<int, A>::at(int) -> std::vector<>::at: arguments of templates go, and
	 * if the function's own name had any, its parameters and result too, which
	 * are made of them; f(std::set<int>&) -> f(std::set<>&).
	 */
	SYMBOLNAME_TEMPLATES = 8,
	/* One function of the source: those that become equal may be added up. */
	SYMBOLNAME_USUAL = SYMBOLNAME_CLONES | SYMBOLNAME_HASHES,
	/* Perhaps one function: for pairs, one of each build, where no other one is alike. */
	SYMBOLNAME_ALIKE = SYMBOLNAME_USUAL | SYMBOLNAME_NUMBERS,
};

/*
 * Adds the normal form of len bytes of a name to out (whose own it must not be); of names
 * that compilers make, folding it again changes nothing.  Callgrind's "f'2" (recursion) and "f'main"
 * (callers) are names with "'" between, each folded.
 */
void symbolname_fold(const char *name, size_t len, unsigned flags, struct bytes *out);

#endif
