/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/symbols/elfnote.h"

#include "writer/freestanding.h"

enum {
	MAGIC = 0x464c457f, /* 7f E L F */
	OWNER = 0x00554e47, /* G N U NUL */
	CLASS_64 = 2,
	DATA_LITTLE = 1,
	SEGMENT_LOAD = 1,
	SEGMENT_NOTE = 4,
	NOTE_BUILD_ID = 3,
	MAX_SEGMENTS = 256,
	MAX_NOTES = 1 << 16, /* bytes of a segment */
};

/* Sizes of what is read, and where in it numbers are. */
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
	NOTE_SIZE = 12,
	NOTE_NAME_SIZE = 0,  /* 4 */
	NOTE_VALUE_SIZE = 4, /* 4 */
	NOTE_TYPE = 8,       /* 4 */
};

/* The number of so many bytes. */
static uint64_t number_at(const uint8_t *bytes, size_t size)
{
	uint64_t number = 0;

	while (size-- > 0)
		number = number << 8 | bytes[size];
	return number;
}

static bool read_memory(uintptr_t address, elfnote_readable *readable, void *to, size_t size)
{
	if (address + size < address || !readable(address, size))
		return false;
	memcpy(to, (const void *)address, size);
	return true;
}

static bool read_segment(uintptr_t header, const uint8_t *elf, unsigned i,
			 elfnote_readable *readable, uint8_t segment[SEGMENT_SIZE])
{
	return read_memory(header + number_at(elf + HEADER_SEGMENTS, 8) +
				   (uint64_t)i * SEGMENT_SIZE,
			   readable, segment, SEGMENT_SIZE);
}

static uint64_t round_up(uint64_t size, uint64_t alignment)
{
	return (size + alignment - 1) & ~(alignment - 1);
}

/* Whether a note is a build-id; name_size is of its owner, which stands behind it. */
static bool is_build_id(uintptr_t at, const uint8_t *note, uint64_t name_size,
			elfnote_readable *readable)
{
	uint8_t owner[4];

	return number_at(note + NOTE_TYPE, 4) == NOTE_BUILD_ID && name_size == sizeof(owner) &&
	       read_memory(at + NOTE_SIZE, readable, owner, sizeof(owner)) &&
	       number_at(owner, sizeof(owner)) == OWNER;
}

/* Looks through the notes of a segment. */
static bool find_in_notes(uintptr_t at, uint64_t size, uint64_t alignment,
			  elfnote_readable *readable, struct build_id *id)
{
	while (size > NOTE_SIZE) {
		uint64_t name_size, value, value_size, whole;
		uint8_t note[NOTE_SIZE];

		if (!read_memory(at, readable, note, NOTE_SIZE))
			return false;
		name_size = number_at(note + NOTE_NAME_SIZE, 4);
		value_size = number_at(note + NOTE_VALUE_SIZE, 4);
		value = round_up(NOTE_SIZE + name_size, alignment);
		whole = round_up(value + value_size, alignment);
		if (whole > size)
			return false;
		if (is_build_id(at, note, name_size, readable)) {
			if (value_size == 0 || value_size > BUILD_ID_MAX ||
			    !read_memory(at + value, readable, id->bytes, value_size))
				return false;
			id->size = (uint8_t)value_size;
			return true;
		}
		at += whole;
		size -= whole;
	}
	return false;
}

/* How far from where it was linked to is the file: its beginning is in one of its segments. */
static bool find_bias(uintptr_t header, const uint8_t *elf, elfnote_readable *readable,
		      uint64_t *bias)
{
	uint64_t n = number_at(elf + HEADER_N_SEGMENTS, 2);
	uint8_t segment[SEGMENT_SIZE];

	for (unsigned i = 0; i < n; i++) {
		if (!read_segment(header, elf, i, readable, segment))
			return false;
		if (number_at(segment + SEGMENT_TYPE, 4) == SEGMENT_LOAD &&
		    number_at(segment + SEGMENT_OFFSET, 8) == 0) {
			*bias = header - number_at(segment + SEGMENT_ADDRESS, 8);
			return true;
		}
	}
	return false;
}

static bool is_known_elf(const uint8_t *elf)
{
	return number_at(elf, 4) == MAGIC && elf[HEADER_CLASS] == CLASS_64 &&
	       elf[HEADER_DATA] == DATA_LITTLE &&
	       number_at(elf + HEADER_SEGMENT_SIZE, 2) == SEGMENT_SIZE &&
	       number_at(elf + HEADER_N_SEGMENTS, 2) <= MAX_SEGMENTS;
}

void elfnote_find(uintptr_t header, elfnote_readable *readable, struct build_id *id)
{
	uint8_t elf[HEADER_SIZE], segment[SEGMENT_SIZE];
	uint64_t bias;

	id->size = 0;
	if (!read_memory(header, readable, elf, sizeof(elf)) || !is_known_elf(elf) ||
	    !find_bias(header, elf, readable, &bias))
		return;
	for (unsigned i = 0; i < number_at(elf + HEADER_N_SEGMENTS, 2); i++) {
		uint64_t size, alignment;

		if (!read_segment(header, elf, i, readable, segment))
			return;
		size = number_at(segment + SEGMENT_FILE_SIZE, 8);
		alignment = number_at(segment + SEGMENT_ALIGNMENT, 8) == 8 ? 8 : 4;
		if (number_at(segment + SEGMENT_TYPE, 4) == SEGMENT_NOTE && size <= MAX_NOTES &&
		    find_in_notes(bias + number_at(segment + SEGMENT_ADDRESS, 8), size, alignment,
				  readable, id))
			return;
	}
}
