/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Substitutions.  What is expected is what Perl 5.36 makes of the expression the way
 * cg_diff runs it, eval "\$name =~ EXPRESSION"; tests/compare/expressions.sh holds the same
 * table against the perl that is installed.
 */
#include "profile/names/name_rules.h"

#include <stdlib.h>

#include "profile/common/heap.h"
#include "tests/common/check.h"

/* Three lines each: a name, an expression, the new name; "#" begins a comment. */
enum { MAX_LINE = 4096 };

static bool read_line(FILE *file, char *line)
{
	do {
		if (!fgets(line, MAX_LINE, file))
			return false;
		line[strcspn(line, "\n")] = '\0';
	} while (line[0] == '#' || line[0] == '\0');
	return true;
}

/* The new name, in out with a NUL; NULL if the expression or its application failed. */
static const char *replaced(const char *name, const char *text, struct bytes *out,
			    struct profile_error *error)
{
	struct expression *expression = expression_new(text, error);
	bool matched;
	int status;

	bytes_reset(out);
	if (!expression)
		return NULL;
	status = expression_apply(expression, name, strlen(name), out, &matched, error);
	expression_free(expression);
	if (status)
		return NULL;
	if (!matched)
		bytes_add_text(out, name);
	bytes_add_char(out, '\0');
	return out->text;
}

TEST(expressions_do_what_perl_does)
{
	const char *source = getenv("top_srcdir");
	char path[MAX_LINE], name[MAX_LINE], text[MAX_LINE], want[MAX_LINE];
	struct profile_error error = { .status = PROFILE_OK };
	struct bytes out;
	unsigned n = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/golden/expressions.txt", source ? source : ".");
	file = fopen(path, "r");
	CHECK(file != NULL);
	if (!file)
		return;
	bytes_init(&out);
	while (read_line(file, name) && read_line(file, text) && read_line(file, want)) {
		if (!CHECK_STR(replaced(name, text, &out, &error), want))
			printf("#   of %s\n", text);
		n++;
	}
	CHECK(n >= 70);
	bytes_release(&out);
	fclose(file);
}

struct bad {
	const char *text;
	unsigned column;
	const char *message;
};

