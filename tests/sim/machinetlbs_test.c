/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/tlbs/machinetlbs: machines with TLBs, driven as generated code drives them, against struct tlbs, which
 * sees each reference: the same misses of each, and the same pages in the same order.
 */
#include "sim/tlbs/machinetlbs.h"

#include "tests/common/check.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/pair_states.h"
#include "tests/sim/traffic.h"

enum {
	BOTH = 1 << TLB_4K | 1 << TLB_2M,
	ONLY_4K = 1 << TLB_4K,
	ONLY_2M = 1 << TLB_2M,
};

static struct pair pair;

/* Every third stretch of 2 MiB is one page. */
static enum tlb_page size_of(void *ctx, uint64_t address)
{
	(void)ctx;
	return (address >> TLB_BITS_2M) % 3 == 0 ? TLB_2M : TLB_4K;
}

#define ALL_4K   \
 {               \
  .size = TLB_4K \
 }
#define ALL_2M   \
 {               \
  .size = TLB_2M \
 }
#define SOME_2M \
 {              \
  .of = size_of \
 }

/* --- by hand ----------------------------------------------------------------------- */

static void begin(const struct machine_tlbs_config *tlbs_config)
{
	const struct hierarchy_config config = {
		.i1 = { .geometry = { 4096, 4, 64 } },
		.d1 = { .geometry = { 32768, 8, 64 } },
		.n_lower = 1,
		.lower = { { .geometry = { 1048576, 16, 64 } } },
		.tlbs = tlbs_config,
	};

	CHECK_STR(machinetlbs_misfit(tlbs_config, &config).expected, NULL);
	pair_init(&pair, &config, 1);
}

static void finish(void)
{
	CHECK_STR(pair_fault(&pair), NULL);
	pair_release(&pair);
}

/* Of the first view. */
static unsigned missed_by_data(uint64_t address, uint64_t size)
{
	pair.machine->missed_pages = 0; /* a hit makes no call */
	pair_data(&pair, address, size, false);
	CHECK_STR(pair_fault(&pair), NULL);
	return machine_missed_pages(pair.machine, 0);
}

static unsigned missed_by_code(uint64_t address, uint64_t size)
{
	pair.machine->missed_pages = 0;
	pair_fetch(&pair, address, size);
	CHECK_STR(pair_fault(&pair), NULL);
	return machine_missed_pages(pair.machine, 0);
}

#define PAGE(n)                     ((uint64_t)(n) << TLB_BITS_4K)
#define DATA(address, size, missed) CHECK_EQ_U64(missed_by_data(address, size), missed)
#define CODE(address, size, missed) CHECK_EQ_U64(missed_by_code(address, size), missed)

/* Comments: pages in the order of their last use, DTLB or ITLB | STLB. */
TEST(hits_without_a_call_are_uses)
{
	static const struct machine_tlbs_config config = {
		.tlbs = { { [TLB_ITLB] = { { 2, 2, ONLY_4K } },
			    [TLB_DTLB] = { { 2, 2, ONLY_4K } },
			    [TLB_STLB] = { { 4, 4, ONLY_4K } } } },
		.n_views = 1,
		.views = { { ALL_4K, ALL_4K } },
	};

	begin(&config);
	DATA(PAGE(1), 8, 2);
	DATA(PAGE(2) + 64, 8, 2);
	DATA(PAGE(1), 8, 0);       /* without a call: 1 2 */
	DATA(PAGE(3) + 128, 8, 2); /* 3 1 | 3 2 1 */
	DATA(PAGE(1), 8, 0);
	DATA(PAGE(2) + 64, 8, 1); /* in D1: 2 1 | 2 3 1 */
	DATA(PAGE(2) - 4, 8, 0);
	DATA(PAGE(3) - 4, 8, 1); /* 2 first, so that 1 goes: 3 2 | 3 2 1 */
	DATA(PAGE(2) + 64, 8, 0);
	DATA(PAGE(1), 8, 1); /* 1 2 */
	CODE(PAGE(8), 4, 2);
	CODE(PAGE(9), 4, 2);
	CODE(PAGE(8), 4, 0);
	CODE(PAGE(10), 4, 2); /* 10 8 | 10 9 8 1 */
	CODE(PAGE(8) + 4, 4, 0);
	CODE(PAGE(9), 4, 1);
	CODE(PAGE(9) - 2, 4, 0);  /* on both; one is not in I1 */
	CODE(PAGE(11) - 2, 4, 2); /* 11 10 */
	CODE(PAGE(9), 4, 1);
	pair_unmap(&pair, address_range(PAGE(9) + 5, 1));
	CODE(PAGE(9), 4, 2);
	CODE(PAGE(11), 4, 0);
	finish();
}

