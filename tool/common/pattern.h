/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patterns of names, as options have them: `*` stands for any run of
 * characters, also none, `?` for exactly one, everything else for itself.
 * Nothing takes the special meaning away: a `*` that is part of a name,
 * f(char*), matches itself all the same.
 */
#ifndef TOOL_COMMON_PATTERN_H
#define TOOL_COMMON_PATTERN_H

#include <stdbool.h>

/*
 * Whether the pattern matches the name, all of it.  A character is a byte.
 * Takes at most len(pattern) * len(name) steps, whatever the pattern.
 */
bool pattern_matches(const char *pattern, const char *name);

#endif
