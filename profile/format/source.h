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
#include <sys/stat.h>

#include "profile/common/error.h"

struct source_stream; /* a decompressor */

/* Fields are private. */
struct source {
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
int source_open(struct source *source, const char *path, struct profile_error *error);

/* Opens a file that another file names (profile/format/source.h); "-" is one like any other. */
int source_open_named(struct source *source, const char *path, struct profile_error *error);

void source_close(struct source *source);

/*
 * Up to size bytes (not 0) into buffer; *len is how many, 0 only at the end.
 * Returns a status.
 */
int source_read(struct source *source, char *buffer, size_t size, size_t *len,
		struct profile_error *error);

/* -- files that a profile names -------------------------------------------------- */

/*
 * Files that a profile names, or that a file named by it names in turn: sources, objects, debug
 * files, data profiles.  A profile may be anybody's, so what it names is opened here and nowhere
 * else: only regular files of a bounded size.  A FIFO would block the reader for ever, a device
 * may do something when it is opened, and files of /proc and /sys are whatever the kernel makes up.
 * A file that the user names is opened as it is: it may be a pipe.
 */

/* Bytes of an object, a debug file or a data profile. */
#define NAMEDFILE_MOST ((uint64_t)16 << 30)

/*
 * True if a path leads to a regular file of at most `most` bytes that no kernel makes up; its status
 * goes to *status.  Nothing is opened.  Otherwise errno says why not: EINVAL if it is
 * something else, EFBIG if it is larger.
 */
bool namedfile_look(const char *path, uint64_t most, struct stat *status);

/*
 * Opens such a file for reading.  *status is what the descriptor leads to.  Returns
 * the descriptor, or -1 and errno as above.
 */
int namedfile_open(const char *path, uint64_t most, struct stat *status);

#endif
