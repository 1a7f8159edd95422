/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/frames/layout: tables of CPython 3.13 and 3.14 as builds of them have these, and tables that are damaged. */
#include "tool/frames/layout.h"

#include <string.h>

#include "tests/common/check.h"

enum {
	N_WORDS = LAYOUT_TABLE_SIZE / 8,
	PYTHON_3_13 = 3 << 8 | 13,
	PYTHON_3_14 = 3 << 8 | 14,
};

#define COOKIE 0x7970677562656478

/* The first words of _PyRuntime: of 3.13.0, */
static const uint64_t table_3_13[N_WORDS] = {
	[0] = COOKIE,
	0x030d00f0,
	0,
	/* runtime, interpreter */
	[3] = 283408,
	608,
	632,
	[6] = 194984,
	7272,
	7264,
	7344,
	7400,
	7656,
	7640,
	7648,
	16,
	7752,
	0,
	7768,
	7760,
	/* thread, frame, code, object */
	[19] = 312,
	0,
	8,
	16,
	72,
	152,
	160,
	232,
	32,
	[28] = 80,
	8,
	0,
	56,
	72,
	70,
	[34] = 208,
	112,
	120,
	128,
	136,
	68,
	52,
	96,
	104,
	200,
	[44] = 16,
	8,
	/* text */
	[67] = 64,
	32,
	16,
	40,
};

/* and of 3.14. */
static const uint64_t table_3_14[N_WORDS] = {
	[0] = COOKIE,
	0x030e0af0,
	0,
	[3] = 316616,
	784,
	808,
	[6] = 225864,
	7280,
	7272,
	7344,
	7360,
	7408,
	7688,
	7672,
	7680,
	16,
	7784,
	0,
	7800,
	7792,
	7992,
	0,
	[22] = 832,
	0,
	8,
	16,
	72,
	152,
	160,
	232,
	32,
	[31] = 88,
	8,
	0,
	56,
	80,
	74,
	64,
	0,
	[39] = 216,
	112,
	120,
	128,
	136,
	68,
	52,
	96,
	104,
	208,
	0,
	[50] = 16,
	8,
	[77] = 64,
	32,
	16,
	40,
};

static enum layout_table read_words(const uint64_t *words, uint32_t version,
				    struct python_layout *layout)
{
	uint8_t table[LAYOUT_TABLE_SIZE];

	memcpy(table, words, sizeof(table));
	return layout_read_table(table, version, layout);
}

static void check_common(const struct python_layout *layout)
{
	CHECK_EQ_U64(layout->runtime_thread, 0);
	CHECK_EQ_U64(layout->thread_next, 8);
	CHECK_EQ_U64(layout->thread_id, 152);
	CHECK_EQ_U64(layout->thread_record, 0);
	CHECK_EQ_U64(layout->record_current, 72);
	CHECK_EQ_U64(layout->thread_headroom, 56);
	CHECK_EQ_U64(layout->frame_code, 0);
	CHECK_EQ_U64(layout->frame_previous, 8);
	CHECK_EQ_U64(layout->object_type, 8);
	CHECK_EQ_U64(layout->code_flags, 48);
	CHECK_EQ_U64(layout->code_first_line, 68);
	CHECK_EQ_U64(layout->code_file, 112);
	CHECK_EQ_U64(layout->code_name, 128);
	CHECK_EQ_U64(layout->text_length, 16);
	CHECK_EQ_U64(layout->text_hash, 24);
	CHECK_EQ_U64(layout->text_state, 32);
	CHECK_EQ_U64(layout->text_ascii_chars, 40);
	CHECK_EQ_U64(layout->text_chars, 56);
}

