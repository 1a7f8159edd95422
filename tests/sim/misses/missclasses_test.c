/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/misses/missclasses and fullcache: classes by hand, and against Hill's definition, taken literally, by a history of all
 * lines that a level was asked for.
 */
#include "sim/misses/missclasses.h"

#include "tests/common/check.h"
#include "tests/sim/misses/naive_misses.h"

/* A level's history: line numbers in order. */
struct history {
	uint64_t *lines;
	size_t n, room;
	uint64_t line_size, n_lines;
};

static void history_init(struct history *history, const struct cache_config *config)
{
	*history = (struct history){
		.line_size = config->geometry.line_size,
		.n_lines = config->geometry.size / config->geometry.line_size,
	};
}

/*
 * What Hill's definition says about one line: FULL_COLD | FULL_MISSED if it was never asked for, FULL_MISSED if at least n_lines
 * different ones were since.
 */
static uint32_t history_judge(const struct history *history, uint64_t line)
{
	struct naive_list others = { .n = 0 };
	uint32_t outcome = FULL_COLD | FULL_MISSED;

	for (size_t i = history->n; i-- > 0 && outcome != 0;) {
		if (history->lines[i] == line) {
			outcome = others.n >= history->n_lines ? FULL_MISSED : 0;
			break;
		}
		if (naive_list_find(&others, history->lines[i]) == others.n)
			naive_list_push(&others, history->lines[i]);
	}
	naive_list_release(&others);
	return outcome;
}

static uint32_t history_refer(struct history *history, uint64_t address, uint64_t size)
{
	uint32_t outcome = 0;

	/* Byte by byte, where an end that wraps around is no case of its own. */
	for (uint64_t i = 0; i < size; i++) {
		const uint64_t line = (address + i) / history->line_size;

		if (i != 0 && (address + i) % history->line_size != 0)
			continue;
		outcome |= history_judge(history, line);
		if (history->n == history->room) {
			history->room = 2 * history->room + 64;
			history->lines = realloc(history->lines, history->room * sizeof(line));
			if (!history->lines)
				abort();
		}
		history->lines[history->n++] = line;
	}
	return outcome;
}

static enum miss_class class_of(uint32_t outcome)
{
	return (outcome & FULL_COLD) != 0     ? MISS_COLD
	       : (outcome & FULL_MISSED) != 0 ? MISS_CAPACITY
					      : MISS_CONFLICT;
}

/* Four lines of 64 bytes, eight, and four of 128. */
static const struct hierarchy_config small = {
	.i1 = { .geometry = { 256, 4, 64 } },
	.d1 = { .geometry = { 256, 4, 64 } },
	.n_lower = 2,
	.lower = { { .geometry = { 512, 2, 64 } }, { .geometry = { 512, 4, 128 } } },
};

static struct missclasses classes;
static struct full_level tested;

TEST(first_level_decides_by_what_its_own_did)
{
	struct miss_reasons reasons;

	missclasses_init(&classes, &small, &naive_memory);
	reasons = missclasses_find(&classes, FULL_MISSED | FULL_COLD, 0, 8, 3);
	CHECK(reasons.of[0] == MISS_COLD && reasons.of[1] == MISS_COLD &&
	      reasons.of[2] == MISS_COLD && !reasons.is_anti);
	/* The other half of the line of 128: L3 has it, and was not asked for it anew. */
	reasons = missclasses_find(&classes, FULL_MISSED | FULL_COLD, 64, 8, 3);
	CHECK(reasons.of[0] == MISS_COLD && reasons.of[1] == MISS_COLD &&
	      reasons.of[2] == MISS_CONFLICT);
	reasons = missclasses_find(&classes, 0, 0, 8, 1);
	CHECK(reasons.of[0] == MISS_CONFLICT && !reasons.is_anti);
	reasons = missclasses_find(&classes, FULL_MISSED, 0, 8, 1);
	CHECK(reasons.of[0] == MISS_CAPACITY && !reasons.is_anti);
	reasons = missclasses_find(&classes, FULL_MISSED, 0, 8, 0);
	CHECK(reasons.is_anti);
	reasons = missclasses_find(&classes, 0, 0, 8, 0);
	CHECK(!reasons.is_anti);
	missclasses_release(&classes);
	CHECK_EQ_U64(naive_blocks, 0);
}

