/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records of a jitdump file, jit-PID.dump, in which a program tells perf the names and lines of code
 * that it makes.
 *
 * A file begins with a header, and each record with a prefix that has its size; numbers are of this
 * processor's order.  Source: tools/perf/Documentation/jitdump-specification.txt of Linux.
 * Code as it was written, what threads and times there were, and how to unwind are not read.
 */
#ifndef TOOL_GENERATED_JITDUMP_H
#define TOOL_GENERATED_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	JITDUMP_HEADER_SIZE = 40, /* bytes, at least */
	JITDUMP_PREFIX_SIZE = 16,
	JITDUMP_MAX_NAME = 4096, /* bytes of a name that are looked at */
	/* Bytes of a record of code that are enough to have its name: code stands behind that. */
	JITDUMP_MAX_LOAD = JITDUMP_PREFIX_SIZE + 40 + JITDUMP_MAX_NAME,
};

enum jitdump_kind {
	JITDUMP_LOAD,  /* code, with its name */
	JITDUMP_MOVE,  /* code has another address now */
	JITDUMP_LINES, /* of code whose record follows */
	JITDUMP_CLOSE, /* the last one */
	JITDUMP_UNWINDING,
	JITDUMP_N_KINDS, /* and above: unknown */
};

/* Whether a file that begins with these JITDUMP_HEADER_SIZE bytes is of the format, for this processor; and where its records begin. */
bool jitdump_read_header(const uint8_t *bytes, uint32_t *size);

/* Kind and size, in bytes and with its prefix, of a record that begins with that of JITDUMP_PREFIX_SIZE bytes; false if it cannot be so small. */
bool jitdump_read_prefix(const uint8_t *bytes, uint32_t *kind, uint32_t *size);

/* Code: where it is, and its name, or where it was and is. */
struct jitdump_code {
	uint64_t address, size; /* bytes, at least 1; the last one's address is below 2^64 */
	uint64_t from;          /* of a move: the address until then; size bytes likewise */
	const char *name;       /* of a load, in the record */
	size_t name_len;        /* at least 1 */
};

/* Reads JITDUMP_LOAD, of which there are len bytes, prefix included; false if it is damaged. */
bool jitdump_read_load(const uint8_t *record, size_t len, struct jitdump_code *code);

/* Likewise of JITDUMP_MOVE. */
bool jitdump_read_move(const uint8_t *record, size_t len, struct jitdump_code *code);

/* The lines of JITDUMP_LINES, in their order. */
struct jitdump_lines {
	uint64_t address; /* of the code that they are of */
	const uint8_t *at, *end;
	uint64_t n_left;
	const char *file; /* of the last one */
	size_t file_len;
};

struct jitdump_line {
	uint64_t address;
	uint32_t line;
	const char *file; /* in the record */
	size_t file_len;
};

/* Begins to read such a record of len bytes, prefix included; false if it is damaged. */
bool jitdump_begin_lines(const uint8_t *record, size_t len, struct jitdump_lines *lines);

/* The next one; false at the end, or where it is damaged. */
bool jitdump_next_line(struct jitdump_lines *lines, struct jitdump_line *line);

#endif
