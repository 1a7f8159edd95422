/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/elf/dwarfunit: units and line-number programs that are written down here, whole, cut at each byte, and with wrong numbers. */
#include "tool/elf/dwarfunit.h"

#include <stdlib.h>

#include "tests/common/check.h"

/* A program of DWARF 4: lines step by 14 from -5, opcodes from 13 on are special. */
static const uint8_t old_unit[] =
	"\x45\0\0\0"               /* 69 bytes */
	"\4\0"                     /* version */
	"\x26\0\0\0"               /* 38 bytes up to the program */
	"\1\1\1\xfb\xe\xd"         /* step, operations, is_stmt, base, range, first special */
	"\0\1\1\1\1\0\0\0\1\0\0\1" /* operands */
	"dir\0\0"                  /* directories */
	"a.c\0\0\0\0"              /* file 1, in none */
	"b.h\0\1\0"
	"\x7f\0"                    /* file 2, in directory 1, of 127 bytes */
	"\0\x9\2\0\x10\0\0\0\0\0\0" /* set address 0x1000 */
	"\x1a"                      /* special 13: address 0, line 8 */
	"\4\2"                      /* file 2 */
	"\3\x7e"                    /* line - 2 */
	"\2\x80\1"                  /* address + 128 */
	"\1"                        /* copy */
	"\x8"                       /* as special 255: address + 17 */
	"\x21"                      /* special 20: address + 1, line + 1 */
	"\0\1\1";                   /* end */

static const struct line_row old_rows[] = {
	{ 0x1000, 9, 1, false },
	{ 0x1080, 7, 2, false },
	{ 0x1092, 8, 2, false },
	{ 0x1092, 8, 2, true },
};

struct names {
	unsigned n_directories, n_files;
	char last_directory[8], last_file[8];
	uint64_t last_number;
};

static bool note_directory(void *ctx, const char *path, size_t len)
{
	struct names *names = ctx;

	if (CHECK(len < sizeof(names->last_directory))) {
		memcpy(names->last_directory, path, len);
		names->last_directory[len] = '\0';
	}
	names->n_directories++;
	return true;
}

static bool note_file(void *ctx, uint64_t directory, const char *name, size_t len)
{
	struct names *names = ctx;

	if (CHECK(len < sizeof(names->last_file))) {
		memcpy(names->last_file, name, len);
		names->last_file[len] = '\0';
	}
	names->last_number = directory;
	names->n_files++;
	return true;
}

static bool read_names(const struct line_unit *unit, struct names *names)
{
	const struct line_file_visitor visitor = { names, note_directory, note_file };

	memset(names, 0, sizeof(*names));
	return lineprogram_files(unit, &visitor);
}

static void check_row(const struct line_row *got, const struct line_row *want)
{
	CHECK_EQ_U64(got->address, want->address);
	CHECK_EQ_U64(got->line, want->line);
	CHECK_EQ_U64(got->file, want->file);
	CHECK(got->is_end == want->is_end);
}

static void check_old_unit(const struct line_unit *unit)
{
	struct line_state machine = lineprogram_begin(unit);
	struct names names = { .n_files = 0 };
	struct line_row row;

	CHECK_EQ_U64(unit->version, 4);
	for (size_t i = 0; i < sizeof(old_rows) / sizeof(old_rows[0]); i++)
		if (CHECK(lineprogram_next_row(&machine, &row)))
			check_row(&row, &old_rows[i]);
	CHECK(!lineprogram_next_row(&machine, &row));
	CHECK(read_names(unit, &names));
	CHECK_EQ_U64(names.n_directories, 2);
	CHECK_EQ_U64(names.n_files, 3);
	CHECK_STR(names.last_directory, "dir");
	CHECK_STR(names.last_file, "b.h");
	CHECK_EQ_U64(names.last_number, 1);
}

TEST(old)
{
	/* Twice, with a unit of an unknown version in between. */
	static const uint8_t unknown[6] = { 2, 0, 0, 0, 99, 0 };
	uint8_t bytes[2 * sizeof(old_unit) + 8];
	const size_t size = sizeof(old_unit) - 1;
	const struct debug_sections sections = { .lines = { bytes, 2 * size + 6 } };
	struct line_unit unit;
	uint64_t at = 0;

	memcpy(bytes, old_unit, size);
	memcpy(bytes + size, unknown, sizeof(unknown));
	memcpy(bytes + size + 6, old_unit, size);
	if (!CHECK(lineprogram_next_unit(&sections, &at, &unit)))
		return;
	CHECK_EQ_U64(unit.offset, 0);
	check_old_unit(&unit);
	CHECK_EQ_U64(at, size);
	if (!CHECK(lineprogram_next_unit(&sections, &at, &unit)))
		return;
	CHECK_EQ_U64(unit.offset, size + 6);
	check_old_unit(&unit);
	CHECK(!lineprogram_next_unit(&sections, &at, &unit));
}

