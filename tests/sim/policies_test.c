/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/policy: each policy by its name, against a twin that is written from its definition, and by
 * sequences whose steps are derived by hand.
 */
#include "sim/policy.h"

#include <stdlib.h>

#include "sim/cache.h"
#include "tests/common/check.h"
#include "tests/sim/drawing.h"
#include "tests/sim/naive_policy.h"

enum {
	LINE_BITS = 6,
	MAX_SETS = 128,
};

struct fixture {
	struct policy policy;
	struct cache cache;
	void *memory;
};

static void fixture_init(struct fixture *f, const char *name, uint64_t n_sets, uint32_t assoc)
{
	const struct cache_config config = {
		.geometry = { n_sets * assoc << LINE_BITS, assoc, 1 << LINE_BITS },
		.policy = &f->policy,
	};
	size_t size;

	CHECK(policy_named(&f->policy, name, strlen(name)));
	CHECK_STR(policy_misfit(&f->policy, assoc), NULL);
	size = cache_memory_size(&config);
	f->memory = aligned_alloc(64, size);
	if (!f->memory)
		abort();
	memset(f->memory, 0, size);
	memset(&f->cache, 0xa5, sizeof(f->cache));
	cache_init(&f->cache, &config, f->memory);
}

static void fixture_release(struct fixture *f)
{
	free(f->memory);
}

/* --- against twins -------------------------------------------------------------------------- */

/* Numbers of lines of one set, which fit it badly, in ways that policies differ in. */
struct lines {
	struct check_random random;
	uint64_t kind, left, next, n;
};

static uint64_t next_line(struct lines *lines, uint64_t assoc)
{
	struct check_random *random = &lines->random;

	if (lines->left == 0) {
		lines->kind = check_random_below(random, 5);
		lines->left = 1 + check_random_below(random, 6 * assoc);
		lines->n = 1 + check_random_below(random, 2 * assoc + 1);
		lines->next = check_random_below(random, 3 * assoc);
	}
	lines->left--;
	lines->next++;
	switch (lines->kind) {
	case 0: /* by chance, of a few */
		return check_random_below(random, lines->n);
	case 1: /* one more than there is room for, in turn */
		return lines->next % (assoc + 1);
	case 2: /* up and down */
		return lines->next / lines->n % 2 == 0 ? lines->next % lines->n
						       : lines->n - 1 - lines->next % lines->n;
	case 3: /* new ones, with an old one between them */
		return lines->next % 2 == 0 ? lines->n : 3 * assoc + lines->next % 97;
	default: /* by chance, of all */
		return check_random_below(random, 3 * assoc);
	}
}

static bool same_lines(const struct cache *cache, const struct naive_set *set)
{
	for (int i = 0; i < set->n_ways; i++) {
		uint64_t tag = cache_tag(cache, (uint64_t)set->number, (size_t)i);
		uint64_t line = tag == 0 ? NAIVE_EMPTY
					 : (tag >> LINE_BITS) / cache_n_sets(cache) + 1;

		/* In policies with an order, it is another one. */
		if (cache->bits_words == 0 && cache->policy != &policy_lru && tag != 0 &&
		    naive_way(set, line) < 0)
			return false;
		if (cache->bits_words != 0 && set->lines[i] != line)
			return false;
	}
	return true;
}

/* Both outcomes must be common, else the sequence tests little. */
static void compare(const char *name, int n_sets, uint32_t assoc, int steps, bool low)
{
	static struct naive_set sets[MAX_SETS];
	const struct naive_policy *twin = naive_policy(name);
	struct naive_level level = { .n_sets = n_sets, .name = name };
	struct lines lines = { .random = CHECK_RANDOM_INIT };
	/* So far up that no short tags are used. */
	uint64_t base = low ? 0 : UINT64_C(1) << 50;
	uint64_t set_bytes = (uint64_t)n_sets << LINE_BITS;
	struct fixture f;
	int misses = 0;
	bool same = true;

	if (strcmp(name, "random_7") == 0)
		level.seed = 7;
	fixture_init(&f, name, (uint64_t)n_sets, assoc);
	for (int i = 0; i < n_sets; i++)
		naive_set_init(&sets[i], &level, i, (int)assoc);
	for (int i = 0; i < steps && same; i++) {
		uint64_t number = check_random_below(&lines.random, (uint64_t)n_sets);
		uint64_t line = next_line(&lines, assoc) + base / set_bytes;
		uint64_t address = line * set_bytes + (number << LINE_BITS);
		bool missed;

		if (check_random_below(&lines.random, 64) == 0) {
			cache_evict(&f.cache, address_range(address, 1));
			naive_take(&sets[number], line + 1);
			continue;
		}
		missed = cache_touch(&f.cache, address + line % 64);
		misses += missed;
		same = CHECK(missed == twin->touch(&sets[number], line + 1)) &&
		       CHECK(i % 16 != 0 || same_lines(&f.cache, &sets[number]));
	}
	if (!same || !CHECK(misses > steps / 20 && misses < steps - steps / 20) ||
	    !CHECK((f.cache.short_tags != NULL) == low))
		printf("# %s, %d sets of %u ways, %d misses\n", name, n_sets, assoc, misses);
	fixture_release(&f);
}

