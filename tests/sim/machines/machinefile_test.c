/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/machines/machinefile: what is read of a machine's text, and the place and words of each error. */
#include "sim/machines/machinefile.h"

#include "tests/common/check.h"

static struct machinefile file;
static struct machinefile_error error;

/* "LINE:COLUMN: expected ..., found ...", or "fine". */
static const char *parse_bytes(const char *text, size_t len)
{
	static char message[MACHINEFILE_MESSAGE_SIZE + 32];
	int n;

	if (machinefile_parse(&file, text, len, &error))
		return "fine";
	n = snprintf(message, 32, "%" PRIu32 ":%" PRIu32 ": ", error.line, error.column);
	machinefile_explain(&error, text, message + n, MACHINEFILE_MESSAGE_SIZE);
	return message;
}

static const char *parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

/* A machine of two levels, and what is put after it, from line 6 on. */
#define BASE       \
 "machine m\n"     \
 "line 64\n"       \
 "L1I 32K 8 lru\n" \
 "L1D 32K 8 lru\n" \
 "L2 1M 16 lru\n"

static const char *with(const char *more)
{
	static char text[2048];

	snprintf(text, sizeof(text), BASE "%s", more);
	return parse(text);
}

static const char *span(struct machinefile_span span)
{
	static char text[256];

	snprintf(text, sizeof(text), "%.*s", (int)span.len, file.text + span.offset);
	return text;
}

TEST(lines_become_items)
{
	static const char text[] =
		"; a comment\r\n"
		"\n"
		"  machine zen9.1  A processor of  tomorrow \t ; not yet\n"
		"line\t64 # by rule\r\n"
		"L1I 32K 8 lru assumed ;; a book, page 7  \n"
		"L1D 49152 12 lru;no blanks\n"
		"L2 1408K 11 lru inclusive index=hash:77\n"
		"L3 3M 3 lru index=hash victim assumed # no power of two of sets\n"
		"L4 1G 16 lru index=plain assumed nine\n"
		"DTLB 64 4 4K\n"
		"DTLB 32 4 2M\n"
		"ITLB 64 64 4K,2M\n"
		"STLB 1536 12 4K,2M\n"
		"ISTLB 512 8 4K\n"
		"prefetch L1D next-line degree=2\n"
		"prefetch L1D ip-stride\n"
		"prefetch L2 adjacent\n"
		"prefetch L2 stream distance=20 assumed streams=32\n"
		"branch tage8k\nras 16\nbtb 5120\nrob 224\nwidth 4\n"
		"cost L2 13\ncost mispredict 17\n"
		"cost walk 25";
	struct cache_config cache;
	struct policy policy;
	const struct machinefile_item *item;

	if (!CHECK_STR(parse(text), "fine"))
		return;
	CHECK_STR(file.name, "zen9.1");
	CHECK_STR(span(file.description), "A processor of  tomorrow");
	CHECK_EQ_U64(file.n_items, 23);
	CHECK(machinefile_assumes(&file));

	item = machinefile_find(&file, MACHINE_L1I);
	CHECK_EQ_U64(item->line, 5);
	CHECK_EQ_U64(item->assumed, 1U << CACHE_POLICY);
	CHECK_STR(span(item->source), "a book, page 7");
	CHECK_STR(span(item->words[CACHE_SIZE]), "32K");
	CHECK_STR(span(machinefile_find(&file, MACHINE_L1D)->source), "no blanks");
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_L2)->source.len, 0);

	CHECK(machinefile_cache(&file, MACHINE_L1D, &policy, &cache));
	CHECK_EQ_U64(cache.geometry.size, 49152);
	CHECK_EQ_U64(cache.geometry.assoc, 12);
	CHECK_EQ_U64(cache.geometry.line_size, 64);
	CHECK_EQ_U64(cache.inclusion, INCLUSION_NINE);
	CHECK_STR(cache.policy->name, "lru");
	CHECK(machinefile_cache(&file, MACHINE_L2, &policy, &cache));
	CHECK_EQ_U64(cache.geometry.size, 1441792);
	CHECK_EQ_U64(cache.inclusion, INCLUSION_INCLUSIVE);
	CHECK_EQ_U64(cache.hash_seed, 77);
	CHECK(machinefile_cache(&file, MACHINE_L3, &policy, &cache));
	CHECK_EQ_U64(cache.inclusion, INCLUSION_VICTIM);
	CHECK_EQ_U64(cache.hash_seed, 1);
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_L3)->assumed, 1U << CACHE_RELATION);
	CHECK(machinefile_cache(&file, MACHINE_L4, &policy, &cache));
	CHECK_EQ_U64(cache.geometry.size, 1 << 30);
	CHECK_EQ_U64(cache.hash_seed, 0);
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_L4)->assumed, 1U << CACHE_INDEX);

	item = machinefile_find(&file, MACHINE_DTLB);
	CHECK_EQ_U64(item->values[TLB_PAGES], 1U << TLB_4K);
	CHECK_EQ_U64(item[1].values[TLB_PAGES], 1U << TLB_2M);
	CHECK_EQ_U64(item[2].values[TLB_PAGES], 1U << TLB_4K | 1U << TLB_2M);
	item = machinefile_find(&file, MACHINE_PREFETCH);
	CHECK_EQ_U64(item->values[PREFETCH_DEGREE], 2);
	CHECK_EQ_U64(item[3].values[PREFETCH_KIND], PREFETCH_STREAM);
	CHECK_EQ_U64(item[3].values[PREFETCH_LEVEL], LEVEL_IS_L2);
	CHECK_EQ_U64(item[3].values[PREFETCH_STREAMS], 32);
	CHECK_EQ_U64(item[3].values[PREFETCH_DISTANCE], 20);
	CHECK_EQ_U64(item[3].assumed, 1U << PREFETCH_DISTANCE);
	CHECK_EQ_U64(item[3].given, (1U << PREFETCH_DEGREE) - 1);
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_BRANCH)->values[BRANCH_MODEL], BRANCH_TAGE8K);
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_BTB)->values[MACHINE_AMOUNT], 5120);
	item = machinefile_find(&file, MACHINE_COST);
	CHECK_EQ_U64(item[2].values[COST_OF], COST_WALK);
	CHECK_EQ_U64(item[2].values[COST_CYCLES], 25);
}

