/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and texts of debug sections, as they come one after the other.  A cursor that is asked for more than there is
 * fails, and has nothing more: numbers are 0 from then on, texts empty, so that it may be asked at the end of each
 * step whether it has.
 *
 * Source: the DWARF standard, versions 4 and 5, sections 7.4 to 7.6.
 */
#ifndef TOOL_ELF_DEBUGCURSOR_H
#define TOOL_ELF_DEBUGCURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* Bytes of a text: a longer one is none. */
	DEBUG_MAX_NAME = 4096,
};

/* So many bytes, borrowed; NULL and 0: there are none. */
struct debug_bytes {
	const uint8_t *at;
	uint64_t len;
};

/*
 * Sections of a file, or of a split unit, where each name ends in .dwo.  They are whole, and decompressed; lines and info are
 * as a linker leaves them, without relocations that are still to be done.
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

struct debug_cursor {
	const uint8_t *at;
	uint64_t left; /* bytes */
	bool failed;
};

/* A text without its NUL; empty, but not NULL, if there is none or it is too long. */
struct debug_name {
	const char *chars;
	size_t len;
};

struct debug_cursor cursor_of(struct debug_bytes bytes);

/* So many bytes, which it goes behind; NULL if there are fewer. */
const uint8_t *cursor_bytes(struct debug_cursor *cursor, uint64_t n);

/* A number of up to 8 bytes. */
uint64_t cursor_number(struct debug_cursor *cursor, unsigned size);

/* Numbers of any length (LEB128): what is above the 64th bit is lost. */
uint64_t cursor_unsigned(struct debug_cursor *cursor);
uint64_t cursor_signed(struct debug_cursor *cursor);

/* A text, up to its NUL, however long it is. */
struct debug_name cursor_name(struct debug_cursor *cursor);

/* The bytes of a unit behind its length, and in *offset_size how many bytes offsets have in it. */
struct debug_bytes cursor_unit(struct debug_cursor *cursor, uint8_t *offset_size);

/* What the sizes of fields depend on. */
struct debug_format {
	uint8_t version;
	uint8_t offset_size; /* bytes: 4 or 8 */
};

/* What the number of a field is. */
enum debug_kind {
	DEBUG_NOTHING, /* a block, or what nobody asks for */
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
		text; /* from its beginning to the end of the section: it ends where debug_name_of() says */
};

/* The text at the beginning of bytes; empty if it has more than max_len, or no NUL. */
struct debug_name debug_name_of(struct debug_bytes bytes, uint64_t max_len);

/* What follows an offset; none if there is nothing. */
struct debug_bytes debug_bytes_from(struct debug_bytes bytes, uint64_t offset);

/*
 * Reads a field of a form.  It fails at forms that are not known, and those whose value is in their declaration. It takes
 * a byte or more, except for flags that are always set.
 */
struct debug_field cursor_field(struct debug_cursor *cursor, const struct debug_sections *sections,
				uint64_t form, struct debug_format format);

enum {
	DEBUG_NO_SIZE = 255, /* it depends on the field, or the form is not known */
	DEBUG_FORM_INDIRECT = 0x16,
	DEBUG_FORM_IMPLICIT = 0x21, /* its value is in the declaration */
};

/* Bytes of each field of a form. */
uint8_t debug_form_size(uint64_t form, struct debug_format format);

#endif
