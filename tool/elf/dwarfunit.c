/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/dwarfunit.h"

enum {
	FIRST_VERSION = 2,
	LAST_VERSION = 5,
	ADDRESS_SIZE = 8,
	/* Bytes of declarations that are looked through for one, of as many units as a file may have. */
	MAX_DECLARATIONS = 4096,
};

/* --- units --------------------------------------------------------------------------------- */

static bool read_header(struct dwarf_unit *unit, struct debug_cursor *cursor)
{
	const uint64_t version = cursor_number(cursor, 2);
	uint64_t address_size;

	if (version < FIRST_VERSION || version > LAST_VERSION)
		return false;
	unit->format.version = (uint8_t)version;
	unit->kind = DWARF_UNIT_COMPILE;
	if (version >= 5) {
		unit->kind = (uint8_t)cursor_number(cursor, 1);
		address_size = cursor_number(cursor, 1);
		unit->declarations = cursor_number(cursor, unit->format.offset_size);
	} else {
		unit->declarations = cursor_number(cursor, unit->format.offset_size);
		address_size = cursor_number(cursor, 1);
	}
	if (unit->kind == DWARF_UNIT_SKELETON || unit->kind == DWARF_UNIT_SPLIT)
		unit->id = cursor_number(cursor, 8);
	else if (unit->kind == DWARF_UNIT_TYPE || unit->kind == DWARF_UNIT_SPLIT_TYPE)
		cursor_bytes(cursor, 8u + unit->format.offset_size);
	unit->is_split = unit->kind == DWARF_UNIT_SPLIT || unit->kind == DWARF_UNIT_SPLIT_TYPE;
	return address_size == ADDRESS_SIZE && !cursor->failed;
}

bool dwarfunit_next(const struct debug_sections *sections, uint64_t *at, struct dwarf_unit *unit)
{
	while (*at < sections->info.len) {
		struct debug_cursor cursor = cursor_of(debug_bytes_from(sections->info, *at));
		struct debug_cursor header;
		struct debug_bytes bytes;

		*unit = (struct dwarf_unit){ .sections = sections, .offset = *at };
		unit->bases.program = sections;
		bytes = cursor_unit(&cursor, &unit->format.offset_size);
		if (cursor.failed)
			return false;
		*at = unit->end = sections->info.len - cursor.left;
		header = cursor_of(bytes);
		if (read_header(unit, &header)) {
			unit->root = unit->end - header.left;
			return true;
		}
	}
	return false;
}

struct debug_cursor dwarfunit_entries(const struct dwarf_unit *unit, uint64_t offset)
{
	if (offset < unit->root || offset >= unit->end)
		return (struct debug_cursor){ NULL, 0, true };
	return cursor_of(
		(struct debug_bytes){ unit->sections->info.at + offset, unit->end - offset });
}

/* --- declarations -------------------------------------------------------------------------- */

bool dwarfunit_declaration(struct debug_cursor *declarations, struct dwarf_declaration *declaration)
{
	declaration->code = cursor_unsigned(declarations);
	if (declaration->code == 0)
		return false;
	declaration->tag = cursor_unsigned(declarations);
	declaration->has_children = cursor_number(declarations, 1) != 0;
	declaration->attributes = *declarations;
	return !declarations->failed;
}

bool dwarfunit_attribute(struct debug_cursor *attributes, struct dwarf_attribute_form *attribute)
{
	attribute->attribute = cursor_unsigned(attributes);
	attribute->form = cursor_unsigned(attributes);
	attribute->number = attribute->form == DEBUG_FORM_IMPLICIT ? cursor_signed(attributes) : 0;
	return !attributes->failed && (attribute->attribute != 0 || attribute->form != 0);
}

bool dwarfunit_find(const struct dwarf_unit *unit, uint64_t code,
		    struct dwarf_declaration *declaration)
{
	struct debug_cursor cursor =
		cursor_of(debug_bytes_from(unit->sections->abbreviations, unit->declarations));
	struct dwarf_attribute_form attribute;