TEST(cycles_have_items_of_their_own)
{
	static const struct {
		const char *line;
		enum machine_cost of;
		uint64_t cycles;
	} costs[] = {
		{ "cost forward 7", COST_FORWARD, 7 },   { "cost stream 20", COST_STREAM, 20 },
		{ "cost transfer 9", COST_TRANSFER, 9 }, { "cost jump 2", COST_JUMP, 2 },
		{ "cost btb 4", COST_BTB, 4 },           { "cost btb 100000", COST_BTB, 100000 },
		{ "cost renamed 1", COST_RENAMED, 1 },   { "cost renamed 0", COST_RENAMED, 0 },
		{ "cost core 90", COST_CORE, 90 },
	};
	const struct machinefile_item *item;

	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
		if (!CHECK_STR(with(costs[i].line), "fine"))
			continue;
		item = machinefile_find(&file, MACHINE_COST);
		CHECK_EQ_U64(item->values[COST_OF], costs[i].of);
		CHECK_EQ_U64(item->values[COST_CYCLES], costs[i].cycles);
	}
	/* They are next to each other. */
	CHECK_STR(with("cost forward 7\ncost renamed 0\ncost stream 20\ncost transfer 9\n"
		       "cost jump 2\ncost btb 4\ncore zen2\nfetch 32\nmisses 22 set=12"),
		  "fine");
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_FETCH)->values[MACHINE_AMOUNT], 32);
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_MISSES)->values[MACHINE_AMOUNT], 22);
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_MISSES)->values[MISSES_SET], 12);

	CHECK_STR(with("width 6 decoded=5\ncost call 2"), "fine");
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_WIDTH)->values[MACHINE_AMOUNT], 6);
	CHECK_EQ_U64(machinefile_find(&file, MACHINE_WIDTH)->values[WIDTH_DECODED], 5);
	CHECK_STR(with("btb 7168 first=512 assumed"), "fine");
	item = machinefile_find(&file, MACHINE_BTB);
	CHECK_EQ_U64(item->values[MACHINE_AMOUNT], 7168);
	CHECK_EQ_U64(item->values[BTB_FIRST], 512);
	CHECK_EQ_U64(item->assumed, 1U << BTB_FIRST);
	CHECK_STR(with("btb 7168 first=7168\nras 256"), "fine");
	CHECK_STR(with("btb 7168"), "fine");
	item = machinefile_find(&file, MACHINE_BTB);
	CHECK_EQ_U64(item->values[BTB_FIRST], 0);
	CHECK_EQ_U64(item->given, 1U << MACHINE_AMOUNT);
}

