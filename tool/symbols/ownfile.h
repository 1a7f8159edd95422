/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the program has mapped, read by our own reader (tool/elf/debugfile.h) where Valgrind's core has no name or line for
 * code.  A file is opened at the first question about it, if it is still the one that was mapped.  A file without a name
 * (memfd_create(), deleted) is copied when it is mapped, since it cannot be opened later.
 */
#ifndef TOOL_SYMBOLS_OWNFILE_H
#define TOOL_SYMBOLS_OWNFILE_H

#include "pub_tool_basics.h"

#include "tool/elf/debugfile.h"

struct aliases;

/* An answer that is computed once. */
enum own_answer {
	NOT_ASKED,
	YES,
	NO,
};

/* One file.  Never freed. */
struct own_file {
	struct own_file *next;
	ULong dev, ino;
	ULong changed, changed_nsec; /* time of its last change: seconds, nanoseconds; 0: unknown */
	const HChar *path;           /* as the kernel names it */
	struct debugfile *file;      /* NULL if it cannot be read */
	Bool gave_names, gave_lines, was_asked_for_lines;
	Bool is_alone;              /* the core does not know it */
	Bool core_has_debug_file;   /* or the file has debug information itself */
	enum own_answer has_more;   /* symbols than the core reads */
	enum own_answer is_misread; /* by the core */
	enum own_answer is_split;   /* into .dwo files, maybe */
	Bool was_replaced;          /* what lies at its path is another file */
};

/* Zero-initialized. */
struct own_files {
	struct debugfile_world world;
	Bool has_world;
	struct own_file *files;
	ULong n_copied;        /* bytes copied of files without a name */
	struct own_file *last; /* the one found last, or NULL */
};

/* The file that is mapped at an address; NULL if none is.  Under seccomp, only if it was opened before. */
struct own_file *own_file_at(struct own_files *files, Addr address);

/* The program has mapped the file of a descriptor at an address. */
void own_file_mapped(struct own_files *files, Addr address, Int descriptor);

/* Sets the load bias of the file's mapping at an address (address - bias is as linked); False if the address is not code of the file. */
Bool own_file_bias(const struct own_file *file, Addr address, Addr *bias);

/* True if the file itself has debug information that this Valgrind takes for something else. */
Bool own_file_is_misread(struct own_file *file);

/* True for code that every file has and no source: .init, .fini, linkage tables. */
Bool own_file_is_glue(const struct own_file *file, Addr linked);

/* True if its debug information may be in .dwo files, where the core does not look for inlined functions. */
Bool own_file_is_split(struct own_file *file);

/* A symbol, at an address as linked. */
struct own_symbol {
	const HChar *name; /* demangled as the core does; valid until the next question */
	Addr first, last;
};
Bool own_file_symbol(struct own_file *file, Addr linked, struct own_symbol *symbol);

/* Adds all names of the function whose symbol own_file_symbol() gives. */
void own_file_aliases(struct own_file *file, Addr linked, struct aliases *aliases);

/*
 * Reports each file whose lines came from our own reader, or whose names did in place of the core's, by path: what was
 * used, as in "own reader, DWARF 5: /usr/bin/prog".
 */
void own_files_tell(const struct own_files *files,
		    void (*take)(void *ctx, const HChar *type, const HChar *text), void *ctx);

/*
 * Prints which files lack parts that they refer to, or have parts that cannot be read; with -v also what was read from
 * which file, and what would help those without debug information.
 */
void own_files_report(const struct own_files *files);

/* As debugfile_line() and debugfile_inlined(). */
Bool own_file_line(struct own_file *file, Addr linked, struct dwarf_place *place);
SizeT own_file_inlined(struct own_file *file, Addr linked, const struct dwarf_frame **frames);

#endif