	if (cursor.left > MAX_DECLARATIONS)
		cursor.left = MAX_DECLARATIONS;
	while (dwarfunit_declaration(&cursor, declaration)) {
		if (declaration->code == code)
			return true;
		while (dwarfunit_attribute(&cursor, &attribute))
			;
	}
	return false;
}

/* --- fields -------------------------------------------------------------------------------- */

struct debug_field dwarfunit_field(const struct dwarf_unit *unit, struct debug_cursor *entry,
				   const struct dwarf_attribute_form *attribute)
{
	if (attribute->form == DEBUG_FORM_IMPLICIT)
		return (struct debug_field){ .kind = DEBUG_NUMBER, .number = attribute->number };
	return cursor_field(entry, unit->sections, attribute->form, unit->format);
}

/* Item index of a table of items of size bytes that begins at base; false if there is none. */
static bool item_of(struct debug_bytes section, uint64_t base, uint64_t index, unsigned size,
		    uint64_t *item)
{
	struct debug_cursor cursor;

	if (base > section.len || index >= (section.len - base) / size)
		return false;
	cursor = cursor_of(debug_bytes_from(section, base + index * size));
	*item = cursor_number(&cursor, size);
	return true;
}

struct debug_name dwarfunit_text(const struct dwarf_unit *unit, const struct debug_field *field,
				 uint64_t max_len)
{
	uint64_t offset = field->number;

	if (field->kind == DEBUG_ALTERNATE_TEXT)
		return debug_name_of(debug_bytes_from(unit->alternate_texts, offset), max_len);
	if (field->kind != DEBUG_TEXT_INDEX)
		return debug_name_of(field->text, max_len);
	if (!item_of(unit->sections->string_offsets, unit->bases.texts, field->number,
		     unit->format.offset_size, &offset))
		return (struct debug_name){ "", 0 };
	return debug_name_of(debug_bytes_from(unit->sections->strings, offset), max_len);
}

/* An item of .debug_addr. */
static bool address_of(const struct dwarf_unit *unit, uint64_t index, uint64_t *address)
{
	return item_of(unit->bases.program->addresses, unit->bases.addresses, index, ADDRESS_SIZE,
		       address);
}

bool dwarfunit_address(const struct dwarf_unit *unit, const struct debug_field *field,
		       uint64_t *address)
{
	*address = field->number;
	if (field->kind == DEBUG_ADDRESS_INDEX)
		return address_of(unit, field->number, address);
	return field->kind == DEBUG_ADDRESS;
}

void dwarfunit_extent(const struct dwarf_unit *unit, uint64_t attribute,
		      const struct debug_field *field, struct dwarf_extent *extent)
{
	if (attribute == DWARF_AT_LOW) {
		extent->has_low = dwarfunit_address(unit, field, &extent->low);
	} else if (attribute == DWARF_AT_HIGH) {
		/* From version 4 on it may be a distance, of which the other end may follow. */
		extent->has_high = true;
		if (!dwarfunit_address(unit, field, &extent->high)) {
			extent->has_high = field->kind == DEBUG_NUMBER;
			extent->high_is_size = true;
		}
	} else if (attribute == DWARF_AT_RANGES) {
		extent->ranges = *field;
	}
}

/* --- ranges -------------------------------------------------------------------------------- */

struct range_visitor {
	bool (*visit)(void *ctx, uint64_t low, uint64_t high);
	void *ctx;
};

/*
 * Linkers leave 0, or the largest numbers, as the address of code that they removed: where they begin there is no
 * program.
 */
static bool visit_range(const struct range_visitor *visitor, uint64_t low, uint64_t high)
{
	return low == 0 || low >= high || visitor->visit(visitor->ctx, low, high);
}

