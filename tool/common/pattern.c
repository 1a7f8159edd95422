/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each `*` first stands for nothing; where what follows it fails, it takes one
 * character more and the rest is tried again:
 *
 *	pattern  a * b c        name  a x b b c
 *	             ^ retry                ^ given
 *
 * Only the last `*` seen need ever grow: what stands before it has matched the
 * shortest piece that it can, which leaves the most to the rest.  Trying all
 * of them, one inside the other, takes exponential time for *a*a*a*b.
 */
#include "tool/common/pattern.h"

#include <stddef.h>

bool pattern_matches(const char *pattern, const char *name)
{
	const char *retry = NULL; /* the pattern behind the last * */
	const char *given = NULL; /* the name behind what that * stands for */

	while (*name != '\0') {
		if (*pattern == '*') {
			retry = ++pattern;
			given = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (retry != NULL) {
			pattern = retry;
			name = ++given;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}
