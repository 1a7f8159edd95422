/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files of names say becomes names of code (tool/symbols/namedcode.h). */
#ifndef TOOL_GENERATED_NAMING_H
#define TOOL_GENERATED_NAMING_H

#include "pub_tool_basics.h"

#include "tool/symbols/namedcode.h"

enum {
	/* Bytes of code of one name: more is no function, but a file that is damaged. */
	NAMING_MAX_SIZE = 1 << 30,
	/* Names of one process, each time that one is read: they are kept. */
	NAMING_MAX_NAMES = 1 << 22,
};

struct naming {
	Addr address;
	ULong size; /* bytes, at least 1 */
	const HChar *name;
	SizeT name_len;
	/* Borrowed for good, or NULL. */
	const struct named_lines *lines;
};

/*
 * Code has a name from now on, which is split into function, file and line (tool/generated/codename.h).
 * Returns the function's, or NULL if it has none.
 */
const struct text *naming_set(const struct naming *naming);

/* Code was moved: it has its names and lines where it is now. */
void naming_move(Addr from, Addr to, ULong size);

/* Code has no name any more, as far as it still has that one. */
void naming_remove(Addr address, ULong size, const struct text *name);

/*
 * A table of lines: the n ones that are there, in any order, whose offsets fit 32 bits; NULL if
 * none.  It is never freed.
 */
struct named_lines *naming_lines(struct named_line *lines, UInt n);

/* A file of a text, to be kept for good; NULL if the text is empty. */
const struct text *naming_file(const HChar *chars, SizeT len);

/* Whether the last part of a path is prefix, a number and suffix. */
Bool naming_is_numbered(const HChar *path, const HChar *prefix, const HChar *suffix);

#endif
