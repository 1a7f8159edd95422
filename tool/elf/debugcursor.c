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
	FORM_SECTION_OFFSET = 0x17,
	FORM_EXPRESSION = 0x18,
	FORM_FLAG_PRESENT = 0x19,
	FORM_STRX = 0x1a,
	FORM_ADDRX = 0x1b,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
	FORM_STRX1 = 0x25,
	FORM_STRX2 = 0x26,
	FORM_STRX3 = 0x27,
	FORM_STRX4 = 0x28,
	FORM_ADDRX1 = 0x29,
	FORM_ADDRX2 = 0x2a,
	FORM_ADDRX3 = 0x2b,
	FORM_ADDRX4 = 0x2c,
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

static const struct debug_name no_name = { "", 0 };

static struct debug_name name_in(const uint8_t *at, uint64_t left)
{
	size_t len = 0;

	while (len < left && len <= DEBUG_MAX_NAME && at[len] != '\0')
		len++;
	if (len == left || len > DEBUG_MAX_NAME)
		return no_name;
	return (struct debug_name){ (const char *)at, len };
}

struct debug_name cursor_name(struct debug_cursor *cursor)
{
	const struct debug_name name = name_in(cursor->at, cursor->left);

	while (cursor_number(cursor, 1) != 0)
		;
	return name;
}

static struct debug_name name_at(struct debug_bytes strings, uint64_t offset)
{
	if (offset >= strings.len)
		return no_name;
	return name_in(strings.at + offset, strings.len - offset);
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

/* Bytes of forms whose contents are of no interest; 0: it is another one. */
static unsigned size_of(uint64_t form)
{
	switch (form) {
	case FORM_STRX1:
	case FORM_ADDRX1:
		return 1;
	case FORM_STRX2:
	case FORM_ADDRX2:
		return 2;
	case FORM_STRX3:
	case FORM_ADDRX3:
		return 3;
	case FORM_STRX4:
	case FORM_ADDRX4:
		return 4;
	case FORM_ADDRESS:
		return ADDRESS_SIZE;
	case FORM_DATA16:
		return 16;
	default:
		return 0;
	}
}

static void skip(struct debug_cursor *cursor, uint64_t form)
{
	switch (form) {
	case FORM_FLAG_PRESENT:
		break;
	case FORM_STRX:
	case FORM_ADDRX:
	case FORM_SIGNED:
		cursor_unsigned(cursor);
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
		break;
	}
}

struct debug_field cursor_field(struct debug_cursor *cursor, const struct debug_sections *sections,
				uint64_t form, uint8_t offset_size)
{
	const unsigned size = size_of(form);
	struct debug_field field = { no_name, 0 };

	switch (form) {
	case FORM_STRING:
		field.name = cursor_name(cursor);
		break;
	case FORM_LINE_STRP:
		field.name = name_at(sections->line_strings, cursor_number(cursor, offset_size));
		break;
	case FORM_STRP:
		field.name = name_at(sections->strings, cursor_number(cursor, offset_size));
		break;
	case FORM_DATA1:
	case FORM_FLAG:
		field.number = cursor_number(cursor, 1);
		break;
	case FORM_DATA2:
		field.number = cursor_number(cursor, 2);
		break;
	case FORM_DATA4:
		field.number = cursor_number(cursor, 4);
		break;
	case FORM_DATA8:
		field.number = cursor_number(cursor, 8);
		break;
	case FORM_UNSIGNED:
		field.number = cursor_unsigned(cursor);
		break;
	case FORM_SECTION_OFFSET:
		field.number = cursor_number(cursor, offset_size);
		break;
	default:
		if (size > 0)
			cursor_bytes(cursor, size);
		else
			skip(cursor, form);
		break;
	}
	return field;
}