/* Up to version 4: pairs, up to one of zeros. */
static void read_old_list(struct debug_cursor *list, uint64_t base,
			  const struct range_visitor *visitor)
{
	while (list->left > 0) {
		const uint64_t low = cursor_number(list, ADDRESS_SIZE);
		const uint64_t high = cursor_number(list, ADDRESS_SIZE);

		if (list->failed || (low == 0 && high == 0))
			return;
		/* Linkers leave 1 in the place of removed code, as 0 would be the end. */
		if (low == UINT64_MAX)
			base = high;
		else if (low < high && !visit_range(visitor, base + low, base + high))
			return;
	}
}

enum list_entry {
	LIST_END = 0,
	LIST_BASE_INDEX = 1,
	LIST_INDEX_INDEX = 2,
	LIST_INDEX_SIZE = 3,
	LIST_PAIR = 4,
	LIST_BASE = 5,
	LIST_START_END = 6,
	LIST_START_SIZE = 7,
};

static void read_new_list(const struct dwarf_unit *unit, struct debug_cursor *list, uint64_t base,
			  const struct range_visitor *visitor)
{
	while (list->left > 0) {
		const uint64_t kind = cursor_number(list, 1);
		bool is_known = true;
		uint64_t low = 0, high = 0;

		switch (kind) {
		case LIST_BASE_INDEX:
			if (!address_of(unit, cursor_unsigned(list), &base))
				return;
			continue;
		case LIST_BASE:
			base = cursor_number(list, ADDRESS_SIZE);
			continue;
		case LIST_INDEX_INDEX:
			is_known = address_of(unit, cursor_unsigned(list), &low);
			is_known = address_of(unit, cursor_unsigned(list), &high) && is_known;
			break;
		case LIST_INDEX_SIZE:
			is_known = address_of(unit, cursor_unsigned(list), &low);
			high = low + cursor_unsigned(list);
			break;
		case LIST_PAIR:
			low = base + cursor_unsigned(list);
			high = base + cursor_unsigned(list);
			break;
		case LIST_START_END:
			low = cursor_number(list, ADDRESS_SIZE);
			high = cursor_number(list, ADDRESS_SIZE);
			break;
		case LIST_START_SIZE:
			low = cursor_number(list, ADDRESS_SIZE);
			high = low + cursor_unsigned(list);
			break;
		default: /* the end, or what is not known */
			return;
		}
		if (list->failed || (is_known && !visit_range(visitor, low, high)))
			return;
	}
}

uint64_t dwarfunit_ranges(const struct dwarf_unit *unit, const struct dwarf_extent *extent,
			  uint64_t base, bool (*visit)(void *ctx, uint64_t low, uint64_t high),
			  void *ctx)
{
	const struct range_visitor visitor = { visit, ctx };
	const struct debug_sections *sections = unit->sections;
	struct debug_cursor list;
	uint64_t offset = extent->ranges.number, len;

	if (extent->ranges.kind == DEBUG_NOTHING) {
		if (extent->has_low && extent->has_high)
			visit_range(&visitor, extent->low,
				    extent->high_is_size ? extent->low + extent->high
							 : extent->high);
		return 0;
	}
	if (unit->format.version < 5) {
		list = cursor_of(
			debug_bytes_from(unit->bases.program->ranges, offset + unit->bases.ranges));
		len = list.left;
		read_old_list(&list, base, &visitor);
		return len - list.left;
	}
	if (extent->ranges.kind == DEBUG_RANGES_INDEX) {
		if (!item_of(sections->range_lists, unit->bases.range_lists, offset,
			     unit->format.offset_size, &offset))
			return 0;
		offset += unit->bases.range_lists;
	}
	list = cursor_of(debug_bytes_from(sections->range_lists, offset));
	len = list.left;
	read_new_list(unit, &list, base, &visitor);
	return len - list.left;
}

/* --- the first entry ----------------------------------------------------------------------- */

