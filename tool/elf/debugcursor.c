/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elf/debugcursor.h"

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

/* Of 64-bit DWARF, which has offsets of 8 bytes, and lengths behind this one. */
#define LONG_LENGTH UINT64_C(0xffffffff)
/* From here on, the others say nothing yet. */
#define FIRST_RESERVED_LENGTH UINT64_C(0xfffffff0)

enum {
	ADDRESS_SIZE = 8,
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

/* Seven bits a byte, the lowest first.  *n_bits is how many of them there were, up to 70. */
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

	/* A form that stands before the field; but not of one whose form stands there again. */
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