TEST(equals_its_twin)
{
	static const char *const names[] = {
		"lru",
		"fifo",
		"random",
		"random_7",
		"mru",
		"mru_n",
		"srrip",
		"drrip",
		"qlru_h11_m1_r0_u0",
		"qlru_h11_m1_r1_u2",
		"qlru_h00_m1_r2_u1",
		"qlru_h00_m1_r0_u1",
		"qlru_h21_m2_r0_u0_umo",
		"qlru_h20_mr31_r1_u3",
	};
	static const uint32_t ways[] = { 2, 3, 4, 8, 11, 12, 16, 20, 32, 33, 64 };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (size_t j = 0; j < sizeof(ways) / sizeof(ways[0]); j++)
			compare(names[i], 4, ways[j], 8000, j % 3 != 0);
	}
	for (uint32_t assoc = 2; assoc <= 64; assoc *= 2) {
		compare("plru", 4, assoc, 10000, true);
		compare("plru", 1, assoc, 10000, false);
	}
	compare("lru3plru4", 4, 12, 50000, true);
	compare("lru3plru4", 1, 12, 50000, false);
}

TEST(equals_its_twin_in_each_variant)
{
	static const char *const hits[] = { "h00", "h10", "h11", "h20", "h21" };
	static const char *const misses[] = { "m0",   "m1",   "m2",   "m3",   "mr10",
					      "mr20", "mr21", "mr30", "mr31", "mr32" };
	static const uint32_t ways[] = { 4, 16, 7, 12, 35 };

	for (unsigned i = 0; i < 5 * 10 * 3 * 4 * 2; i++) {
		char name[64];
		struct policy policy;

		snprintf(name, sizeof(name), "qlru_%s_%s_r%u_u%u%s", hits[i / 240],
			 misses[i / 24 % 10], i / 8 % 3, i / 2 % 4, i % 2 ? "_umo" : "");
		CHECK(policy_named(&policy, name, strlen(name)));
		if (policy_misfit(&policy, ways[i % 5]) == NULL)
			compare(name, 2, ways[i % 5], 1250, i % 4 != 0);
	}
}

/* With leaders and followers; each kind comes to be in the majority. */
TEST(drrip_equals_its_twin_in_many_sets)
{
	compare("drrip", 64, 4, 100000, true);
	compare("drrip", 128, 8, 100000, true);
	compare("drrip", 32, 4, 20000, true);
	compare("drrip", 1, 16, 20000, true);
}

/* --- by hand ---------------------------------------------------------------------------------- */

static char upper_case(char c)
{
	if (c >= 'a')
		return (char)(c - 'a' + 'A');
	return c;
}

/* Each letter is a line of one set, in upper case if it misses; end is what the set holds then. */
static void play(const char *name, uint32_t assoc, const char *steps, const char *end)
{
	struct fixture f;
	char seen[128];
	size_t n = 0;

	fixture_init(&f, name, assoc == 1 ? 2 : 1, assoc);
	for (const char *step = steps; *step != '\0' && n < sizeof(seen) - 1; step++, n++) {
		char line = upper_case(*step);
		bool missed = cache_touch(&f.cache, drawing_address(line, LINE_BITS));

		seen[n] = line;
		if (!missed)
			seen[n] = (char)(line - 'A' + 'a');
	}
	seen[n] = '\0';
	if (!CHECK_STR(seen, steps) || !CHECK_STR(draw(&f.cache).text, end))
		printf("# %s\n", name);
	fixture_release(&f);
}

/*
 * Four ways, and first LRU, for comparison: after A B C D, touches of A and C, and E, it is B that
 * goes.
 */