/* A large page is in use wherever a line of it is. */
TEST(pages_of_two_sizes)
{
	static const struct machine_tlbs_config config = {
		.tlbs = { { [TLB_ITLB] = { { 2, 2, ONLY_4K } },
			    [TLB_DTLB] = { { 2, 2, ONLY_4K }, { 2, 2, ONLY_2M } },
			    [TLB_STLB] = { { 8, 8, BOTH } } } },
		.n_views = 2,
		.views = { { ALL_4K, SOME_2M }, { ALL_4K, ALL_4K } },
	};
	const uint64_t large = UINT64_C(3) << TLB_BITS_2M;
	const uint64_t other = UINT64_C(6) << TLB_BITS_2M, third = UINT64_C(9) << TLB_BITS_2M;

	begin(&config);
	DATA(large, 8, 2);
	DATA(large + PAGE(300), 8, 0);
	CHECK_EQ_U64(machine_missed_pages(pair.machine, 1), 2);
	DATA(other, 8, 2);
	DATA(large + PAGE(300), 8, 0);
	DATA(third, 8, 2);
	DATA(large, 8, 0); /* the page that the other view has not any more */
	CHECK_EQ_U64(machine_missed_pages(pair.machine, 1), 1);
	DATA(other, 8, 1);
	DATA(other - 4, 8, 2); /* a small page and a large one */
	DATA(other - 8, 8, 0);
	finish();
}

static void misfits(struct machinetlbs_misfit misfit, enum tlb_kind kind, const char *expected)
{
	CHECK_STR(misfit.expected, expected);
	CHECK_EQ_U64(misfit.kind, kind);
}

TEST(misfits_are_named)
{
	const struct hierarchy_config caches = { .i1 = { .geometry = { 4096, 4, 64 } },
						 .d1 = { .geometry = { 65536, 2, 8192 } } };
	struct machine_tlbs_config config = {
		.tlbs = { { [TLB_ITLB] = { { 4, 2, ONLY_4K } }, [TLB_DTLB] = { { 4, 4, ONLY_4K } } } },
		.n_views = 1,
		.views = { { ALL_4K, ALL_4K } },
	};

	misfits(machinetlbs_misfit(&config, &caches), N_TLB_KINDS,
		"lines of a first-level cache no longer than a page of 4096 bytes");
	config.tlbs.arrays[TLB_ITLB][0] = (struct tlb_config){ 1, 1, ONLY_4K };
	misfits(machinetlbs_misfit(&config, &caches), TLB_ITLB, "two entries or more in the ITLB");
	config.views[0].data = (struct page_sizes)SOME_2M;
	misfits(machinetlbs_misfit(&config, &caches), TLB_DTLB,
		"entries for pages of 2M in the DTLB");
	config.views[0].code = (struct page_sizes)ALL_2M;
	misfits(machinetlbs_misfit(&config, &caches), TLB_ITLB,
		"entries for pages of 2M in the ITLB");
	config.tlbs.arrays[TLB_ITLB][0].ways = 3;
	misfits(machinetlbs_misfit(&config, &caches), N_TLB_KINDS,
		"entries are a multiple of ways");
}

/* --- by chance --------------------------------------------------------------------- */

/* Lines of some pages, mostly those that were used not long ago. */
struct pages_traffic {
	uint64_t base;
	uint64_t recent[64];
};

