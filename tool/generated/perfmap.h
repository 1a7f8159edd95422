/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a perf map, the file /tmp/perf-PID.map in which a program tells perf the names of code that
 * it makes:
 *
 *	7f2979fe3b80 378 JS:~fib /tmp/fib.js:1:13
 *
 * address and size in hexadecimal, maybe with 0x, and behind a blank the name, which may have blanks.
 * Source: tools/perf/Documentation/jit-interface.txt of Linux.
 */
#ifndef TOOL_GENERATED_PERFMAP_H
#define TOOL_GENERATED_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perfmap_entry {
	uint64_t address, size; /* bytes, at least 1; the last one's address is below 2^64 */
	const char *name;       /* in the line */
	size_t name_len;        /* at least 1 */
};

/* What the len bytes of a line, without its end, say; false if it is none of the format. */
bool perfmap_parse(const char *line, size_t len, struct perfmap_entry *entry);

#endif
