/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrows as they are drawn, row by row. */
#include "cmds/emit/drawing.h"

#include <stdlib.h>

#include "tests/common/check.h"

enum { MAX_ROWS = 64 };

/* The drawing of n arrows next to n_rows rows, with line feeds. */
static const char *draw(struct arrow *arrows, size_t n, size_t n_rows, char *text, size_t size)
{
	struct arrow_drawing drawing;
	unsigned n_lanes;
	size_t used = 0;

	arrows_place(arrows, n, n_rows, &n_lanes);
	arrows_begin(&drawing, arrows, n, n_lanes);
	text[0] = '\0';
	for (size_t row = 0; row < n_rows; row++) {
		char line[ARROWS_MAX_LANES + 3];

		arrows_row(&drawing, row, line);
		used += (size_t)snprintf(text + used, size - used, "%s\n", line);
	}
	return text;
}

TEST(no_arrows)
{
	char text[256];

	CHECK_STR(draw(NULL, 0, 2, text, sizeof(text)), "\n\n");
}

TEST(forward_and_back)
{
	struct arrow forward[] = { { .from = 0, .to = 2 } };
	struct arrow back[] = { { .from = 2, .to = 0 } };
	char text[256];

	CHECK_STR(draw(forward, 1, 4, text, sizeof(text)), "/- \n"
							   "|  \n"
							   "\\> \n"
							   "   \n");
	CHECK_STR(draw(back, 1, 3, text, sizeof(text)), "/> \n"
							"|  \n"
							"\\- \n");
}

/* The shorter one is nearer, whatever the order. */
TEST(nested)
{
	struct arrow arrows[] = { { .from = 0, .to = 3 }, { .from = 2, .to = 1 } };
	char text[256];

	CHECK_STR(draw(arrows, 2, 4, text, sizeof(text)), "/-- \n"
							  "|/> \n"
							  "|\\- \n"
							  "\\-> \n");
}

/* One after the other, they share a lane; at a common row they do not. */
TEST(in_turn)
{
	struct arrow apart[] = { { .from = 0, .to = 1 }, { .from = 2, .to = 3 } };
	struct arrow touching[] = { { .from = 0, .to = 1 }, { .from = 1, .to = 2 } };
	char text[256];

	CHECK_STR(draw(apart, 2, 4, text, sizeof(text)), "/- \n"
							 "\\> \n"
							 "/- \n"
							 "\\> \n");
	CHECK_STR(draw(touching, 2, 3, text, sizeof(text)), " /- \n"
							    "/\\> \n"
							    "\\-> \n");
}

TEST(crossing)
{
	struct arrow arrows[] = { { .from = 0, .to = 2 }, { .from = 1, .to = 3 } };
	char text[256];

	CHECK_STR(draw(arrows, 2, 4, text, sizeof(text)), " /- \n"
							  "/+- \n"
							  "|\\> \n"
							  "\\-> \n");
}

/* To itself, too long, or one too many: it has no lane. */
TEST(not_drawn)
{
	struct arrow own = { .from = 1, .to = 1 }, far = { .from = 0, .to = 5000 };
	struct arrow many[ARROWS_MAX_LANES + 2];
	unsigned n_lanes;

	arrows_place(&own, 1, 3, &n_lanes);
	CHECK_EQ_U64(n_lanes, 0);
	CHECK_EQ_U64(own.lane, ARROWS_NO_LANE);
	arrows_place(&far, 1, 5001, &n_lanes);
	CHECK_EQ_U64(far.lane, ARROWS_NO_LANE);
	for (size_t i = 0; i < ARROWS_MAX_LANES + 2; i++)
		many[i] = (struct arrow){ .from = i, .to = 30 - i };
	arrows_place(many, ARROWS_MAX_LANES + 2, 31, &n_lanes);
	CHECK_EQ_U64(n_lanes, ARROWS_MAX_LANES);
	/* The longest ones are left out. */
	CHECK_EQ_U64(many[0].lane, ARROWS_NO_LANE);
	CHECK_EQ_U64(many[1].lane, ARROWS_NO_LANE);
	CHECK_EQ_U64(many[2].lane, ARROWS_MAX_LANES - 1);
	CHECK_EQ_U64(many[ARROWS_MAX_LANES + 1].lane, 0);
}

/* No two in a lane touch. */
TEST(lanes_are_free)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (int round = 0; round < 200; round++) {
		struct arrow arrows[40];
		unsigned n_lanes;
		size_t n = 1 + check_random_below(&random, 40);

		for (size_t i = 0; i < n; i++) {
			arrows[i].from = check_random_below(&random, MAX_ROWS);
			arrows[i].to = check_random_below(&random, MAX_ROWS);
		}
		arrows_place(arrows, n, MAX_ROWS, &n_lanes);
		for (size_t row = 0; row < MAX_ROWS; row++) {
			unsigned taken[ARROWS_MAX_LANES + 1] = { 0 };

			for (size_t i = 0; i < n; i++) {
				const struct arrow *arrow = &arrows[i];
				bool is_down = arrow->from < arrow->to;

				if (row >= (is_down ? arrow->from : arrow->to) &&
				    row <= (is_down ? arrow->to : arrow->from))
					taken[arrow->lane]++;
			}
			for (size_t lane = 0; lane < ARROWS_MAX_LANES; lane++)
				CHECK(taken[lane] <= (lane < n_lanes));
		}
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(no_arrows),      CHECK_TEST(forward_and_back), CHECK_TEST(nested),
		CHECK_TEST(in_turn),        CHECK_TEST(crossing),         CHECK_TEST(not_drawn),
		CHECK_TEST(lanes_are_free),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