TEST(lru_by_hand)
{
	play("lru", 4, "ABCDacE", "ECAD");
	play("lru", 4, "ABCDacEB", "BECA");
	play("lru", 4, "ABCDEABCDE", "EDCB"); /* one more than there is room for: never a hit */
}

/* A goes first, though it was touched again. */
TEST(fifo_by_hand)
{
	play("fifo", 4, "ABCDacE", "EDCB");
	play("fifo", 4, "ABCDacEbA", "AEDC");
}

/*
 * The bits after A B C D point to A; the touch of A has them point to the right half, and there
 * to C, whose touch has them point to the left one, in it to B.  E comes there: right half, and
 * there D, though A was touched before it.
 */
TEST(plru_by_hand)
{
	play("plru", 4, "ABCDacE", "AECD");
	play("plru", 4, "ABCDacEB", "AECB");
	/* LRU never has a hit in this; here a line stays for once. */
	play("plru", 4, "ABCDE", "EBCD");
	play("plru", 4, "ABCDEA", "EBAD");
	play("plru", 4, "ABCDEAbC", "EBAC");
}

/*
 * Marked after A B C: all three; D would be the last, so only D is.  a, c: A, C, D are.  E comes to
 * B, the last unmarked: only E is marked.  B then comes to A, the first unmarked.
 */
TEST(mru_by_hand)
{
	play("mru", 4, "ABCDacE", "AECD");
	play("mru", 4, "ABCDacEB", "BECD");
	play("mru", 4, "ABCDacEBd", "BECD");
}

/* Nothing is marked by A B C D; with MRU D is, which was the last, so that E comes to A in both. */
TEST(mru_n_by_hand)
{
	play("mru", 4, "ABCDEF", "EFCD");
	play("mru_n", 4, "ABCDEF", "EFCD");
	/* After d, a, b: MRU has D A B marked, and c, the last, leaves C alone marked. */
	play("mru", 4, "ABCDabcE", "EBCD");
	play("mru_n", 4, "ABCDabcE", "ABCE");
}

/*
 * Ages next to the lines: all come with 2, a hit makes 0.
 *	A2 B2 C2 D2 a: A0 B2 C2 D2	E: none is 3, all grow: A1 B3 C3 D3, E for B: A1 E2 C3 D3
 *	F for C: A1 E2 F2 D3	G for D: A1 E2 F2 G2	H: A2 E3 F3 G3, H for E: A2 H2 F3 G3
 */
TEST(srrip_keeps_what_was_used_when_a_stream_passes)
{
	play("srrip", 4, "ABCDaEFGaHIJ", "AHIJ");
	play("lru", 4, "ABCDaEFGHA", "AHGF");
	play("srrip", 4, "ABCDaEFGHaIJKLa", "AKLJ");
}

/*
 * Skylake's L2: 4 ways, empty ones from the right, a line comes with age 1, hits make 0, and after each
 * reference the others grow until one is 3.
 *	A: ...A1, the empty ones stay at 3	B: ..B1A1	C: .C1B1A1	D: D1; others grow by 2: C3B3A3
 *	a: A0; the others are D1C3B3, and stay	E for C: D1 E1 B3 A0
 *	F for B: F1; the others D1 E1 A0 grow by 2: D3 E3 F1 A2	G for D: G1 E3 F1 A2
 */
TEST(qlru_of_skylakes_l2_by_hand)
{
	play("qlru_h00_m1_r2_u1", 4, "ABCD", "DCBA");
	play("qlru_h00_m1_r2_u1", 4, "ABCDaE", "DEBA");
	play("qlru_h00_m1_r2_u1", 4, "ABCDaEF", "DEFA");
	play("qlru_h00_m1_r2_u1", 4, "ABCDaEFG", "GEFA");
}

/*
 * Cannon Lake's and Ice Lake's L2: the same from the left.
 *	D: A3 B3 C3 D1	a: A0 B3 C3 D1	E for B: A0 E1 C3 D1
 *	F for C: F1; the others grow by 2: A2 E3 F1 D3	G for E
 */
TEST(qlru_of_ice_lakes_l2_by_hand)
{
	play("qlru_h00_m1_r0_u1", 4, "ABCD", "ABCD");
	play("qlru_h00_m1_r0_u1", 4, "ABCDaE", "AECD");
	play("qlru_h00_m1_r0_u1", 4, "ABCDaEFG", "AGFD");
}

