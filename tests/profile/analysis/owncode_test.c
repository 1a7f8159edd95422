/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libraries cost, charged to own code: shares derived by hand. */
#include "profile/analysis/owncode.h"

#include "tests/common/model_fixture.h"

struct fixture {
	struct model model;
	struct owncode owncode;
	struct arena arena;
};

static void setup(struct fixture *fixture, const char *text)
{
	struct metrics metrics;
	struct metric_source source;

	model_of(&fixture->model, text);
	arena_init(&fixture->arena);
	source = (struct metric_source){ .events = fixture->model.events,
					 .n_events = fixture->model.n_events };
	metrics_init(&metrics, &source, &fixture->arena);
	CHECK_EQ_U64((uint64_t)owncode_compute(&fixture->owncode, &fixture->model, &metrics.all[0]),
		     PROFILE_OK);
}

static void teardown(struct fixture *fixture)
{
	owncode_release(&fixture->owncode);
	arena_release(&fixture->arena);
	model_release(&fixture->model);
}

static uint64_t charged(const struct fixture *fixture, const char *name)
{
	return (uint64_t)fixture->owncode.charged[function_named(&fixture->model, name)];
}

static const struct owncode_share *share_of(const struct fixture *fixture, const char *name)
{
	return &fixture->owncode.shares[function_named(&fixture->model, name)];
}

/*
 * main and work call malloc, 30 and 10, which calls sbrk: 3 of 4 parts are main's. start is of no own code; vector is a
 * template of libstdc++ in the program itself.
 */
TEST(costs_go_to_the_first_own_callers)
{
	static const char text[] =
		"events: Ir\n"
		"ob=/usr/lib/libc.so.6\nfl=???\nfn=start\n0 5\n"
		"cob=/home/a/prog\ncfi=/home/a/a.c\ncfn=main\ncalls=1 1\n0 148\n"
		"ob=/home/a/prog\nfl=/home/a/a.c\nfn=main\n1 100\n"
		"cob=/usr/lib/libc.so.6\ncfi=???\ncfn=malloc\ncalls=3 0\n1 30\n"
		"cob=/home/a/prog\ncfi=/home/a/a.c\ncfn=work\ncalls=1 10\n2 18\n"
		"fn=work\n10 1\n"
		"cob=/usr/lib/libc.so.6\ncfi=???\ncfn=malloc\ncalls=1 0\n10 10\n"
		"cob=/home/a/prog\ncfi=/usr/include/c++/12/vector\ncfn=vector\ncalls=1 7\n10 7\n"
		"ob=/usr/lib/libc.so.6\nfl=???\nfn=malloc\n0 16\n"
		"cob=/usr/lib/libc.so.6\ncfi=???\ncfn=sbrk\ncalls=4 0\n0 24\n"
		"fn=sbrk\n0 24\n"
		"ob=/home/a/prog\nfl=/usr/include/c++/12/vector\nfn=vector\n7 7\n";
	struct fixture fixture;
	int128 parts[OWNCODE_CALLERS], others, nobody;

	setup(&fixture, text);
	CHECK_EQ_U64(fixture.owncode.n_own, 2);
	CHECK_EQ_U64(charged(&fixture, "main"), 30);
	CHECK_EQ_U64(charged(&fixture, "work"), 10 + 7);
	CHECK_EQ_U64((uint64_t)fixture.owncode.nobody, 5);
	CHECK_EQ_U64(share_of(&fixture, "sbrk")->n, 2);
	CHECK(share_of(&fixture, "sbrk")->callers[0].part == 0.75);
	CHECK_EQ_U64(share_of(&fixture, "sbrk")->callers[0].function,
		     function_named(&fixture.model, "main"));
	CHECK_EQ_U64(share_of(&fixture, "main")->n, 0);
	/* What cannot be split evenly adds up all the same. */
	owncode_split(share_of(&fixture, "sbrk"), 7, parts, &others, &nobody);
	CHECK_EQ_U64((uint64_t)(parts[0] + parts[1] + others + nobody), 7);
	CHECK_EQ_U64((uint64_t)parts[0], 5);
	owncode_split(share_of(&fixture, "start"), 5, parts, &others, &nobody);
	CHECK_EQ_U64((uint64_t)nobody, 5);
	teardown(&fixture);
}

