/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/dwarfunit.h"

enum form {
	FORM_ADDRESS = 0x01,
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4 = 0x04,
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_BLOCK1 = 0x0a,
	FORM_DATA1 = 0x0b,
	FORM_FLAG = 0x0c,
	FORM_SIGNED = 0x0d,
	FORM_STRP = 0x0e,
	FORM_UNSIGNED = 0x0f,
	FORM_REF_ADDRESS = 0x10,
	FORM_REF1 = 0x11,
	FORM_REF2 = 0x12,
	FORM_REF4 = 0x13,
	FORM_REF8 = 0x14,
	FORM_REF_UNSIGNED = 0x15,
	FORM_SECTION_OFFSET = 0x17,
	FORM_EXPRESSION = 0x18,
	FORM_FLAG_PRESENT = 0x19,
	FORM_STRX = 0x1a,
	FORM_ADDRX = 0x1b,
	FORM_REF_SUP4 = 0x1c,
	FORM_STRP_SUP = 0x1d,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
	FORM_REF_SIGNATURE = 0x20,
	FORM_LOCLISTX = 0x22,
	FORM_RNGLISTX = 0x23,
	FORM_REF_SUP8 = 0x24,
	FORM_STRX1 = 0x25,
	FORM_STRX2 = 0x26,
	FORM_STRX3 = 0x27,
	FORM_STRX4 = 0x28,
	FORM_ADDRX1 = 0x29,
	FORM_ADDRX2 = 0x2a,
	FORM_ADDRX3 = 0x2b,
	FORM_ADDRX4 = 0x2c,
	FORM_GNU_ADDRESS_INDEX = 0x1f01,
	FORM_GNU_STRING_INDEX = 0x1f02,
	FORM_GNU_REF_ALT = 0x1f20,
	FORM_GNU_STRP_ALT = 0x1f21,
};

/* Marks 64-bit DWARF, which has offsets of 8 bytes, and the real length after this one. */
#define LONG_LENGTH UINT64_C(0xffffffff)
/* From here on, lengths are reserved. */
#define FIRST_RESERVED_LENGTH UINT64_C(0xfffffff0)

enum {
	FIRST_VERSION = 2,
	LAST_VERSION = 5,
	ADDRESS_SIZE = 8,
	/* Bytes that are searched for a declaration, in each of the units, which may be many. */
	MAX_DECLARATIONS = 4096,
};

/* --- numbers and texts --------------------------------------------------------------------- */

struct debug_cursor cursor_of(struct debug_bytes bytes)
{
	return (struct debug_cursor){ bytes.at, bytes.len, false };
}

const uint8_t *cursor_bytes(struct debug_cursor *cursor, uint64_t n)
{
	const uint8_t *taken = cursor->at;

	if (cursor->failed || n > cursor->left) {
		cursor->failed = true;
		cursor->left = 0;
		return NULL;
	}
	if (n > 0)
		cursor->at += n;
	cursor->left -= n;
	return taken;
}

uint64_t cursor_number(struct debug_cursor *cursor, unsigned size)
{
	const uint8_t *bytes = cursor_bytes(cursor, size);
	uint64_t number = 0;

	while (bytes != NULL && size-- > 0)
		number = number << 8 | bytes[size];
	return number;
}

/* Seven bits a byte, the lowest first.  *n_bits is their number, up to 70. */
static uint64_t take_bits(struct debug_cursor *cursor, unsigned *n_bits)
{
	uint64_t number = 0;
	uint8_t byte;

	*n_bits = 0;
	do {
		byte = (uint8_t)cursor_number(cursor, 1);
		if (*n_bits < 64) {
			number |= (uint64_t)(byte & 127) << *n_bits;
			*n_bits += 7;
		}
	} while ((byte & 128) != 0);
	return number;
}

uint64_t cursor_unsigned(struct debug_cursor *cursor)
{
	unsigned n_bits;

	return take_bits(cursor, &n_bits);
}

uint64_t cursor_signed(struct debug_cursor *cursor)
{
	unsigned n_bits;
	const uint64_t number = take_bits(cursor, &n_bits);

	if (n_bits < 64 && (number >> (n_bits - 1) & 1) != 0)
		return number | UINT64_MAX << n_bits;
	return number;
}

struct debug_name debug_name_of(struct debug_bytes bytes, uint64_t max_len)
{
	size_t len = 0;

