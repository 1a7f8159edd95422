/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas of derived events: "Ir + 10 Bm - 2*L1m".  Terms are event names, with
 * an integer factor before them and perhaps a "*" between; the specification has
 * sums only, KCachegrind differences too.
 */
#ifndef PROFILE_COMMON_FORMULA_H
#define PROFILE_COMMON_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct formula_term {
	int64_t factor;
	const char *name; /* in the formula's text; [A-Za-z_][A-Za-z0-9_]* */
	size_t len;
};

/*
 * The next term of the NUL-terminated text that *rest points into; *rest is
 * moved behind it.  1: term is filled; 0: the end; -1: no formula, and *rest is
 * where it went wrong.  first: no term came before.
 */
int formula_next(const char **rest, bool first, struct formula_term *term);

/* Whether all of text is a formula of at least one term. */
bool formula_is_valid(const char *text);

#endif
