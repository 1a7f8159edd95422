/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that writer/ needs of the world.  The tool fills it with Valgrind's
 * allocator and its own system calls, the command with libc, a test with
 * functions that fail on demand.
 */
#ifndef WRITER_ENV_H
#define WRITER_ENV_H

#include <stddef.h>

struct env {
	/* size bytes (not 0), aligned for any object, or NULL; release() takes NULL too. */
	void *(*alloc)(void *ctx, size_t size);
	void (*release)(void *ctx, void *memory);
	/* Writes all of the len bytes; 0, or a positive error number (an errno). */
	int (*write)(void *ctx, const void *data, size_t len);
	void *ctx; /* first argument of the three */
};

#endif