static uint64_t next_address(struct check_random *random, struct pages_traffic *traffic)
{
	unsigned at = (unsigned)check_random_below(random, 64);
	uint64_t page;

	if (check_random_below(random, 2000) == 0)
		traffic->base = check_random_below(random, 4) == 0
					? 0 - PAGE(4)
					: check_random(random) % (UINT64_C(1) << 47);
	switch (check_random_below(random, 8)) {
	case 0:
		page = check_random_below(random, 2048);
		break;
	case 1: /* far apart: large pages */
		page = check_random_below(random, 24) << (TLB_BITS_2M - TLB_BITS_4K);
		break;
	case 2: /* one after the other */
		page = traffic->recent[at] + 1;
		break;
	default:
		page = traffic->recent[at];
	}
	traffic->recent[at] = page;
	return traffic->base + PAGE(page) +
	       (check_random_below(random, 3) == 0 ? 4096 - check_random_below(random, 12)
						   : check_random_below(random, 4) * 64 + at);
}

static void step(struct check_random *random, struct pages_traffic *data,
		 struct pages_traffic *code, bool write_back)
{
	uint64_t size = 1 + check_random_below(random, check_random_below(random, 32) ? 16 : 600);
	bool at_once = check_random_below(random, 16) == 0;
	uint64_t kind = check_random_below(random, 8);
	struct pair_outcome outcome;

	if (kind < 3)
		outcome = pair_fetch(&pair, next_address(random, code), 1 + size % 40);
	else if (write_back && kind == 3)
		outcome = pair_write(&pair, next_address(random, data), size, at_once);
	else if (write_back && kind == 4)
		outcome = pair_modify(&pair, next_address(random, data), size, at_once);
	else
		outcome = pair_data(&pair, next_address(random, data), size, at_once);
	CHECK_EQ_U64(outcome.machine, outcome.plain);
}

static bool compare_once(const struct hierarchy_config *config, int n)
{
	struct check_random random = CHECK_RANDOM_INIT;
	struct pages_traffic data = { .base = 0 }, code = { .base = PAGE(77) };
	bool same = CHECK_STR(hierarchy_misfit(config), NULL) &&
		    CHECK_STR(machinetlbs_misfit(config->tlbs, config).expected, NULL);

	pair_init(&pair, config, UINT64_C(0xffffffff) - 100000);
	for (int i = 1; i <= n && same; i++) {
		if (check_random_below(&random, 16) == 0)
			pair_begin_block(&pair, check_random_below(&random, 200));
		step(&random, &data, &code, config->write_back);
		same = !pair.pages_differ;
		if (i % (n / 8) == 0)
			pair_evict(&pair, address_range(next_address(&random, &data), 8192));
		else if (i % (n / 32) == 0)
			pair_unmap(&pair, address_range(next_address(&random, &code), 16384));
		else if (i % (n / 64) == 0)
			pair_hide(&pair, address_range(next_address(&random, &code), 4096));
		else if (i % (n / 128) == 0)
			pair_hide(&pair, address_range(next_address(&random, &data), 1000000));
		if (i == n / 4 + 1 && !pair_with_twins)
			pair_keep(&pair, config);
		else if (i == n / 2 + 1 && !pair_with_twins)
			pair_clear(&pair, config);
		else if (i == n / 4 * 3 + 1 && !pair_with_twins)
			pair_restore(&pair, config);
		if (i % (n / 16) == 0)
			same = same && CHECK_STR(pair_fault(&pair), NULL);
	}
	same = CHECK_STR(pair_fault(&pair), NULL) && same;
	for (unsigned view = 0; view < config->tlbs->n_views; view++)
		for (unsigned missed = 0; missed < 3; missed++)
			CHECK(pair.missed_pages[view][missed] > 100);
	pair_release(&pair);
	return same;
}

/* Without twins, and with. */
static bool compare(const struct hierarchy_config *config, int n)
{
	bool same = compare_once(config, n);

	pair_with_twins = true;
	same = compare_once(config, n) && same;
	pair_with_twins = false;
	return same;
}

