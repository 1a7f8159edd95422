/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of generated code, given by COSTGRIND_NAME_CODE or read from what the program writes for other profilers and debuggers
 * (tool/generated/).  If ranges overlap, the latest counts: compilers reuse memory.
 */
#ifndef TOOL_SYMBOLS_NAMEDCODE_H
#define TOOL_SYMBOLS_NAMEDCODE_H

#include "pub_tool_basics.h"
#include "pub_tool_oset.h"

#include "sim/basics.h"

struct text;

/* The line of code from an offset up to the next line's. */
struct named_line {
	UInt offset;
	UInt line;               /* 0: unknown */
	const struct text *file; /* NULL: unknown */
};

/* Sorted by offset. */
struct named_lines {
	UInt n;
	struct named_line lines[];
};

struct named_code {
	struct address_range range;
	Addr entry;              /* where it began, before another range took its beginning */
	const struct text *name; /* of the function; not empty */
	const struct text *file; /* of the function, or NULL */
	UInt line;               /* of its beginning, 0: unknown */
	/* By offset from entry, or NULL; never freed. */
	const struct named_lines *lines;
	Bool is_read; /* read from what the program writes for others; otherwise given by request */
	Bool reused;  /* another name was there at some time */
};

/* Invariant: no two ranges share a byte. */
struct named_codes {
	OSet *ranges;  /* struct named_code by address; NULL: there are none */
	Bool has_read; /* some name was read */
};

/*
 * Names a range of code; name, file and lines must live forever.  If the name is NULL or empty, the range loses its name.
 * code->reused is ignored.  Returns true if anything in the range had another name.
 */
Bool named_code_set(struct named_codes *codes, const struct named_code *code);

/* The named code at an address, or NULL; valid until the next is set. */
const struct named_code *named_code_find(const struct named_codes *codes, Addr address);

/* Any named code that shares a byte with a range, or NULL; valid as long. */
const struct named_code *named_code_within(const struct named_codes *codes,
					   struct address_range range);

/*
 * True if an address is in memory where a program can generate code: without a file, or with a file in memory.  Names that were
 * read count nowhere else.
 */
Bool named_code_can_be_at(Addr address);

/* True if a file of this name is in memory only. */
Bool named_code_is_file(const HChar *name);

/*
 * The line of an address inside the code, 0 if unknown, and its file or NULL.  Without a table of lines, these are the
 * function's.
 */
UInt named_code_line(const struct named_code *code, Addr address, const struct text **file);

#endif
