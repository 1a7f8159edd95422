/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/lineprogram.h"

enum {
	FIRST_VERSION = 2,
	LAST_VERSION = 5,
};

enum standard_opcode {
	OPCODE_EXTENDED = 0,
	OPCODE_COPY = 1,
	OPCODE_ADVANCE_ADDRESS = 2,
	OPCODE_ADVANCE_LINE = 3,
	OPCODE_SET_FILE = 4,
	OPCODE_NEGATE_STATEMENT = 6,
	OPCODE_SET_BASIC_BLOCK = 7,
	OPCODE_CONST_ADD_ADDRESS = 8,
	OPCODE_FIXED_ADVANCE_ADDRESS = 9,
};

enum extended_opcode {
	EXTENDED_END_SEQUENCE = 1,
	EXTENDED_SET_ADDRESS = 2,
};

enum content {
	CONTENT_PATH = 1,
	CONTENT_DIRECTORY = 2,
};

/* --- units --------------------------------------------------------------------------------- */

/* What stands before the tables. */
static bool read_header(struct line_unit *unit, struct debug_bytes bytes)
{
	struct debug_cursor cursor = cursor_of(bytes);
	uint64_t header_size;
	struct debug_cursor header;

	unit->version = (unsigned)cursor_number(&cursor, 2);
	if (unit->version < FIRST_VERSION || unit->version > LAST_VERSION)
		return false;
	/* Of addresses, which say how large they are themselves, and of segments. */
	if (unit->version >= 5 && cursor_number(&cursor, 2) != 8)
		return false;
	header_size = cursor_number(&cursor, unit->offset_size);
	header = (struct debug_cursor){ cursor.at, header_size, cursor.failed };
	if (cursor_bytes(&cursor, header_size) == NULL)
		return false;
	unit->program = (struct debug_bytes){ cursor.at, cursor.left };
	unit->step = (uint8_t)cursor_number(&header, 1);
	if (unit->version >= 4 && cursor_number(&header, 1) != 1)
		return false;
	cursor_bytes(&header, 1); /* whether statements begin at rows: all rows are wanted */
	unit->line_base = (int8_t)cursor_number(&header, 1);
	unit->line_range = (uint8_t)cursor_number(&header, 1);
	unit->first_special = (uint8_t)cursor_number(&header, 1);
	if (unit->line_range == 0 || unit->first_special == 0)
		return false;
	unit->n_operands = cursor_bytes(&header, unit->first_special - 1u);
	unit->tables = (struct debug_bytes){ header.at, header.left };
	return !header.failed;
}

bool lineprogram_unit(const struct debug_sections *sections, uint64_t offset, uint64_t *end,
		      struct line_unit *unit)
{
	struct debug_cursor cursor = cursor_of(debug_bytes_from(sections->lines, offset));
	struct debug_bytes bytes;

	*unit = (struct line_unit){ .sections = sections, .offset = offset };
	bytes = cursor_unit(&cursor, &unit->offset_size);
	*end = sections->lines.len - cursor.left;
	return !cursor.failed && bytes.len > 0 && read_header(unit, bytes);
}

bool lineprogram_next_unit(const struct debug_sections *sections, uint64_t *at,
			   struct line_unit *unit)
{
	while (*at < sections->lines.len)
		if (lineprogram_unit(sections, *at, at, unit))
			return true;
	return false;
}

/* --- directories and files ----------------------------------------------------------------- */

/* A list of names ends with an empty one. */
static bool is_end_of_list(struct debug_cursor *cursor)
{
	if (cursor->left == 0 || *cursor->at != '\0')
		return false;
	cursor_bytes(cursor, 1);
	return true;
}

/* Up to version 4, where the first of each is known without being listed. */
static bool read_old_tables(struct debug_cursor *cursor, const struct line_file_visitor *visitor)
{
	if (!visitor->directory(visitor->ctx, "", 0))
		return false;
	while (!is_end_of_list(cursor)) {
		const struct debug_name name = cursor_name(cursor);

		if (cursor->failed || !visitor->directory(visitor->ctx, name.chars, name.len))
			return false;
	}
	if (!visitor->file(visitor->ctx, 0, "", 0))
		return false;
	while (!is_end_of_list(cursor)) {
		const struct debug_name name = cursor_name(cursor);
		const uint64_t directory = cursor_unsigned(cursor);

		cursor_unsigned(cursor); /* when it was changed */
		cursor_unsigned(cursor); /* its size */
		if (cursor->failed || !visitor->file(visitor->ctx, directory, name.chars, name.len))
			return false;
	}
	return !cursor->failed;
}

/* Of an entry, what is of interest. */
struct entry {
	struct debug_name name;
	uint64_t directory;
};

/* How entries of a table are made up: pairs of a content and its form. */
struct formats {
	uint8_t n;
	struct debug_cursor pairs; /* from the first one on */
};

static struct formats take_formats(struct debug_cursor *cursor)
{
	struct formats formats;

	formats.n = (uint8_t)cursor_number(cursor, 1);
	formats.pairs = *cursor;
	for (unsigned i = 0; i < formats.n; i++) {
		cursor_unsigned(cursor);
		cursor_unsigned(cursor);
	}
	return formats;
}