/* Eight lines of L2: the ninth pushes out the one that was asked for longest ago, by a level that hit, too. */
TEST(levels_see_what_the_one_before_missed)
{
	missclasses_init(&classes, &small, &naive_memory);
	for (uint64_t i = 0; i < 8; i++)
		missclasses_find(&classes, FULL_MISSED | FULL_COLD, i * 64, 8, 3);
	/* Served by L2, which was asked; by D1, where it was not. */
	missclasses_find(&classes, FULL_MISSED, 0, 8, 1);
	missclasses_find(&classes, 0, 64, 8, 0);
	CHECK(missclasses_find(&classes, FULL_MISSED, UINT64_C(8) * 64, 8, 2).of[1] == MISS_COLD);
	CHECK(missclasses_find(&classes, FULL_MISSED, 0, 8, 2).of[1] == MISS_CONFLICT);
	CHECK(missclasses_find(&classes, FULL_MISSED, 64, 8, 2).of[1] == MISS_CAPACITY);
	/* L3 has not seen the last four, but four lines of 128 once: 0's, and none of 512's. */
	CHECK(missclasses_find(&classes, FULL_MISSED, 0, 8, 3).of[2] == MISS_CONFLICT);
	missclasses_release(&classes);
}

TEST(evicted_lines_are_cold_again)
{
	struct miss_reasons reasons;

	missclasses_init(&classes, &small, &naive_memory);
	for (uint64_t i = 0; i < 3; i++)
		missclasses_find(&classes, FULL_MISSED | FULL_COLD, i * 64, 8, 3);
	missclasses_evict(&classes, address_range(64, 64));
	reasons = missclasses_find(&classes, 0, 0, 8, 3);
	/* L3's line of 0 and 64 is gone as a whole. */
	CHECK(reasons.of[1] == MISS_CONFLICT && reasons.of[2] == MISS_COLD);
	reasons = missclasses_find(&classes, 0, 64, 8, 3);
	CHECK(reasons.of[1] == MISS_COLD && reasons.of[2] == MISS_CONFLICT);
	reasons = missclasses_find(&classes, 0, 128, 8, 3);
	CHECK(reasons.of[1] == MISS_CONFLICT && reasons.of[2] == MISS_CONFLICT);
	missclasses_release(&classes);
}

/* One reference, whatever its length; cold if one of its lines is. */
TEST(references_on_several_lines)
{
	fulllevel_init(&tested, &small.d1, &naive_memory);
	CHECK_EQ_U64(fulllevel_refer(&tested, 60, 8), FULL_MISSED | FULL_COLD);
	CHECK_EQ_U64(fulllevel_refer(&tested, 0, 128), 0);
	CHECK_EQ_U64(fulllevel_refer(&tested, 127, 2), FULL_MISSED | FULL_COLD);
	CHECK_EQ_U64(fulllevel_refer(&tested, 128, 1), 0);
	CHECK_EQ_U64(fulllevel_refer(&tested, 192, 1), FULL_MISSED | FULL_COLD);
	CHECK_EQ_U64(fulllevel_refer(&tested, 0, 256), 0);
	CHECK_EQ_U64(fulllevel_refer(&tested, 0, 257), FULL_MISSED | FULL_COLD);
	/* 256 192 128 64: 0 is there no more. */
	CHECK_EQ_U64(fulllevel_refer(&tested, 64, 1), 0);
	CHECK_EQ_U64(fulllevel_refer(&tested, 0, 65), FULL_MISSED);
	/* Five lines in a cache of four: all of them miss, again and again. */
	CHECK_EQ_U64(fulllevel_refer(&tested, 0, 320), FULL_MISSED);
	CHECK_EQ_U64(fulllevel_refer(&tested, 0, 320), FULL_MISSED);
	fulllevel_release(&tested);
	CHECK_EQ_U64(naive_blocks, 0);
}

