/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tests/oracle/plaintlbs: rules by hand, and then references by chance against lists of pages in the order of their
 * last use.
 */
#include "tests/oracle/plaintlbs.h"

#include <stdlib.h>

#include "tests/common/check.h"

enum {
	BOTH = 1 << TLB_4K | 1 << TLB_2M,
	ONLY_4K = 1 << TLB_4K,
	ONLY_2M = 1 << TLB_2M,
};

#define PAGE(n)       ((uint64_t)(n) << TLB_BITS_4K)
#define LARGE_PAGE(n) ((uint64_t)(n) << TLB_BITS_2M)

struct fixture {
	struct tlbs tlbs;
	void *memory;
	uint64_t stamp;
};

static void begin(struct fixture *f, const struct tlbs_config *config)
{
	size_t size = tlbs_memory_size(config);

	CHECK_STR(tlbs_misfit(config), NULL);
	f->memory = aligned_alloc(64, size);
	if (!f->memory)
		abort();
	memset(f->memory, 0, size);
	memset(&f->tlbs, 0xa5, sizeof(f->tlbs));
	tlbs_init(&f->tlbs, config, f->memory);
	f->stamp = 1;
}

static void finish(struct fixture *f)
{
	free(f->memory);
}

static unsigned touch(struct fixture *f, enum tlb_kind first, uint64_t address, enum tlb_page page)
{
	return tlbs_touch(&f->tlbs, first, address, page, f->stamp++).missed;
}

#define DATA(address, missed)  CHECK_EQ_U64(touch(&f, TLB_DTLB, address, TLB_4K), missed)
#define CODE(address, missed)  CHECK_EQ_U64(touch(&f, TLB_ITLB, address, TLB_4K), missed)
#define LARGE(address, missed) CHECK_EQ_U64(touch(&f, TLB_DTLB, address, TLB_2M), missed)

TEST(misses_by_hand)
{
	static const struct tlbs_config config = { {
		[TLB_ITLB] = { { 2, 2, ONLY_4K } },
		[TLB_DTLB] = { { 4, 2, ONLY_4K }, { 1, 1, ONLY_2M } },
		[TLB_STLB] = { { 6, 3, BOTH } },
	} };
	struct fixture f;

	begin(&f, &config); /* DTLB: even and odd pages; STLB: the same */
	DATA(PAGE(2), 2);
	DATA(PAGE(2) + 4095, 0);
	DATA(PAGE(4), 2);
	DATA(PAGE(1), 2); /* odd */
	DATA(PAGE(2), 0);
	DATA(PAGE(6), 2); /* 4 goes from the DTLB; STLB: 6 4 2 */
	DATA(PAGE(4), 1); /* 2 goes; STLB: 4 6 2, it was not told that 2 was used */
	CODE(PAGE(6), 1); /* STLB: 6 4 2 */
	CODE(PAGE(6), 0);
	DATA(PAGE(8), 2); /* 6 goes from the DTLB, and 2 from the STLB: 8 6 4 */
	DATA(PAGE(6), 1);
	DATA(PAGE(2), 2);
	finish(&f);
}

TEST(pages_of_two_sizes)
{
	static const struct tlbs_config config = { {
		[TLB_DTLB] = { { 1, 1, ONLY_2M }, { 2, 2, ONLY_4K } },
		[TLB_STLB] = { { 2, 2, BOTH } },
	} };
	struct fixture f;

	begin(&f, &config);
	LARGE(LARGE_PAGE(1), 2);
	LARGE(LARGE_PAGE(1) + PAGE(511), 0);
	DATA(PAGE(1), 2); /* the same number, another size: STLB 4K:1 2M:1 */
	LARGE(LARGE_PAGE(2), 2);
	LARGE(LARGE_PAGE(1), 2); /* the STLB had 2M:2 4K:1 */
	CODE(PAGE(1), 2);        /* no ITLB, and not in the STLB: 2M:1 2M:2 */
	CODE(PAGE(1), 1);        /* no ITLB */
	DATA(PAGE(1), 0);
	finish(&f);
}

TEST(second_level_of_code)
{
	static const struct tlbs_config config = { {
		[TLB_ITLB] = { { 1, 1, BOTH } },
		[TLB_DTLB] = { { 1, 1, BOTH } },
		[TLB_STLB] = { { 4, 4, BOTH } },
		[TLB_ISTLB] = { { 2, 1, ONLY_4K } },
	} };
	struct fixture f;

	begin(&f, &config);
	CODE(PAGE(1), 2);
	DATA(PAGE(1), 2); /* not in the same */
	CODE(PAGE(2), 2);
	CODE(PAGE(1), 1);
	CODE(PAGE(3), 2);
	CODE(PAGE(1), 2); /* 3 was in its place */
	finish(&f);
}