/* Of DWARF 5 in 64 bits: names are elsewhere, and files have checksums. */
static const uint8_t new_unit[] = "\xff\xff\xff\xff\x57\0\0\0\0\0\0\0" /* 87 bytes */
				  "\5\0\x8\0"          /* version, addresses, segments */
				  "\x46\0\0\0\0\0\0\0" /* 70 bytes */
				  "\1\1\1\xfb\xe\xa"   /* no more than 9 standard opcodes */
				  "\0\1\1\1\1\0\0\0\1"
				  "\1\1\x1f\1" /* directories: a path of .debug_line_str */
				  "\0\0\0\0\0\0\0\0"
				  "\3\1\xe\2\xb\5\x1e\2" /* files: of .debug_str, data1, MD5 */
				  "\2\0\0\0\0\0\0\0\0"
				  "0123456789abcdef"
				  "\xff\xff\0\0\0\0\0\0\7"
				  "\x12" /* special 8: line + 3 */
				  "\0\1\1";

TEST(new)
{
	/* It is shorter than it says: the last file has no checksum. */
	static const char strings[] = "x\0name", line_strings[] = "/dir";
	uint8_t bytes[sizeof(new_unit) + 16];
	const size_t head = sizeof(new_unit) - 1 - 4;
	struct debug_sections sections = {
		.lines = { bytes, sizeof(new_unit) - 1 + 16 },
		.strings = { (const uint8_t *)strings, sizeof(strings) },
		.line_strings = { (const uint8_t *)line_strings, sizeof(line_strings) },
	};
	const struct line_row want = { 0, 4, 1, false };
	struct line_state machine;
	struct line_unit unit;
	struct line_row row;
	struct names names = { .n_files = 0 };
	uint64_t at = 0;

	memcpy(bytes, new_unit, head);
	memset(bytes + head, 0, 16);
	memcpy(bytes + head + 16, new_unit + head, 4);
	bytes[4] = (uint8_t)(sections.lines.len - 12);
	bytes[16] = (uint8_t)(sections.lines.len - 24 - 4);
	if (!CHECK(lineprogram_next_unit(&sections, &at, &unit)))
		return;
	CHECK_EQ_U64(unit.offset_size, 8);
	CHECK(read_names(&unit, &names));
	CHECK_EQ_U64(names.n_directories, 1);
	CHECK_EQ_U64(names.n_files, 2);
	CHECK_STR(names.last_directory, "/dir");
	CHECK_STR(names.last_file, ""); /* its offset is past the end */
	CHECK_EQ_U64(names.last_number, 7);
	machine = lineprogram_begin(&unit);
	if (CHECK(lineprogram_next_row(&machine, &row)))
		check_row(&row, &want);
	CHECK(lineprogram_next_row(&machine, &row) && row.is_end);
	sections.line_strings.len--; /* the text has no end */
	CHECK(read_names(&unit, &names));
	CHECK_STR(names.last_directory, "");
}

/* Rows of the first len bytes, which are in memory of just that size. */
static unsigned count_rows(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len == 0 ? 1 : len);
	const struct debug_sections sections = { .lines = { copy, len }, .strings = { copy, len } };
	struct line_unit unit;
	uint64_t at = 0;
	unsigned n = 0;

	if (copy == NULL)
		abort();
	memcpy(copy, bytes, len);
	while (lineprogram_next_unit(&sections, &at, &unit)) {
		struct line_state machine = lineprogram_begin(&unit);
		struct names names = { .n_files = 0 };
		struct line_row row;

		read_names(&unit, &names);
		while (lineprogram_next_row(&machine, &row))
			n++;
	}
	free(copy);
	return n;
}

