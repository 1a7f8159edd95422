/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cycles were mostly spent on. */
#include "profile/analysis/mostly.h"

#include "tests/common/model_fixture.h"

#define EVENTS_OF "events: D1mr L2dr DLmr CyBase CyDep CyMem\nfn=f\n1 1\n"

static const char *word(const char *text, const uint64_t *costs)
{
	struct mostly mostly;
	struct model model;
	const char *found;

	model_of(&model, text);
	mostly_init(&mostly, &model);
	found = mostly_word(&mostly, costs);
	model_release(&model);
	return found;
}

TEST(the_largest_part_counts)
{
	CHECK_STR(word(EVENTS_OF, (uint64_t[]){ 9, 9, 9, 50, 20, 40 }), "core");
	CHECK_STR(word(EVENTS_OF, (uint64_t[]){ 9, 9, 9, 50, 51, 40 }), "dependencies");
	CHECK_STR(word(EVENTS_OF, (uint64_t[]){ 9, 9, 9, 0, 0, 0 }), "");
	CHECK_STR(word("events: Ir\nfn=f\n1 1\n", (uint64_t[]){ 9 }), "");
}

#define WITH_WRITES "events: D1mr D1mw L2dr L2dw DLmr DLmw CyMem\nfn=f\n1 1\n"

/* 100 reads missed D1: 14, 50 and 300 cycles a hit, or what the profile says. */
TEST(of_memory_the_level_counts)
{
	static const char said[] = "desc: Core: zen5, width 8; cycles of L1D 4, L2 14, L3 56 "
				   "(assumed), memory 5600 (assumed)\n" EVENTS_OF;

	CHECK_STR(word(EVENTS_OF, (uint64_t[]){ 100, 10, 1, 0, 0, 1 }), "L2");
	CHECK_STR(word(EVENTS_OF, (uint64_t[]){ 100, 90, 10, 0, 0, 1 }), "L3");
	CHECK_STR(word(EVENTS_OF, (uint64_t[]){ 100, 90, 20, 0, 0, 1 }), "DRAM");
	CHECK_STR(word(said, (uint64_t[]){ 100, 10, 1, 0, 0, 1 }), "DRAM");
	CHECK_STR(word(EVENTS_OF, (uint64_t[]){ 0, 0, 0, 0, 0, 1 }), "memory");
	CHECK_STR(word("events: D1mr DLmr CyMem\nfn=f\n1 1\n", (uint64_t[]){ 100, 1, 1 }), "LL");
	/* 40 reads of L2 are 560; 8 lines that are written to memory 600, 7 of them 525. */
	CHECK_STR(word(WITH_WRITES, (uint64_t[]){ 40, 8, 0, 8, 0, 8, 1 }), "DRAM");
	CHECK_STR(word(WITH_WRITES, (uint64_t[]){ 40, 7, 0, 7, 0, 7, 1 }), "L2");
}

/* 100 rounds are a copy of 100 bytes, which is 10 cycles here. */
TEST(string_instructions_are_told_apart)
{
	static const char said[] = "events: Ir CyBase CyMem Rep\nfn=f\n1 1\n";

	CHECK_STR(word(said, (uint64_t[]){ 20, 140, 40, 100 }), "string ops");
	CHECK_STR(word(said, (uint64_t[]){ 25, 150, 40, 100 }), "core");
	CHECK_STR(word(said, (uint64_t[]){ 1, 140, 150, 100 }), "memory");
	CHECK_STR(word(said, (uint64_t[]){ 20, 140, 40, 0 }), "core");
	CHECK_STR(word("events: Ir CyBase\nfn=f\n1 1\n", (uint64_t[]){ 1, 140 }), "core");
}

TEST(parts_in_order)
{
	struct mostly mostly;
	struct model model;
	size_t order[MOSTLY_PARTS];

	model_of(&model, EVENTS_OF);
	CHECK(mostly_init(&mostly, &model));
	CHECK_EQ_U64(mostly_order(&mostly, (uint64_t[]){ 0, 0, 0, 2, 0, 9 }, order), 2);
	CHECK_STR(mostly.parts[order[0]]->term, "memory bound");
	CHECK_STR(mostly.parts[order[1]]->term, "core bound");
	model_release(&model);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(the_largest_part_counts),
		CHECK_TEST(of_memory_the_level_counts),
		CHECK_TEST(string_instructions_are_told_apart),
		CHECK_TEST(parts_in_order),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