TEST(tables)
{
	struct python_layout layout;

	CHECK_EQ_U64(read_words(table_3_13, PYTHON_3_13, &layout), LAYOUT_TABLE_READ);
	check_common(&layout);
	CHECK_EQ_U64(layout.runtime_interpreters, 632);
	CHECK_EQ_U64(layout.interpreter_next, 7264);
	CHECK_EQ_U64(layout.interpreter_threads, 7344);
	CHECK_EQ_U64(layout.thread_calls, 44);
	CHECK_EQ_U64(layout.thread_c_calls, 52);
	CHECK_EQ_U64(layout.thread_size, 312);
	CHECK_EQ_U64(layout.frame_owner, 70);
	CHECK_EQ_U64(layout.frame_size, 72);
	CHECK_EQ_U64(layout.code_size, 200);

	CHECK_EQ_U64(read_words(table_3_14, PYTHON_3_14, &layout), LAYOUT_TABLE_READ);
	check_common(&layout);
	CHECK_EQ_U64(layout.runtime_interpreters, 808);
	CHECK_EQ_U64(layout.interpreter_next, 7272);
	CHECK_EQ_U64(layout.interpreter_threads, 7344);
	CHECK_EQ_U64(layout.thread_calls, 48);
	CHECK_EQ_U64(layout.thread_c_calls, 0);
	CHECK_EQ_U64(layout.thread_size, 832);
	CHECK_EQ_U64(layout.frame_owner, 74);
	CHECK_EQ_U64(layout.frame_size, 80);
	CHECK_EQ_U64(layout.code_size, 208);
}

/* What becomes of a table with one word changed; the layout stays if it is refused. */
static enum layout_table changed(const uint64_t *words, uint32_t version, size_t i, uint64_t word)
{
	struct python_layout layout = { .thread_size = 1 };
	uint64_t copy[N_WORDS];
	enum layout_table result;

	memcpy(copy, words, sizeof(copy));
	copy[i] = word;
	result = read_words(copy, version, &layout);
	CHECK_EQ_U64(layout.thread_size == 1, result != LAYOUT_TABLE_READ);
	return result;
}

TEST(what_it_is)
{
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, 0, COOKIE + 1), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, 0, 0), LAYOUT_TABLE_UNKNOWN);
	/* Another version than the interpreter's, an unknown one, and versions before candidates. */
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, 1, 0x030e00f0), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_14, 1, 0x030d00f0), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_13, 3 << 8 | 15, 1, 0x030f00f0), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_14, PYTHON_3_14, 1, 0x030e00a7), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_14, PYTHON_3_14, 1, 0x030e00b4), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_14, PYTHON_3_14, 1, 0x030e00c2), LAYOUT_TABLE_READ);
	CHECK_EQ_U64(changed(table_3_14, PYTHON_3_14, 1, 0xff030e00f0), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, 2, 1), LAYOUT_TABLE_UNLOCKED);
	CHECK_EQ_U64(changed(table_3_14, PYTHON_3_14, 2, 1), LAYOUT_TABLE_UNLOCKED);
}

/* Words of 3.13 that are read: sizes and places. */
static const size_t sizes[] = { 3, 6, 19, 28, 34, 44, 67 };
static const size_t places[] = { 5,  8,  9,  21, 23, 24, 29, 30, 32, 33,
				 35, 37, 39, 40, 43, 45, 68, 69, 70 };

TEST(damaged)
{
	static const uint64_t far[] = { 1 << 20, UINT32_MAX, 1ULL << 32 | 8, UINT64_MAX,
					UINT64_MAX - 7 };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		for (size_t j = 0; j < sizeof(far) / sizeof(far[0]); j++)
			CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, places[i], far[j]),
				     LAYOUT_TABLE_UNKNOWN);
		/* The owner of a frame is a byte, which may be anywhere. */
		if (places[i] != 33)
			CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, places[i],
					     table_3_13[places[i]] + 1),
				     LAYOUT_TABLE_UNKNOWN);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, sizes[i], 0), LAYOUT_TABLE_UNKNOWN);
		CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, sizes[i], UINT64_MAX),
			     LAYOUT_TABLE_UNKNOWN);
	}
	/* What lies before them would lie outside; a frame's owner would be a variable. */
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, 23, 24), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, 40, 0), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, 33, 72), LAYOUT_TABLE_UNKNOWN);
	CHECK_EQ_U64(changed(table_3_13, PYTHON_3_13, 70, 24), LAYOUT_TABLE_UNKNOWN);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(tables),
		CHECK_TEST(what_it_is),
		CHECK_TEST(damaged),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
