/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/generated/codename: function, file and line of what compilers call their code. */
#include "tool/generated/codename.h"

#include <string.h>

#include "tests/common/check.h"

static struct codename name;

static void check(const char *text, const char *function, const char *file, uint32_t line)
{
	codename_split(text, strlen(text), &name);
	CHECK_STR(name.function, function);
	CHECK_STR(name.file, file);
	CHECK(name.line == line);
}

static void check_plain(const char *text)
{
	check(text, text, "", 0);
}

TEST(python)
{
	check("py::f:/a/b.py", "py::f", "/a/b.py", 0);
	check("py::A.<locals>.f:/a:b/c d.py", "py::A.<locals>.f", "/a:b/c d.py", 0);
	check("py::<module>:<frozen importlib._bootstrap>", "py::<module>",
	      "<frozen importlib._bootstrap>", 0);
	check_plain("py::f");
	check_plain("py::f:");
	check_plain("py:::/a.py");
	check_plain("py::");
}

TEST(v8)
{
	check("JS:~f /a/b.js:3:14", "JS:~f", "/a/b.js", 3);
	check("LazyCompile:*f file:///a.js:7", "LazyCompile:*f", "/a.js", 7);
	check("JS:^ /a/b.js:1:1", "JS:^(anonymous)", "/a/b.js", 1);
	check("JS:+get x /a b/c.js:2:5", "JS:+get x", "/a b/c.js", 2);
	check("Function:~g node:internal/util:12:3", "Function:~g", "node:internal/util", 12);
	check("Script:~ a.js:1:1", "Script:~(anonymous)", "a.js", 1);
	check_plain("JS:~f");
	check_plain("JS:~f /a/b.js");
	check_plain("JS:~f:1:1");
	check_plain("JS:~ :1:1");
	check_plain("JS:");
	check_plain("JS:1:1");
	check_plain("Builtin:StringAdd");
	check("JS:~f /a.js:1234567890:5", "JS:~f", "/a.js:1234567890", 5);
}

TEST(java)
{
	check("Lorg/a/Foo;::bar", "org.a.Foo::bar", "org/a/Foo.java", 0);
	check("LFoo$In$2;::<init>", "Foo$In$2::<init>", "Foo.java", 0);
	check("La/$x;::f", "a.$x::f", "", 0);
	check_plain("Lorg/a/Foo;:bar");
	check_plain("Lorg/a/Foo;::");
	check_plain("L;::f");
	check_plain("Long name;::f");
	check_plain("int Fib.fib(int)");
}

/* Without a NUL. */
static void put(char *to, const char *what)
{
	while (*what != '\0')
		*to++ = *what++;
}

TEST(limits)
{
	static char text[3 * CODENAME_SIZE];

	check_plain("");
	check("  \t ", "", "", 0);
	check("  f g \n", "f g", "", 0);
	check("a\nb\x7f\x01", "a?b?", "", 0); /* what is below a blank goes, at an end */
	check("\xc3\xa4", "\xc3\xa4", "", 0);
	memset(text, 'x', sizeof(text));
	codename_split(text, sizeof(text), &name);
	CHECK(strlen(name.function) == CODENAME_SIZE - 1);
	put(text, "py::");
	text[CODENAME_SIZE + 10] = ':';
	codename_split(text, sizeof(text), &name);
	CHECK(strlen(name.function) == CODENAME_SIZE - 1 && strlen(name.file) == CODENAME_SIZE - 1);
	put(text, "LL/");
	put(text + sizeof(text) - 10, ";::f");
	codename_split(text, sizeof(text), &name);
	CHECK(strlen(name.function) == CODENAME_SIZE - 1 && strlen(name.file) == CODENAME_SIZE - 1);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(python),
		CHECK_TEST(v8),
		CHECK_TEST(java),
		CHECK_TEST(limits),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