/* a calls f, which calls g, which calls f again; b calls g.  f and g are one: a has 60 of 80, b the rest. */
TEST(circles_are_one_function)
{
	static const char text[] =
		"events: Ir\n"
		"fl=a.c\nfn=a\n1 1\ncfi=/usr/x.c\ncfn=f\ncalls=1 1\n1 60\n"
		"fl=a.c\nfn=b\n2 1\ncfi=/usr/x.c\ncfn=g\ncalls=1 1\n2 20\n"
		"fl=/usr/x.c\nfn=f\n5 48\ncfi=/usr/x.c\ncfn=g\ncalls=9 1\n5 70\n"
		"cfi=/usr/x.c\ncfn=f\ncalls=3 1\n5 48\n"
		"fl=/usr/x.c\nfn=g\n6 32\ncfi=/usr/x.c\ncfn=f\ncalls=9 1\n6 50\n";
	struct fixture fixture;

	setup(&fixture, text);
	CHECK_EQ_U64(charged(&fixture, "a"), 60);
	CHECK_EQ_U64(charged(&fixture, "b"), 20);
	CHECK_EQ_U64((uint64_t)(fixture.owncode.others + fixture.owncode.nobody), 0);
	teardown(&fixture);
}

/* Own code that a library calls back is not charged with its callers' costs, but with what it calls. */
TEST(callbacks_are_own_code)
{
	static const char text[] =
		"events: Ir\n"
		"fl=a.c\nfn=main\n1 1\ncfi=/usr/q.c\ncfn=qsort\ncalls=1 1\n1 35\n"
		"fl=/usr/q.c\nfn=qsort\n3 10\ncfi=a.c\ncfn=less\ncalls=5 9\n3 25\n"
		"fl=a.c\nfn=less\n9 5\ncfi=/usr/q.c\ncfn=strcmp\ncalls=5 1\n9 20\n"
		"fl=/usr/q.c\nfn=strcmp\n4 20\n";
	struct fixture fixture;

	setup(&fixture, text);
	CHECK_EQ_U64(charged(&fixture, "main"), 10);
	CHECK_EQ_U64(charged(&fixture, "less"), 20);
	CHECK_EQ_U64((uint64_t)fixture.owncode.nobody, 0);
	teardown(&fixture);
}

TEST(whose_code_it_is)
{
	static const struct {
		const char *file;
		bool is_own;
	} cases[] = {
		{ "/home/a/b.c", true },    { "b.py", true },
		{ "/usr/lib/b.py", false }, { "/lib64/x.c", false },
		{ "/library/x.c", true },   { "<frozen importlib._bootstrap>", false },
		{ "<string>", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = heap_print("events: Ir\nfl=%s\nfn=f\n1 1\n", cases[i].file);
		struct fixture fixture;

		setup(&fixture, text);
		CHECK_EQ_U64(fixture.owncode.n_own, cases[i].is_own);
		teardown(&fixture);
		free(text);
	}
}

/* More callers than are kept apart: the rest is of own code all the same. */
TEST(many_callers)
{
	enum { N = OWNCODE_CALLERS + 6 };
	struct bytes text;
	struct fixture fixture;
	int128 sum = 0;

	bytes_init(&text);
	bytes_add_text(&text, "events: Ir\nfl=/usr/x.c\nfn=f\n1 70\n");
	for (int i = 0; i < N; i++) {
		char *caller = heap_print("fl=a.c\nfn=c%d\n%d 2\ncfi=/usr/x.c\ncfn=f\n"
					  "calls=1 1\n%d 1\n",
					  i, i + 1, i + 1);

		bytes_add_text(&text, caller);
		free(caller);
	}
	bytes_add_char(&text, '\0');
	setup(&fixture, text.text);
	CHECK_EQ_U64(share_of(&fixture, "f")->n, OWNCODE_CALLERS);
	CHECK_EQ_U64((uint64_t)fixture.owncode.nobody, 0);
	for (size_t i = 0; i < fixture.model.n_functions; i++)
		sum += fixture.owncode.charged[i];
	CHECK_EQ_U64((uint64_t)(sum + fixture.owncode.others), N);
	CHECK(fixture.owncode.others >= 5 && fixture.owncode.others <= 7);
	teardown(&fixture);
	bytes_release(&text);
}

/* Modules that came with Python and installed packages are libraries wherever they are, and so is what has no file. */
TEST(python_has_libraries_of_its_own)
{
	static const char text[] =
		"events: Ir\n"
		"ob=[python]\n"
		"fl=/home/a/app.py\nfn=serve\n1 1\n"
		"fl=/home/a/venv/lib/python3.11/site-packages/flask/app.py\nfn=dispatch\n1 1\n"
		"fl=/opt/py/lib/python3.12/json/decoder.py\nfn=decode\n1 1\n"
		"fl=<frozen importlib._bootstrap>\nfn=_find_and_load\n1 1\n"
		"ob=/home/a/prog\nfl=/home/a/prog.c\nfn=main\n1 1\n";
	static const struct {
		const char *name;
		bool is_own, is_python;
	} functions[] = {
		{ "serve", true, true },   { "dispatch", false, true },
		{ "decode", false, true }, { "_find_and_load", false, true },
		{ "main", true, false },
	};
	struct fixture fixture;

	setup(&fixture, text);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		uint32_t function = function_named(&fixture.model, functions[i].name);

		CHECK_EQ_U64(owncode_is_own(&fixture.model, function), functions[i].is_own);
		CHECK_EQ_U64(owncode_is_python(&fixture.model, function), functions[i].is_python);
	}
	teardown(&fixture);
}