static struct entry take_entry(struct debug_cursor *cursor, const struct line_unit *unit,
			       const struct formats *formats)
{
	struct debug_cursor pairs = formats->pairs;
	struct entry entry = { { "", 0 }, 0 };

	for (unsigned i = 0; i < formats->n && !cursor->failed; i++) {
		const uint64_t content = cursor_unsigned(&pairs), form = cursor_unsigned(&pairs);
		const struct debug_field field = cursor_field(
			cursor, unit->sections, form,
			(struct debug_format){ (uint8_t)unit->version, unit->offset_size });

		if (content == CONTENT_PATH)
			entry.name = debug_name_of(field.text, DEBUG_MAX_NAME);
		else if (content == CONTENT_DIRECTORY)
			entry.directory = field.number;
	}
	return entry;
}

/* In version 5. */
static bool read_new_tables(struct debug_cursor *cursor, const struct line_unit *unit,
			    const struct line_file_visitor *visitor)
{
	for (unsigned table = 0; table < 2; table++) {
		const struct formats formats = take_formats(cursor);
		const uint64_t n = cursor_unsigned(cursor);

		if (cursor->failed)
			return false;
		for (uint64_t i = 0; i < n; i++) {
			const uint64_t left = cursor->left;
			const struct entry entry = take_entry(cursor, unit, &formats);

			/* Entries of nothing would be without end. */
			if (cursor->failed || cursor->left == left)
				return false;
			if (table == 0 ? !visitor->directory(visitor->ctx, entry.name.chars,
							     entry.name.len)
				       : !visitor->file(visitor->ctx, entry.directory,
							entry.name.chars, entry.name.len))
				return false;
		}
	}
	return true;
}

bool lineprogram_files(const struct line_unit *unit, const struct line_file_visitor *visitor)
{
	struct debug_cursor cursor = cursor_of(unit->tables);

	return unit->version >= 5 ? read_new_tables(&cursor, unit, visitor)
				  : read_old_tables(&cursor, visitor);
}

/* --- rows ---------------------------------------------------------------------------------- */

static void begin_sequence(struct line_machine *machine)
{
	machine->address = 0;
	machine->file = 1;
	machine->line = 1;
	machine->is_over = false;
}

struct line_machine lineprogram_begin(const struct line_unit *unit)
{
	struct line_machine machine = { .unit = unit };

	begin_sequence(&machine);
	return machine;
}

/* What an opcode from first_special on adds to the address. */
static uint64_t special_advance(const struct line_unit *unit, unsigned opcode)
{
	return (uint64_t)((opcode - unit->first_special) / unit->line_range) * unit->step;
}

/* Returns whether there is a row. */
static bool execute_extended(struct line_machine *machine, struct debug_cursor *cursor)
{
	const uint64_t len = cursor_unsigned(cursor);
	struct debug_cursor operand = { cursor->at, len, cursor->failed };

	if (cursor_bytes(cursor, len) == NULL)
		return false;
	switch (cursor_number(&operand, 1)) {
	case EXTENDED_END_SEQUENCE:
		machine->is_over = !operand.failed;
		return machine->is_over;
	case EXTENDED_SET_ADDRESS:
		if (operand.left == 4 || operand.left == 8)
			machine->address = cursor_number(&operand, (unsigned)operand.left);
		else
			cursor->failed = true;
		return false;
	default: /* a file that is not in the table, a discriminator, or a maker's own */
		return false;
	}
}

static bool execute_standard(struct line_machine *machine, struct debug_cursor *cursor,
			     unsigned opcode)
{
	const struct line_unit *unit = machine->unit;

	switch (opcode) {
	case OPCODE_EXTENDED:
		return execute_extended(machine, cursor);
	case OPCODE_COPY:
		return true;
	case OPCODE_ADVANCE_ADDRESS:
		machine->address += cursor_unsigned(cursor) * unit->step;
		break;
	case OPCODE_ADVANCE_LINE:
		machine->line += (uint32_t)cursor_signed(cursor);
		break;
	case OPCODE_SET_FILE:
		machine->file = cursor_unsigned(cursor);
		break;
	case OPCODE_NEGATE_STATEMENT:
	case OPCODE_SET_BASIC_BLOCK:
		break;
	case OPCODE_CONST_ADD_ADDRESS:
		machine->address += special_advance(unit, 255);
		break;
	case OPCODE_FIXED_ADVANCE_ADDRESS:
		machine->address += cursor_number(cursor, 2);
		break;
	default: /* what is of no interest has so many numbers behind it */
		for (unsigned i = 0; i < unit->n_operands[opcode - 1]; i++)
			cursor_unsigned(cursor);
		break;
	}
	return false;
}

/* Returns whether there is a row. */
static bool execute(struct line_machine *machine, struct debug_cursor *cursor)
{
	const struct line_unit *unit = machine->unit;
	const unsigned opcode = (unsigned)cursor_number(cursor, 1);

	/* One that has fewer standard opcodes has special ones in their place. */
	if (opcode < unit->first_special)
		return execute_standard(machine, cursor, opcode);
	machine->address += special_advance(unit, opcode);
	machine->line += (uint32_t)(unit->line_base +
				    (int)(opcode - unit->first_special) % unit->line_range);
	return true;
}

bool lineprogram_next_row(struct line_machine *machine, struct line_row *row)
{
	struct debug_cursor cursor = cursor_of(machine->unit->program);
	bool is_row = false;

	cursor_bytes(&cursor, machine->at);
	if (machine->is_over)
		begin_sequence(machine);
	while (!is_row && cursor.left > 0)
		is_row = execute(machine, &cursor);
	machine->at = machine->unit->program.len - cursor.left;
	if (cursor.failed || !is_row)
		return false;
	*row = (struct line_row){
		.address = machine->address,
		.line = machine->line,
		.file = machine->file > UINT32_MAX ? UINT32_MAX : (uint32_t)machine->file,
		.is_end = machine->is_over,
	};
	return true;
}
