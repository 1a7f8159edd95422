/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file as a whole, in memory; plain or compressed. */
#ifndef CMDS_CLI_WHOLEFILE_H
#define CMDS_CLI_WHOLEFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/error.h"
#include "writer/env.h"

struct wholefile {
	const struct env *env;
	char *data; /* owned */
	size_t len;
};

/*
 * Looks at what was read so far, each time that there is more, and stops what would never
 * end: returns a status, which is passed on with its error.
 */
typedef int wholefile_check(const struct wholefile *file, size_t n_new,
			    struct profile_error *error);

/*
 * Reads a file ("-" is standard input), as far as check() lets it; NULL = all.  Returns a status;
 * release it in any case.
 */
int wholefile_read(struct wholefile *file, const char *path, const struct env *env,
		   wholefile_check *check, struct profile_error *error);
void wholefile_release(struct wholefile *file);

/* A check of text: no line is longer than READER_MAX_LINE (profile/format/reader.h). */
int wholefile_check_lines(const struct wholefile *file, size_t n_new, struct profile_error *error);

/* Whether a file, which is no standard input, begins with a text; false if it cannot be read. */
bool wholefile_begins(const char *path, const char *text);

#endif