/* Where tables begin if a unit does not say it: behind the header of the section, of which there is just one. */
static void set_bases(struct dwarf_unit *unit)
{
	const bool is_long = unit->format.offset_size == 8;

	if (unit->format.version < 5)
		return;
	unit->bases.texts = is_long ? 16 : 8;
	unit->bases.addresses = is_long ? 16 : 8;
	unit->bases.range_lists = is_long ? 20 : 12;
}

static void note_base(struct dwarf_unit *unit, uint64_t attribute, uint64_t number,
		      struct dwarf_root *root)
{
	switch (attribute) {
	case DWARF_AT_TEXT_BASE:
		unit->bases.texts = number;
		break;
	case DWARF_AT_ADDRESS_BASE:
	case DWARF_AT_GNU_ADDRESS_BASE:
		unit->bases.addresses = number;
		break;
	case DWARF_AT_RANGES_BASE:
		unit->bases.range_lists = number;
		break;
	case DWARF_AT_GNU_RANGES_BASE:
		/* It is for the split unit, and not for the ranges of this one. */
		root->ranges_base = number;
		break;
	case DWARF_AT_GNU_SPLIT_ID:
		root->id = number;
		break;
	default:
		break;
	}
}

static void note_field(const struct dwarf_unit *unit, uint64_t attribute,
		       const struct debug_field *field, struct dwarf_root *root)
{
	switch (attribute) {
	case DWARF_AT_NAME:
		root->name = dwarfunit_text(unit, field, DEBUG_MAX_NAME);
		break;
	case DWARF_AT_DIRECTORY:
		root->directory = dwarfunit_text(unit, field, DEBUG_MAX_NAME);
		root->has_directory = true;
		break;
	case DWARF_AT_LINES:
		root->lines = field->number;
		root->has_lines = field->kind == DEBUG_NUMBER;
		break;
	case DWARF_AT_SPLIT_NAME:
	case DWARF_AT_GNU_SPLIT_NAME:
		root->split_name = dwarfunit_text(unit, field, DEBUG_MAX_NAME);
		root->is_skeleton = !unit->is_split;
		break;
	default:
		dwarfunit_extent(unit, attribute, field, &root->extent);
		break;
	}
}

void dwarfunit_root(struct dwarf_unit *unit, struct debug_cursor entry,
		    const struct dwarf_declaration *declaration, struct dwarf_root *root)
{
	const struct debug_name none = { "", 0 };

	*root = (struct dwarf_root){
		.tag = declaration->tag,
		.name = none,
		.directory = none,
		.split_name = none,
		.id = unit->id,
		.is_skeleton = unit->kind == DWARF_UNIT_SKELETON,
	};
	set_bases(unit);
	/* Bases first: fields with indices may stand before them. */
	for (unsigned round = 0; round < 2; round++) {
		struct debug_cursor fields = entry, attributes = declaration->attributes;
		struct dwarf_attribute_form attribute;

		while (dwarfunit_attribute(&attributes, &attribute)) {
			const struct debug_field field = dwarfunit_field(unit, &fields, &attribute);

			if (fields.failed)
				break;
			if (round == 0)
				note_base(unit, attribute.attribute, field.number, root);
			else
				note_field(unit, attribute.attribute, &field, root);
		}
	}
}

bool dwarfunit_next_root(const struct debug_sections *sections, uint64_t *at,
			 struct dwarf_root *root)
{
	struct dwarf_declaration declaration;
	struct dwarf_unit unit;

	while (dwarfunit_next(sections, at, &unit)) {
		struct debug_cursor entry = dwarfunit_entries(&unit, unit.root);

		if (!dwarfunit_find(&unit, cursor_unsigned(&entry), &declaration))
			continue;
		dwarfunit_root(&unit, entry, &declaration, root);
		if (root->has_lines && root->directory.len > 0)
			return true;
	}
	return false;
}
