/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names changed while a model is built: what becomes equal is one function, with exact sums. */
#include "profile/names/name_rules.h"

#include "tests/common/model_fixture.h"

/*
 * Self costs: f 1 + 2 + 4 + 8 in the normal form, of four functions in two spellings of a
 * file; h 16; calls of f from h: 1 + 2, inclusive 100 + 200.
 */
static const char text[] =
	"events: Ir\n"
	"fl=/build/1/a.c\nfn=f\n1 1\nfn=f.part.0\n2 2\n"
	"fl=/build/1/sub/../a.c\nfn=g\n5 1000\n"
	"fl=/build/1//./a.c\nfn=f.constprop.0.isra.3\n1 4\nfn=f.cold\n2 8\n"
	"fl=/build/1/b.c\nfn=h\n7 16\ncfi=/build/1/a.c\ncfn=f\ncalls=1 1\n7 100\n"
	"cfi=/build/1/a.c\ncfn=f.part.0\ncalls=2 1\n7 200\n";

static void build(struct model *model, struct name_rules *rules, int want)
{
	const struct builder_options options = { .rename = name_rules_rename, .ctx = rules };

	model_init(model);
	CHECK_EQ_U64((uint64_t)add_text(model, text, &options), (uint64_t)want);
}

TEST(equal_names_are_one_function)
{
	static const char want[] =
		"events: Ir\n"
		"fl=/src/a.c\nfn=f\n1 5\n2 10\n"
		"fl=/src/sub/../a.c\nfn=g\n5 1000\n"
		"fl=/src/b.c\nfn=h\n7 16\ncfi=/src/a.c\ncfn=f\ncalls=3 1\n7 300\n";
	struct profile_error error = { .status = PROFILE_OK };
	struct model model, expected;
	struct name_rules rules;

	name_rules_init(&rules);
	CHECK(name_rules_is_empty(&rules));
	rules.symbols = SYMBOLNAME_USUAL;
	CHECK(!name_rules_is_empty(&rules));
	CHECK_EQ_U64((uint64_t)name_rules_add_map(&rules, "/build/1=/src", &error), PROFILE_OK);
	build(&model, &rules, PROFILE_OK);
	CHECK_EQ_U64((uint64_t)name_rules_status(&rules, &error), PROFILE_OK);
	model_of(&expected, want);
	CHECK_EQUAL_MODELS(&model, &expected);
	CHECK_EQ_U64(model.n_functions, 3);
	model_release(&model);
	model_release(&expected);
	name_rules_release(&rules);
}

/* In the order given, each on what the one before has left; before folding. */
TEST(expressions_follow_each_other)
{
	static const char want[] =
		"events: Ir\n"
		"fl=x/a.c\nfn=F.part\n1 5\n2 10\n"
		"fl=x/sub/../a.c\nfn=g\n5 1000\n"
		"fl=x/b.c\nfn=h\n7 16\ncfi=x/a.c\ncfn=F.part\ncalls=3 1\n7 300\n";
	struct profile_error error = { .status = PROFILE_OK };
	struct model model, expected;
	struct name_rules rules;

	name_rules_init(&rules);
	CHECK(!name_rules_add_expression(&rules, NAME_FILE, "s{/+(\\./)?}{/}g", &error));
	CHECK(!name_rules_add_expression(&rules, NAME_FILE, "s{^/build/1}{x}", &error));
	CHECK(!name_rules_add_expression(&rules, NAME_FUNCTION, "s/^f/F.part.0/", &error));
	CHECK(!name_rules_add_expression(&rules, NAME_FUNCTION, "s/(F\\.part).*/$1/", &error));
	build(&model, &rules, PROFILE_OK);
	CHECK_EQ_U64((uint64_t)name_rules_status(&rules, &error), PROFILE_OK);
	model_of(&expected, want);
	CHECK_EQUAL_MODELS(&model, &expected);
	model_release(&model);
	model_release(&expected);
	/* The same with folding after it: "F.part" loses its part. */
	rules.symbols = SYMBOLNAME_CLONES;
	build(&model, &rules, PROFILE_OK);
	CHECK(function_named(&model, "F") != MODEL_NO_FUNCTION);
	CHECK_EQ_U64(model.n_functions, 3);
	model_release(&model);
	name_rules_release(&rules);
}

static void check_name(struct name_rules *rules, enum name_kind kind, const char *name,
		       const char *want)
{
	struct profile_error error = { .status = PROFILE_OK };
	const char *changed = name;
	size_t len = strlen(name);
	char copy[256];

	CHECK_EQ_U64((uint64_t)name_rules_apply(rules, kind, &changed, &len, &error), PROFILE_OK);
	snprintf(copy, sizeof(copy), "%.*s", (int)len, changed);
	CHECK_STR(copy, want);
}

