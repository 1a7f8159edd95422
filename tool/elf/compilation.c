/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/compilation.h"

enum {
	FIRST_VERSION = 2,
	LAST_VERSION = 5,
	/* Bytes of declarations of abbreviations: compilers declare what they use first at the beginning. */
	MAX_DECLARATIONS = 4096,
	UNIT_COMPILE = 1, /* from version 5 on */
	TAG_COMPILATION = 0x11,
	ATTRIBUTE_LINES = 0x10,
	ATTRIBUTE_DIRECTORY = 0x1b,
	FORM_IMPLICIT = 0x21, /* its value is in the declaration */
};

/* An attribute of a declaration; false: that was the last one. */
static bool next_attribute(struct debug_cursor *declaration, uint64_t *attribute, uint64_t *form)
{
	*attribute = cursor_unsigned(declaration);
	*form = cursor_unsigned(declaration);
	if (*form == FORM_IMPLICIT)
		cursor_signed(declaration);
	return !declaration->failed && (*attribute != 0 || *form != 0);
}

/* Goes to the attributes of an abbreviation, if it is of a compilation. */
static bool find_declaration(struct debug_cursor *declarations, uint64_t code)
{
	uint64_t attribute, form;

	while (declarations->left > 0) {
		const uint64_t declared = cursor_unsigned(declarations);
		const uint64_t tag = cursor_unsigned(declarations);

		cursor_number(declarations, 1); /* whether anything is within it */
		if (declared == 0 || declarations->failed)
			return false;
		if (declared == code)
			return tag == TAG_COMPILATION;
		while (next_attribute(declarations, &attribute, &form))
			;
	}
	return false;
}

static bool read_attributes(struct debug_cursor *values, struct debug_cursor *declaration,
			    const struct debug_sections *sections, uint8_t offset_size,
			    struct compilation *compilation)
{
	bool has_lines = false;
	uint64_t attribute, form;

	while (next_attribute(declaration, &attribute, &form)) {
		struct debug_field field;

		if (form == FORM_IMPLICIT)
			continue;
		field = cursor_field(values, sections, form, offset_size);
		if (values->failed)
			break;
		if (attribute == ATTRIBUTE_LINES) {
			compilation->lines = field.number;
			has_lines = true;
		} else if (attribute == ATTRIBUTE_DIRECTORY) {
			compilation->directory = field.name;
		}
	}
	return has_lines && compilation->directory.len > 0;
}

static bool read_unit(struct debug_bytes unit, const struct debug_sections *sections,
		      uint8_t offset_size, struct compilation *compilation)
{
	struct debug_cursor cursor = cursor_of(unit);
	struct debug_cursor declarations = cursor_of(sections->abbreviations);
	const uint64_t version = cursor_number(&cursor, 2);

	*compilation = (struct compilation){ .directory = { "", 0 } };
	if (version < FIRST_VERSION || version > LAST_VERSION)
		return false;
	if (version >= 5) {
		if (cursor_number(&cursor, 1) != UNIT_COMPILE)
			return false;
		cursor_number(&cursor, 1); /* bytes of an address */
		cursor_bytes(&declarations, cursor_number(&cursor, offset_size));
	} else {
		cursor_bytes(&declarations, cursor_number(&cursor, offset_size));
		cursor_number(&cursor, 1);
	}
	if (declarations.left > MAX_DECLARATIONS)
		declarations.left = MAX_DECLARATIONS;
	return find_declaration(&declarations, cursor_unsigned(&cursor)) &&
	       read_attributes(&cursor, &declarations, sections, offset_size, compilation);
}

bool compilation_next(const struct debug_sections *sections, uint64_t *at,
		      struct compilation *compilation)
{
	struct debug_cursor cursor = cursor_of(sections->info);

	cursor_bytes(&cursor, *at);
	while (cursor.left > 0) {
		uint8_t offset_size;
		const struct debug_bytes unit = cursor_unit(&cursor, &offset_size);

		if (cursor.failed)
			return false;
		*at = sections->info.len - cursor.left;
		if (unit.len > 0 && read_unit(unit, sections, offset_size, compilation))
			return true;
	}
	return false;
}