TEST(wrong_expressions_are_told_by_column)
{
	static const struct bad bad[] = {
		{ "", 1, "expected s/OLD/NEW/" },
		{ "abc", 1, "expected s/OLD/NEW/" },
		{ " tr/a/b/", 2, "expected s/OLD/NEW/ (tr and y are not known)" },
		{ "y/a/b/", 1, "expected s/OLD/NEW/ (tr and y are not known)" },
		{ "s", 2, "expected a delimiter, as '/' in s/OLD/NEW/" },
		{ "sxaxbx", 2, "expected a delimiter, as '/' in s/OLD/NEW/" },
		{ "s #a#b#", 3, "expected a delimiter, as '/' in s/OLD/NEW/" },
		{ "s/a", 4, "expected '/' at the end of OLD" },
		{ "s/a\\/b", 7, "expected '/' at the end of OLD" },
		{ "s{a{b}c", 8, "expected '}' at the end of OLD" },
		{ "s/a/b", 6, "expected '/' at the end of NEW" },
		{ "s{a}", 5, "expected a delimiter, as '/' in s/OLD/NEW/" },
		{ "s{a}{b", 7, "expected '}' at the end of NEW" },
		{ "s{a}'b'", 5, "expected another delimiter than \"'\" for NEW" },
		{ "s//b/", 3, "expected what is to be replaced" },
		{ "s/a/b/q", 7, "expected a flag of g i m n s x, or the end" },
		{ "s/a/b/ge", 8, "NEW is not run as code: expected no flag e" },
		{ "s/a/b/r", 7, "a name stays as it is by the flag r: expected none" },
		{ "s/a/b/; s/c/d/", 9,
		  "expected a flag of g i m n s x, or the end (one expression an option)" },
		{ "s/a(b/c/", 6, "missing closing parenthesis" },
		{ "s|x\\|(|c|", 7, "missing closing parenthesis" },
		{ "s/a**/b/", 5, "quantifier does not follow a repeatable item" },
		{ "s/a[b/c/", 6, "missing terminating ] for character class" },
		{ "s/$x/b/", 3,
		  "expected '\\' before '$', or the end, ')' or '|' after it (a variable else)" },
		{ "s/\\/$x/b/", 5,
		  "expected '\\' before '$', or the end, ')' or '|' after it (a variable else)" },
		{ "s/@GLIBC.*//", 3, "expected '\\' before '@' (an array else)" },
		{ "s/a{,3}/b/", 4, "expected {MIN,MAX}" },
		{ "s/a{ 1, 3 }/b/", 4, "expected {MIN,MAX}" },
		{ "s/a\\b{wb}/b/", 6, "expected \\b without a brace" },
		{ "s/(?{ system })/b/", 5, "unrecognized character after (? or (?-" },
		{ "s/a/$x/", 5,
		  "expected $1, ${1}, $&, $+{name}, or '\\' before a '$' that stands for itself" },
		{ "s/a/b$/", 6,
		  "expected $1, ${1}, $&, $+{name}, or '\\' before a '$' that stands for itself" },
		{ "s|a|\\|$x|", 7,
		  "expected $1, ${1}, $&, $+{name}, or '\\' before a '$' that stands for itself" },
		{ "s/a/${1/", 8, "expected '}'" },
		{ "s/a/$1[0]/", 7,
		  "expected '\\' before the bracket after a variable (an array's else)" },
		{ "s/a/\\1{x}/", 7,
		  "expected '\\' before the bracket after a variable (an array's else)" },
		{ "s/a/$+{}/", 8, "expected the name of a group and '}'" },
		{ "s/a/$+{1a}/", 10, "expected the name of a group and '}'" },
		{ "s/a/b$`/", 6, "expected no $` and $', which PCRE2 does not have" },
		{ "s/a/$'b/", 5, "expected no $` and $', which PCRE2 does not have" },
		{ "s/a/b@c/", 6, "expected '\\' before '@' (an array else)" },
		{ "s/a/\\x{100}/", 5, "expected a byte from 1 to 255 (octal 377)" },
		{ "s/a/\\0/", 5, "expected a byte from 1 to 255 (octal 377)" },
		{ "s/a/\\xg/", 7, "expected the digits of a byte" },
		{ "s/a/\\N{DIGIT ONE}/", 8, "expected U+ and a number" },
		{ "s/a/\\Fb/", 5, "there is no \\F: expected \\L" },
		{ "s/a/b\\Q/", 6, "expected no \\Q, which PCRE2 does not have in NEW" },
		{ "s/a/\\u\\L$&/", 7, "expected no \\u and \\l along with \\U and \\L" },
		{ "s/a/\\l$&\\Ux/", 9, "expected no \\u and \\l along with \\U and \\L" },
		{ "s/a/\\Lx\\u$&/", 8, "expected no \\u and \\l along with \\U and \\L" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct profile_error error = { .status = PROFILE_OK };

		if (!CHECK(expression_new(bad[i].text, &error) == NULL))
			continue;
		CHECK_EQ_U64(error.status, PROFILE_SYNTAX);
		CHECK_EQ_U64(error.line, 1);
		if (!CHECK_EQ_U64(error.column, bad[i].column) ||
		    !CHECK_STR(error.text, bad[i].message))
			printf("#   of %s\n", bad[i].text);
		CHECK(expression_new(bad[i].text, NULL) == NULL);
	}
}

/* Each way through: exponential, and of that many steps at each place of a long name. */
TEST(hostile_expressions_are_stopped)
{
	static const char *const hostile[] = { "s/(a+)+$/x/",           "s/(a|aa)+$/x/",
					       "s/(a|a?)+$/x/g",        "s/^(([a-z])+.)+[A-Z]$/x/",
					       "s/(.*)*[bc]\\1$/x/",    "s/(?:(?:a*)*)*[bc]$/x/",
					       "s/(a?){60}a{60}[bc]/x/" };
	char name[3001];
	struct bytes out;

	memset(name, 'a', 3000);
	name[2999] = '!';
	name[3000] = '\0';
	bytes_init(&out);
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		struct profile_error error = { .status = PROFILE_OK };

		CHECK(replaced(name, hostile[i], &out, &error) == NULL);
		CHECK_EQ_U64(error.status, PROFILE_RANGE);
		if (!CHECK_STR(error.text,
			       "tries too many ways to match: expected a simpler expression"))
			printf("#   of %s\n", hostile[i]);
	}
	bytes_release(&out);
}

TEST(names_do_not_grow_without_end)
{
	enum { MAX_THIRD = EXPRESSION_MAX_NAME / 3 };
	struct profile_error error = { .status = PROFILE_OK };
	char *name = heap_alloc(EXPRESSION_MAX_NAME + 2);
	struct expression *expression = expression_new("s/./$&$&$&/g", &error);
	struct bytes out;
	bool matched = true;

	if (!CHECK(expression != NULL))
		return;
	memset(name, 'a', EXPRESSION_MAX_NAME + 2);
	bytes_init(&out);
	bytes_add_text(&out, "kept");
	CHECK_EQ_U64((uint64_t)expression_apply(expression, name, MAX_THIRD + 1, &out, &matched,
						&error),
		     PROFILE_RANGE);
	CHECK(!matched);
	CHECK_EQ_U64(out.len, 4);
	CHECK_STR(error.text, "makes a name of more than 1 MiB");
	CHECK_EQ_U64((uint64_t)expression_apply(expression, name, EXPRESSION_MAX_NAME + 1, &out,
						&matched, &error),
		     PROFILE_RANGE);
	CHECK_STR(error.text, "a name is of more than 1 MiB");
	CHECK_EQ_U64((uint64_t)expression_apply(expression, name, MAX_THIRD, &out, &matched,
						&error),
		     PROFILE_OK);
	CHECK(matched);
	CHECK_EQ_U64(out.len, 4 + 3 * MAX_THIRD);
	bytes_release(&out);
	expression_free(expression);
	free(name);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(expressions_do_what_perl_does),
		CHECK_TEST(wrong_expressions_are_told_by_column),
		CHECK_TEST(hostile_expressions_are_stopped),
		CHECK_TEST(names_do_not_grow_without_end),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
