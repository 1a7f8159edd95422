/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/symbols/elfimage.h"

#include "tool/elf/elfobject.h"
#include "writer/freestanding.h"

enum {
	MAGIC = 0x464c457f, /* 7f E L F */
	CLASS_64 = 2,
	DATA_LITTLE = 1,
	MAX_SEGMENTS = 256,
	MAX_NOTES = 1 << 16, /* bytes of a segment of notes */
	MAX_ENTRIES = 1024,  /* of the dynamic section */
	MAX_CHAIN = 65536,   /* symbols of one bucket; a damaged file may have no end of them */
	MAX_NAME = 128,      /* bytes of a name, with its NUL */
};

/* Sizes of structures, and offsets of their fields. */
enum {
	HEADER_SIZE = 64,
	HEADER_CLASS = 4,         /* 1 byte */
	HEADER_DATA = 5,          /* 1 */
	HEADER_SEGMENTS = 32,     /* 8: their offset */
	HEADER_SEGMENT_SIZE = 54, /* 2 */
	HEADER_N_SEGMENTS = 56,   /* 2 */
	SEGMENT_SIZE = 56,
	SEGMENT_TYPE = 0,       /* 4 */
	SEGMENT_OFFSET = 8,     /* 8: in the file */
	SEGMENT_ADDRESS = 16,   /* 8: as linked */
	SEGMENT_FILE_SIZE = 32, /* 8 */
	SEGMENT_ALIGNMENT = 48, /* 8 */
	ENTRY_SIZE = 16,
	ENTRY_TAG = 0,   /* 8 */
	ENTRY_VALUE = 8, /* 8 */
	HASH_SIZE = 16,
	HASH_N_BUCKETS = 0, /* 4 */
	HASH_FIRST = 4,     /* 4: its first symbol */
	HASH_N_WORDS = 8,   /* 4: 8-byte words of the filter before the buckets */
	SYMBOL_SIZE = 24,
	SYMBOL_NAME = 0,    /* 4 */
	SYMBOL_SECTION = 6, /* 2; 0: it is another file's */
	SYMBOL_VALUE = 8,   /* 8 */
};

enum dynamic_tag {
	TAG_END = 0,
	TAG_STRINGS = 5,
	TAG_SYMBOLS = 6,
	TAG_GNU_HASH = 0x6ffffef5,
};

uint64_t elfimage_number(const uint8_t *bytes, size_t size)
{
	uint64_t number = 0;

	while (size-- > 0)
		number = number << 8 | bytes[size];
	return number;
}

bool elfimage_read(elfimage_readable *readable, uintptr_t address, void *to, size_t size)
{
	if (address + size < address || !readable(address, size))
		return false;
	memcpy(to, (const void *)address, size);
	return true;
}

bool elfimage_segment(const struct elf_image *image, unsigned i, struct elf_segment *segment)
{
	uint8_t bytes[SEGMENT_SIZE];

	if (!elfimage_read(image->readable,
			   image->header + image->segments + (uint64_t)i * SEGMENT_SIZE, bytes,
			   SEGMENT_SIZE))
		return false;
	*segment = (struct elf_segment){
		.type = (uint32_t)elfimage_number(bytes + SEGMENT_TYPE, 4),
		.offset = elfimage_number(bytes + SEGMENT_OFFSET, 8),
		.address = image->bias + elfimage_number(bytes + SEGMENT_ADDRESS, 8),
		.file_size = elfimage_number(bytes + SEGMENT_FILE_SIZE, 8),
		.alignment = elfimage_number(bytes + SEGMENT_ALIGNMENT, 8),
	};
	return true;
}

/* The beginning of the file is in one of its segments, which gives the bias. */
static bool find_bias(struct elf_image *image)
{
	for (unsigned i = 0; i < image->n_segments; i++) {
		struct elf_segment segment;

		if (!elfimage_segment(image, i, &segment))
			return false;
		if (segment.type == ELF_SEGMENT_LOAD && segment.offset == 0) {
			image->bias = image->header - segment.address;
			return true;
		}
	}
	return false;
}

static bool is_known_elf(const uint8_t *elf)
{
	return elfimage_number(elf, 4) == MAGIC && elf[HEADER_CLASS] == CLASS_64 &&
	       elf[HEADER_DATA] == DATA_LITTLE &&
	       elfimage_number(elf + HEADER_SEGMENT_SIZE, 2) == SEGMENT_SIZE &&
	       elfimage_number(elf + HEADER_N_SEGMENTS, 2) <= MAX_SEGMENTS;
}

bool elfimage_open(struct elf_image *image, uintptr_t header, elfimage_readable *readable)
{
	uint8_t elf[HEADER_SIZE];

	if (!elfimage_read(readable, header, elf, sizeof(elf)) || !is_known_elf(elf))
		return false;
	*image = (struct elf_image){
		.header = header,
		.segments = elfimage_number(elf + HEADER_SEGMENTS, 8),
		.n_segments = (unsigned)elfimage_number(elf + HEADER_N_SEGMENTS, 2),
		.readable = readable,
	};
	return find_bias(image);
}