	while (len < bytes.len && len <= max_len && bytes.at[len] != '\0')
		len++;
	if (len == bytes.len || len > max_len)
		return (struct debug_name){ "", 0 };
	return (struct debug_name){ (const char *)bytes.at, len };
}

struct debug_bytes debug_bytes_from(struct debug_bytes bytes, uint64_t offset)
{
	if (offset >= bytes.len)
		return (struct debug_bytes){ NULL, 0 };
	return (struct debug_bytes){ bytes.at + offset, bytes.len - offset };
}

struct debug_name cursor_name(struct debug_cursor *cursor)
{
	const struct debug_name name =
		debug_name_of((struct debug_bytes){ cursor->at, cursor->left }, DEBUG_MAX_NAME);

	while (cursor_number(cursor, 1) != 0)
		;
	return name;
}

struct debug_bytes cursor_unit(struct debug_cursor *cursor, uint8_t *offset_size)
{
	struct debug_bytes bytes = { NULL, cursor_number(cursor, 4) };

	*offset_size = 4;
	if (bytes.len == LONG_LENGTH) {
		*offset_size = 8;
		bytes.len = cursor_number(cursor, 8);
	} else if (bytes.len >= FIRST_RESERVED_LENGTH) {
		cursor->failed = true;
	}
	bytes.at = cursor_bytes(cursor, bytes.len);
	return bytes;
}

/* --- fields -------------------------------------------------------------------------------- */

uint8_t debug_form_size(uint64_t form, struct debug_format format)
{
	switch (form) {
	case FORM_FLAG_PRESENT:
	case DEBUG_FORM_IMPLICIT:
		return 0;
	case FORM_DATA1:
	case FORM_FLAG:
	case FORM_REF1:
	case FORM_STRX1:
	case FORM_ADDRX1:
		return 1;
	case FORM_DATA2:
	case FORM_REF2:
	case FORM_STRX2:
	case FORM_ADDRX2:
		return 2;
	case FORM_STRX3:
	case FORM_ADDRX3:
		return 3;
	case FORM_DATA4:
	case FORM_REF4:
	case FORM_REF_SUP4:
	case FORM_STRX4:
	case FORM_ADDRX4:
		return 4;
	case FORM_DATA8:
	case FORM_REF8:
	case FORM_REF_SUP8:
	case FORM_REF_SIGNATURE:
		return 8;
	case FORM_DATA16:
		return 16;
	case FORM_ADDRESS:
		return ADDRESS_SIZE;
	case FORM_REF_ADDRESS:
		return format.version <= 2 ? ADDRESS_SIZE : format.offset_size;
	case FORM_STRP:
	case FORM_LINE_STRP:
	case FORM_STRP_SUP:
	case FORM_SECTION_OFFSET:
	case FORM_GNU_REF_ALT:
	case FORM_GNU_STRP_ALT:
		return format.offset_size;
	default:
		return DEBUG_NO_SIZE;
	}
}

static enum debug_kind kind_of(uint64_t form)
{
	switch (form) {
	case FORM_DATA1:
	case FORM_DATA2:
	case FORM_DATA4:
	case FORM_DATA8:
	case FORM_FLAG:
	case FORM_SIGNED:
	case FORM_UNSIGNED:
	case FORM_SECTION_OFFSET:
		return DEBUG_NUMBER;
	case FORM_STRING:
	case FORM_STRP:
	case FORM_LINE_STRP:
		return DEBUG_TEXT;
	case FORM_STRX:
	case FORM_STRX1:
	case FORM_STRX2:
	case FORM_STRX3:
	case FORM_STRX4:
	case FORM_GNU_STRING_INDEX:
		return DEBUG_TEXT_INDEX;
	case FORM_STRP_SUP:
	case FORM_GNU_STRP_ALT:
		return DEBUG_ALTERNATE_TEXT;
	case FORM_ADDRESS:
		return DEBUG_ADDRESS;
	case FORM_ADDRX:
	case FORM_ADDRX1:
	case FORM_ADDRX2:
	case FORM_ADDRX3:
	case FORM_ADDRX4:
	case FORM_GNU_ADDRESS_INDEX:
		return DEBUG_ADDRESS_INDEX;
	case FORM_RNGLISTX:
		return DEBUG_RANGES_INDEX;
	case FORM_REF1:
	case FORM_REF2:
	case FORM_REF4:
	case FORM_REF8:
	case FORM_REF_UNSIGNED:
		return DEBUG_UNIT_REFERENCE;
	case FORM_REF_ADDRESS:
		return DEBUG_REFERENCE;
	case FORM_REF_SUP4:
	case FORM_REF_SUP8:
	case FORM_GNU_REF_ALT:
		return DEBUG_ALTERNATE_REFERENCE;
	default:
		return DEBUG_NOTHING;
	}
}