TEST(straddling_misses_once)
{
	static const struct tlbs_config config = { {
		[TLB_DTLB] = { { 2, 2, ONLY_4K } },
		[TLB_STLB] = { { 4, 4, ONLY_4K } },
	} };
	static const struct page_sizes sizes = { .size = TLB_4K };
	struct fixture f;

	begin(&f, &config);
#define REFER(address, size, stamp, missed) \
 CHECK_EQ_U64(tlbs_refer(&f.tlbs, TLB_DTLB, &sizes, address, size, stamp), missed)
	REFER(PAGE(2) - 4, 8, 1, 2);
	REFER(PAGE(2) - 4, 8, 3, 0);
	REFER(PAGE(2) + 4088, 8, 5, 0);
	REFER(PAGE(3), 1, 6, 2);
	REFER(PAGE(2) - 4, 8, 7, 1); /* 1; 3 went, since 2 was touched first */
	REFER(PAGE(1), 1, 9, 0);
	REFER(PAGE(2) - 4, 8, 10, 0);
	REFER(0 - UINT64_C(1), 2, 12, 2);
	REFER(0, 1, 14, 0);
	finish(&f);
}

/* As generated code does it: a stamp, and no call. */
TEST(stamps_may_be_stored)
{
	static const struct tlbs_config config = { { [TLB_DTLB] = { { 2, 2, ONLY_4K } } } };
	struct fixture f;
	struct tlb_touched one, two, three;

	begin(&f, &config);
	one = tlbs_touch(&f.tlbs, TLB_DTLB, PAGE(1), TLB_4K, 1);
	CHECK(one.missed == 2 && one.evicted == TLB_NO_PAGE);
	two = tlbs_touch(&f.tlbs, TLB_DTLB, PAGE(2), TLB_4K, 2);
	*one.stamp = 3;
	three = tlbs_touch(&f.tlbs, TLB_DTLB, PAGE(3), TLB_4K, 4);
	CHECK(three.stamp == two.stamp && three.evicted_page == TLB_4K);
	CHECK_EQ_U64(three.evicted, PAGE(2));
	CHECK_EQ_U64(tlbs_touch(&f.tlbs, TLB_DTLB, PAGE(1), TLB_4K, 5).missed, 0);
	finish(&f);
}

TEST(evicted_pages_miss)
{
	static const struct tlbs_config config = { {
		[TLB_ITLB] = { { 4, 4, BOTH } },
		[TLB_DTLB] = { { 4, 4, BOTH } },
		[TLB_STLB] = { { 8, 8, BOTH } },
	} };
	struct fixture f;

	begin(&f, &config);
	DATA(PAGE(1), 2);
	CODE(PAGE(2), 2);
	LARGE(LARGE_PAGE(1), 2);
	tlbs_evict(&f.tlbs, address_range(PAGE(2) - 1, 2));
	DATA(PAGE(1), 2);
	CODE(PAGE(2), 2);
	LARGE(LARGE_PAGE(1), 0);
	tlbs_evict(&f.tlbs, address_range(LARGE_PAGE(2) - 1, 1));
	LARGE(LARGE_PAGE(1), 2);
	DATA(PAGE(1), 0);
	finish(&f);
}

TEST(misfits_are_named)
{
	static const struct tlb_config bad[] = {
		{ 3, 2, BOTH }, { 4, 0, BOTH }, { 4, 2, 0 }, { 4, 2, 4 }, { 1 << 17, 1, BOTH },
	};
	struct tlbs_config config = { { [TLB_STLB] = { { 4, 2, ONLY_4K }, { 4, 2, BOTH } } } };

	CHECK(tlbs_misfit(&config) != NULL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		config = (struct tlbs_config){ { [TLB_DTLB] = { { 0 }, bad[i] } } };
		CHECK(tlbs_misfit(&config) != NULL);
	}
}

/* --- by chance --------------------------------------------------------------------- */

enum { MAX_NAIVE = 4096 };

/* All pages of an array, of all sets, most recently used first: each set's share is counted when one has to go. */
struct naive_tlb {
	struct tlb_config config;
	unsigned n;
	struct naive_page {
		uint64_t number;
		enum tlb_page page;
	} pages[MAX_NAIVE];
};

