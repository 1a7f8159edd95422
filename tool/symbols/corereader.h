/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core's reader of debug information ends the run where it meets what it does not know, and says so in a dozen
 * lines.  Here it is stopped before that: what it has read so far stays, what is missing is noted, and the program runs.
 *
 * The core calls its reader from one file in another, so the linker can put functions in between (TOOL_WRAPS in
 * Makefile.am).  Nothing changes for files that it reads.
 */
#ifndef TOOL_SYMBOLS_COREREADER_H
#define TOOL_SYMBOLS_COREREADER_H

#include "pub_tool_basics.h"

struct DiImage;
struct core_guard;
struct core_file;

/* What the core has of a file's debug information: a set of bits. */
enum core_has {
	CORE_LACKS_LINES = 1,
	CORE_LACKS_INLINED = 2,
	CORE_LACKS_ALL = 4, /* symbols, too */
	CORE_HAS_LINES = 8, /* its reader of lines was called; it may have given up all the same */
};

enum {
	CORE_MAX_IMAGES = 8, /* of the file, its debug file, and dwz's */
};

/* Zero-initialized, since the core reads files before the tool is initialized. */
struct core_reader {
	struct core_guard *guard;                /* of the innermost call of a reader, or NULL */
	struct core_file *files;                 /* about which anything is known */
	UInt n_changes;                          /* of what is known about them */
	struct DiImage *images[CORE_MAX_IMAGES]; /* that the reader has open */
	UInt n_images;
	Bool inlined_is_stuck; /* its reader of inlined functions was left, and cannot be called again */
};

/* What the core has of the file of that name: enum core_has. */
UInt core_has(const struct core_reader *reader, const HChar *name);

#endif