/* A field whose size depends on it. */
static uint64_t take_sized(struct debug_cursor *cursor, uint64_t form)
{
	switch (form) {
	case FORM_STRX:
	case FORM_ADDRX:
	case FORM_LOCLISTX:
	case FORM_RNGLISTX:
	case FORM_UNSIGNED:
	case FORM_REF_UNSIGNED:
	case FORM_GNU_ADDRESS_INDEX:
	case FORM_GNU_STRING_INDEX:
		return cursor_unsigned(cursor);
	case FORM_SIGNED:
		return cursor_signed(cursor);
	case FORM_STRING:
		while (cursor_number(cursor, 1) != 0)
			;
		break;
	case FORM_BLOCK:
	case FORM_EXPRESSION:
		cursor_bytes(cursor, cursor_unsigned(cursor));
		break;
	case FORM_BLOCK1:
		cursor_bytes(cursor, cursor_number(cursor, 1));
		break;
	case FORM_BLOCK2:
		cursor_bytes(cursor, cursor_number(cursor, 2));
		break;
	case FORM_BLOCK4:
		cursor_bytes(cursor, cursor_number(cursor, 4));
		break;
	default:
		cursor->failed = true;
		cursor->left = 0;
		break;
	}
	return 0;
}

struct debug_field cursor_field(struct debug_cursor *cursor, const struct debug_sections *sections,
				uint64_t form, struct debug_format format)
{
	struct debug_field field = { kind_of(form), 0, { cursor->at, cursor->left } };
	uint8_t size;

	/* The form precedes the field; but it may not be indirect again. */
	if (form == DEBUG_FORM_INDIRECT) {
		form = cursor_unsigned(cursor);
		field = (struct debug_field){ kind_of(form), 0, { cursor->at, cursor->left } };
	}
	size = debug_form_size(form, format);
	if (size == DEBUG_NO_SIZE || form == DEBUG_FORM_IMPLICIT)
		field.number = take_sized(cursor, form);
	else if (size > 8)
		cursor_bytes(cursor, size);
	else
		field.number = cursor_number(cursor, size);
	if (form == FORM_STRP)
		field.text = debug_bytes_from(sections->strings, field.number);
	else if (form == FORM_LINE_STRP)
		field.text = debug_bytes_from(sections->line_strings, field.number);
	else if (form != FORM_STRING)
		field.text = (struct debug_bytes){ NULL, 0 };
	return field;
}

/* --- units --------------------------------------------------------------------------------- */