TEST(cut)
{
	uint8_t bytes[sizeof(old_unit)];
	unsigned last = 0;

	for (size_t len = 0; len < sizeof(old_unit) - 1; len++)
		CHECK_EQ_U64(count_rows(old_unit, len), 0);
	CHECK_EQ_U64(count_rows(old_unit, sizeof(old_unit) - 1), 4);
	/* A unit that is shorter has fewer rows, and is read all the same. */
	memcpy(bytes, old_unit, sizeof(bytes));
	for (size_t len = 10 + 38; len <= sizeof(old_unit) - 1; len++) {
		bytes[0] = (uint8_t)(len - 4);
		CHECK(count_rows(bytes, len) >= last);
		last = count_rows(bytes, len);
	}
	CHECK_EQ_U64(last, 4);
}

TEST(forged)
{
	uint8_t bytes[sizeof(old_unit)];

	for (size_t i = 0; i < sizeof(bytes) - 1; i++)
		for (unsigned value = 0; value < 256; value++) {
			memcpy(bytes, old_unit, sizeof(bytes));
			bytes[i] = (uint8_t)value;
			CHECK(count_rows(bytes, sizeof(bytes) - 1) <= 64);
		}
	/* Lines cannot step by nothing; instructions hold one operation; addresses are of 64 bits. */
	memcpy(bytes, old_unit, sizeof(bytes));
	bytes[14] = 0;
	CHECK_EQ_U64(count_rows(bytes, sizeof(bytes) - 1), 0);
	memcpy(bytes, old_unit, sizeof(bytes));
	bytes[11] = 2;
	CHECK_EQ_U64(count_rows(bytes, sizeof(bytes) - 1), 0);
}

/* A unit of .debug_info, of DWARF 4: its name, its lines, and the directory, after another abbreviation. */
static const uint8_t info[] = "\x11\0\0\0"
			      "\4\0"
			      "\0\0\0\0"
			      "\x8"
			      "\2"
			      "n\0"
			      "\x44\0\0\0"
			      "/w";
static const uint8_t abbreviations[] = "\1\x24\0\3\x8\x21\x21\x7f\0\0"
				       "\2\x11\1\3\x8\x10\x17\x1b\x8\0\0";

TEST(compilations)
{
	uint8_t copy[sizeof(abbreviations)];
	struct debug_sections sections = {
		.info = { info, sizeof(info) },
		.abbreviations = { abbreviations, sizeof(abbreviations) },
	};
	struct dwarf_root compilation;
	uint64_t at = 0;

	if (!CHECK(dwarfunit_next_root(&sections, &at, &compilation)))
		return;
	CHECK_EQ_U64(compilation.lines, 0x44);
	CHECK(compilation.directory.len == 2 && memcmp(compilation.directory.chars, "/w", 2) == 0);
	CHECK(!dwarfunit_next_root(&sections, &at, &compilation));
	for (size_t len = 0; len < sizeof(abbreviations) - 3; len++) {
		sections.abbreviations.len = len;
		at = 0;
		CHECK(!dwarfunit_next_root(&sections, &at, &compilation));
	}
	/* A form that is not known. */
	memcpy(copy, abbreviations, sizeof(copy));
	copy[16] = 0x7e;
	sections.abbreviations = (struct debug_bytes){ copy, sizeof(copy) };
	at = 0;
	CHECK(!dwarfunit_next_root(&sections, &at, &compilation));
	sections.abbreviations = (struct debug_bytes){ abbreviations, sizeof(abbreviations) };
	for (size_t len = 0; len < sizeof(info); len++) {
		sections.info.len = len;
		at = 0;
		CHECK(!dwarfunit_next_root(&sections, &at, &compilation));
	}
}

/* Numbers of any length. */
TEST(numbers)
{
	struct debug_cursor cursor = cursor_of(
		(struct debug_bytes){ (const uint8_t *)"\xe5\x8e\x26\x7f\x80\x7f"
						       "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
						       "\x80",
				      17 });

	CHECK_EQ_U64(cursor_unsigned(&cursor), 624485);
	CHECK_EQ_U64(cursor_signed(&cursor), (uint64_t)-1);
	CHECK_EQ_U64(cursor_signed(&cursor), (uint64_t)-128);
	CHECK_EQ_U64(cursor_unsigned(&cursor), UINT64_MAX);
	CHECK(!cursor.failed);
	cursor_unsigned(&cursor);
	CHECK(cursor.failed && cursor_number(&cursor, 1) == 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(old),    CHECK_TEST(new),          CHECK_TEST(cut),
		CHECK_TEST(forged), CHECK_TEST(compilations), CHECK_TEST(numbers),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
