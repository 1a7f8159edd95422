/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file as a whole, in memory; plain or compressed. */
#ifndef CMDS_COMMON_WHOLEFILE_H
#define CMDS_COMMON_WHOLEFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/error.h"
#include "writer/env.h"

struct wholefile {
	const struct env *env;
	char *data; /* owned */
	size_t len;
};

/* Reads a file ("-" is standard input).  Returns a status; release it in any case. */
int wholefile_read(struct wholefile *file, const char *path, const struct env *env,
		   struct profile_error *error);
void wholefile_release(struct wholefile *file);

/* Whether a file, which is no standard input, begins with a text; false if it cannot be read. */
bool wholefile_begins(const char *path, const char *text);

#endif
