/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/generated/jitformats: names, lines of perf maps, and records of jitdump files, whole and cut at each byte. */
#include "tool/generated/jitformats.h"

#include <string.h>

#include "tests/common/check.h"

/* --- names ---------------------------------------------------------------------------------- */

static struct codename parts;

static void check_name(const char *text, const char *function, const char *file, uint32_t line)
{
	codename_split(text, strlen(text), &parts);
	CHECK_STR(parts.function, function);
	CHECK_STR(parts.file, file);
	CHECK(parts.line == line);
}

static void check_plain(const char *text)
{
	check_name(text, text, "", 0);
}

TEST(names_of_python)
{
	check_name("py::f:/a/b.py", "py::f", "/a/b.py", 0);
	check_name("py::A.<locals>.f:/a:b/c d.py", "py::A.<locals>.f", "/a:b/c d.py", 0);
	check_name("py::<module>:<frozen importlib._bootstrap>", "py::<module>",
		   "<frozen importlib._bootstrap>", 0);
	check_plain("py::f");
	check_plain("py::f:");
	check_plain("py:::/a.py");
	check_plain("py::");
}

TEST(names_of_v8)
{
	check_name("JS:~f /a/b.js:3:14", "JS:~f", "/a/b.js", 3);
	check_name("LazyCompile:*f file:///a.js:7", "LazyCompile:*f", "/a.js", 7);
	check_name("JS:^ /a/b.js:1:1", "JS:^(anonymous)", "/a/b.js", 1);
	check_name("JS:+get x /a b/c.js:2:5", "JS:+get x", "/a b/c.js", 2);
	check_name("Function:~g node:internal/util:12:3", "Function:~g", "node:internal/util", 12);
	check_name("Script:~ a.js:1:1", "Script:~(anonymous)", "a.js", 1);
	check_plain("JS:~f");
	check_plain("JS:~f /a/b.js");
	check_plain("JS:~f:1:1");
	check_plain("JS:~ :1:1");
	check_plain("JS:");
	check_plain("JS:1:1");
	check_plain("Builtin:StringAdd");
	check_name("JS:~f /a.js:1234567890:5", "JS:~f", "/a.js:1234567890", 5);
}

TEST(names_of_java)
{
	check_name("Lorg/a/Foo;::bar", "org.a.Foo::bar", "org/a/Foo.java", 0);
	check_name("LFoo$In$2;::<init>", "Foo$In$2::<init>", "Foo.java", 0);
	check_name("La/$x;::f", "a.$x::f", "", 0);
	check_plain("Lorg/a/Foo;:bar");
	check_plain("Lorg/a/Foo;::");
	check_plain("L;::f");
	check_plain("Long name;::f");
	check_plain("int Fib.fib(int)");
}

/* Without a NUL. */
static void copy(char *to, const char *what)
{
	while (*what != '\0')
		*to++ = *what++;
}

TEST(limits_of_names)
{
	static char text[3 * CODENAME_SIZE];

	check_plain("");
	check_name("  \t ", "", "", 0);
	check_name("  f g \n", "f g", "", 0);
	check_name("a\nb\x7f\x01", "a?b?", "", 0); /* control characters at an end are removed */
	check_name("\xc3\xa4", "\xc3\xa4", "", 0);
	memset(text, 'x', sizeof(text));
	codename_split(text, sizeof(text), &parts);
	CHECK(strlen(parts.function) == CODENAME_SIZE - 1);
	copy(text, "py::");
	text[CODENAME_SIZE + 10] = ':';
	codename_split(text, sizeof(text), &parts);
	CHECK(strlen(parts.function) == CODENAME_SIZE - 1 &&
	      strlen(parts.file) == CODENAME_SIZE - 1);
	copy(text, "LL/");
	copy(text + sizeof(text) - 10, ";::f");
	codename_split(text, sizeof(text), &parts);
	CHECK(strlen(parts.function) == CODENAME_SIZE - 1 &&
	      strlen(parts.file) == CODENAME_SIZE - 1);
}

/* --- perf maps ------------------------------------------------------------------------------ */

static void check_entry(const char *line, uint64_t address, uint64_t size, const char *name)
{
	struct perfmap_entry entry;

	if (!CHECK(perfmap_parse(line, strlen(line), &entry)))
		return;
	CHECK_EQ_U64(entry.address, address);
	CHECK_EQ_U64(entry.size, size);
	CHECK_EQ_U64(entry.name_len, strlen(name));
	CHECK(memcmp(entry.name, name, entry.name_len) == 0);
}

static void check_none(const char *line)
{
	struct perfmap_entry entry;

	CHECK(!perfmap_parse(line, strlen(line), &entry));
}

TEST(map_lines)
{
	check_entry("7f00 10 f", 0x7f00, 0x10, "f");
	check_entry("0x7F00 0X10 a b c", 0x7f00, 0x10, "a b c");
	check_entry(" \t1  2\t f \r", 1, 2, "f ");
	check_entry("0 1 x", 0, 1, "x");
	check_entry("ffffffffffffffff 1 last", UINT64_MAX, 1, "last");
}

TEST(other_lines)
{
	check_none("");
	check_none("1");
	check_none("1 ");
	check_none("1 2");
	check_none("1 2 ");
	check_none("1 0 f");
	check_none("g 1 f");
	check_none("0x 1 f");
	check_none("1g 1 f");
	check_none("-1 1 f");
	check_none("ffffffffffffffff 2 f");
	check_none("10000000000000000 1 f");
	check_none("1 10000000000000000 f");
}

/* Nothing is read after the given bytes. */
TEST(ends_of_map_lines)
{
	const char line[] = "12 34 name";
	struct perfmap_entry entry;

	for (size_t len = 0; len < 7; len++)
		CHECK(!perfmap_parse(line, len, &entry));
	CHECK(perfmap_parse(line, 7, &entry) && entry.name_len == 1);
}

/* --- jitdump files -------------------------------------------------------------------------- */

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

TEST(dump_header)
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

TEST(dump_prefix)
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

TEST(dump_load)
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

TEST(dump_move)
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

TEST(dump_lines)
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
		CHECK_TEST(names_of_python),   CHECK_TEST(names_of_v8), CHECK_TEST(names_of_java),
		CHECK_TEST(limits_of_names),   CHECK_TEST(map_lines),   CHECK_TEST(other_lines),
		CHECK_TEST(ends_of_map_lines), CHECK_TEST(dump_header), CHECK_TEST(dump_prefix),
		CHECK_TEST(dump_load),         CHECK_TEST(dump_move),   CHECK_TEST(dump_lines),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