TEST(cores_share_the_last_level)
{
	CHECK_STR(with("L3 2M 16 lru"), "fine");
	CHECK_EQ_U64(machinefile_cores(&file), 1);
	CHECK_STR(with("L3 2M 16 lru\ncores 64"), "fine");
	CHECK_EQ_U64(machinefile_cores(&file), 64);
	/* L2 is a core's own. */
	CHECK_STR(with("cores 1"), "fine");
	CHECK_EQ_U64(machinefile_cores(&file), 1);
}

TEST(machine_of_the_host_has_no_caches)
{
	struct cache_config cache;
	struct policy policy;

	CHECK_STR(parse("machine c\ncaches host-two-levels"), "fine");
	CHECK(!machinefile_assumes(&file));
	CHECK(machinefile_find(&file, MACHINE_CACHES) != NULL);
	CHECK(!machinefile_cache(&file, MACHINE_L2, &policy, &cache));
	CHECK_STR(parse("machine c\ncaches host-two-levels\nprefetch L2 adjacent"), "fine");
	CHECK_STR(
		parse("machine c\ncaches host-two-levels\nL3 1M 16 lru"),
		"2:8: expected no line caches alongside lines of caches, found 'host-two-levels'");
	CHECK_STR(parse("machine c\nline 64\ncaches host-two-levels"),
		  "2:6: expected no line size alongside a line caches, found '64'");
	CHECK_STR(parse("machine c\ncaches mine"),
		  "2:8: expected which, host-two-levels, found 'mine'");
}

TEST(first_line_names_the_machine)
{
	static const char rule[] = "a name of a-z, 0-9, and after the first of these - _ .";
	char wanted[200];

	CHECK_STR(parse(""), "1:1: expected the line machine NAME, found none");
	CHECK_STR(parse("# no more\n"), "2:1: expected the line machine NAME, found none");
	CHECK_STR(parse("L2 1M 16 lru"),
		  "1:1: expected the line machine NAME before others, found 'L2'");
	CHECK_STR(parse("machine"), "1:8: expected a name of 1 to 31 characters, found none");
	CHECK_STR(parse("machine   ; zen"),
		  "1:8: expected a name of 1 to 31 characters, found none");
	CHECK_STR(parse("machine a234567890123456789012345678901"),
		  "1:40: expected a line line, found none");
	snprintf(wanted, sizeof(wanted), "1:9: expected %s, found 'Zen'", rule);
	CHECK_STR(parse("machine Zen"), wanted);
	snprintf(wanted, sizeof(wanted), "1:9: expected %s, found '.a'", rule);
	CHECK_STR(parse("machine .a"), wanted);
	CHECK_STR(
		with("machine again"),
		"6:1: expected line, caches, L1I, L1D, L2, L3, L4, cores, ITLB, DTLB, STLB, ISTLB, "
		"prefetch, branch, ras, btb, rob, width, core, fetch, misses, cost or roof, found 'machine'");
}

