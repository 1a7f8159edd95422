/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units of .debug_info, and the entries in them: what each begins with, and what its fields say.  No
 * memory is needed, and nothing outside of the sections is read.
 *
 * An entry begins with the code of its declaration, which lists the attributes and forms of its fields, in .debug_abbrev.
 *
 * Source: the DWARF standard, versions 2 to 5, sections 3.1 and 7.5; GNU's "DebugFission".
 */
#ifndef TOOL_ELF_DWARFUNIT_H
#define TOOL_ELF_DWARFUNIT_H

#include "tool/elf/debugcursor.h"

enum dwarf_tag {
	DWARF_LEXICAL_BLOCK = 0x0b,
	DWARF_COMPILE_UNIT = 0x11,
	DWARF_INLINED_SUBROUTINE = 0x1d,
	DWARF_MODULE = 0x1e,
	DWARF_SUBPROGRAM = 0x2e,
	DWARF_NAMESPACE = 0x39,
	DWARF_PARTIAL_UNIT = 0x3c,
	DWARF_SKELETON_UNIT = 0x4a,
};

enum dwarf_attribute {
	DWARF_AT_SIBLING = 0x01,
	DWARF_AT_NAME = 0x03,
	DWARF_AT_LINES = 0x10,
	DWARF_AT_LOW = 0x11,
	DWARF_AT_HIGH = 0x12,
	DWARF_AT_DIRECTORY = 0x1b,
	DWARF_AT_ORIGIN = 0x31,
	DWARF_AT_SPECIFICATION = 0x47,
	DWARF_AT_RANGES = 0x55,
	DWARF_AT_CALL_FILE = 0x58,
	DWARF_AT_CALL_LINE = 0x59,
	DWARF_AT_TEXT_BASE = 0x72,
	DWARF_AT_ADDRESS_BASE = 0x73,
	DWARF_AT_RANGES_BASE = 0x74,
	DWARF_AT_SPLIT_NAME = 0x76,
	DWARF_AT_GNU_SPLIT_NAME = 0x2130,
	DWARF_AT_GNU_SPLIT_ID = 0x2131,
	DWARF_AT_GNU_RANGES_BASE = 0x2132,
	DWARF_AT_GNU_ADDRESS_BASE = 0x2133,
};

/* What a unit is, as version 5 says it; up to version 4 all are DWARF_UNIT_COMPILE, or DWARF_UNIT_TYPE. */
enum dwarf_unit_kind {
	DWARF_UNIT_COMPILE = 1,
	DWARF_UNIT_TYPE = 2,
	DWARF_UNIT_PARTIAL = 3,
	DWARF_UNIT_SKELETON = 4,
	DWARF_UNIT_SPLIT = 5,
	DWARF_UNIT_SPLIT_TYPE = 6,
};

/* Where what a unit's fields have indices of begins. */
struct dwarf_bases {
	/* Of .debug_addr and .debug_ranges; a split unit's are the program's, and it has the bases that are said there. */
	const struct debug_sections *program;
	uint64_t texts, addresses, range_lists;
	uint64_t ranges; /* GNU's split units alone */
};

struct dwarf_unit {
	const struct debug_sections *sections;
	struct debug_bytes
		alternate_texts; /* .debug_str of the alternate file: the caller's to set */
	uint64_t offset, end;    /* in .debug_info */
	uint64_t root;           /* where its first entry is */
	uint64_t declarations;   /* in .debug_abbrev */
	uint64_t id;             /* of version 5's skeleton and split units, else 0 */
	struct debug_format format;
	uint8_t kind; /* enum dwarf_unit_kind */
	bool is_split;
	struct dwarf_bases bases;
};

/*
 * The next unit from *at on, which is 0 at first and is then where the one behind it is; false if there is none.  Those
 * of other versions and other sizes of addresses are passed over.
 */
bool dwarfunit_next(const struct debug_sections *sections, uint64_t *at, struct dwarf_unit *unit);

/* The entries of a unit, from an offset in .debug_info on: none if that is outside of it. */
struct debug_cursor dwarfunit_entries(const struct dwarf_unit *unit, uint64_t offset);

/* How entries of a code are made up. */
struct dwarf_declaration {
	uint64_t code, tag;
	bool has_children;
	struct debug_cursor attributes;
};

/* Reads a declaration, without its attributes; false if it was the last one, or none can be read. */
bool dwarfunit_declaration(struct debug_cursor *declarations,
			   struct dwarf_declaration *declaration);

/* The declaration of a code among the first 4096 bytes of a unit's; false if it is not there. */
bool dwarfunit_find(const struct dwarf_unit *unit, uint64_t code,
		    struct dwarf_declaration *declaration);

struct dwarf_attribute_form {
	uint64_t attribute, form;
	uint64_t number; /* of DEBUG_FORM_IMPLICIT */
};

/* The next attribute of a declaration; false if there is none. */
bool dwarfunit_attribute(struct debug_cursor *attributes, struct dwarf_attribute_form *attribute);

/* The field of an attribute; entry is where it is, and goes behind it. */
struct debug_field dwarfunit_field(const struct dwarf_unit *unit, struct debug_cursor *entry,
				   const struct dwarf_attribute_form *attribute);

/* The text of a field, wherever it is; empty if there is none, or it has more than max_len bytes. */
struct debug_name dwarfunit_text(const struct dwarf_unit *unit, const struct debug_field *field,
				 uint64_t max_len);

/* The address that a field is, or has the index of; false if it is none. */
bool dwarfunit_address(const struct dwarf_unit *unit, const struct debug_field *field,
		       uint64_t *address);

/* Where code is, as its attributes say: from low to high, or in ranges. */
struct dwarf_extent {
	bool has_low, has_high, high_is_size;
	uint64_t low, high;
	struct debug_field ranges; /* DEBUG_NOTHING if there are none */
};

/* Takes a field into the extent if it is one of it. */
void dwarfunit_extent(const struct dwarf_unit *unit, uint64_t attribute,
		      const struct debug_field *field, struct dwarf_extent *extent);

/*
 * Calls visit for each range of an extent that is not empty and not of removed code, until it returns false.  base is the
 * unit's lowest address.  Returns the bytes of lists that were read.
 */
uint64_t dwarfunit_ranges(const struct dwarf_unit *unit, const struct dwarf_extent *extent,
			  uint64_t base, bool (*visit)(void *ctx, uint64_t low, uint64_t high),
			  void *ctx);

/* What a unit's first entry says. */
struct dwarf_root {
	uint64_t tag;
	struct debug_name name;
	struct debug_name directory; /* where the compiler ran; empty if it does not say */
	bool has_directory, has_lines, is_skeleton;
	uint64_t lines; /* offset in .debug_line */
	struct dwarf_extent extent;
	struct debug_name split_name; /* of the .dwo */
	uint64_t id;                  /* of a skeleton or split unit */
	uint64_t ranges_base;         /* of GNU's split unit */
};

/*
 * Reads a unit's first entry, of this declaration; entry is behind its code. Sets the unit's bases: those that the entry
 * says, else those that units of its kind have.
 */
void dwarfunit_root(struct dwarf_unit *unit, struct debug_cursor entry,
		    const struct dwarf_declaration *declaration, struct dwarf_root *root);

/*
 * The first entry of the next unit, from *at on as above, that says where its lines are and where its compiler ran; false
 * if there is none.  Its declaration is one that dwarfunit_find() finds.
 */
bool dwarfunit_next_root(const struct debug_sections *sections, uint64_t *at,
			 struct dwarf_root *root);

#endif
