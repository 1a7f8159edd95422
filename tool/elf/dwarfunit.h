/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What debug sections are made of: numbers and texts, the units and entries of .debug_info, and the line
 * programs of .debug_line, of DWARF 2 to 5.  No memory is needed, nothing outside of the sections is read, and
 * work is in proportion to their size.
 *
 * Source: the DWARF standard, versions 2 to 5, sections 3.1, 6.2, 7.4 to 7.6; GNU's "DebugFission".
 */
#ifndef TOOL_ELF_DWARFUNIT_H
#define TOOL_ELF_DWARFUNIT_H

#include "tool/elf/dwarf.h"

/* --- numbers, texts and fields ------------------------------------------------------------ */

/*
 * Reads one item after the other.  A cursor that is asked for more than there is fails and stays at its end:
 * from then on numbers are 0 and texts empty, so it is enough to test for failure at the end of each step.
 */
struct debug_cursor {
	const uint8_t *at;
	uint64_t left; /* bytes */
	bool failed;
};

struct debug_cursor cursor_of(struct debug_bytes bytes);

/* The next n bytes; NULL if there are fewer. */
const uint8_t *cursor_bytes(struct debug_cursor *cursor, uint64_t n);

/* A number of up to 8 bytes. */
uint64_t cursor_number(struct debug_cursor *cursor, unsigned size);

/* Numbers of variable length (LEB128); bits above the 64th are lost. */
uint64_t cursor_unsigned(struct debug_cursor *cursor);
uint64_t cursor_signed(struct debug_cursor *cursor);

/* A text, up to its NUL; skips it even if it is too long. */
struct debug_name cursor_name(struct debug_cursor *cursor);

/* The bytes of a unit after its length; *offset_size is the size of offsets in it. */
struct debug_bytes cursor_unit(struct debug_cursor *cursor, uint8_t *offset_size);

/* Properties of a unit that sizes of fields depend on. */
struct debug_format {
	uint8_t version;
	uint8_t offset_size; /* bytes: 4 or 8 */
};

/* What the number of a field means. */
enum debug_kind {
	DEBUG_NOTHING, /* a block, or something that nobody needs */
	DEBUG_NUMBER,  /* or an offset in a section */
	DEBUG_TEXT,
	DEBUG_TEXT_INDEX,     /* in .debug_str_offsets */
	DEBUG_ALTERNATE_TEXT, /* an offset in the alternate's .debug_str */
	DEBUG_ADDRESS,
	DEBUG_ADDRESS_INDEX,       /* in .debug_addr */
	DEBUG_RANGES_INDEX,        /* in .debug_rnglists */
	DEBUG_UNIT_REFERENCE,      /* from the beginning of the unit */
	DEBUG_REFERENCE,           /* from the beginning of .debug_info */
	DEBUG_ALTERNATE_REFERENCE, /* in the alternate */
};

struct debug_field {
	enum debug_kind kind;
	uint64_t number;
	struct debug_bytes
		text; /* from its start to the end of the section; debug_name_of() finds its end */
};

/* The text at the start of bytes; empty if it is longer than max_len or has no NUL. */
struct debug_name debug_name_of(struct debug_bytes bytes, uint64_t max_len);

/* The bytes from an offset on; none if it is past the end. */
struct debug_bytes debug_bytes_from(struct debug_bytes bytes, uint64_t offset);

/*
 * Reads a field of a form.  Fails for unknown forms and for those whose value is in the declaration.  Takes at
 * least a byte, except for flags that are always set.
 */
struct debug_field cursor_field(struct debug_cursor *cursor, const struct debug_sections *sections,
				uint64_t form, struct debug_format format);

enum {
	DEBUG_NO_SIZE = 255, /* depends on the field, or the form is unknown */
	DEBUG_FORM_INDIRECT = 0x16,
	DEBUG_FORM_IMPLICIT = 0x21, /* the value is in the declaration */
};

/* The size in bytes of each field of a form. */
uint8_t debug_form_size(uint64_t form, struct debug_format format);

/* --- units and entries -------------------------------------------------------------------- */

/*
 * An entry begins with the code of its declaration in .debug_abbrev, which lists the attributes and forms of
 * its fields.
 */

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

/* Kinds of units in version 5; up to version 4 all are DWARF_UNIT_COMPILE or DWARF_UNIT_TYPE. */
enum dwarf_unit_kind {
	DWARF_UNIT_COMPILE = 1,
	DWARF_UNIT_TYPE = 2,
	DWARF_UNIT_PARTIAL = 3,
	DWARF_UNIT_SKELETON = 4,
	DWARF_UNIT_SPLIT = 5,
	DWARF_UNIT_SPLIT_TYPE = 6,
};

/* Where the tables begin that a unit's fields have indices of. */
struct dwarf_bases {
	/* Has .debug_addr and .debug_ranges: for a split unit the program's, with the bases given there. */
	const struct debug_sections *program;
	uint64_t texts, addresses, range_lists;
	uint64_t ranges; /* of GNU's split units only */
};

struct dwarf_unit {
	const struct debug_sections *sections;
	struct debug_bytes alternate_texts; /* .debug_str of the alternate file; set by the caller */
	uint64_t offset, end;               /* in .debug_info */
	uint64_t root;                      /* its first entry */
	uint64_t declarations;              /* in .debug_abbrev */
	uint64_t id; /* of skeleton and split units of version 5, otherwise 0 */
	struct debug_format format;
	uint8_t kind; /* enum dwarf_unit_kind */
	bool is_split;
	struct dwarf_bases bases;
};

/*
 * The next unit from *at on; false if there is none.  *at starts as 0 and is moved past the unit.  Units of other
 * versions or with other sizes of addresses are skipped.
 */