/* What comes after a machine of five lines, and what is said about it. */
static const struct {
	const char *more, *message; /* "" is fine */
} cases[] = {
	{ "", "fine" },
	{ "l3 1M 16 lru",
	  "6:1: expected line, caches, L1I, L1D, L2, L3, L4, cores, ITLB, DTLB, STLB, ISTLB, "
	  "prefetch, branch, ras, btb, rob, width, core, fetch, misses, cost or roof, found 'l3'" },
	{ "L3", "6:3: expected size, a size from 1 to 4G (bytes, or with K, M or G), found none" },
	{ "L3  ; 1M",
	  "6:3: expected size, a size from 1 to 4G (bytes, or with K, M or G), found none" },
	{ "L3 assumed",
	  "6:4: expected size, a size from 1 to 4G (bytes, or with K, M or G), found 'assumed'" },
	{ "L3 1.5M 16 lru",
	  "6:4: expected size, a size from 1 to 4G (bytes, or with K, M or G), found '1.5M'" },
	{ "L3 K 16 lru",
	  "6:4: expected size, a size from 1 to 4G (bytes, or with K, M or G), found 'K'" },
	{ "L3 0 16 lru",
	  "6:4: expected size, a size from 1 to 4G (bytes, or with K, M or G), found '0'" },
	{ "L3 5G 16 lru",
	  "6:4: expected size, a size from 1 to 4G (bytes, or with K, M or G), found '5G'" },
	{ "L3 18446744073709551616K 16 lru",
	  "6:4: expected size, a size from 1 to 4G (bytes, or with K, M or G), found '18446744073709551616K'" },
	{ "L3 99999999999999G 16 lru",
	  "6:4: expected size, a size from 1 to 4G (bytes, or with K, M or G), found '99999999999999G'" },
	{ "L3 1M", "6:6: expected ways, a number from 1 to 1024, found none" },
	{ "L3 1M 0 lru", "6:7: expected ways, a number from 1 to 1024, found '0'" },
	{ "L3 1M 1025 lru", "6:7: expected ways, a number from 1 to 1024, found '1025'" },
	{ "L3 1M -1 lru", "6:7: expected ways, a number from 1 to 1024, found '-1'" },
	{ "L3 1M 16", "6:9: expected policy, " POLICY_NAMES ", found none" },
	{ "L3 1M 16 best", "6:10: expected policy, " POLICY_NAMES ", found 'best'" },
	{ "L3 1M 16 qlru_h00_m1_r0",
	  "6:10: expected policy, " POLICY_NAMES ", found 'qlru_h00_m1_r0'" },
	{ "L3 1M 16 QLRU_H00_M1_R0_U1", "fine" },
	{ "L3 1M 16 lru lru",
	  "6:14: expected relation, nine, inclusive or victim; or index=plain, hash or "
	  "hash:SEED; or no more, found 'lru'" },
	{ "L3 1M 16 lru nine nine",
	  "6:19: expected index=plain, hash or hash:SEED; or no more, found 'nine'" },
	{ "L3 1M 16 lru index=hash index=hash",
	  "6:25: expected relation, nine, inclusive or victim; or no more, found "
	  "'index=hash'" },
	{ "L3 1M 16 lru index=", "6:20: expected index=plain, hash or hash:SEED, found none" },
	{ "L3 1M 16 lru index=hash:",
	  "6:20: expected index=plain, hash or hash:SEED, found 'hash:'" },
	{ "L3 1M 16 lru index=hash:0",
	  "6:20: expected index=plain, hash or hash:SEED, found 'hash:0'" },
	{ "L3 1M 16 lru index=hush:1",
	  "6:20: expected index=plain, hash or hash:SEED, found 'hush:1'" },
	{ "L3 1M 16 lru indexes=hash",
	  "6:14: expected relation, nine, inclusive or victim; or index=plain, hash or "
	  "hash:SEED; or no more, found 'indexes=hash'" },
	{ "L3 1M 16 lru assumed assumed",
	  "6:22: expected relation, nine, inclusive or victim; or index=plain, hash or "
	  "hash:SEED; or no more, found 'assumed'" },
	{ "L2 1M 16 lru", "6:1: expected something that line 5 has not said, found 'L2'" },
	{ "DTLB 64 4 4K\nDTLB 64 4 2M\nDTLB 64 4 4K,2M",
	  "8:1: expected something that line 6 has not said, found 'DTLB'" },
	{ "cost L2 12\ncost L3 40\ncost L2 13",
	  "8:1: expected something that line 6 has not said, found 'cost'" },
	{ "prefetch L2 stream\nprefetch L2 stream streams=2",
	  "7:1: expected something that line 6 has not said, found 'prefetch'" },
	{ "DTLB 64 4", "6:10: expected pages, 4K, 2M or 4K,2M, found none" },
	{ "DTLB 64 4 1G", "6:11: expected pages, 4K, 2M or 4K,2M, found '1G'" },
	{ "DTLB 64 5 4K", "6:6: expected a multiple of the ways, 5, found '64'" },
	{ "DTLB 4 8 4K", "6:6: expected a multiple of the ways, 8, found '4'" },
	{ "DTLB 64 4 4K\nSTLB 64 4 4K",
	  "7:13: expected a line ITLB, since there is a second level, found none" },
	{ "DTLB 64 4 4K\nITLB 64 4 4K\nISTLB 64 4 4K",
	  "8:14: expected a line STLB alongside ISTLB, found none" },
	{ "prefetch L3 stream", "6:10: expected a level that the machine has, found 'L3'" },
	{ "prefetch L2 ip-stride", "6:10: expected L1D, where instructions are known, found 'L2'" },
	{ "prefetch L2 sideways",
	  "6:13: expected kind, next-line, adjacent, stream or ip-stride, found "
	  "'sideways'" },
	{ "prefetch L2 stream streams=0",
	  "6:28: expected streams=a number from 1 to 64, found '0'" },
	{ "prefetch L2 stream degree=2",
	  "6:27: expected streams= or distance= of a stream, found '2'" },
	{ "prefetch L2 adjacent degree=2",
	  "6:29: expected no number: the other line is one, found '2'" },
	{ "prefetch L1D next-line streams=2",
	  "6:32: expected degree= of such a prefetcher, found '2'" },
	{ "cost L1D 5\ncost memory 200\ncost L3 40",
	  "8:6: expected a level that the machine has, found 'L3'" },
	{ "cost L4 60\nL3 2M 16 lru", "6:6: expected a level that the machine has, found 'L4'" },
	{ "roof L3 32", "6:6: expected a level that the machine has, found 'L3'" },
	{ "roof double 0", "6:13: expected most, a number from 1 to 65536, found '0'" },
	{ "roof L2 32\nroof L2 64",
	  "7:1: expected something that line 6 has not said, found 'roof'" },
	{ "roof quadruple 1",
	  "6:6: expected of, single, double, L1D, L2, L3, L4 or memory, found 'quadruple'" },
	{ "cost STLB 7", "6:6: expected a level that the machine has, found 'STLB'" },
	{ "cost jump 0", "6:11: expected 1 cycle or more, found '0'" },
	{ "cost btb 0", "6:10: expected 1 cycle or more, found '0'" },
	{ "cost transfer 0", "6:15: expected 1 cycle or more, found '0'" },
	{ "cost forward 0", "6:14: expected 1 cycle or more, found '0'" },
	{ "cost renamed", "6:13: expected cycles, a number from 0 to 100000, found none" },
	{ "cost renamed 100001",
	  "6:14: expected cycles, a number from 0 to 100000, found '100001'" },
	{ "cost renamed 0\ncost renamed 1",
	  "7:1: expected something that line 6 has not said, found 'cost'" },
	{ "cost rename 1",
	  "6:6: expected of, L1D, L2, L3, L4, memory, mispredict, STLB, walk, forward, "
	  "stream, transfer, jump, btb, renamed, call or core, found 'rename'" },
	{ "btb 7168 first=0", "6:16: expected first=a number from 1 to 1048576, found '0'" },
	{ "btb 7168 first=", "6:16: expected first=a number from 1 to 1048576, found none" },
	{ "btb 7168 512",
	  "6:10: expected first=a number from 1 to 1048576; or no more, found '512'" },
	{ "btb 512 first=513", "6:15: expected no more than all its entries, found '513'" },
	{ "width 4 decoded=5", "6:17: expected no more than the width, found '5'" },
	{ "cores 2", "6:7: expected 1 without an L3: each core has its own L2, found '2'" },
	{ "L3 2M 16 lru\ncores 65", "7:7: expected cores, a number from 1 to 64, found '65'" },
	{ "cores 0", "6:7: expected cores, a number from 1 to 64, found '0'" },
	{ "cost core 0", "6:11: expected 1 cycle or more, found '0'" },
	{ "ras 257", "6:5: expected entries, a number from 1 to 256, found '257'" },
	{ "ras 16 first=8", "6:8: expected no more, found 'first=8'" },
	{ "ras", "6:4: expected entries, a number from 1 to 256, found none" },
	{ "ras 1 2", "6:7: expected no more, found '2'" },
	{ "branch guess", "6:8: expected model, cachegrind, tage8k or tage64k, found 'guess'" },
	{ "L3 1M 16 lru \x1b[2J\x80",
	  "6:14: expected relation, nine, inclusive or victim; or index=plain, hash or "
	  "hash:SEED; or no more, found '.[2J.'" },
};

