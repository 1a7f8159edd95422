/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Line number programs of DWARF 2 to 5: which line of which file each instruction is of, as compilers leave it in
 * .debug_line.  A section has a unit for each source that was compiled: tables of directories and files, and the
 * program, which makes rows when it is executed.
 *
 * Nothing outside of the sections is read, whatever is in them, work is in proportion to their size, and no memory is
 * needed.  Units of other versions, or for machines whose instructions hold several operations, are passed over.
 *
 * Source: the DWARF standard, versions 4 and 5, section 6.2, and 7.4 and 7.5.6 for how numbers are stored.
 */
#ifndef TOOL_ELF_LINEPROGRAM_H
#define TOOL_ELF_LINEPROGRAM_H

#include "tool/elf/debugcursor.h"

struct line_unit {
	const struct debug_sections *sections;
	uint64_t offset; /* in the section */
	unsigned version;
	uint8_t offset_size; /* bytes of offsets: 4 or 8 */
	uint8_t step;        /* bytes: the least that instructions differ in */
	int8_t line_base;
	uint8_t line_range, first_special;
	const uint8_t *n_operands;          /* of opcodes from 1 on, below first_special */
	struct debug_bytes tables, program; /* directories and files; opcodes */
};

/*
 * The next unit from *at on, which is 0 at first and is then where the one behind it is; false if there
 * is none that can be read.  The unit borrows sections.
 */
bool lineprogram_next_unit(const struct debug_sections *sections, uint64_t *at,
			   struct line_unit *unit);

/* The unit at an offset, and where it ends; false, and the end of the section, if there is none; false if it cannot be read. */
bool lineprogram_unit(const struct debug_sections *sections, uint64_t offset, uint64_t *end,
		      struct line_unit *unit);

/* What is told of files: directories first, each from number 0 on; false: no more is wanted. */
struct line_file_visitor {
	void *ctx;
	/* A path, absolute or from directory 0.  That is where the compiler ran, "" up to version 4. */
	bool (*directory)(void *ctx, const char *path, size_t len);
	/* A file, in the directory of that number, which there need not be; without a name if it has none. */
	bool (*file)(void *ctx, uint64_t directory, const char *name, size_t len);
};

/* Texts are in the sections, and without a NUL.  Returns whether the tables are whole. */
bool lineprogram_files(const struct line_unit *unit, const struct line_file_visitor *visitor);

/* From address on, up to the next row's; is_end: nothing more is known of it. */
struct line_row {
	uint64_t address;
	uint32_t line; /* 0: of none */
	uint32_t file;
	bool is_end;
};

/* Where a program is executed. */
struct line_machine {
	const struct line_unit *unit;
	uint64_t at; /* in the program */
	uint64_t address, file;
	uint32_t line;
	bool is_over; /* of this sequence */
};

struct line_machine lineprogram_begin(const struct line_unit *unit);

/* Executes it up to its next row; false: it is over, or what follows is none. */
bool lineprogram_next_row(struct line_machine *machine, struct line_row *row);

#endif
