/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of the files that accompany a profile: BEFORE WHAT.LABEL.costgrind (docs/FORMAT.md, "Names of
 * companion files").  The tool writes the files, readers look for them.
 *
 * The rule is injective, so that no profile overwrites another one's files: only costgrind.out.NUMBER
 * gives WHAT.NUMBER.  And no name begins with the profile's own, since KCachegrind opens all that do
 * as its parts.
 */
#ifndef WRITER_SHARED_BESIDENAME_H
#define WRITER_SHARED_BESIDENAME_H

#include <stdbool.h>
#include <stddef.h>

#define BESIDENAME_ENDING ".costgrind"

struct besidename {
	const char *before; /* "" or "costgrind." */
	const char *label;  /* in the profile's name, label_len bytes */
	size_t label_len;
};

/* True if it is what %p and forks make: digits, and dots and dashes after the first. */
static inline bool besidename_is_number(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((text[i] < '0' || text[i] > '9') &&
		    (i == 0 || (text[i] != '-' && text[i] != '.')))
			return false;
	return len > 0;
}

/* True if what, a dot and the profile's name begin with the profile's name. */
static inline bool besidename_begins(const char *what, const char *profile, size_t len)
{
	size_t n = 0;

	while (n < len && what[n] != '\0' && profile[n] == what[n])
		n++;
	if (n == len || what[n] != '\0' || profile[n] != '.')
		return n == len;
	for (size_t i = n + 1; i < len; i++)
		if (profile[i] != profile[i - n - 1])
			return false;
	return true;
}

/* The name of the file that is WHAT ("tree") next to the profile, len bytes without its directory. */
static inline struct besidename besidename_of(const char *what, const char *profile, size_t len)
{
	static const char usual[] = "costgrind.out.";
	const size_t usual_len = sizeof(usual) - 1;
	struct besidename name = { "", profile, len };
	size_t same = 0;

	while (same < usual_len && same < len && profile[same] == usual[same])
		same++;
	if (same == usual_len && besidename_is_number(profile + same, len - same)) {
		name.label += same;
		name.label_len -= same;
	} else if (besidename_is_number(profile, len) || besidename_begins(what, profile, len)) {
		name.before = "costgrind.";
	}
	return name;
}

#endif