TEST(errors_have_a_place_and_say_what_was_expected)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!CHECK_STR(with(cases[i].more), cases[i].message))
			printf("# of: %s\n", cases[i].more);
}

TEST(machines_that_cannot_be_are_refused)
{
	CHECK_STR(parse("machine m\n"), "2:1: expected a line line, found none");
	CHECK_STR(parse("machine m\nline 64\n"), "3:1: expected a line L1I, found none");
	CHECK_STR(parse("machine m\nline 64\nL1I 32K 8 lru\nL1D 32K 8 lru\n"),
		  "5:1: expected a line L2, found none");
	CHECK_STR(parse("machine m\nline 48\nL1I 32K 8 lru\nL1D 32K 8 lru\nL2 1M 16 lru"),
		  "2:6: expected a power of two, found '48'");
	CHECK_STR(parse("machine m\nline 8\n"),
		  "2:6: expected size, a number from 16 to 1024, found '8'");
	CHECK_STR(parse("machine m\nline 64\nL1I 32K 8 lru\nL1D 33000 8 lru\nL2 1M 16 lru"),
		  "4:5: expected a multiple of ways times line size, 8 * 64, found '33000'");
	CHECK_STR(parse("machine m\nline 64\nL1I 32K 8 lru\nL1D 48K 8 lru\nL2 1M 16 lru"),
		  "4:5: expected a first level whose number of sets is a power of two, not 96, "
		  "found '48K'");
	CHECK_STR(parse("machine m\nline 64\nL1I 32K 8 lru\nL1D 32K 8 lru\nL2 16K 16 lru"),
		  "5:4: expected a size of at least that of L1D, 32K, found '16K'");
	CHECK_STR(with("L3 512K 16 lru"),
		  "6:4: expected a size of at least that of L2, 1M, found '512K'");
	CHECK_STR(with("L3 512K 16 lru victim"), "fine");
	CHECK(strncmp(with("L3 1408K 11 plru"),
		      "6:13: expected a policy that goes with 11 ways: ", 48) == 0);
	CHECK(strncmp(with("L3 1M 16 lru3plru4"),
		      "6:10: expected a policy that goes with 16 ways: ", 48) == 0);
	CHECK_STR(with("L4 2M 16 lru"),
		  "6:13: expected a line L3, since there is a level below it, found none");
	CHECK_STR(parse("machine m\nline 64\nL1I 32K 8 lru\nL1D 32K 8 lru\nL2 1M 16 lru victim"),
		  "5:14: expected nine or inclusive: what the first level evicts is not kept, "
		  "found 'victim'");
}