TEST(paths_are_mapped_by_component)
{
	static const char *const cases[][2] = {
		{ "/a/b", "/new" },
		{ "/a/b/c.c", "/new/c.c" },
		{ "/a//./b/c.c", "/new/c.c" },
		{ "/a/bc", "/x/bc" },
		{ "/a", "/x" },
		{ "/ab/c.c", "/ab/c.c" },
		{ "a/b", "a/b" },
		{ "old/c.c", "c.c" },
		{ "./old/sub/c.c", "sub/c.c" },
		{ "older/c.c", "older/c.c" },
		{ "/usr/include/x.h", "/sys/usr/include/x.h" },
		{ "./unclean//c.c", "./unclean//c.c" },
	};
	struct profile_error error = { .status = PROFILE_OK };
	struct name_rules rules;

	name_rules_init(&rules);
	CHECK(!name_rules_add_map(&rules, "/a/b/=/new/", &error));
	CHECK(!name_rules_add_map(&rules, "/a=/x", &error));
	CHECK(!name_rules_add_map(&rules, "./old=", &error));
	CHECK(!name_rules_add_map(&rules, "/ab=/ab", &error));
	CHECK(!name_rules_add_map(&rules, "/=/sys", &error));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check_name(&rules, NAME_FILE, cases[i][0], cases[i][1]);
		check_name(&rules, NAME_OBJECT, cases[i][0], cases[i][0]);
		check_name(&rules, NAME_FUNCTION, cases[i][0], cases[i][0]);
	}
	rules.maps_objects = true;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_name(&rules, NAME_OBJECT, cases[i][0], cases[i][1]);
	check_name(&rules, NAME_FILE, "???", "???");
	CHECK(!name_rules_add_map(&rules, ".=/here", &error));
	check_name(&rules, NAME_FILE, "./c.c", "/here/c.c");
	check_name(&rules, NAME_FILE, "older/c.c", "/here/older/c.c");
	check_name(&rules, NAME_FILE, "???", "???");
	CHECK(!name_rules_add_expression(&rules, NAME_FILE, "s/\\?+/what/", &error));
	check_name(&rules, NAME_FILE, "???", "what");
	CHECK_EQ_U64((uint64_t)name_rules_add_map(&rules, "abc", &error), PROFILE_SYNTAX);
	CHECK_EQ_U64(error.column, 4);
	CHECK_STR(error.text, "expected OLD=NEW");
	CHECK_EQ_U64((uint64_t)name_rules_add_map(&rules, "=abc", &error), PROFILE_SYNTAX);
	CHECK_EQ_U64(error.column, 1);
	CHECK_STR(error.text, "expected a folder before '='");
	name_rules_release(&rules);
}

/* The hook cannot fail: the names stay, and the failure is reported afterwards. */
TEST(failures_are_kept)
{
	struct profile_error error = { .status = PROFILE_OK };
	struct name_rules rules;
	char name[200];
	const char *text_now = name;
	size_t len = sizeof(name);

	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '!';
	name_rules_init(&rules);
	CHECK(!name_rules_add_expression(&rules, NAME_FUNCTION, "s/(a|aa)+$//", &error));
	CHECK_EQ_U64((uint64_t)name_rules_add_expression(&rules, NAME_FUNCTION, "s/a/", NULL),
		     PROFILE_SYNTAX);
	CHECK(!name_rules_rename(&rules, NAME_FUNCTION, &text_now, &len));
	CHECK(text_now == name && len == sizeof(name));
	text_now = "aa";
	len = 2;
	CHECK(!name_rules_rename(&rules, NAME_FUNCTION, &text_now, &len));
	CHECK_EQ_U64((uint64_t)name_rules_status(&rules, &error), PROFILE_RANGE);
	CHECK_STR(error.text, "tries too many ways to match: expected a simpler expression: "
			      "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
			      "aaaaaaaaaaaaaaaa...'");
	name_rules_release(&rules);
}

/* Nothing left of a name: it is not known. */
TEST(empty_names_are_unknown)
{
	struct profile_error error = { .status = PROFILE_OK };
	struct model model;
	struct name_rules rules;

	name_rules_init(&rules);
	CHECK(!name_rules_add_expression(&rules, NAME_FUNCTION, "s/^f.*//", &error));
	build(&model, &rules, PROFILE_OK);
	CHECK(function_named(&model, "???") != MODEL_NO_FUNCTION);
	CHECK(function_named(&model, "f") == MODEL_NO_FUNCTION);
	CHECK_EQ_U64(model.n_functions, 3);
	model_release(&model);
	name_rules_release(&rules);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(equal_names_are_one_function),
		CHECK_TEST(expressions_follow_each_other),
		CHECK_TEST(paths_are_mapped_by_component),
		CHECK_TEST(failures_are_kept),
		CHECK_TEST(empty_names_are_unknown),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
