/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that the program has mapped, as our own reader (tool/elf/debugfile.h) sees them: for code of which Valgrind's
 * core has no name or no line.  A file is opened at the first question, if it is still the one that was mapped; one
 * that has no name any more (of memfd_create(), deleted) is read when it is mapped.
 */
#ifndef TOOL_SYMBOLS_OWNFILE_H
#define TOOL_SYMBOLS_OWNFILE_H

#include "pub_tool_basics.h"

#include "tool/elf/debugfile.h"
#include "tool/elf/elfobject.h"
#include "tool/symbols/corename.h"

/* Of a question that is answered once. */
enum own_answer {
	NOT_ASKED,
	YES,
	NO,
};

/* One file.  Never freed. */
struct own_file {
	struct own_file *next;
	ULong dev, ino;
	ULong changed, changed_nsec; /* when: seconds and nanoseconds; 0: it was not there */
	const HChar *path;           /* as the kernel has it */
	struct debugfile *file;      /* NULL: it cannot be read */
	struct elfobject object;     /* if it can */
	Bool gave_names, gave_lines, was_asked_for_lines;
	Bool is_alone;              /* the core knows nothing of it */
	Bool core_has_debug_file;   /* or the file has debug information itself */
	enum own_answer has_more;   /* symbols than the core reads */
	enum own_answer is_misread; /* by the core */
	enum own_answer is_split;   /* into .dwo files, maybe */
	Bool was_replaced;          /* what lies at its path is another file */
};

/* Of zeros at first. */
struct own_files {
	struct debugfile_world world;
	Bool has_world;
	struct own_file *files;
	ULong n_copied;        /* bytes of those that have no name */
	struct own_file *last; /* that was found; or NULL */
};

/* The file that is mapped at an address; NULL if none is.  Under seccomp, only if it was opened before. */
struct own_file *own_file_at(struct own_files *files, Addr address);

/* The program has mapped the file of a descriptor at an address. */
void own_file_mapped(struct own_files *files, Addr address, Int descriptor);

/* Sets what is to be subtracted from an address in the file's mapping to get it as linked; False if it is not code of the file's. */
Bool own_file_bias(const struct own_file *file, Addr address, Addr *bias);

/* True if the file itself has debug information that this Valgrind takes for something else. */
Bool own_file_is_misread(struct own_file *file);

/* True of what comes with each file, without lines of its own: .init, .fini, linkage tables. */
Bool own_file_is_glue(const struct own_file *file, Addr linked);

/* True if its debug information may lie in other files (.dwo), where the core does not look for what was inlined. */
Bool own_file_is_split(struct own_file *file);

/* A symbol, at an address as linked. */
struct own_symbol {
	const HChar *name; /* demangled, as the core does; until the next question */
	Addr first, last;
};
Bool own_file_symbol(struct own_file *file, Addr linked, struct own_symbol *symbol);

/* Adds all names of the function whose symbol own_file_symbol() gives. */
void own_file_aliases(struct own_file *file, Addr linked, struct aliases *aliases);

/*
 * Tells of each file that our own reader gave lines of, or names in place of the core, in the order of their paths: what was
 * used, "own reader, DWARF 5: /usr/bin/prog".
 */
void own_files_tell(const struct own_files *files,
		    void (*take)(void *ctx, const HChar *type, const HChar *text), void *ctx);

/*
 * Says of which files parts are missing or cannot be read that they should have; with -v, too, what was read of which file, and
 * what would help those that have no debug information.
 */
void own_files_report(const struct own_files *files);

/* As debugfile_line() and debugfile_inlined(). */
Bool own_file_line(struct own_file *file, Addr linked, struct dwarf_place *place);
SizeT own_file_inlined(struct own_file *file, Addr linked, const struct dwarf_frame **frames);

#endif
