/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patterns of names in options: `*` matches any run of characters, also an empty one, `?` exactly one,
 * and everything else itself.  There is no way to escape them: a `*` that is part of a name, such as
 * f(char*), matches itself anyway.
 */
#ifndef TOOL_COMMON_PATTERN_H
#define TOOL_COMMON_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True if the pattern matches the whole name.  A character is a byte.  Takes at most len(pattern) *
 * len(name) steps.
 *
 * Each `*` first matches nothing; if what follows it fails, the `*` takes one more character and the
 * rest is tried again:
 *
 *	pattern  a * b c        name  a x b b c
 *	             ^ retry                ^ given
 *
 * Only the last `*` seen ever has to grow: what comes before it has matched the shortest piece that it
 * can, which leaves the most for the rest.  To try all of them, nested, takes exponential time for
 * *a*a*a*b.
 */
static inline bool pattern_matches(const char *pattern, const char *name)
{
	const char *retry = NULL; /* the pattern after the last * */
	const char *given = NULL; /* the name after what that * matched */

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

#endif
