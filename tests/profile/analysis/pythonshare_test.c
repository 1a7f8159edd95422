/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C, charged to functions of Python without a call tree: shares derived by hand. */
#include "profile/analysis/pythonshare.h"

#include <stdlib.h>
#include <string.h>

#include "tests/common/model_fixture.h"

/*
 * start, of C, calls <module>, which calls work and imports json.  Both main functions call hub, of C: it costs 10 itself, 30 in
 * encode, also of C, and 60 in key, of Python, so that 4 of 10 parts of its calls are the caller's.
 */
static const char text[] =
	"events: Ir\n"
	"ob=/usr/bin/python3.11\nfl=???\nfn=start\n0 5\n"
	"cob=[python]\ncfi=/home/a/app.py\ncfn=<module>\ncalls=1 1\n0 163\n"
	"ob=[python]\nfl=/home/a/app.py\nfn=<module>\n1 3\n"
	"cfn=work\ncalls=1 5\n1 82\n"
	"cob=/usr/bin/python3.11\ncfi=???\ncfn=hub\ncalls=1 0\n1 20\n"
	"cob=[python]\ncfi=<frozen importlib._bootstrap>\ncfn=_find_and_load\n"
	"calls=1 1\n1 58\n"
	"fl=/home/a/app.py\nfn=work\n5 2\n"
	"cob=/usr/bin/python3.11\ncfi=???\ncfn=hub\ncalls=4 0\n5 80\n"
	"fl=/home/a/app.py\nfn=key\n9 60\n"
	"fl=<frozen importlib._bootstrap>\nfn=_find_and_load\n1 8\n"
	"cfi=/usr/lib/python3.11/json/__init__.py\ncfn=<module>\ncalls=1 1\n1 50\n"
	"fl=/usr/lib/python3.11/json/__init__.py\nfn=<module>\n1 50\n"
	"ob=/usr/bin/python3.11\nfl=???\nfn=hub\n0 10\n"
	"cfn=encode\ncalls=5 0\n0 30\n"
	"cob=[python]\ncfi=/home/a/app.py\ncfn=key\ncalls=5 9\n0 60\n"
	"fn=encode\n0 30\n";

struct fixture {
	struct model model;
	struct metrics metrics;
	struct arena arena;
};

static void setup(struct fixture *fixture)
{
	struct metric_source source;

	model_of(&fixture->model, text);
	arena_init(&fixture->arena);
	source = (struct metric_source){ .events = fixture->model.events,
					 .n_events = fixture->model.n_events };
	metrics_init(&fixture->metrics, &source, &fixture->arena);
}

static void teardown(struct fixture *fixture)
{
	arena_release(&fixture->arena);
	model_release(&fixture->model);
}

static uint32_t function_in(const struct model *model, const char *path, const char *name)
{
	for (uint32_t i = 0; i < model->n_functions; i++)
		if (strcmp(model_name(model, NAME_FILE, model->functions[i].file).text, path) ==
			    0 &&
		    strcmp(model_name(model, NAME_FUNCTION, model->functions[i].name).text, name) ==
			    0)
			return i;
	return MODEL_NO_FUNCTION;
}

TEST(costs_of_python_have_their_part_of_c)
{
	struct fixture fixture;
	const struct model *model = &fixture.model;
	uint64_t *costs, sum = 0;

	setup(&fixture);
	costs = pythonshare_compute(model, &fixture.metrics.all[0]);
	CHECK_EQ_U64(costs[function_in(model, "/home/a/app.py", "<module>")], 3 + 20 * 4 / 10);
	CHECK_EQ_U64(costs[function_named(model, "work")], 2 + 80 * 4 / 10);
	CHECK_EQ_U64(costs[function_named(model, "key")], 60);
	CHECK_EQ_U64(costs[function_named(model, "_find_and_load")], 8);
	/* What ran before Python began is nobody's; all else of C is charged. */
	CHECK_EQ_U64(costs[function_named(model, "start")], 5);
	CHECK_EQ_U64(costs[function_named(model, "hub")], 0);
	CHECK_EQ_U64(costs[function_named(model, "encode")], 0);
	for (uint32_t i = 0; i < model->n_functions; i++)
		sum += costs[i];
	CHECK_EQ_U64(sum, 168);
	free(costs);
	teardown(&fixture);
}

TEST(a_call_has_a_part_before_python_begins)
{
	struct fixture fixture;
	const struct model *model = &fixture.model;
	double *parts;

	setup(&fixture);
	parts = pythonshare_parts(model, &fixture.metrics.all[0]);
	CHECK(parts[function_named(model, "hub")] == 0.4);
	CHECK(parts[function_named(model, "encode")] == 1);
	CHECK(parts[function_named(model, "work")] == 1);
	CHECK_EQ_U64((uint64_t)(parts[function_named(model, "start")] * 168 + 0.5), 5);
	free(parts);
	teardown(&fixture);
}

TEST(imports_are_their_system_and_modules_of_packages)
{
	struct fixture fixture;
	const struct model *model = &fixture.model;

	setup(&fixture);
	CHECK(pythonshare_is_import(model, function_named(model, "_find_and_load")));
	CHECK(pythonshare_is_import(
		model, function_in(model, "/usr/lib/python3.11/json/__init__.py", "<module>")));
	CHECK(!pythonshare_is_import(model, function_in(model, "/home/a/app.py", "<module>")));
	CHECK(!pythonshare_is_import(model, function_named(model, "work")));
	CHECK(!pythonshare_is_import(model, function_named(model, "hub")));
	teardown(&fixture);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(costs_of_python_have_their_part_of_c),
		CHECK_TEST(a_call_has_a_part_before_python_begins),
		CHECK_TEST(imports_are_their_system_and_modules_of_packages),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
