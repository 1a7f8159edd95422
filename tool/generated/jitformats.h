/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats in which programs tell perf the names of code that they generate: perf maps, jitdump
 * files, and the names in them.  Everything here works on bytes alone.
 */
#ifndef TOOL_GENERATED_JITFORMATS_H
#define TOOL_GENERATED_JITFORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- names ---------------------------------------------------------------------------------- */

/*
 * Compilers write one text for each piece of code, and some put the source file in it, too:
 *
 *	written by	text				function		file
 *	CPython		py::f:/path/file.py		py::f			/path/file.py
 *	V8		JS:~f /path/file.js:3:14	JS:~f			/path/file.js, line 3
 *			LazyCompile:*f file:///a.js:3	LazyCompile:*f		/a.js, line 3
 *			JS:^ /path/file.js:1:1		JS:^(anonymous)		/path/file.js, line 1
 *	JVM agents	Lorg/a/Foo$Bar;::f		org.a.Foo$Bar::f	org/a/Foo.java
 *
 * The character before a name of V8's says how the function was compiled: ~ interpreted, ^ without
 * optimisation, + and * with.  Every other text is just a function.
 */

enum {
	CODENAME_SIZE = 4096, /* bytes, with the NUL; longer texts are cut */
};

struct codename {
	char function[CODENAME_SIZE];
	char file[CODENAME_SIZE]; /* "": unknown */
	uint32_t line;            /* 0: unknown */
};

/*
 * Splits a name of len bytes.  Control characters become '?', since a profile has one name a line, and
 * blanks around the name are removed.  If the function is empty, there is no name.
 */
void codename_split(const char *text, size_t len, struct codename *name);

/* --- perf maps ------------------------------------------------------------------------------ */

/*
 * A perf map, /tmp/perf-PID.map, has a line for each piece of code:
 *
 *	7f2979fe3b80 378 JS:~fib /tmp/fib.js:1:13
 *
 * Address and size are hexadecimal, with or without 0x; the name follows a blank and may contain blanks.
 * Source: tools/perf/Documentation/jit-interface.txt of Linux.
 */
struct perfmap_entry {
	uint64_t address, size; /* bytes, at least 1; the last one's address is below 2^64 */
	const char *name;       /* points into the line */
	size_t name_len;        /* at least 1 */
};

/* Parses a line of len bytes, without its end; false if it is not in the format. */
bool perfmap_parse(const char *line, size_t len, struct perfmap_entry *entry);

/* --- jitdump files -------------------------------------------------------------------------- */

/*
 * A jitdump file, jit-PID.dump, also has source lines.  It begins with a header, and each record with a
 * prefix that holds its size; numbers are in the processor's byte order.  Source:
 * tools/perf/Documentation/jitdump-specification.txt of Linux.  The code itself, thread ids, times and
 * unwinding information are not read.
 */
enum {
	JITDUMP_HEADER_SIZE = 40, /* bytes, at least */
	JITDUMP_PREFIX_SIZE = 16,
	JITDUMP_MAX_NAME = 4096, /* bytes of a name that are read */
	/* Bytes of a load record that are enough to hold its name; the code itself follows the name. */
	JITDUMP_MAX_LOAD = JITDUMP_PREFIX_SIZE + 40 + JITDUMP_MAX_NAME,
};

enum jitdump_kind {
	JITDUMP_LOAD,  /* code, with its name */
	JITDUMP_MOVE,  /* code has another address now */
	JITDUMP_LINES, /* lines of the code whose record follows */
	JITDUMP_CLOSE, /* the last one */
	JITDUMP_UNWINDING,
	JITDUMP_N_KINDS, /* this and above: unknown */
};

/*
 * True if a file that begins with these JITDUMP_HEADER_SIZE bytes is a jitdump file for this
 * architecture; *size is then the offset of its first record.
 */
bool jitdump_read_header(const uint8_t *bytes, uint32_t *size);

/*
 * The kind of the record that begins with these JITDUMP_PREFIX_SIZE bytes, and its size in bytes, prefix
 * included; false if the size is less than a prefix.
 */
bool jitdump_read_prefix(const uint8_t *bytes, uint32_t *kind, uint32_t *size);

/* A load or a move of code. */
struct jitdump_code {
	uint64_t address, size; /* bytes, at least 1; the last one's address is below 2^64 */
	uint64_t from;          /* of a move: the old address, same limits */
	const char *name;       /* of a load; points into the record */
	size_t name_len;        /* at least 1 */
};

/* Reads the first len bytes of a JITDUMP_LOAD record, prefix included; false if it is damaged. */
bool jitdump_read_load(const uint8_t *record, size_t len, struct jitdump_code *code);

/* The same for JITDUMP_MOVE. */
bool jitdump_read_move(const uint8_t *record, size_t len, struct jitdump_code *code);

/* A walk over the lines of a JITDUMP_LINES record. */
struct jitdump_lines {
	uint64_t address; /* of their code */
	const uint8_t *at, *end;
	uint64_t n_left;
	const char *file; /* of the last line read */
	size_t file_len;
};

struct jitdump_line {
	uint64_t address;
	uint32_t line;
	const char *file; /* points into the record */
	size_t file_len;
};

/* Begins with such a record of len bytes, prefix included; false if it is damaged. */
bool jitdump_begin_lines(const uint8_t *record, size_t len, struct jitdump_lines *lines);

/* The next line; false at the end or if the record is damaged. */
bool jitdump_next_line(struct jitdump_lines *lines, struct jitdump_line *line);

#endif