static bool read_unit_header(struct dwarf_unit *unit, struct debug_cursor *cursor)
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
		if (read_unit_header(unit, &header)) {
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

/* Item index of .debug_addr. */
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
		/* From version 4 on it may be relative to the low end, which may follow. */
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

/* Linkers give removed code the address 0 or one of the largest numbers, where no program is. */
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
		/* Linkers leave 1 in place of removed code, as 0 would be the end. */
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

/* The default start of tables: after the header of the section, which has only one. */
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
		/* Valid for the split unit, not for the ranges of this one. */
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
	/* Bases first: fields with indices may precede them. */
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

/* --- line programs ------------------------------------------------------------------------ */

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

/* The part before the tables. */
static bool read_line_header(struct line_unit *unit, struct debug_bytes bytes)
{
	struct debug_cursor cursor = cursor_of(bytes);
	uint64_t header_size;
	struct debug_cursor header;

	unit->version = (unsigned)cursor_number(&cursor, 2);
	if (unit->version < FIRST_VERSION || unit->version > LAST_VERSION)
		return false;
	/* Sizes of addresses and of segment selectors. */
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
	cursor_bytes(&header, 1); /* default of is_stmt: all rows are wanted */
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
	return !cursor.failed && bytes.len > 0 && read_line_header(unit, bytes);
}

bool lineprogram_next_unit(const struct debug_sections *sections, uint64_t *at,
			   struct line_unit *unit)
{
	while (*at < sections->lines.len)
		if (lineprogram_unit(sections, *at, at, unit))
			return true;
	return false;
}

/* A list of names ends with an empty one. */
static bool is_end_of_list(struct debug_cursor *cursor)
{
	if (cursor->left == 0 || *cursor->at != '\0')
		return false;
	cursor_bytes(cursor, 1);
	return true;
}

/* Up to version 4; the first of each is implicit. */
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

/* The interesting fields of an entry. */
struct entry {
	struct debug_name name;
	uint64_t directory;
};

/* The layout of entries of a table: pairs of a content and its form. */
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

/* Version 5. */
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

			/* Entries without fields would never end. */
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

static void begin_sequence(struct line_state *state)
{
	state->address = 0;
	state->file = 1;
	state->line = 1;
	state->is_over = false;
}

struct line_state lineprogram_begin(const struct line_unit *unit)
{
	struct line_state state = { .unit = unit };

	begin_sequence(&state);
	return state;
}

/* What a special opcode adds to the address. */
static uint64_t special_advance(const struct line_unit *unit, unsigned opcode)
{
	return (uint64_t)((opcode - unit->first_special) / unit->line_range) * unit->step;
}

/* True if there is a row. */
static bool execute_extended(struct line_state *state, struct debug_cursor *cursor)
{
	const uint64_t len = cursor_unsigned(cursor);
	struct debug_cursor operand = { cursor->at, len, cursor->failed };

	if (cursor_bytes(cursor, len) == NULL)
		return false;
	switch (cursor_number(&operand, 1)) {
	case EXTENDED_END_SEQUENCE:
		state->is_over = !operand.failed;
		return state->is_over;
	case EXTENDED_SET_ADDRESS:
		if (operand.left == 4 || operand.left == 8)
			state->address = cursor_number(&operand, (unsigned)operand.left);
		else
			cursor->failed = true;
		return false;
	default: /* a file that is not in the table, a discriminator, or a vendor's own */
		return false;
	}
}

static bool execute_standard(struct line_state *state, struct debug_cursor *cursor, unsigned opcode)
{
	const struct line_unit *unit = state->unit;

	switch (opcode) {
	case OPCODE_EXTENDED:
		return execute_extended(state, cursor);
	case OPCODE_COPY:
		return true;
	case OPCODE_ADVANCE_ADDRESS:
		state->address += cursor_unsigned(cursor) * unit->step;
		break;
	case OPCODE_ADVANCE_LINE:
		state->line += (uint32_t)cursor_signed(cursor);
		break;
	case OPCODE_SET_FILE:
		state->file = cursor_unsigned(cursor);
		break;
	case OPCODE_NEGATE_STATEMENT:
	case OPCODE_SET_BASIC_BLOCK:
		break;
	case OPCODE_CONST_ADD_ADDRESS:
		state->address += special_advance(unit, 255);
		break;
	case OPCODE_FIXED_ADVANCE_ADDRESS:
		state->address += cursor_number(cursor, 2);
		break;
	default: /* skip the operands of opcodes that are of no interest */
		for (unsigned i = 0; i < unit->n_operands[opcode - 1]; i++)
			cursor_unsigned(cursor);
		break;
	}
	return false;
}

/* True if there is a row. */
static bool execute(struct line_state *state, struct debug_cursor *cursor)
{
	const struct line_unit *unit = state->unit;
	const unsigned opcode = (unsigned)cursor_number(cursor, 1);

	/* A unit with fewer standard opcodes has special ones instead. */
	if (opcode < unit->first_special)
		return execute_standard(state, cursor, opcode);
	state->address += special_advance(unit, opcode);
	state->line += (uint32_t)(unit->line_base +
				  (int)(opcode - unit->first_special) % unit->line_range);
	return true;
}

bool lineprogram_next_row(struct line_state *state, struct line_row *row)
{
	struct debug_cursor cursor = cursor_of(state->unit->program);
	bool is_row = false;

	cursor_bytes(&cursor, state->at);
	if (state->is_over)
		begin_sequence(state);
	while (!is_row && cursor.left > 0)
		is_row = execute(state, &cursor);
	state->at = state->unit->program.len - cursor.left;
	if (cursor.failed || !is_row)
		return false;
	*row = (struct line_row){
		.address = state->address,
		.line = state->line,
		.file = state->file > UINT32_MAX ? UINT32_MAX : (uint32_t)state->file,
		.is_end = state->is_over,
	};
	return true;
}
