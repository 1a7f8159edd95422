/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/jitdump.h"

#include "tool/elf/littleendian.h"

enum {
	MAGIC = 0x4a695444, /* J i T D */
	MACHINE_X86_64 = 62,
	VERSION = 1,
};

/* Where numbers are. */
enum {
	HEADER_MAGIC = 0,   /* 4 bytes */
	HEADER_VERSION = 4, /* 4 */
	HEADER_SIZE = 8,    /* 4: of the header */
	HEADER_MACHINE = 12,
	PREFIX_KIND = 0,   /* 4 */
	PREFIX_SIZE = 4,   /* 4 */
	LOAD_ADDRESS = 32, /* 8, likewise all below; behind pid, tid and another address */
	LOAD_SIZE = 40,
	LOAD_NAME = 56, /* behind a number */
	MOVE_FROM = 32,
	MOVE_TO = 40,
	MOVE_SIZE = 48,
	MOVE_END = 64, /* behind a number */
	LINES_ADDRESS = 16,
	LINES_N = 24,
	LINES_ENTRIES = 32,
	ENTRY_ADDRESS = 0,
	ENTRY_LINE = 8,  /* 4 */
	ENTRY_NAME = 16, /* behind a discriminator */
};

bool jitdump_read_header(const uint8_t *bytes, uint32_t *size)
{
	/* cppcheck-suppress ctuPointerArith ; it takes the caller's array for an empty one */
	*size = read_32(bytes + HEADER_SIZE);
	return read_32(bytes + HEADER_MAGIC) == MAGIC &&
	       read_32(bytes + HEADER_VERSION) == VERSION &&
	       read_32(bytes + HEADER_MACHINE) == MACHINE_X86_64 && *size >= JITDUMP_HEADER_SIZE;
}

bool jitdump_read_prefix(const uint8_t *bytes, uint32_t *kind, uint32_t *size)
{
	/* cppcheck-suppress ctuPointerArith ; likewise */
	*kind = read_32(bytes + PREFIX_KIND);
	*size = read_32(bytes + PREFIX_SIZE);
	return *size >= JITDUMP_PREFIX_SIZE;
}

/* Bytes up to the NUL; len if there is none. */
static size_t text_length(const uint8_t *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] != '\0')
		n++;
	return n;
}

static bool is_range(uint64_t address, uint64_t size)
{
	return size > 0 && address + (size - 1) >= address;
}

bool jitdump_read_load(const uint8_t *record, size_t len, struct jitdump_code *code)
{
	if (len <= LOAD_NAME)
		return false;
	*code = (struct jitdump_code){
		.address = read_64(record + LOAD_ADDRESS),
		.size = read_64(record + LOAD_SIZE),
		.name = (const char *)record + LOAD_NAME,
		.name_len = text_length(record + LOAD_NAME, len - LOAD_NAME),
	};
	return code->name_len > 0 && is_range(code->address, code->size);
}

bool jitdump_read_move(const uint8_t *record, size_t len, struct jitdump_code *code)
{
	if (len < MOVE_END)
		return false;
	*code = (struct jitdump_code){
		.address = read_64(record + MOVE_TO),
		.size = read_64(record + MOVE_SIZE),
		.from = read_64(record + MOVE_FROM),
	};
	return is_range(code->address, code->size) && is_range(code->from, code->size);
}

bool jitdump_begin_lines(const uint8_t *record, size_t len, struct jitdump_lines *lines)
{
	if (len < LINES_ENTRIES)
		return false;
	*lines = (struct jitdump_lines){
		.address = read_64(record + LINES_ADDRESS),
		.at = record + LINES_ENTRIES,
		.end = record + len,
		.n_left = read_64(record + LINES_N),
	};
	return true;
}

bool jitdump_next_line(struct jitdump_lines *lines, struct jitdump_line *line)
{
	const uint8_t *name = lines->at + ENTRY_NAME;
	size_t room;

	if (lines->n_left == 0 || lines->end - lines->at <= ENTRY_NAME)
		return false;
	room = (size_t)(lines->end - name);
	/* The byte 255 by itself: of the same file as the one before. */
	if (room < 2 || name[0] != 0xff || name[1] != '\0') {
		lines->file = (const char *)name;
		lines->file_len = text_length(name, room);
	}
	*line = (struct jitdump_line){
		.address = read_64(lines->at + ENTRY_ADDRESS),
		.line = read_32(lines->at + ENTRY_LINE),
		.file = lines->file,
		.file_len = lines->file_len,
	};
	room = text_length(name, room);
	if (name + room == lines->end)
		return false; /* it has no end */
	lines->at = name + room + 1;
	lines->n_left--;
	return true;
}
