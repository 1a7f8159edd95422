/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call trees are read as they are; whatever is wrong with one is said. */
#include "cmds/convert/formats.h"

#include "tests/common/model_fixture.h"

static const char tree_text[] =
	"# costgrind call tree\nversion: 1\npid: 7\nevents: Ir Dr\nsummary: 22 3\n\n"
	"thread: 1\nob=(1) a.out\nfl=(1) ./a.c\nfn=(1) main\n0 1 1 10 1\n"
	"fn=(2) f\n1 2 3 6 2\n2 1 1 4\n1 0 2 2\n\ntotals: 22 3\n";

/* Reads a text; the status.  The caller releases both if tree is not NULL. */
static int read_text(const char *text, size_t len, const struct from_tree_options *options,
		     struct model *model, struct pathtree *tree, struct profile_error *error)
{
	return from_tree_text(&(struct reader_text){ text, len, "tree" }, options, model, tree,
			      error);
}

/* The status of a text; nothing else about it matters. */
static int try_text(const char *text, size_t len, struct profile_error *error)
{
	const struct from_tree_options all = { .event = NULL };
	struct pathtree tree;
	struct model model;
	struct test_env t;
	int status;

	test_env_init(&t);
	model_init(&model);
	status = read_text(text, len, &all, &model, &tree, error);
	pathtree_release(&tree);
	model_release(&model);
	CHECK(test_env_release(&t));
	return status;
}

/*
 *	main 10 1
 *	+- f 6 2, 3 calls
 *	|  +- main 4
 *	+- folded 2, 2 calls
 */
TEST(a_tree_and_its_profile)
{
	static const uint32_t parents[] = { PATHTREE_NONE, 0, 1, 0 };
	static const uint64_t counts[] = { 1, 3, 1, 2 };
	static const uint64_t costs[] = { 10, 1, 6, 2, 4, 0, 2, 0 };
	const struct from_tree_options all = { .event = NULL };
	struct profile_error error;
	struct pathtree tree;
	struct model_cursor cursor;
	struct model_call call;
	struct model model;
	uint64_t totals[PROFILE_MAX_EVENTS];

	model_init(&model);
	CHECK_EQ_U64((uint64_t)read_text(tree_text, sizeof(tree_text) - 1, &all, &model, &tree,
					 &error),
		     PROFILE_OK);
	CHECK(tree.is_exact && tree.model == &model);
	CHECK_EQ_U64(tree.n, 4);
	for (size_t i = 0; i < 4; i++) {
		CHECK_EQ_U64(tree.nodes[i].parent, parents[i]);
		CHECK_EQ_U64(tree.nodes[i].count, counts[i]);
		CHECK_EQ_U64(pathtree_costs(&tree, (uint32_t)i)[0], costs[2 * i]);
		CHECK_EQ_U64(pathtree_costs(&tree, (uint32_t)i)[1], costs[2 * i + 1]);
	}
	CHECK_EQ_U64(tree.nodes[2].function, function_named(&model, "main"));
	CHECK_EQ_U64(tree.nodes[3].function, function_named(&model, "<rest>"));
	CHECK(model_totals(&model, totals));
	CHECK_EQ_U64(totals[0], 22);
	CHECK_EQ_U64(model.parts[0].header.pid, 7);
	model_calls(&model, function_named(&model, "f"), 0, &cursor);
	CHECK(model_next_call(&cursor, &call));
	CHECK_EQ_U64(call.callee, function_named(&model, "main"));
	CHECK_EQ_U64(call.costs[0], 4);
	CHECK(!model_next_call(&cursor, &call));
	model_calls(&model, function_named(&model, "main"), 0, &cursor);
	CHECK(model_next_call(&cursor, &call));
	CHECK_EQ_U64(call.count, 3);
	CHECK_EQ_U64(call.costs[0], 10);
	CHECK_EQ_U64(call.costs[1], 2);
	pathtree_release(&tree);
	model_release(&model);
}

TEST(one_event)
{
	const struct from_tree_options second = { .event = "Dr" }, first = { .first_only = true };
	const struct from_tree_options *options[] = { &first, &second };
	static const uint64_t costs[][4] = { { 10, 6, 4, 2 }, { 1, 2, 0, 0 } };

	for (size_t i = 0; i < 2; i++) {
		struct profile_error error;
		struct pathtree tree;
		struct model model;

		model_init(&model);
		CHECK_EQ_U64((uint64_t)read_text(tree_text, sizeof(tree_text) - 1, options[i],
						 &model, &tree, &error),
			     PROFILE_OK);
		CHECK_EQ_U64(model.n_events, 1);
		CHECK_STR(model.events[0].name, i == 0 ? "Ir" : "Dr");
		for (uint32_t j = 0; j < 4; j++)
			CHECK_EQ_U64(pathtree_costs(&tree, j)[0], costs[i][j]);
		pathtree_release(&tree);
		model_release(&model);
	}
}