static bool is_own(const char *object, const char *file, const char *other)
{
	char *text = heap_print("events: Ir\nob=%s\nfl=%s\nfn=f\n1 1\nob=%s\nfl=x.c\nfn=g\n1 1\n",
				object, file, other);
	struct fixture fixture;
	bool is;

	setup(&fixture, text);
	is = owncode_is_own(&fixture.model, function_named(&fixture.model, "f"));
	teardown(&fixture);
	free(text);
	return is;
}

/* Folders of compilers and interpreters are not the program's, wherever they are; folders with like names are. */
TEST(folders_say_whose_code_it_is)
{
	static const struct {
		const char *object, *file;
		bool is_own;
	} cases[] = {
		{ "/home/a/prog", "/home/a/prog.c", true },
		{ "/home/a/prog", "/opt/gcc-14/include/c++/14.1.0/bits/stl_vector.h", false },
		{ "/home/a/prog", "/opt/gcc/lib/gcc/x86_64-linux-gnu/12/include/avxintrin.h",
		  false },
		{ "/home/a/prog", "/opt/llvm/lib/clang/16/include/emmintrin.h", false },
		{ "/library/app", "/library/app.c", true },
		{ "/lib/x/app", "/home/a/app.c", false },
		{ "[python]", "/home/a/lib/python/tool.py", true },
		{ "[python]", "/opt/lib64/python3.12/json/decoder.py", false },
		{ "[python]", "<string>", true },
		{ "/home/a/.pyenv/versions/3.11.9/lib/libpython3.11.so.1.0",
		  "/tmp/b/Python/ceval.c", false },
		{ "/home/a/.pyenv/versions/3.11.9/bin/python3.11", "/tmp/b/Python/ceval.c", false },
		{ "/home/a/python3.c/prog", "/home/a/prog.c", true },
		{ "/home/a/venv/lib/python3.11/site-packages/numpy/core.so", "/build/numpy/core.c",
		  false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_EQ_U64(is_own(cases[i].object, cases[i].file, "/usr/lib/libc.so.6"),
			     cases[i].is_own);
	/* glibc's sources, if it is linked statically; else they are somebody's who has such folders. */
	CHECK(!is_own("prog", "../sysdeps/x86_64/start.S", "prog"));
	CHECK(!is_own("prog", "./malloc/./malloc/malloc.c", "prog"));
	CHECK(is_own("prog", "malloc/malloc.c", "prog"));
	CHECK(is_own("prog", "../../src/a.c", "prog"));
	CHECK(is_own("prog", "app/app/main.c", "prog"));
	CHECK(is_own("prog", "../sysdeps/x86_64/start.S", "/usr/lib/libc.so.6"));
}

/* What C code costs can be charged to functions of Python, whoever wrote these. */
TEST(own_code_may_be_something_else)
{
	static const char text[] = "events: Ir\n"
				   "ob=[python]\nfl=/usr/lib/python3/json.py\nfn=decode\n1 1\n"
				   "cob=/usr/bin/python3\ncfi=???\ncfn=scan\ncalls=1 0\n1 9\n"
				   "ob=/usr/bin/python3\nfl=???\nfn=scan\n0 9\n";
	struct fixture fixture;
	struct owncode python;
	struct metric_source source;
	struct metrics metrics;

	setup(&fixture, text);
	CHECK_EQ_U64(fixture.owncode.n_own, 0);
	source = (struct metric_source){ .events = fixture.model.events,
					 .n_events = fixture.model.n_events };
	metrics_init(&metrics, &source, &fixture.arena);
	CHECK_EQ_U64((uint64_t)owncode_compute_by(&python, &fixture.model, &metrics.all[0],
						  owncode_is_python),
		     PROFILE_OK);
	CHECK_EQ_U64((uint64_t)python.charged[function_named(&fixture.model, "decode")], 9);
	owncode_release(&python);
	teardown(&fixture);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(costs_go_to_the_first_own_callers),
		CHECK_TEST(circles_are_one_function),
		CHECK_TEST(callbacks_are_own_code),
		CHECK_TEST(whose_code_it_is),
		CHECK_TEST(many_callers),
		CHECK_TEST(python_has_libraries_of_its_own),
		CHECK_TEST(folders_say_whose_code_it_is),
		CHECK_TEST(own_code_may_be_something_else),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
