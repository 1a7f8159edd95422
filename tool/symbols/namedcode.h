/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of code that a program made itself: given by COSTGRIND_NAME_CODE, or read from what
 * the program writes for other profilers and debuggers (tool/generated/).  Of ranges that
 * overlap, the last one counts: a compiler uses memory again.
 */
#ifndef TOOL_SYMBOLS_NAMEDCODE_H
#define TOOL_SYMBOLS_NAMEDCODE_H

#include "pub_tool_basics.h"
#include "pub_tool_oset.h"

#include "sim/basics.h"

struct text;

/* Code from an offset on, up to the next one's, is of this line. */
struct named_line {
	UInt offset;
	UInt line;               /* 0: unknown */
	const struct text *file; /* NULL: unknown */
};

/* In ascending order of their offsets. */
struct named_lines {
	UInt n;
	struct named_line lines[];
};

struct named_code {
	struct address_range range;
	Addr entry;              /* where it began, before another one took its beginning */
	const struct text *name; /* of the function; not empty */
	const struct text *file; /* that the function is in, or NULL */
	UInt line;               /* that it begins at, 0: unknown */
	/* By offset from entry, or NULL; never freed. */
	const struct named_lines *lines;
	Bool is_read; /* from what the program writes for others; else it told the tool itself */
	Bool reused;  /* since it has been known, or before that, another name was there */
};

/* Invariant: no two ranges share a byte. */
struct named_codes {
	OSet *ranges;  /* struct named_code by address; NULL: there are none */
	Bool has_read; /* any that was read */
};

/*
 * Code has that name from now on; its file, line and lines are borrowed for good, as is the
 * name.  If that is NULL, or of no characters, the range has no name from now on.  reused is
 * found out.  Returns whether anything in the range had another name.
 */
Bool named_code_set(struct named_codes *codes, const struct named_code *code);

/* The one that an address is in, or NULL; until the next is set. */
const struct named_code *named_code_find(const struct named_codes *codes, Addr address);

/* Any one that shares a byte with a range, or NULL; likewise. */
const struct named_code *named_code_within(const struct named_codes *codes,
					   struct address_range range);

/*
 * Whether an address is in memory that a program can make code in: without a file, or of one that is
 * in memory only.  Nothing else has names that were read.
 */
Bool named_code_can_be_at(Addr address);

/* Whether a file of that name is one of these. */
Bool named_code_is_file(const HChar *name);

/*
 * The line of the code at an address that is in it, and its file, or NULL; 0 is unknown.  Without
 * a line table it is that of the function.
 */
UInt named_code_line(const struct named_code *code, Addr address, const struct text **file);

#endif
