/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source file found and read, by lines. */
#ifndef CMDS_SOURCE_SOURCETEXT_H
#define CMDS_SOURCE_SOURCETEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/source/read_policy.h"

enum { SOURCETEXT_MOST = 64 << 20 }; /* bytes of a file; larger ones do not count */

struct sourcetext {
	char *path;            /* where it was found; owned, as all below */
	const char *directory; /* of those given, in which it was found; NULL = as named */
	char *data;
	size_t len;     /* bytes */
	size_t *starts; /* of lines; n_lines + 1, the last is where the file ends */
	size_t n_lines; /* the last one too, if it has no line feed */
	struct timespec modified;
};

/*
 * Looks for a file: by a name of a profile as it is, and if there is none, by what was escaped in
 * it ("caf\xe9.c", which is no UTF-8); by each, as it is named; then below each of the directories that
 * --include names, by its whole name, then without its first component, and so on to its last one.
 * Only regular files of at most SOURCETEXT_MOST bytes count, and what they have beyond the size that
 * they say is not read; and only those that may be read (cmds/source/read_policy.h).  True if it was
 * found and read, and is to be released then.
 * If there is such a file, but it may not be read, that
 * is noted to be reported, and errno is EPERM.
 */
bool sourcetext_find(struct sourcetext *text, const char *name, struct read_policy *policy);
void sourcetext_release(struct sourcetext *text);

/* True if it may be source: there is no byte 0 in it, in whatever encoding it is. */
bool sourcetext_is_text(const struct sourcetext *text);

/* Line 1..n_lines, without its line end; *len bytes. */
const char *sourcetext_line(const struct sourcetext *text, size_t number, size_t *len);

#endif
