/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a file, plain or compressed by gzip, zstd, xz or bzip2 (recognised by the first
 * bytes, not by the name).
 *
 * Plain files are read, not mapped: a file that is cut while it is mapped kills
 * the reader (SIGBUS), and pipes cannot be mapped.
 */
#ifndef PROFILE_FORMAT_SOURCE_H
#define PROFILE_FORMAT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/error.h"
#include "writer/env.h"

struct source_stream; /* a decompressor */

/* Fields are private. */
struct source {
	const struct env *env;
	int fd;
	bool owns_fd;                 /* to be closed */
	struct source_stream *stream; /* owned; NULL = plain */
	uint64_t size;                /* bytes of the file, 0 = not known */
	uint64_t bytes;               /* taken from the file so far, compressed ones */
	bool is_cut;                  /* reading failed since compressed data ended too early */
	char head[5];                 /* first bytes, looked at for compression */
	size_t head_len, head_used;
};

/* "-" is standard input.  Returns a status; on failure there is nothing to close. */
int source_open(struct source *source, const char *path, const struct env *env,
		struct profile_error *error);

/* Opens a file that another file names (profile/common/namedfile.h); "-" is one like any other. */
int source_open_named(struct source *source, const char *path, const struct env *env,
		      struct profile_error *error);

void source_close(struct source *source);

/*
 * Up to size bytes (not 0) into buffer; *len is how many, 0 only at the end.
 * Returns a status.
 */
int source_read(struct source *source, char *buffer, size_t size, size_t *len,
		struct profile_error *error);

#endif
