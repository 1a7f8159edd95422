/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table consists of 64-bit numbers, in groups: the size of each structure, and where its members
 * are. 3.14 has inserted some into the table of 3.13.
 */
#include "tool/frames/layout.h"

#include <stdbool.h>

enum {
	WORD = sizeof(uint64_t),
	HALF = sizeof(uint32_t),
	COOKIE = 0,  /* words at the beginning of the table: "xdebugpy", */
	VERSION = 1, /* PY_VERSION_HEX, */
	UNLOCKED = 2,
	VERSION_SHIFT = 16,
	LEVEL_MASK = 0xf0,
	LEVEL_CANDIDATE = 0xc0, /* before release candidates a layout may change */
	MAX_SIZE = 1 << 24,     /* bytes of a structure */
};

const struct python_layout layout_3_11 = {
	.runtime_thread = 576,
	.thread_record = 56,
	.thread_calls = 32,
	.thread_headroom = 40,
	.thread_size = 64,
	.record_current = 8,
	.frame_code = 32,
	.frame_previous = 48,
	.frame_owner = 69,
	.frame_size = 72,
	.object_type = 8,
	.code_flags = 48,
	.code_first_line = 72,
	.code_file = 112,
	.code_name = 128,
	.code_size = 184,
	.text_length = 16,
	.text_hash = 24,
	.text_state = 32,
	.text_ascii_chars = 48,
	.text_chars = 72,
};

const struct python_layout layout_3_12 = {
	.runtime_interpreters = 40,
	.interpreter_next = 0,
	.interpreter_threads = 72,
	.thread_next = 8,
	.thread_id = 136,
	.thread_record = 56,
	.thread_calls = 28,
	.thread_c_calls = 36,
	.last_c_call = 1,
	.thread_headroom = 40,
	.thread_size = 144,
	.record_current = 0,
	.frame_code = 0,
	.frame_previous = 8,
	.frame_owner = 70,
	.frame_size = 72,
	.object_type = 8,
	.code_flags = 48,
	.code_first_line = 68,
	.code_file = 112,
	.code_name = 128,
	.code_size = 192,
	.text_length = 16,
	.text_hash = 24,
	.text_state = 32,
	.text_ascii_chars = 40,
	.text_chars = 56,
};

/* Words of the table where groups begin, with the size of their structures. */
struct table_groups {
	uint32_t version;
	uint8_t runtime, interpreter, thread, frame, code, object, text;
	/* Bytes before the running frame, in a thread. */
	uint8_t calls, c_calls, headroom;
};

static const struct table_groups known_tables[] = {
	{ 3 << 8 | 13, 3, 6, 19, 28, 34, 44, 67, 28, 20, 16 },
	{ 3 << 8 | 14, 3, 6, 22, 31, 39, 50, 77, 24, 0, 16 },
};

/* Members of groups; number 0 is always the size. */
enum {
	RUNTIME_INTERPRETERS = 2,
	INTERPRETER_NEXT = 2,
	INTERPRETER_THREADS = 3,
	THREAD_NEXT = 2,
	THREAD_FRAME = 4,
	THREAD_ID = 5,
	FRAME_PREVIOUS = 1,
	FRAME_CODE = 2,
	FRAME_VARIABLES = 4,
	FRAME_OWNER = 5,
	CODE_FILE = 1,
	CODE_NAME = 3,
	CODE_FIRST_LINE = 5,
	CODE_ARGUMENTS = 6, /* int: how many, after the flags */
	CODE_INSTRUCTIONS = 9,
	OBJECT_TYPE = 1,
	TEXT_STATE = 1,
	TEXT_LENGTH = 2,
	TEXT_ASCII_SIZE = 3,
};

struct table_reader {
	const uint8_t *table;
	bool failed;
};

static uint64_t word_of(const uint8_t *table, unsigned i)
{
	uint64_t word = 0;

	for (unsigned byte = WORD; byte-- > 0;)
		word = word << 8 | table[i * WORD + byte];
	return word;
}

/* Offset of a size-byte member; it must be within the structure. */
static uint32_t place_of(struct table_reader *reader, unsigned group, unsigned member,
			 uint32_t size)
{
	const uint64_t room = word_of(reader->table, group);
	const uint64_t place = word_of(reader->table, group + member);

	if (room <= MAX_SIZE && place <= room && size <= room - place && place % size == 0)
		return (uint32_t)place;
	reader->failed = true;
	return 0;
}

/* The offset of something distance bytes before a place. */
static uint32_t before(struct table_reader *reader, uint32_t place, uint32_t distance)
{
	if (place >= distance)
		return place - distance;
	reader->failed = true;
	return 0;
}

