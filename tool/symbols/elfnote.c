/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/symbols/elfnote.h"

enum {
	OWNER = 0x00554e47, /* G N U NUL */
	NOTE_BUILD_ID = 3,
	MAX_NOTES = 1 << 16, /* bytes of a segment */
};

/* Sizes of what is read, and where in it numbers are. */
enum {
	NOTE_SIZE = 12,
	NOTE_NAME_SIZE = 0,  /* 4 */
	NOTE_VALUE_SIZE = 4, /* 4 */
	NOTE_TYPE = 8,       /* 4 */
};

static uint64_t round_up(uint64_t size, uint64_t alignment)
{
	return (size + alignment - 1) & ~(alignment - 1);
}

/* Whether a note is a build-id; name_size is of its owner, which stands behind it. */
static bool is_build_id(uintptr_t at, const uint8_t *note, uint64_t name_size,
			elfimage_readable *readable)
{
	uint8_t owner[4];

	return elfimage_number(note + NOTE_TYPE, 4) == NOTE_BUILD_ID &&
	       name_size == sizeof(owner) &&
	       elfimage_read(readable, at + NOTE_SIZE, owner, sizeof(owner)) &&
	       elfimage_number(owner, sizeof(owner)) == OWNER;
}

/* Looks through the notes of a segment. */
static bool find_in_notes(uintptr_t at, uint64_t size, uint64_t alignment,
			  elfimage_readable *readable, struct build_id *id)
{
	while (size > NOTE_SIZE) {
		uint64_t name_size, value, value_size, whole;
		uint8_t note[NOTE_SIZE];

		if (!elfimage_read(readable, at, note, NOTE_SIZE))
			return false;
		name_size = elfimage_number(note + NOTE_NAME_SIZE, 4);
		value_size = elfimage_number(note + NOTE_VALUE_SIZE, 4);
		value = round_up(NOTE_SIZE + name_size, alignment);
		whole = round_up(value + value_size, alignment);
		if (whole > size)
			return false;
		if (is_build_id(at, note, name_size, readable)) {
			if (value_size == 0 || value_size > BUILD_ID_MAX ||
			    !elfimage_read(readable, at + value, id->bytes, value_size))
				return false;
			id->size = (uint8_t)value_size;
			return true;
		}
		at += whole;
		size -= whole;
	}
	return false;
}

void elfnote_find(uintptr_t header, elfimage_readable *readable, struct build_id *id)
{
	struct elf_image image;

	id->size = 0;
	if (!elfimage_open(&image, header, readable))
		return;
	for (unsigned i = 0; i < image.n_segments; i++) {
		struct elf_segment segment;

		if (!elfimage_segment(&image, i, &segment))
			return;
		if (segment.type == ELF_SEGMENT_NOTE && segment.file_size <= MAX_NOTES &&
		    find_in_notes(segment.address, segment.file_size,
				  segment.alignment == 8 ? 8 : 4, readable, id))
			return;
	}
}