static const struct machine_tlbs_config tlbs[] = {
	{ .tlbs = { { [TLB_ITLB] = { { 32, 32, BOTH } },
		      [TLB_DTLB] = { { 64, 64, BOTH } },
		      [TLB_STLB] = { { 256, 8, BOTH } } } },
	  .n_views = 1,
	  .views = { { ALL_4K, ALL_4K } } },
	{ .tlbs = { { [TLB_ITLB] = { { 24, 6, ONLY_4K }, { 4, 4, ONLY_2M } },
		      [TLB_DTLB] = { { 48, 4, ONLY_4K }, { 6, 2, ONLY_2M } },
		      [TLB_STLB] = { { 192, 6, BOTH } } } },
	  .n_views = 2,
	  .views = { { ALL_4K, ALL_4K }, { ALL_4K, SOME_2M } } },
	{ .tlbs = { { [TLB_ITLB] = { { 2, 1, ONLY_4K } },
		      [TLB_DTLB] = { { 1, 1, ONLY_4K } },
		      [TLB_STLB] = { { 16, 1, ONLY_4K } },
		      [TLB_ISTLB] = { { 5, 1, ONLY_4K } } } },
	  .n_views = 1,
	  .views = { { ALL_4K, ALL_4K } } },
	{ .tlbs = { { [TLB_ITLB] = { { 6, 6, BOTH } },
		      [TLB_DTLB] = { { 12, 4, BOTH } },
		      [TLB_STLB] = { { 20, 4, BOTH } },
		      [TLB_ISTLB] = { { 9, 3, BOTH } } } },
	  .n_views = 2,
	  .views = { { ALL_2M, ALL_2M }, { ALL_4K, SOME_2M } } },
};

enum { N_TLBS = sizeof(tlbs) / sizeof(tlbs[0]) };

/* First levels of exact LRU, with newest lines, and called; levels of all inclusion policies, with dirty lines and without. */
TEST(equals_plain_tlbs)
{
	static const struct policy *const policies[] = { NULL, &policy_plru, &policy_srrip,
							 &policy_fifo };
	static const enum inclusion inclusions[] = { INCLUSION_NINE, INCLUSION_INCLUSIVE,
						     INCLUSION_VICTIM };
	static const uint32_t sizes[] = { 4096, 32768, 131072 };

	for (unsigned i = 0; i < N_TLBS * 4 * 4 * 3 * 2; i++) {
		const unsigned policy = i / N_TLBS;
		const struct hierarchy_config config = {
			.i1 = { .geometry = { sizes[i % 3], 4, 64 },
				.policy = policies[policy % 4] },
			.d1 = { .geometry = { sizes[(i + i / 7) % 3], 8, 64 },
				.policy = policies[policy / 4 % 4] },
			.n_lower = 2,
			.lower = { { .geometry = { 131072, 8, 64 },
				     .inclusion = inclusions[policy / 16 % 2] },
				   { .geometry = { 262144, 8, 64 },
				     .inclusion = inclusions[policy / 16 % 3] } },
			.write_back = policy / 48 % 2,
			.tlbs = &tlbs[i % N_TLBS],
		};

		if (!compare(&config, 6000)) {
			printf("# number %u\n", i);
			break;
		}
	}
}

/* Lines of all sizes, and associativities that have no path of their own. */
TEST(equals_plain_tlbs_in_other_shapes)
{
	for (uint32_t assoc = 1; assoc <= 16; assoc++) {
		const uint32_t line = UINT32_C(32) << assoc % 8;
		const struct hierarchy_config config = {
			.i1 = { .geometry = { (uint64_t)8 * line * assoc, assoc, line } },
			.d1 = { .geometry = { (uint64_t)16 * line * (17 - assoc), 17 - assoc,
					      line } },
			.n_lower = 1,
			.lower = { { .geometry = { 1048576, 16, 64 } } },
			.tlbs = &tlbs[assoc % N_TLBS],
		};

		compare(&config, 30000);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(hits_without_a_call_are_uses),
		CHECK_TEST(pages_of_two_sizes),
		CHECK_TEST(misfits_are_named),
		CHECK_TEST(equals_plain_tlbs),
		CHECK_TEST(equals_plain_tlbs_in_other_shapes),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
