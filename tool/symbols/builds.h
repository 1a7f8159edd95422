/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which builds of the program and its libraries ran: the build-ids of all objects whose code was
 * translated, and the version line of the C library.  All of it is read from memory, since the files may have
 * been replaced by now.
 */
#ifndef TOOL_SYMBOLS_BUILDS_H
#define TOOL_SYMBOLS_BUILDS_H

#include "pub_tool_basics.h"

#include "tool/symbols/elfimage.h"

struct text;

/* One object.  If it is loaded again under the same name, it is taken for the same. */
struct build {
	const struct text *object; /* its name; NULL: not seen yet */
	Bool is_file;    /* it was mapped from a file; otherwise nothing is known about it */
	Bool is_program; /* the file that was executed */
	struct build_id id;
};

/* Identifies a file. */
struct file_number {
	ULong dev, ino;
};

struct builds {
	struct build *builds; /* by the id of the object's name */
	UInt room;
	struct file_number program;
	HChar *c_library; /* "GNU C Library ... version 2.36", or NULL */
};

/* auxv is the program's, which leads to its file, or NULL. */
void builds_init(struct builds *builds, const UWord *auxv);

/* Notes the object whose code is at an address. */
void builds_note(struct builds *builds, const struct text *object, Addr address);

/* The ELF file that is mapped at an address; False if there is none. */
Bool builds_image(Addr address, struct elf_image *image);

/* All that were mapped from files, by name.  The caller frees the array by VG_(free); NULL if *n is 0. */
const struct build **builds_sorted(const struct builds *builds, UInt *n);

#endif
