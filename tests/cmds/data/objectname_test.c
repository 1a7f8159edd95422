/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What names of blocks say, and what others look like that say nothing. */
#include "cmds/data/objects.h"

#include <string.h>

#include "profile/common/heap.h"
#include "tests/common/check.h"

static struct object_size size_of(const char *name, size_t *chain)
{
	return objectname_size(name, strlen(name), chain);
}

TEST(sizes)
{
	size_t chain;
	struct object_size size = size_of("f a.c:1 < main a.c:9, 64 B", &chain);

	CHECK(size.is_known && !size.is_of_elements && size.least == 64 && size.most == 64);
	CHECK_EQ_U64(chain, strlen("f a.c:1 < main a.c:9"));
	size = size_of("f a.c:1, 16 to 96 B", &chain);
	CHECK(size.is_known && !size.is_of_elements && size.least == 16 && size.most == 96);
	CHECK_EQ_U64(chain, strlen("f a.c:1"));
	size = size_of("f, elements of 48 B", &chain);
	CHECK(size.is_known && size.is_of_elements && size.least == 48 && size.most == 48);
	CHECK_EQ_U64(chain, 1);
	/* A function with arguments. */
	size = size_of("f(int, 8 B), 24 B", &chain);
	CHECK(size.is_known && size.most == 24);
}

TEST(no_sizes)
{
	static const char *const names[] = {
		"",   " B",   "64 B",          ", B",         "table",
		"f,", "f 64", "f, 1 to  64 B", "f, x to 4 B", "f, 99999999999999999999 B",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t chain;

		CHECK(!size_of(names[i], &chain).is_known);
		CHECK_EQ_U64(chain, strlen(names[i]));
	}
}

static void check_chain(const char *name, const char *expected)
{
	struct bytes text;

	bytes_init(&text);
	objectname_add_chain(&text, name, strlen(name));
	bytes_add_char(&text, '\0');
	CHECK_STR(text.text, expected);
	bytes_release(&text);
}

TEST(chains)
{
	check_chain("make_node list.c:34 < list list.c:66 < main list.c:298, 64 B",
		    "make_node < list < main");
	check_chain("operator< a.cpp:3 < f, 16 to 32 B", "operator< < f");
	check_chain("0x401136 < main a.c:9, elements of 8 B", "0x401136 < main");
	check_chain("std::less<int>::less(int, long) l.h:1, 1 B",
		    "std::less<int>::less(int, long)");
	check_chain("f a file.c:10, 8 B", "f a");
	check_chain("table", "table");
	check_chain("(unknown caller), 8 B", "(unknown caller)");
	check_chain("", "");
	check_chain("a:1", "a:1");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(sizes),
		CHECK_TEST(no_sizes),
		CHECK_TEST(chains),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
