/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/generated/perfmap: lines of perf maps, and what are none. */
#include "tool/generated/perfmap.h"

#include "tests/common/check.h"

static void check(const char *line, uint64_t address, uint64_t size, const char *name)
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

TEST(lines)
{
	check("7f00 10 f", 0x7f00, 0x10, "f");
	check("0x7F00 0X10 a b c", 0x7f00, 0x10, "a b c");
	check(" \t1  2\t f \r", 1, 2, "f ");
	check("0 1 x", 0, 1, "x");
	check("ffffffffffffffff 1 last", UINT64_MAX, 1, "last");
}

TEST(others)
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

/* Nothing is read behind what is given. */
TEST(ends)
{
	const char line[] = "12 34 name";
	struct perfmap_entry entry;

	for (size_t len = 0; len < 7; len++)
		CHECK(!perfmap_parse(line, len, &entry));
	CHECK(perfmap_parse(line, 7, &entry) && entry.name_len == 1);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(lines),
		CHECK_TEST(others),
		CHECK_TEST(ends),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
