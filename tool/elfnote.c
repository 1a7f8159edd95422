/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/elfnote.h"

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

struct elf_header {
	uint32_t magic;
	uint8_t class, data, ident[10];
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, segments, sections;
	uint32_t flags;
	uint16_t size, segment_size, n_segments, section_size, n_sections, names;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, address, physical, file_size, memory_size, alignment;
};

struct elf_note {
	uint32_t name_size, value_size, type;
};

static bool read_memory(uintptr_t address, elfnote_readable *readable, void *to, size_t size)
{
	if (address + size < address || !readable(address, size))
		return false;
	memcpy(to, (const void *)address, size);
	return true;
}

static bool read_segment(uintptr_t header, const struct elf_header *elf, unsigned i,
			 elfnote_readable *readable, struct elf_segment *segment)
{
	return read_memory(header + elf->segments + i * sizeof(*segment), readable, segment,
			   sizeof(*segment));
}

static uint64_t round_up(uint64_t size, uint64_t alignment)
{
	return (size + alignment - 1) & ~(alignment - 1);
}

/* Looks through the notes of a segment. */
static bool find_in_notes(uintptr_t at, uint64_t size, uint64_t alignment,
			  elfnote_readable *readable, struct build_id *id)
{
	while (size > sizeof(struct elf_note)) {
		struct elf_note note;
		uint64_t value, whole;
		uint32_t owner;

		if (!read_memory(at, readable, &note, sizeof(note)))
			return false;
		value = round_up(sizeof(note) + (uint64_t)note.name_size, alignment);
		whole = round_up(value + note.value_size, alignment);
		if (whole > size)
			return false;
		if (note.type == NOTE_BUILD_ID && note.name_size == sizeof(owner) &&
		    read_memory(at + sizeof(note), readable, &owner, sizeof(owner)) &&
		    owner == OWNER) {
			if (note.value_size == 0 || note.value_size > BUILD_ID_MAX ||
			    !read_memory(at + value, readable, id->bytes, note.value_size))
				return false;
			id->size = (uint8_t)note.value_size;
			return true;
		}
		at += whole;
		size -= whole;
	}
	return false;
}

/* How far from where it was linked to is the file: its beginning is in one of its segments. */
static bool find_bias(uintptr_t header, const struct elf_header *elf, elfnote_readable *readable,
		      uint64_t *bias)
{
	struct elf_segment segment;

	for (unsigned i = 0; i < elf->n_segments; i++) {
		if (!read_segment(header, elf, i, readable, &segment))
			return false;
		if (segment.type == SEGMENT_LOAD && segment.offset == 0) {
			*bias = header - segment.address;
			return true;
		}
	}
	return false;
}

static bool is_readable_elf(const struct elf_header *elf)
{
	return elf->magic == MAGIC && elf->class == CLASS_64 && elf->data == DATA_LITTLE &&
	       elf->segment_size == sizeof(struct elf_segment) && elf->n_segments <= MAX_SEGMENTS;
}

void elfnote_find(uintptr_t header, elfnote_readable *readable, struct build_id *id)
{
	struct elf_header elf;
	struct elf_segment segment;
	uint64_t bias;

	id->size = 0;
	if (!read_memory(header, readable, &elf, sizeof(elf)) || !is_readable_elf(&elf) ||
	    !find_bias(header, &elf, readable, &bias))
		return;
	for (unsigned i = 0; i < elf.n_segments; i++) {
		if (!read_segment(header, &elf, i, readable, &segment))
			return;
		if (segment.type == SEGMENT_NOTE && segment.file_size <= MAX_NOTES &&
		    find_in_notes(bias + segment.address, segment.file_size,
				  segment.alignment == 8 ? 8 : 4, readable, id))
			return;
	}
}
