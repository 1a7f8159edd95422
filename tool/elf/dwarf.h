/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Debug information of DWARF 2 to 5: the source line of an address, and the functions that the compiler inlined there.
 * Addresses are as linked.  Names and lines are those that Valgrind's core gives for the same information, so that it
 * does not matter to a profile which of the two read a program.
 *
 * Opening reads the first entry of each unit, and no more; a unit's lines and its inlined functions are decoded at the first
 * question for an address in it, and kept.
 *
 * Any bytes are safe: nothing outside of the sections is read, nothing recurses, and work and memory are in proportion to
 * the sections' size.
 *
 * Source: the DWARF standard, versions 2 to 5; GNU's "DebugFission" and "DWARF Extensions".
 */
#ifndef TOOL_ELF_DWARF_H
#define TOOL_ELF_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/elf/debugcursor.h"

/* Where memory comes from: it must outlive all that is in it. */
struct dwarf_memory {
	void *(*allocate)(size_t size); /* 1 or more, of zeros; NULL if it is refused */
	void (*release)(void *memory);
	void (*sort)(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
};

/* What names a split unit, in the unit that stands for it in the program. */
struct dwarf_split {
	struct debug_name directory; /* where the compiler ran; may be empty */
	struct debug_name name;      /* of the .dwo, absolute or from there; may be empty */
	uint64_t id;
};

/* Where the debug information of a file is.  Everything is borrowed until dwarf_close(). */
struct dwarf_sources {
	const struct dwarf_memory *memory;
	const struct debug_sections *own;
	const struct debug_sections *alternate; /* of the file that dwz made; NULL if there is none */
	void *ctx;
	/*
	 * Finds the sections that hold a split unit: all of a .dwo, or from a package what its index says is
	 * the unit's (of .debug_str.dwo all).  They are borrowed until dwarf_close().  False if it cannot be found.
	 * Asked once a unit, when an address in it is; NULL: there are none.
	 */
	bool (*split)(void *ctx, const struct dwarf_split *split, struct debug_sections *sections);
};

struct dwarf;

/* NULL if there are no units, or memory is refused. */
struct dwarf *dwarf_open(const struct dwarf_sources *sources);
void dwarf_close(struct dwarf *dwarf);

/* The version of the first unit, 2 to 5. */
unsigned dwarf_version(const struct dwarf *dwarf);

/*
 * A place in a source.  Texts are borrowed until dwarf_close().  directory is as the core gives it: empty if there is
 * none, else what is to be put before the file, with a slash in between.
 */
struct dwarf_place {
	struct debug_name directory, file;
	uint32_t line; /* 0: of none */
};

/* The line of an address; false if none is known. */
bool dwarf_line(struct dwarf *dwarf, uint64_t address, struct dwarf_place *place);

/* A function that an address is in: where in it the address is, or the call of what was inlined. */
struct dwarf_frame {
	struct debug_name
		function; /* as the source has it, without class and parameters; empty if it has no name */
	struct dwarf_place place;
};

/*
 * The functions that were inlined at an address, innermost first, and last the one that is around them.
 * Returns how many frames there are: 0 if nothing is inlined there, else 2 or more.  Frames hold until
 * the next call.  The first place is as dwarf_line() has it, with an empty file and line 0 if that has none.
 */
size_t dwarf_inlined(struct dwarf *dwarf, uint64_t address, const struct dwarf_frame **frames);

/*
 * True if the core of Valgrind 3.MINOR reads the debug information of a file to its end; false if it would give up, so
 * that the program would have no names, or would not start.  It is asked of sections as the core has them: those of
 * the separate debug file where it has the file's debug information.
 */
bool dwarf_core_reads(const struct debug_sections *sections, const struct debug_sections *alternate,
		      unsigned minor);

#endif
