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

enum {
	DEBUG_MAX_NAME = 4096, /* bytes of a text; longer ones are ignored */
};

/* Borrowed bytes; NULL and 0 if there are none. */
struct debug_bytes {
	const uint8_t *at;
	uint64_t len;
};

/*
 * Sections of a file, or of a split unit, where each name ends in .dwo.  They are complete and
 * decompressed, and lines and info need no relocations any more.
 */
struct debug_sections {
	struct debug_bytes lines;          /* .debug_line */
	struct debug_bytes info;           /* .debug_info */
	struct debug_bytes abbreviations;  /* .debug_abbrev */
	struct debug_bytes strings;        /* .debug_str */
	struct debug_bytes line_strings;   /* .debug_line_str */
	struct debug_bytes string_offsets; /* .debug_str_offsets */
	struct debug_bytes addresses;      /* .debug_addr */
	struct debug_bytes ranges;         /* .debug_ranges */
	struct debug_bytes range_lists;    /* .debug_rnglists */
};

/* A text without its NUL; empty, never NULL, if there is none or it is too long. */
struct debug_name {
	const char *chars;
	size_t len;
};

/* Where memory comes from; must outlive everything allocated from it. */
struct dwarf_memory {
	void *(*allocate)(size_t size); /* at least 1 byte, zeroed; NULL if it is refused */
	void (*release)(void *memory);
	void (*sort)(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
};

/* How the skeleton unit in the program names a split unit. */
struct dwarf_split {
	struct debug_name directory; /* where the compiler ran; may be empty */
	struct debug_name name; /* of the .dwo, absolute or relative to directory; may be empty */
	uint64_t id;
};

/* Where the debug information of a file is.  Everything is borrowed until dwarf_close(). */
struct dwarf_sources {
	const struct dwarf_memory *memory;
	const struct debug_sections *own;
	const struct debug_sections *alternate; /* of the file made by dwz, or NULL */
	void *ctx;
	/*
	 * Finds the sections that hold a split unit: a whole .dwo, or the unit's parts of a package according
	 * to its index (but all of .debug_str.dwo).  They are borrowed until dwarf_close().  False if the
	 * unit cannot be found.  Called once for each unit, at the first question for an address in it.  NULL if
	 * there are no split units.
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
 * A place in a source.  Texts are borrowed until dwarf_close().  directory is the same as the core's: empty
 * if there is none, otherwise to be put before the file, with a slash between them.
 */
struct dwarf_place {
	struct debug_name directory, file;
	uint32_t line; /* 0: unknown */
};

/* The line of an address; false if none is known. */
bool dwarf_line(struct dwarf *dwarf, uint64_t address, struct dwarf_place *place);

/* A function at an address; place is where the address is, or the inlined call. */
struct dwarf_frame {
	struct debug_name
		function; /* as in the source, without class and parameters; empty if it has no name */
	struct dwarf_place place;
};

/*
 * The functions inlined at an address, innermost first, and last the function around them.  Returns the
 * number of frames: 0 if nothing is inlined there, otherwise at least 2.  Frames are valid until the next call.
 * The first place is dwarf_line()'s, or empty with line 0 if that has none.
 */
size_t dwarf_inlined(struct dwarf *dwarf, uint64_t address, const struct dwarf_frame **frames);

/*
 * True if the core of Valgrind 3.MINOR reads a file's debug information to its end; false if it would give up,
 * so that the program would have no names or would not start.  Takes the sections that the core would
 * read: from the separate debug file if the debug information is there (corereads.c).
 */
bool dwarf_core_reads(const struct debug_sections *sections, const struct debug_sections *alternate,
		      unsigned minor);

#endif