static void read_threads(struct table_reader *reader, const struct table_groups *groups,
			 struct python_layout *layout)
{
	const uint32_t frame = place_of(reader, groups->thread, THREAD_FRAME, WORD);

	layout->runtime_interpreters =
		place_of(reader, groups->runtime, RUNTIME_INTERPRETERS, WORD);
	layout->interpreter_next = place_of(reader, groups->interpreter, INTERPRETER_NEXT, WORD);
	layout->interpreter_threads =
		place_of(reader, groups->interpreter, INTERPRETER_THREADS, WORD);
	layout->thread_next = place_of(reader, groups->thread, THREAD_NEXT, WORD);
	layout->thread_id = place_of(reader, groups->thread, THREAD_ID, WORD);
	layout->thread_calls = before(reader, frame, groups->calls);
	if (groups->c_calls != 0)
		layout->thread_c_calls = before(reader, frame, groups->c_calls);
	layout->thread_headroom = before(reader, frame, groups->headroom);
	layout->thread_size = (uint32_t)word_of(reader->table, groups->thread);
	layout->record_current = frame;
}

static void read_frames(struct table_reader *reader, const struct table_groups *groups,
			struct python_layout *layout)
{
	layout->frame_code = place_of(reader, groups->frame, FRAME_CODE, WORD);
	layout->frame_previous = place_of(reader, groups->frame, FRAME_PREVIOUS, WORD);
	layout->frame_owner = place_of(reader, groups->frame, FRAME_OWNER, 1);
	layout->frame_size = place_of(reader, groups->frame, FRAME_VARIABLES, WORD);
	if (layout->frame_owner >= layout->frame_size || layout->frame_code >= layout->frame_size ||
	    layout->frame_previous >= layout->frame_size)
		reader->failed = true;
}

static void read_code(struct table_reader *reader, const struct table_groups *groups,
		      struct python_layout *layout)
{
	layout->object_type = place_of(reader, groups->object, OBJECT_TYPE, WORD);
	layout->code_flags =
		before(reader, place_of(reader, groups->code, CODE_ARGUMENTS, HALF), HALF);
	layout->code_first_line = place_of(reader, groups->code, CODE_FIRST_LINE, HALF);
	layout->code_file = place_of(reader, groups->code, CODE_FILE, WORD);
	layout->code_name = place_of(reader, groups->code, CODE_NAME, WORD);
	layout->code_size = place_of(reader, groups->code, CODE_INSTRUCTIONS, WORD);
	if (layout->code_file >= layout->code_size || layout->code_name >= layout->code_size ||
	    layout->code_first_line >= layout->code_size ||
	    layout->code_flags >= layout->code_size || layout->object_type >= layout->code_size)
		reader->failed = true;
}

static void read_texts(struct table_reader *reader, const struct table_groups *groups,
		       struct python_layout *layout)
{
	/* Texts that are not ASCII have the length in UTF-8 after these, and a pointer to that. */
	layout->text_ascii_chars = place_of(reader, groups->text, TEXT_ASCII_SIZE, WORD);
	layout->text_chars = layout->text_ascii_chars + 2 * WORD;
	layout->text_length = place_of(reader, groups->text, TEXT_LENGTH, WORD);
	layout->text_hash = layout->text_length + WORD;
	layout->text_state = place_of(reader, groups->text, TEXT_STATE, HALF);
	if (layout->text_state >= layout->text_ascii_chars ||
	    layout->text_hash >= layout->text_ascii_chars)
		reader->failed = true;
}

enum layout_table layout_read_table(const uint8_t table[LAYOUT_TABLE_SIZE], uint32_t version,
				    struct python_layout *layout)
{
	const uint64_t cookie = 0x7970677562656478; /* "xdebugpy", the lowest byte first */
	struct table_reader reader = { .table = table };
	const struct table_groups *groups = NULL;
	struct python_layout read = { 0 };

	for (size_t i = 0; i < sizeof(known_tables) / sizeof(known_tables[0]); i++)
		if (known_tables[i].version == version)
			groups = &known_tables[i];
	if (groups == NULL || word_of(table, COOKIE) != cookie ||
	    word_of(table, VERSION) >> VERSION_SHIFT != version ||
	    (word_of(table, VERSION) & LEVEL_MASK) < LEVEL_CANDIDATE)
		return LAYOUT_TABLE_UNKNOWN;
	if (word_of(table, UNLOCKED) != 0)
		return LAYOUT_TABLE_UNLOCKED;
	read_threads(&reader, groups, &read);
	read_frames(&reader, groups, &read);
	read_code(&reader, groups, &read);
	read_texts(&reader, groups, &read);
	if (reader.failed)
		return LAYOUT_TABLE_UNKNOWN;
	*layout = read;
	return LAYOUT_TABLE_READ;
}
