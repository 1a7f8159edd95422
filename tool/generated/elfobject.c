/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/elfobject.h"

#include "tool/generated/littleendian.h"

enum {
	MAGIC = 0x464c457f, /* 7f E L F */
	CLASS_64 = 2,
	DATA_LITTLE = 1,
	MACHINE_X86_64 = 62,
	TYPE_RELOCATABLE = 1,
	SECTION_SYMBOLS = 2,
	SECTION_NO_BITS = 8,
	SECTION_DYNAMIC_SYMBOLS = 11,
	SYMBOL_FUNCTION = 2,
	FIRST_RESERVED = 0xff00, /* numbers of sections that are none */
};

/* Sizes, and where in them numbers are. */
enum {
	HEADER_SIZE = 64,
	HEADER_CLASS = 4,    /* 1 byte */
	HEADER_DATA = 5,     /* 1 */
	HEADER_TYPE = 16,    /* 2 */
	HEADER_MACHINE = 18, /* 2 */
	HEADER_SECTIONS = 40,
	HEADER_SECTION_SIZE = 58, /* 2 */
	HEADER_N_SECTIONS = 60,   /* 2 */
	SECTION_SIZE = 64,
	SECTION_TYPE = 4, /* 4 */
	SECTION_ADDRESS = 16,
	SECTION_OFFSET = 24,
	SECTION_BYTES = 32,
	SECTION_LINK = 40, /* 4 */
	SYMBOL_SIZE = 24,
	SYMBOL_NAME = 0,    /* 4 */
	SYMBOL_INFO = 4,    /* 1 */
	SYMBOL_SECTION = 6, /* 2 */
	SYMBOL_VALUE = 8,
	SYMBOL_BYTES = 16,
};

bool elfobject_open(struct elfobject *object, const uint8_t *bytes, size_t len)
{
	if (len < HEADER_SIZE || read_32(bytes) != MAGIC || bytes[HEADER_CLASS] != CLASS_64 ||
	    bytes[HEADER_DATA] != DATA_LITTLE ||
	    read_16(bytes + HEADER_MACHINE) != MACHINE_X86_64 ||
	    read_16(bytes + HEADER_SECTION_SIZE) != SECTION_SIZE)
		return false;
	*object = (struct elfobject){
		.bytes = bytes,
		.len = len,
		.is_relocatable = read_16(bytes + HEADER_TYPE) == TYPE_RELOCATABLE,
		.sections = read_64(bytes + HEADER_SECTIONS),
		.n_sections = read_16(bytes + HEADER_N_SECTIONS),
	};
	return object->n_sections > 0 && object->sections <= len &&
	       (len - object->sections) / SECTION_SIZE >= object->n_sections;
}

static const uint8_t *header_of(const struct elfobject *object, uint32_t i)
{
	return object->bytes + object->sections + (uint64_t)i * SECTION_SIZE;
}

/* The bytes of a section; NULL if it has none. */
static const uint8_t *bytes_of(const struct elfobject *object, uint32_t i, uint64_t *size)
{
	const uint8_t *header;
	uint64_t offset;

	if (i >= object->n_sections)
		return NULL;
	header = header_of(object, i);
	offset = read_64(header + SECTION_OFFSET);
	*size = read_64(header + SECTION_BYTES);
	if (read_32(header + SECTION_TYPE) == SECTION_NO_BITS || offset > object->len ||
	    *size > object->len - offset)
		return NULL;
	return object->bytes + offset;
}

/* The text at an offset of a section of texts; "" if there is none that is ended. */
static const char *text_at(const struct elfobject *object, uint32_t section, uint32_t offset)
{
	uint64_t size;
	const uint8_t *texts = bytes_of(object, section, &size);

	/* So each text in it has an end, however long it takes to get there. */
	if (texts == NULL || offset >= size || texts[size - 1] != '\0')
		return "";
	return (const char *)texts + offset;
}

/* Where a symbol is; false if it is nowhere. */
static bool address_of(const struct elfobject *object, const uint8_t *symbol, uint64_t *address)
{
	const uint32_t section = read_16(symbol + SYMBOL_SECTION);

	*address = read_64(symbol + SYMBOL_VALUE);
	if (section == 0 || section >= FIRST_RESERVED || section >= object->n_sections)
		return false;
	if (object->is_relocatable)
		*address += read_64(header_of(object, section) + SECTION_ADDRESS);
	return true;
}

/* Whether a symbol is a function with a name and code. */
static bool read_function(const struct elfobject *object, const uint8_t *symbol, uint32_t texts,
			  struct elfobject_function *function)
{
	if ((symbol[SYMBOL_INFO] & 15) != SYMBOL_FUNCTION ||
	    !address_of(object, symbol, &function->address))
		return false;
	function->size = read_64(symbol + SYMBOL_BYTES);
	function->name = text_at(object, texts, read_32(symbol + SYMBOL_NAME));
	return function->name[0] != '\0' && function->address != 0 &&
	       (function->size == 0 ||
		function->address + (function->size - 1) >= function->address);
}

bool elfobject_next(const struct elfobject *object, struct elfobject_cursor *cursor,
		    struct elfobject_function *function)
{
	for (; cursor->section < object->n_sections; cursor->section++, cursor->symbol = 0) {
		const uint8_t *header = header_of(object, cursor->section);
		const uint32_t type = read_32(header + SECTION_TYPE);
		uint64_t size;
		const uint8_t *symbols = bytes_of(object, cursor->section, &size);

		if ((type != SECTION_SYMBOLS && type != SECTION_DYNAMIC_SYMBOLS) || symbols == NULL)
			continue;
		while (cursor->symbol < size / SYMBOL_SIZE)
			if (read_function(object, symbols + SYMBOL_SIZE * cursor->symbol++,
					  read_32(header + SECTION_LINK), function))
				return true;
	}
	return false;
}
