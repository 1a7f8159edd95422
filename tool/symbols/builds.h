/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which builds of the program and of its libraries ran: the build-ids of all objects
 * whose code was translated, as they lie in memory, and what the C library says of
 * itself.  Files are not looked at: they may be others by now.
 */
#ifndef TOOL_SYMBOLS_BUILDS_H
#define TOOL_SYMBOLS_BUILDS_H

#include "pub_tool_basics.h"

#include "tool/symbols/elfimage.h"
#include "tool/symbols/elfnote.h"

struct text;

/* One object.  Loaded again under the same name, it is what it was the first time. */
struct build {
	const struct text *object; /* its name; NULL: not seen yet */
	Bool is_file;              /* it was mapped from a file; else nothing is known of it */
	Bool is_program;           /* it is what was executed */
	struct build_id id;
};

/* A file, as the kernel distinguishes it from others. */
struct file_number {
	ULong dev, ino;
};

struct builds {
	struct build *builds; /* by number of the object's name */
	UInt room;
	struct file_number program;
	HChar *c_library; /* "GNU C Library ... version 2.36", or NULL */
};

/* Nothing is known; but for the program's file if it is mapped: auxv is the program's, or NULL. */
void builds_init(struct builds *builds, const UWord *auxv);

/* Code of an object is at an address. */
void builds_note(struct builds *builds, const struct text *object, Addr address);

/* The file that is mapped at an address (tool/symbols/elfimage.h); False if none is, or it is no ELF file. */
Bool builds_image(Addr address, struct elf_image *image);

/*
 * Those that are of files, by name.  The array is the caller's, to be freed by
 * VG_(free); NULL if *n is 0.
 */
const struct build **builds_sorted(const struct builds *builds, UInt *n);

#endif