struct wrong {
	const char *text, *message;
	uint64_t line;
};

#define HEAD "# costgrind call tree\nversion: 1\nevents: Ir\nfn=(1) f\n"

TEST(messages)
{
	static const struct wrong wrongs[] = {
		{ "", "expected '# costgrind call tree'", 1 },
		{ "# callgrind format\n", "expected '# costgrind call tree'", 1 },
		{ "# costgrind call tree\nversion: 2\n", "expected version 1", 2 },
		{ "# costgrind call tree\n0 0 1 1\n", "expected 'events:' before nodes", 2 },
		{ "# costgrind call tree\nevents: Ir  Dr\n",
		  "expected names of events, with a blank between", 2 },
		{ "# costgrind call tree\nevents: Ir\nevents: Ir\n", "expected one 'events:' line",
		  3 },
		{ "# costgrind call tree\nevents: Ir I2mr ILmr\n", "expected each event once", 2 },
		{ "# costgrind call tree\nevents: Ir\r Dr\n",
		  "expected names of events, of graphic characters", 2 },
		{ HEAD "1 1 1 1\n",
		  "expected the depth of a node, one more than that before at most", 5 },
		{ HEAD "0 2 1 1\n", "expected the number of a function that has a name", 5 },
		{ HEAD "0 1\n", "expected how often it was called", 5 },
		{ HEAD "0 1 1 1 1\n", "expected costs, as many as there are events at most", 5 },
		{ HEAD "0 1 1 18446744073709551616\n",
		  "expected costs, as many as there are events at most", 5 },
		{ HEAD "0 1 1 1 \n", "expected costs, as many as there are events at most", 5 },
		{ HEAD "0 0 1 1\n1 1 1 1\n",
		  "expected the depth of a node, one more than that before at most", 6 },
		{ HEAD "fn=(3) g\n", "expected the next number of a function, and its name", 5 },
		{ HEAD "fn=(2)\n", "expected the next number of a function, and its name", 5 },
		{ HEAD "fl=(2) g\n", "expected '(id) name', or an id that has a name", 5 },
		{ HEAD "fl=(1)\n", "expected a name after the new id", 5 },
		{ HEAD "fl=a.c\n", "expected '(id) name', or an id that has a name", 5 },
		{ HEAD "what\n", "expected a node, a name, or 'key: value'", 5 },
		{ HEAD "0 1 1 4\ntotals: 5\n", "expected what all nodes cost together", 6 },
		{ HEAD "0 1 1 4\ntotals: 4\n0 1 1 0\n", "expected nothing after 'totals:'", 7 },
		{ HEAD "0 1 1 4\n", "expected 'totals:' as the last line", 5 },
		{ HEAD "0 1 1 4\ntotals: 4", "expected a line feed at the end", 6 },
	};
	struct profile_error error;

	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		CHECK_EQ_U64((uint64_t)try_text(wrongs[i].text, strlen(wrongs[i].text), &error),
			     PROFILE_SYNTAX);
		CHECK_STR(error.text, wrongs[i].message);
		CHECK_EQ_U64(error.line, wrongs[i].line);
	}
	CHECK_EQ_U64((uint64_t)try_text(HEAD "0 1 1 18446744073709551615\n0 1 1 1\n",
					strlen(HEAD "0 1 1 18446744073709551615\n0 1 1 1\n"),
					&error),
		     PROFILE_RANGE);
}

TEST(damaged_files)
{
	struct profile_error error;
	char text[sizeof(tree_text)];

	for (size_t len = 0; len < sizeof(tree_text) - 1; len++)
		CHECK_EQ_U64((uint64_t)try_text(tree_text, len, &error), PROFILE_SYNTAX);
	for (size_t at = 0; at < sizeof(tree_text) - 1; at++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			int status;

			memcpy(text, tree_text, sizeof(tree_text));
			text[at] = (char)(text[at] ^ (1 << bit));
			status = try_text(text, sizeof(tree_text) - 1, &error);
			CHECK(status == PROFILE_OK || status == PROFILE_SYNTAX);
		}
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_tree_and_its_profile),
		CHECK_TEST(one_event),
		CHECK_TEST(messages),
		CHECK_TEST(damaged_files),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
