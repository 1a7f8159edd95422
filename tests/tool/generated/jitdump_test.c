/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/generated/jitdump: records, whole and cut at each byte. */
#include "tool/generated/jitdump.h"

#include "tests/common/check.h"

struct record {
	uint8_t bytes[512];
	size_t len;
};

static void put(struct record *record, uint64_t number, size_t size)
{
	memcpy(record->bytes + record->len, &number, size);
	record->len += size;
}

static void put_text(struct record *record, const char *text)
{
	memcpy(record->bytes + record->len, text, strlen(text) + 1);
	record->len += strlen(text) + 1;
}

static struct record begin(uint32_t kind)
{
	struct record record = { .len = 0 };

	put(&record, kind, 4);
	put(&record, 0, 4);
	put(&record, 99, 8);
	return record;
}

TEST(header)
{
	uint8_t bytes[JITDUMP_HEADER_SIZE] = "DTiJ\1\0\0\0\x30\0\0\0\x3e";
	uint32_t size;

	CHECK(jitdump_read_header(bytes, &size) && size == 0x30);
	bytes[8] = 39;
	CHECK(!jitdump_read_header(bytes, &size));
	bytes[8] = 40;
	CHECK(jitdump_read_header(bytes, &size));
	bytes[12] = 183; /* of another processor */
	CHECK(!jitdump_read_header(bytes, &size));
	bytes[0] = 'J'; /* of the other byte order */
	bytes[1] = 'i';
	bytes[2] = 'T';
	bytes[3] = 'D';
	bytes[12] = 62;
	CHECK(!jitdump_read_header(bytes, &size));
}

TEST(prefix)
{
	uint8_t bytes[JITDUMP_PREFIX_SIZE] = { 2, 0, 0, 0, 16 };
	uint32_t kind, size;

	CHECK(jitdump_read_prefix(bytes, &kind, &size) && kind == JITDUMP_LINES && size == 16);
	bytes[4] = 15;
	CHECK(!jitdump_read_prefix(bytes, &kind, &size));
}

static struct record make_load(uint64_t address, uint64_t size, const char *name)
{
	struct record record = begin(JITDUMP_LOAD);

	put(&record, 1, 4);
	put(&record, 2, 4);
	put(&record, 3, 8);
	put(&record, address, 8);
	put(&record, size, 8);
	put(&record, 4, 8);
	put_text(&record, name);
	return record;
}

TEST(load)
{
	struct record record = make_load(0x1000, 0x20, "name");
	struct jitdump_code code;

	CHECK(jitdump_read_load(record.bytes, record.len, &code));
	CHECK_EQ_U64(code.address, 0x1000);
	CHECK_EQ_U64(code.size, 0x20);
	CHECK(code.name_len == 4 && memcmp(code.name, "name", 4) == 0);
	CHECK(jitdump_read_load(record.bytes, record.len - 2, &code) && code.name_len == 3);
	for (size_t len = 0; len <= 56; len++)
		CHECK(!jitdump_read_load(record.bytes, len, &code));
	record = make_load(UINT64_MAX, 1, "f");
	CHECK(jitdump_read_load(record.bytes, record.len, &code));
	record = make_load(UINT64_MAX, 2, "f");
	CHECK(!jitdump_read_load(record.bytes, record.len, &code));
	record = make_load(1, 0, "f");
	CHECK(!jitdump_read_load(record.bytes, record.len, &code));
	record = make_load(1, 1, "");
	CHECK(!jitdump_read_load(record.bytes, record.len, &code));
}

TEST(move)
{
	struct record record = begin(JITDUMP_MOVE);
	struct jitdump_code code;

	put(&record, 0, 8);
	put(&record, 1, 8);
	put(&record, 0x1000, 8);
	put(&record, 0x2000, 8);
	put(&record, 0x30, 8);
	put(&record, 7, 8);
	CHECK(jitdump_read_move(record.bytes, record.len, &code));
	CHECK_EQ_U64(code.from, 0x1000);
	CHECK_EQ_U64(code.address, 0x2000);
	CHECK_EQ_U64(code.size, 0x30);
	for (size_t len = 0; len < record.len; len++)
		CHECK(!jitdump_read_move(record.bytes, len, &code));
}

TEST(lines)
{
	static const char *const files[] = { "a.x", "\xff", "bb.x", "" };
	static const char *const names[] = { "a.x", "a.x", "bb.x", "" };
	struct record record = begin(JITDUMP_LINES);
	struct jitdump_lines lines;
	struct jitdump_line line;

	put(&record, 0x1000, 8);
	put(&record, 4, 8);
	for (unsigned i = 0; i < 4; i++) {
		put(&record, 0x1000 + i, 8);
		put(&record, 10 + i, 4);
		put(&record, 0, 4);
		put_text(&record, files[i]);
	}
	CHECK(jitdump_begin_lines(record.bytes, record.len, &lines) && lines.address == 0x1000);
	for (unsigned i = 0; i < 4; i++) {
		if (!CHECK(jitdump_next_line(&lines, &line)))
			return;
		CHECK_EQ_U64(line.address, 0x1000 + i);
		CHECK_EQ_U64(line.line, 10 + i);
		CHECK(line.file_len == strlen(names[i]) &&
		      memcmp(line.file, names[i], line.file_len) == 0);
	}
	CHECK(!jitdump_next_line(&lines, &line));
	/* Fewer than it says. */
	for (size_t len = 0; len < record.len; len++) {
		unsigned n = 0;

		if (!CHECK(jitdump_begin_lines(record.bytes, len, &lines) == (len >= 32)) ||
		    len < 32)
			continue;
		while (jitdump_next_line(&lines, &line))
			n++;
		CHECK(n < 4);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(header), CHECK_TEST(prefix), CHECK_TEST(load),
		CHECK_TEST(move),   CHECK_TEST(lines),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
