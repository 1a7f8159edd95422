/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/machines/machinecosts: costs that a machine's text says, and what is taken in place of others. */
#include "sim/machines/machinecosts.h"

#include "tests/common/check.h"

#define BASE "machine m\nline 64\nL1I 32K 8 lru\nL1D 32K 8 lru\nL2 1M 16 lru\n"

static struct machinefile file;
static struct machinecosts costs;

static bool take(const char *text)
{
	struct machinefile_error error;

	if (!CHECK(machinefile_parse(&file, text, strlen(text), &error)))
		return false;
	machinecosts_read(&costs, &file);
	return true;
}

static const char *unsaid(void)
{
	static char text[256];
	struct phrase phrase = { text, sizeof(text), 0 };

	text[0] = '\0';
	CHECK(machinecosts_put_unsaid(&costs, &phrase) == (text[0] != '\0'));
	return text;
}

static const char *all(void)
{
	static char text[512];
	struct phrase phrase = { text, sizeof(text), 0 };

	machinecosts_put(&costs, &phrase);
	return text;
}

TEST(a_core_alone)
{
	if (!take(BASE "core zen2\n"))
		return;
	/* L2: 3 * 4; memory: 6 * 12. */
	CHECK_STR(unsaid(),
		  "width 4, rob 224, fetch 32, misses 12, cost L1D 4, cost L2 12, cost memory 72, "
		  "cost mispredict 15, cost walk 25");
	CHECK_STR(
		all(),
		"zen2, width 4 (assumed), rob 224 (assumed), fetch 32 (assumed), misses 12 (assumed); "
		"cycles of L1D 4 (assumed), L2 12 (assumed), memory 72 (assumed), "
		"mispredict 15 (assumed), walk 25 (assumed)");
	CHECK_EQ_U64(costs.cycles[COST_L3], 0);
}

TEST(what_is_said)
{
	if (!take(BASE
		  "L3 8M 16 lru\nITLB 64 64 4K\nDTLB 64 64 4K\nSTLB 512 4 4K\nbtb 7168 first=512\n"
		  "core zen5\nwidth 5\nrob 100\nfetch 64 assumed\nmisses 20 set=7\ncost L1D 5\n"
		  "cost L2 14\ncost L3 50 assumed\ncost memory 300\ncost mispredict 16\ncost STLB 9\n"
		  "cost walk 30\ncost forward 7\ncost stream 20\ncost jump 1\ncost btb 3\n"))
		return;
	CHECK_STR(unsaid(), "");
	CHECK_STR(all(),
		  "zen5, width 5, rob 100, fetch 64 (assumed), misses 20, set 7, btb first 512; "
		  "cycles of L1D 5, L2 14, L3 50 (assumed), memory 300, mispredict 16, "
		  "STLB 9, walk 30, forward 7, stream 20, btb 3");
	/* Bandwidths that were measured, not a bus's. */
	if (!take(BASE "core zen2\nroof L1D 64\nroof L2 12\nroof memory 9 assumed\n"))
		return;
	CHECK_EQ_U64(costs.streamed[ROOF_L2], 12);
	CHECK_EQ_U64(costs.streamed[ROOF_MEMORY], 0);
	CHECK(strstr(all(), ", L2 12 bytes") != NULL);
	/* Of other cores, the tool simulates none. */
	if (!take(BASE "L3 8M 16 lru\ncore zen5\ncost L3 50\ncost core 77\n"))
		return;
	CHECK_EQ_U64(costs.cycles[COST_CORE], 77);
	CHECK(strstr(all(), "core 77") == NULL);
	/* Levels go by the one above. */
	if (!take(BASE "L3 8M 16 lru\ncore zen5\ncost L2 10\n"))
		return;
	CHECK_EQ_U64(costs.cycles[COST_L3], 30);
	CHECK_EQ_U64(costs.cycles[COST_MEMORY], 180);
	CHECK_EQ_U64(costs.cycles[COST_CORE], 60);
}

TEST(target_buffers)
{
	/* The first level is none if it costs nothing that it is small. */
	if (!take(BASE "btb 7168 first=512\n"))
		return;
	CHECK_EQ_U64(costs.near_targets, 0);
	CHECK(costs.core == NULL);
}

int main(void)
{
	const struct check_test tests[] = {
		CHECK_TEST(a_core_alone),
		CHECK_TEST(what_is_said),
		CHECK_TEST(target_buffers),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