/*
 * Coffee Lake's L3 (in 4 ways): a line comes with 1, a hit makes 1 of 2 and 3, 0 of 1; after each
 * reference all grow until one is 3.
 *	A1 B1 C1, one empty of 3	D1: all are 1, so all become 3	a: A1 B3 C3 D3
 *	E for B: A1 E1 C3 D3	c: A1 E1 C1 D3	F for D: all 1, so all 3	B for A
 */
TEST(qlru_of_coffee_lakes_l3_by_hand)
{
	play("qlru_h11_m1_r0_u0", 4, "ABCDaE", "AECD");
	play("qlru_h11_m1_r0_u0", 4, "ABCDaEcF", "AECF");
	play("qlru_h11_m1_r0_u0", 4, "ABCDaEcFB", "BECF");
}

/*
 * Ivy Bridge's L3 (in 4 ways): as before, but all grow by 1, if none is 3.
 *	A1 B1 C1, one empty	D1: all become 2	a: A1 B2 C2 D2, all grow: A2 B3 C3 D3
 *	E for B: A2 E1 C3 D3	F for C: A2 E1 F1 D3	G for D: A2 E1 F1 G1, all grow: A3 E2 F2 G2
 *	H for A: H1 E2 F2 G2, all grow: H2 E3 F3 G3
 */
TEST(qlru_of_ivy_bridges_l3_by_hand)
{
	play("qlru_h11_m1_r1_u2", 4, "ABCDaE", "AECD");
	play("qlru_h11_m1_r1_u2", 4, "ABCDaEFGH", "HEFG");
	/* B comes when A2 B2 C2 D2 have no 3: way 0, whatever is there. */
	play("qlru_h11_m1_r1_u2", 4, "ABCDE", "EBCD");
}

/*
 * M comes to the first tree, the one used longest ago, and there to A; N and O to the second and the third
 * one; P to the first one again, to its other half.
 */
TEST(lru3plru4_by_hand)
{
	play("lru3plru4", 12, "ABCDEFGHIJKLM", "MBCDEFGHIJKL");
	play("lru3plru4", 12, "ABCDEFGHIJKLMN", "MBCDNFGHIJKL");
	play("lru3plru4", 12, "ABCDEFGHIJKLMNO", "MBCDNFGHOJKL");
	play("lru3plru4", 12, "ABCDEFGHIJKLMNOP", "MBPDNFGHOJKL");
	/* A hit of a keeps all of its tree for a while, where LRU would only keep A. */
	play("lru3plru4", 12, "ABCDEFGHIJKLaMNO", "ABODMFGHNJKL");
	play("lru", 12, "ABCDEFGHIJKLaMNO", "ONMALKJIHGFE");
}

/* The same in every run; with another seed, another one. */
TEST(random_is_the_same_every_time)
{
	struct fixture f[3];
	unsigned same[2] = { 0 };

	fixture_init(&f[0], "random", 1, 8);
	fixture_init(&f[1], "random_0", 1, 8);
	fixture_init(&f[2], "random_1", 1, 8);
	for (uint64_t i = 0; i < 1000; i++) {
		bool missed[3];

		for (int j = 0; j < 3; j++)
			missed[j] = cache_touch(&f[j].cache, i * 7919 % 12 << LINE_BITS);
		same[0] += missed[0] == missed[1];
		same[1] += missed[0] == missed[2];
	}
	CHECK_EQ_U64(same[0], 1000);
	CHECK(same[1] < 900);
	for (int j = 0; j < 3; j++)
		fixture_release(&f[j]);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(equals_its_twin),
		CHECK_TEST(equals_its_twin_in_each_variant),
		CHECK_TEST(drrip_equals_its_twin_in_many_sets),
		CHECK_TEST(lru_by_hand),
		CHECK_TEST(fifo_by_hand),
		CHECK_TEST(plru_by_hand),
		CHECK_TEST(mru_by_hand),
		CHECK_TEST(mru_n_by_hand),
		CHECK_TEST(srrip_keeps_what_was_used_when_a_stream_passes),
		CHECK_TEST(qlru_of_skylakes_l2_by_hand),
		CHECK_TEST(qlru_of_ice_lakes_l2_by_hand),
		CHECK_TEST(qlru_of_coffee_lakes_l3_by_hand),
		CHECK_TEST(qlru_of_ivy_bridges_l3_by_hand),
		CHECK_TEST(lru3plru4_by_hand),
		CHECK_TEST(random_is_the_same_every_time),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