static bool naive_touch_page(struct naive_tlb *naive, uint64_t number, enum tlb_page page)
{
	uint64_t sets = naive->config.entries / naive->config.ways;
	unsigned at = 0, others = 0, last = 0;
	bool found;

	while (at < naive->n &&
	       (naive->pages[at].number != number || naive->pages[at].page != page)) {
		if (naive->pages[at].number % sets == number % sets) {
			others++;
			last = at;
		}
		at++;
	}
	found = at < naive->n;
	if (!found && others == naive->config.ways)
		at = last;
	else if (!found)
		naive->n++;
	memmove(naive->pages + 1, naive->pages, at * sizeof(naive->pages[0]));
	naive->pages[0] = (struct naive_page){ number, page };
	return found;
}

static struct naive_tlb naive[N_TLB_KINDS][N_TLB_PAGES];

static unsigned naive_misses(enum tlb_kind first, uint64_t address, enum tlb_page page)
{
	enum tlb_kind second = TLB_STLB;
	uint64_t number = address >> (page == TLB_4K ? 12 : 21);
	unsigned missed = 0;

	if (first == TLB_ITLB && naive[TLB_ISTLB][0].config.entries != 0)
		second = TLB_ISTLB;
	for (int level = 0; level < 2; level++) {
		struct naive_tlb *arrays = naive[level == 0 ? first : second];
		bool found = false;

		for (int i = 0; i < N_TLB_PAGES; i++)
			if (arrays[i].config.entries != 0 && arrays[i].config.pages >> page & 1)
				found = naive_touch_page(&arrays[i], number, page);
		if (found)
			return missed;
		missed++;
	}
	return missed;
}

static void compare(const struct tlbs_config *config)
{
	struct check_random random = CHECK_RANDOM_INIT;
	struct fixture f;
	uint64_t base = 0, counts[3] = { 0 };

	begin(&f, config);
	memset(naive, 0, sizeof(naive));
	for (int kind = 0; kind < N_TLB_KINDS; kind++)
		for (int i = 0; i < N_TLB_PAGES; i++)
			naive[kind][i].config = config->arrays[kind][i];
	for (int i = 0; i < 100000; i++) {
		enum tlb_page page = check_random_below(&random, 4) ? TLB_4K : TLB_2M;
		enum tlb_kind first = check_random_below(&random, 3) ? TLB_DTLB : TLB_ITLB;
		uint64_t span = UINT64_C(1) << check_random_below(&random, page == TLB_4K ? 8 : 6);
		uint64_t address;
		unsigned missed;

		if (check_random_below(&random, 1000) == 0)
			base = check_random(&random);
		address = base + (check_random_below(&random, span)
				  << (page == TLB_4K ? TLB_BITS_4K : TLB_BITS_2M));
		missed = touch(&f, first, address, page);
		counts[missed]++;
		if (!CHECK_EQ_U64(missed, naive_misses(first, address, page)))
			break;
	}
	CHECK(counts[0] > 1000 && counts[1] > 1000 && counts[2] > 1000);
	finish(&f);
}

TEST(equals_the_naive_model)
{
	static const struct tlbs_config configs[] = {
		/* Golden Cove's, but smaller; Zen's, whose second levels are two; any number of sets. */
		{ { [TLB_ITLB] = { { 32, 8, ONLY_4K }, { 8, 8, ONLY_2M } },
		    [TLB_DTLB] = { { 24, 6, ONLY_4K }, { 8, 4, ONLY_2M } },
		    [TLB_STLB] = { { 128, 8, BOTH } } } },
		{ { [TLB_ITLB] = { { 16, 16, BOTH } },
		    [TLB_DTLB] = { { 18, 18, BOTH } },
		    [TLB_STLB] = { { 96, 12, BOTH } },
		    [TLB_ISTLB] = { { 64, 8, BOTH } } } },
		{ { [TLB_ITLB] = { { 12, 4, BOTH } },
		    [TLB_DTLB] = { { 15, 3, ONLY_4K } },
		    [TLB_STLB] = { { 77, 7, ONLY_4K }, { 9, 1, ONLY_2M } } } },
	};

	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++)
		compare(&configs[i]);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(misses_by_hand),       CHECK_TEST(pages_of_two_sizes),
		CHECK_TEST(second_level_of_code), CHECK_TEST(straddling_misses_once),
		CHECK_TEST(stamps_may_be_stored), CHECK_TEST(evicted_pages_miss),
		CHECK_TEST(misfits_are_named),    CHECK_TEST(equals_the_naive_model),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