TEST(limits_are_kept)
{
	static char text[MACHINEFILE_MAX_SIZE + 1];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s", BASE);
	char *line = text + len;

	/* A line of 500 bytes, and one of 501. */
	memset(line, ' ', MACHINEFILE_MAX_LINE);
	CHECK_STR(parse_bytes(text, len + MACHINEFILE_MAX_LINE), "fine");
	line[0] = ';';
	memset(line + 1, 'x', MACHINEFILE_MAX_LINE);
	CHECK_STR(parse_bytes(text, len + MACHINEFILE_MAX_LINE + 1),
		  "6:1: expected a line of at most 500 bytes, found "
		  "';xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'");
	/* All of 64 KB, and an extra byte. */
	memset(line, '\n', sizeof(text) - len);
	CHECK_STR(parse_bytes(text, MACHINEFILE_MAX_SIZE), "fine");
	CHECK(strstr(parse_bytes(text, MACHINEFILE_MAX_SIZE + 1),
		     ": expected a text of at most 64K, found '.'") != NULL);
	/* NULs are bytes as any. */
	line[0] = '\0';
	CHECK(strstr(parse_bytes(text, len + 2), "or roof, found '.'") != NULL);
	/* There are no 65 lines that do not contradict each other: each cost and prefetcher once. */
	CHECK(MACHINEFILE_MAX_ITEMS >= 64);
}

/* Whatever is cut off, it is read to its end or an error is in it. */
TEST(any_beginning_is_harmless)
{
	static const char text[] = BASE "L3 8M 16 lru victim assumed index=hash:3 ; a source\n"
					"prefetch L2 stream streams=32 distance=20\n";
	char copy[sizeof(text)];

	for (size_t len = 0; len < sizeof(text); len++) {
		memcpy(copy, text, len);
		if (strcmp(parse_bytes(copy, len), "fine") == 0)
			continue;
		CHECK(error.line >= 1 && error.line <= 8 && error.column >= 1);
		CHECK((size_t)error.found.offset + error.found.len <= len);
		CHECK(strlen(error.expected) > 0);
	}
}

TEST(message_is_cut_to_fit)
{
	char message[12];

	parse("nothing");
	machinefile_explain(&error, "nothing", message, sizeof(message));
	CHECK_STR(message, "expected th");
	machinefile_explain(&error, "nothing", message, 1);
	CHECK_STR(message, "");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(lines_become_items),
		CHECK_TEST(cycles_have_items_of_their_own),
		CHECK_TEST(cores_share_the_last_level),
		CHECK_TEST(machine_of_the_host_has_no_caches),
		CHECK_TEST(first_line_names_the_machine),
		CHECK_TEST(errors_have_a_place_and_say_what_was_expected),
		CHECK_TEST(machines_that_cannot_be_are_refused),
		CHECK_TEST(limits_are_kept),
		CHECK_TEST(any_beginning_is_harmless),
		CHECK_TEST(message_is_cut_to_fit),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
