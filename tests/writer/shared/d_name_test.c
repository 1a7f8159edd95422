/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer/shared/d_name: which names are of D, and none is demangled that grows without end. */
#include "writer/shared/d_name.h"

#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/check.h"

static size_t length_of(const char *name)
{
	return d_name_length(name, strlen(name));
}

TEST(names_of_d)
{
	CHECK(length_of("_Dmain") == 6);
	CHECK(length_of("_D2dd4foo2FiZi") == 14);
	CHECK(length_of("_D2dd4foo2FiZi.cold.3") == 14);
	CHECK(length_of("_D2dd4foo2FiZi@@VERS_1") == 14);
	CHECK(length_of("_Dmain.llvm.77") == 6);
}

TEST(other_names)
{
	static const char *const names[] = { "",         "_",        "_D",     "_Dmains", "_Dmai",
					     "_D_Mutex", "_DYNAMIC", "D2dd",   "_Z1fi",   "_R2dd",
					     "main",     "_D.1",     "_D@2dd", "_Dmain_2" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		CHECK(length_of(names[i]) == 0);
	/* Not past the end. */
	CHECK(d_name_length("_D2dd", 2) == 0);
	CHECK(d_name_length("_DmainX", 6) == 6);
}

TEST(back_references)
{
	CHECK(d_name_distance("iQb", 1, 3) == 1);
	CHECK(d_name_distance("iQb", 1, 2) == 0); /* cut off */
	CHECK(d_name_distance("iQc", 1, 3) == 0); /* before the name */
	CHECK(d_name_distance("iQ", 1, 2) == 0);
	CHECK(d_name_distance("iQ1b", 1, 4) == 0);
	CHECK(d_name_distance("_234567890123456789012345678QBa", 28, 31) == 26);
	CHECK(d_name_distance("iQZZZZZZZZZZZZZZZZZZZZZZZZb", 1, 27) == 0); /* no overflow */
}

/* Appends a back reference to the type at an offset; returns where the next one goes. */
static size_t add_reference(char *name, size_t at, size_t to)
{
	const size_t distance = at - to;
	size_t end = at;

	name[end++] = 'Q';
	if (distance >= 26)
		name[end++] = (char)('A' + distance / 26);
	name[end++] = (char)('a' + distance % 26);
	name[end] = '\0';
	return end;
}

static size_t add_text(char *name, size_t at, const char *text)
{
	const size_t len = strlen(text);

	memcpy(name + at, text, len + 1);
	return at + len;
}

/* Pointers to functions, each of two of the type before it: the demangled name doubles with each level. */
static void write_bomb(char *name, size_t levels)
{
	size_t at = add_text(name, 0, "_D1fF"), last = at;

	at = add_text(name, at, "PFiZi");
	for (size_t i = 0; i < levels; i++) {
		const size_t begin = at;

		at = add_text(name, at, "PF");
		at = add_reference(name, at, last);
		at = add_reference(name, at, last);
		at = add_text(name, at, "Zi");
		last = begin;
	}
	add_text(name, at, "Zv");
}

TEST(growth)
{
	char name[4 * D_NAME_LONGEST], *demangled;
	size_t len;

	write_bomb(name, D_NAME_TYPES / 2);
	CHECK(length_of(name) == strlen(name));
	demangled = dlang_demangle(name, 0);
	CHECK(demangled != NULL);
	len = demangled ? strlen(demangled) : 0;
	free(demangled);
	CHECK(len > (size_t)1 << (D_NAME_TYPES / 2));
	CHECK(len < (size_t)7000 * D_NAME_LONGEST);
	write_bomb(name, D_NAME_TYPES / 2 + 1);
	CHECK(length_of(name) == 0);
}

TEST(depth)
{
	char name[D_NAME_LONGEST + 2] = "_D1f";

	memset(name + 4, 'A', D_NAME_LONGEST - 4);
	name[D_NAME_LONGEST - 1] = 'i';
	name[D_NAME_LONGEST] = '\0';
	CHECK(length_of(name) == D_NAME_LONGEST);
	name[D_NAME_LONGEST] = 'i';
	CHECK(d_name_length(name, D_NAME_LONGEST + 1) == 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(names_of_d), CHECK_TEST(other_names), CHECK_TEST(back_references),
		CHECK_TEST(growth),     CHECK_TEST(depth),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