TEST(references_that_wrap_around)
{
	fulllevel_init(&tested, &small.d1, &naive_memory);
	CHECK_EQ_U64(fulllevel_refer(&tested, UINT64_MAX, 2), FULL_MISSED | FULL_COLD);
	CHECK_EQ_U64(fulllevel_refer(&tested, 0, 1), 0);
	CHECK_EQ_U64(fulllevel_refer(&tested, UINT64_MAX - 63, 1), 0);
	CHECK_EQ_U64(fulllevel_refer(&tested, UINT64_MAX - 63, 65), 0);
	CHECK_EQ_U64(fulllevel_refer(&tested, UINT64_MAX - 64, 200), FULL_MISSED | FULL_COLD);
	/* 128 is not in it: 65 bytes and 135. */
	CHECK_EQ_U64(tested.cache.n, 4);
	fulllevel_evict(&tested, address_range(UINT64_MAX, 1));
	CHECK_EQ_U64(fulllevel_refer(&tested, 0, 1), 0);
	CHECK_EQ_U64(fulllevel_refer(&tested, UINT64_MAX, 1), FULL_MISSED | FULL_COLD);
	fulllevel_release(&tested);
}

static uint64_t some_address(struct check_random *random, uint64_t span)
{
	const uint64_t place = check_random_below(random, span);

	return check_random_below(random, 3) == 0 ? place - span / 2 : 0x400000 + place;
}

/* Any sizes, of lines, too; which level serves a reference is by chance. */
TEST(classes_by_their_definition)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (unsigned trial = 0; trial < 40; trial++) {
		struct hierarchy_config config = { .n_lower = 1 + trial % 3 };
		struct history histories[HIERARCHY_MAX_LEVELS];
		const uint64_t span = 200 + check_random_below(&random, 6000);
		uint64_t counts[HIERARCHY_MAX_LEVELS][N_MISS_CLASSES] = { { 0 } };
		bool same = true;

		for (unsigned i = 0; i <= config.n_lower; i++) {
			struct cache_config *cache = i == 0 ? &config.d1 : &config.lower[i - 1];

			cache->geometry.line_size = UINT32_C(16) << check_random_below(&random, 4);
			cache->geometry.assoc = 1 + (uint32_t)check_random_below(&random, 8);
			cache->geometry.size = (1 + check_random_below(&random, 6)) *
					       cache->geometry.assoc * cache->geometry.line_size;
			history_init(&histories[i], cache);
		}
		fulllevel_init(&tested, &config.d1, &naive_memory);
		missclasses_init(&classes, &config, &naive_memory);
		for (unsigned i = 0; i < 300 && same; i++) {
			const uint64_t address = some_address(&random, span);
			const uint64_t size =
				1 + check_random_below(&random, i % 10 == 0 ? 400 : 16);
			const unsigned served =
				(unsigned)check_random_below(&random, config.n_lower + 2);
			const uint32_t first = fulllevel_refer(&tested, address, size);
			const struct miss_reasons reasons =
				missclasses_find(&classes, first, address, size, served);

			same = CHECK_EQ_U64(first, history_refer(&histories[0], address, size)) &&
			       CHECK(reasons.of[0] == class_of(first)) &&
			       CHECK(reasons.is_anti ==
				     (served == 0 && (first & FULL_MISSED) != 0));
			for (unsigned k = 1; k <= served && k <= config.n_lower; k++) {
				const enum miss_class wanted =
					class_of(history_refer(&histories[k], address, size));

				same = CHECK_EQ_U64(reasons.of[k], wanted) && same;
				counts[k][wanted]++;
			}
		}
		for (unsigned k = 1; k <= config.n_lower; k++)
			CHECK(counts[k][MISS_COLD] > 0);
		for (unsigned i = 0; i <= config.n_lower; i++)
			free(histories[i].lines);
		missclasses_release(&classes);
		fulllevel_release(&tested);
	}
	CHECK_EQ_U64(naive_blocks, 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(first_level_decides_by_what_its_own_did),
		CHECK_TEST(levels_see_what_the_one_before_missed),
		CHECK_TEST(evicted_lines_are_cold_again),
		CHECK_TEST(references_on_several_lines),
		CHECK_TEST(references_that_wrap_around),
		CHECK_TEST(classes_by_their_definition),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