bool dwarfunit_next(const struct debug_sections *sections, uint64_t *at, struct dwarf_unit *unit);

/* The entries of a unit from an offset in .debug_info on; none if it is outside of the unit. */
struct debug_cursor dwarfunit_entries(const struct dwarf_unit *unit, uint64_t offset);

/* The layout of entries with this code. */
struct dwarf_declaration {
	uint64_t code, tag;
	bool has_children;
	struct debug_cursor attributes;
};

/* Reads a declaration without its attributes; false at the end, or if it cannot be read. */
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

/* The field of an attribute at the cursor entry, which moves past it. */
struct debug_field dwarfunit_field(const struct dwarf_unit *unit, struct debug_cursor *entry,
				   const struct dwarf_attribute_form *attribute);

/* The text of a field, wherever it is stored; empty if there is none or it is longer than max_len bytes. */
struct debug_name dwarfunit_text(const struct dwarf_unit *unit, const struct debug_field *field,
				 uint64_t max_len);

/* The address that a field holds, or holds the index of; false if it is not an address. */
bool dwarfunit_address(const struct dwarf_unit *unit, const struct debug_field *field,
		       uint64_t *address);

/* Where code is, by its attributes: from low to high, or in ranges. */
struct dwarf_extent {
	bool has_low, has_high, high_is_size;
	uint64_t low, high;
	struct debug_field ranges; /* DEBUG_NOTHING if there are none */
};

/* Adds a field to the extent if it belongs there. */
void dwarfunit_extent(const struct dwarf_unit *unit, uint64_t attribute,
		      const struct debug_field *field, struct dwarf_extent *extent);

/*
 * Calls visit for each range of an extent that is not empty and not removed code, until it returns false.  base is
 * the unit's lowest address.  Returns how many bytes of range lists were read.
 */
uint64_t dwarfunit_ranges(const struct dwarf_unit *unit, const struct dwarf_extent *extent,
			  uint64_t base, bool (*visit)(void *ctx, uint64_t low, uint64_t high),
			  void *ctx);

/* Contents of a unit's first entry. */
struct dwarf_root {
	uint64_t tag;
	struct debug_name name;
	struct debug_name directory; /* where the compiler ran; empty if unknown */
	bool has_directory, has_lines, is_skeleton;
	uint64_t lines; /* offset in .debug_line */
	struct dwarf_extent extent;
	struct debug_name split_name; /* of the .dwo */
	uint64_t id;                  /* of a skeleton or split unit */
	uint64_t ranges_base;         /* of GNU's split unit */
};

/*
 * Reads a unit's first entry with this declaration; entry is after its code.  Sets the unit's bases to those given
 * in the entry, otherwise to the defaults for its kind.
 */
void dwarfunit_root(struct dwarf_unit *unit, struct debug_cursor entry,
		    const struct dwarf_declaration *declaration, struct dwarf_root *root);

/*
 * The first entry of the next unit, from *at on as above, that has lines and the compiler's directory; false if
 * there is none.  Only declarations that dwarfunit_find() finds are considered.
 */
bool dwarfunit_next_root(const struct debug_sections *sections, uint64_t *at,
			 struct dwarf_root *root);

/* --- line programs ------------------------------------------------------------------------ */

/*
 * .debug_line has a unit for each compiled source: tables of directories and files, and a program that yields
 * rows when it is executed.  Units of other versions, or for architectures with several operations in an
 * instruction, are skipped.
 */

struct line_unit {
	const struct debug_sections *sections;
	uint64_t offset; /* in the section */
	unsigned version;
	uint8_t offset_size; /* bytes of offsets: 4 or 8 */
	uint8_t step;        /* minimum instruction length in bytes */
	int8_t line_base;
	uint8_t line_range, first_special;
	const uint8_t *n_operands;          /* of opcodes from 1 on, below first_special */
	struct debug_bytes tables, program; /* directories and files; opcodes */
};

/*
 * The next readable unit from *at on; false if there is none.  *at starts as 0 and is moved past the unit.  The
 * unit borrows sections.
 */
bool lineprogram_next_unit(const struct debug_sections *sections, uint64_t *at,
			   struct line_unit *unit);

/* The unit at an offset and its end; false if it cannot be read, with the end of the section if there is no unit. */
bool lineprogram_unit(const struct debug_sections *sections, uint64_t offset, uint64_t *end,
		      struct line_unit *unit);

/* Receives directories, then files, each numbered from 0; returns false to stop. */
struct line_file_visitor {
	void *ctx;
	/* A path, absolute or relative to directory 0, which is where the compiler ran; "" up to version 4. */
	bool (*directory)(void *ctx, const char *path, size_t len);
	/* A file in the directory of that number, which may not exist; the name may be empty. */
	bool (*file)(void *ctx, uint64_t directory, const char *name, size_t len);
};

/* Visits all; texts are in the sections, without a NUL.  Returns true if the tables are complete. */
bool lineprogram_files(const struct line_unit *unit, const struct line_file_visitor *visitor);

/* Code from this address up to the next row's; is_end: nothing is known from here on. */
struct line_row {
	uint64_t address;
	uint32_t line; /* 0: unknown */
	uint32_t file;
	bool is_end;
};

/* The state of a line program that is being executed. */
struct line_state {
	const struct line_unit *unit;
	uint64_t at; /* in the program */
	uint64_t address, file;
	uint32_t line;
	bool is_over; /* at the end of a sequence */
};

struct line_state lineprogram_begin(const struct line_unit *unit);

/* Executes the program up to its next row; false at the end, or if the rest is damaged. */
bool lineprogram_next_row(struct line_state *state, struct line_row *row);

#endif