void elfimage_build_id(uintptr_t header, elfimage_readable *readable, struct build_id *id)
{
	struct elf_image image;

	id->size = 0;
	if (!elfimage_open(&image, header, readable))
		return;
	for (unsigned i = 0; i < image.n_segments && id->size == 0; i++) {
		struct elf_segment segment;
		const uint8_t *bytes;
		size_t size;

		if (!elfimage_segment(&image, i, &segment))
			return;
		if (segment.type != ELF_SEGMENT_NOTE || segment.file_size == 0 ||
		    segment.file_size > MAX_NOTES ||
		    segment.address + segment.file_size < segment.address ||
		    !readable(segment.address, segment.file_size))
			continue;
		size = elf_build_id((const uint8_t *)segment.address, segment.file_size,
				    segment.alignment == 8 ? 8 : 4, &bytes);
		if (size == 0 || size > BUILD_ID_MAX)
			continue;
		memcpy(id->bytes, bytes, size);
		id->size = (uint8_t)size;
	}
}

/* --- symbols ------------------------------------------------------------------------------ */

/* Addresses of the tables that lead from a name to a symbol; 0: there is none. */
struct symbol_tables {
	uintptr_t strings, symbols, hash;
};

/* The dynamic linker may already have turned the value into an address in memory. */
static uintptr_t address_of(const struct elf_image *image, uint64_t value)
{
	return value < image->bias ? image->bias + value : value;
}

static void take_entry(const struct elf_image *image, const uint8_t *entry,
		       struct symbol_tables *tables)
{
	const uintptr_t address = address_of(image, elfimage_number(entry + ENTRY_VALUE, 8));

	switch (elfimage_number(entry + ENTRY_TAG, 8)) {
	case TAG_STRINGS:
		tables->strings = address;
		break;
	case TAG_SYMBOLS:
		tables->symbols = address;
		break;
	case TAG_GNU_HASH:
		tables->hash = address;
		break;
	default:
		break;
	}
}

static bool find_tables(const struct elf_image *image, struct symbol_tables *tables)
{
	struct elf_segment segment;
	unsigned i = 0;
	uint8_t entry[ENTRY_SIZE];

	*tables = (struct symbol_tables){ 0, 0, 0 };
	do {
		if (i == image->n_segments || !elfimage_segment(image, i++, &segment))
			return false;
	} while (segment.type != ELF_SEGMENT_DYNAMIC);
	for (i = 0; i < MAX_ENTRIES; i++) {
		if (!elfimage_read(image->readable, segment.address + (uint64_t)i * ENTRY_SIZE,
				   entry, sizeof(entry)) ||
		    elfimage_number(entry + ENTRY_TAG, 8) == TAG_END)
			break;
		take_entry(image, entry, tables);
	}
	return tables->strings != 0 && tables->symbols != 0 && tables->hash != 0;
}

/* The hash function that linkers use for the table. */
static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name != '\0'; name++)
		hash = hash * 33 + (uint8_t)*name;
	return hash;
}

static bool read_number(const struct elf_image *image, uintptr_t address, uint32_t *number)
{
	uint8_t bytes[4];

	if (!elfimage_read(image->readable, address, bytes, sizeof(bytes)))
		return false;
	*number = (uint32_t)elfimage_number(bytes, sizeof(bytes));
	return true;
}

/* True if the string in memory is this name. */
static bool is_name(const struct elf_image *image, uintptr_t at, const char *name)
{
	for (unsigned i = 0; i < MAX_NAME; i++) {
		char byte;

		if (!elfimage_read(image->readable, at + i, &byte, 1) || byte != name[i])
			return false;
		if (byte == '\0')
			return true;
	}
	return false;
}

/* The address of this symbol if it has that name and the file defines it; otherwise 0. */
static uintptr_t value_of(const struct elf_image *image, const struct symbol_tables *tables,
			  uint32_t number, const char *name)
{
	uint8_t symbol[SYMBOL_SIZE];

	if (!elfimage_read(image->readable, tables->symbols + (uint64_t)number * SYMBOL_SIZE,
			   symbol, sizeof(symbol)) ||
	    elfimage_number(symbol + SYMBOL_SECTION, 2) == 0 ||
	    !is_name(image, tables->strings + elfimage_number(symbol + SYMBOL_NAME, 4), name))
		return 0;
	return image->bias + elfimage_number(symbol + SYMBOL_VALUE, 8);
}

uintptr_t elfimage_symbol(const struct elf_image *image, const char *name)
{
	struct symbol_tables tables;
	uint8_t head[HASH_SIZE];
	uintptr_t buckets, chains;
	const uint32_t wanted = hash_of(name);
	uint32_t number, first, n_buckets;

	if (!find_tables(image, &tables) ||
	    !elfimage_read(image->readable, tables.hash, head, sizeof(head)))
		return 0;
	n_buckets = (uint32_t)elfimage_number(head + HASH_N_BUCKETS, 4);
	first = (uint32_t)elfimage_number(head + HASH_FIRST, 4);
	if (n_buckets == 0)
		return 0;
	buckets = tables.hash + HASH_SIZE + 8 * elfimage_number(head + HASH_N_WORDS, 4);
	chains = buckets + 4 * (uint64_t)n_buckets;
	if (!read_number(image, buckets + 4 * (uint64_t)(wanted % n_buckets), &number) ||
	    number < first)
		return 0;
	for (unsigned i = 0; i < MAX_CHAIN; i++, number++) {
		uint32_t hash;
		uintptr_t value;

		/* The lowest bit marks the last symbol of the bucket. */
		if (!read_number(image, chains + 4 * (uint64_t)(number - first), &hash))
			return 0;
		value = (hash | 1) == (wanted | 1) ? value_of(image, &tables, number, name) : 0;
		if (value != 0 || (hash & 1) != 0)
			return value;
	}
	return 0;
}
