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

/* What the core has of a file's debug information: bits. */
enum core_has {
	CORE_LACKS_LINES = 1,
	CORE_LACKS_INLINED = 2,
	CORE_LACKS_ALL = 4, /* symbols, too */
	CORE_HAS_LINES =
		8, /* its reader of lines has been there; what it lacks, it lacks nevertheless */
};

enum {
	CORE_MAX_IMAGES = 8, /* of the file, its debug file, and dwz's */
};

/* Of zeros at first; it works before the tool is initialised. */
struct core_reader {
	struct core_guard *guard; /* of the reading that is going on, the innermost one; or NULL */
	struct core_file *files;  /* that something is to be said of */
	UInt n_changes;           /* of what is said of them */
	struct DiImage *images[CORE_MAX_IMAGES]; /* files that are open for the reading */
	UInt n_images;
	Bool inlined_is_stuck; /* its reader of inlined functions was left, and cannot be entered again */
};

/* What the core has of the file of that name: enum core_has. */
UInt core_has(const struct core_reader *reader, const HChar *name);

#endif
