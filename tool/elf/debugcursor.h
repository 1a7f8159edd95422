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
	struct debug_bytes types;          /* .debug_types */
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

/*
 * A field of a form: its text, or its number, or neither.  It fails at forms that are not known, and has gone
 * behind a byte or more, but for flags that are always set.
 */
struct debug_field {
	struct debug_name name;
	uint64_t number;
};
struct debug_field cursor_field(struct debug_cursor *cursor, const struct debug_sections *sections,
				uint64_t form, uint8_t offset_size);

#endif
