/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/symbols/elfimage.h"

#include "tool/elf/elfobject.h"
#include "writer/freestanding.h"

enum {
	MAX_SEGMENTS = 256,
	MAX_NOTES = 1 << 16, /* bytes of a segment of notes */
	MAX_ENTRIES = 1024,  /* of the dynamic section */
	MAX_CHAIN = 65536,   /* symbols of one bucket; a damaged file may have no end of them */
	MAX_NAME = 128,      /* bytes of a name, with its NUL */
};

/* Sizes of structures, and offsets of their fields. */
enum {
	ENTRY_SIZE = 16,
	ENTRY_TAG = 0,   /* 8 */
	ENTRY_VALUE = 8, /* 8 */
	HASH_SIZE = 16,
	HASH_N_BUCKETS = 0, /* 4 */
	HASH_FIRST = 4,     /* 4: its first symbol */
	HASH_N_WORDS = 8,   /* 4: 8-byte words of the filter before the buckets */
};

enum dynamic_tag {
	TAG_END = 0,
	TAG_STRINGS = 5,
	TAG_SYMBOLS = 6,
	TAG_GNU_HASH = 0x6ffffef5,
};

/* Copies size bytes, at least 1, from an address; false if they cannot be read. */
static bool read_memory(elfimage_readable *readable, uintptr_t address, void *to, size_t size)
{
	if (address + size < address || !readable(address, size))
		return false;
	memcpy(to, (const void *)address, size);
	return true;
}

/* Reads segment i, from 0, with its address in memory; false if it cannot be read. */
static bool read_segment(const struct elf_image *image, unsigned i,
			 struct elf_program_header *segment)
{
	uint8_t bytes[ELF_PROGRAM_HEADER_SIZE];

	if (!read_memory(image->readable,
			 image->header + image->segments + (uint64_t)i * sizeof(bytes), bytes,
			 sizeof(bytes)))
		return false;
	elf_program_header_read(segment, bytes);
	segment->address += image->bias;
	return true;
}

/* The beginning of the file is in one of its segments, which gives the bias. */
static bool find_bias(struct elf_image *image)
{
	for (unsigned i = 0; i < image->n_segments; i++) {
		struct elf_program_header segment;

		if (!read_segment(image, i, &segment))
			return false;
		if (segment.type == ELF_LOADED && segment.offset == 0) {
			image->bias = image->header - segment.address;
			return true;
		}
	}
	return false;
}

bool elfimage_open(struct elf_image *image, uintptr_t header, elfimage_readable *readable)
{
	uint8_t bytes[ELF_HEADER_SIZE];
	struct elf_header elf;

	/* The size of the file is unknown, but nothing is read from where it cannot be. */
	if (!read_memory(readable, header, bytes, sizeof(bytes)) ||
	    !elf_header_read(&elf, bytes, UINT64_MAX) || elf.program_headers.n > MAX_SEGMENTS)
		return false;
	*image = (struct elf_image){
		.header = header,
		.segments = elf.program_headers.offset,
		.n_segments = elf.program_headers.n,
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
		struct elf_program_header segment;
		const uint8_t *bytes;
		size_t size;

		if (!read_segment(&image, i, &segment))
			return;
		if (segment.type != ELF_NOTES || segment.file_size == 0 ||
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
	const uintptr_t address = address_of(image, read_64(entry + ENTRY_VALUE));

	switch (read_64(entry + ENTRY_TAG)) {
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
	struct elf_program_header segment;
	unsigned i = 0;
	uint8_t entry[ENTRY_SIZE];

	*tables = (struct symbol_tables){ 0, 0, 0 };
	do {
		if (i == image->n_segments || !read_segment(image, i++, &segment))
			return false;
	} while (segment.type != ELF_DYNAMIC);
	for (i = 0; i < MAX_ENTRIES; i++) {
		if (!read_memory(image->readable, segment.address + (uint64_t)i * ENTRY_SIZE, entry,
				 sizeof(entry)) ||
		    read_64(entry + ENTRY_TAG) == TAG_END)
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
	return read_memory(image->readable, address, number, sizeof(*number));
}

/* True if the string in memory is this name. */
static bool is_name(const struct elf_image *image, uintptr_t at, const char *name)
{
	for (unsigned i = 0; i < MAX_NAME; i++) {
		char byte;

		if (!read_memory(image->readable, at + i, &byte, 1) || byte != name[i])
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
	uint8_t bytes[ELF_SYMBOL_SIZE];
	struct elf_symbol symbol;

	if (!read_memory(image->readable, tables->symbols + (uint64_t)number * sizeof(bytes), bytes,
			 sizeof(bytes)))
		return 0;
	elf_symbol_read(&symbol, bytes);
	return symbol.section != ELF_UNDEFINED &&
			       is_name(image, tables->strings + symbol.name, name)
		       ? image->bias + symbol.value
		       : 0;
}

uintptr_t elfimage_symbol(const struct elf_image *image, const char *name)
{
	struct symbol_tables tables;
	uint8_t head[HASH_SIZE];
	uintptr_t buckets, chains;
	const uint32_t wanted = hash_of(name);
	uint32_t number, first, n_buckets;

	if (!find_tables(image, &tables) ||
	    !read_memory(image->readable, tables.hash, head, sizeof(head)))
		return 0;
	n_buckets = read_32(head + HASH_N_BUCKETS);
	first = read_32(head + HASH_FIRST);
	if (n_buckets == 0)
		return 0;
	buckets = tables.hash + HASH_SIZE + 8 * (uint64_t)read_32(head + HASH_N_WORDS);
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
