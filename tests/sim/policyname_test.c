/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/policy: which names there are, in any case, and which policies go with which numbers of ways. */
#include "sim/policy.h"

#include <stdlib.h>

#include "tests/common/check.h"

static bool is_named(const char *name, const char *family)
{
	struct policy policy;
	size_t length = strlen(name);
	char *exact = malloc(length + (length == 0)); /* a byte too many is seen by the sanitizer */
	bool found;

	if (!exact)
		abort();
	for (size_t i = 0; i < length; i++)
		exact[i] = name[i];
	found = policy_named(&policy, exact, length);
	free(exact);
	return family == NULL ? !found : found && strcmp(policy.name, family) == 0;
}

static uint32_t variant_of(const char *name)
{
	struct policy policy = { .variant = 0 };

	CHECK(policy_named(&policy, name, strlen(name)));
	return policy.variant;
}

static const char *misfit_of(const char *name, uint32_t assoc)
{
	struct policy policy;

	return CHECK(policy_named(&policy, name, strlen(name))) ? policy_misfit(&policy, assoc)
								: "no name";
}

TEST(each_policy_has_its_name)
{
	CHECK(is_named("lru", "lru") && is_named("LRU", "lru") && is_named("Lru", "lru"));
	CHECK(is_named("fifo", "fifo"));
	CHECK(is_named("random", "random"));
	CHECK(is_named("plru", "plru") && is_named("PLRU", "plru"));
	CHECK(is_named("mru", "mru"));
	CHECK(is_named("mru_n", "mru_n") && is_named("MRU_N", "mru_n"));
	CHECK(is_named("srrip", "srrip"));
	CHECK(is_named("drrip", "drrip"));
	CHECK(is_named("lru3plru4", "lru3plru4"));
}

TEST(seeds_are_numbers_of_32_bits)
{
	CHECK_EQ_U64(variant_of("random"), 0);
	CHECK_EQ_U64(variant_of("random_0"), 0);
	CHECK_EQ_U64(variant_of("RANDOM_17"), 17);
	CHECK_EQ_U64(variant_of("random_4294967295"), 4294967295);
	CHECK(is_named("random_4294967296", NULL));
	CHECK(is_named("random_99999999999999999999999", NULL));
	CHECK(is_named("random_", NULL) && is_named("random_-1", NULL));
	CHECK(is_named("random7", NULL) && is_named("random_7x", NULL));
}

TEST(other_names_are_none)
{
	struct policy policy = { .name = "untouched" };

	CHECK(is_named("", NULL) && is_named("l", NULL) && is_named("lr", NULL));
	CHECK(is_named("lru ", NULL) && is_named("lru2", NULL) && is_named(" lru", NULL));
	CHECK(is_named("lru3plru", NULL) && is_named("mru_", NULL) && is_named("mruxn", NULL));
	CHECK(!policy_named(&policy, "plum", 4));
	CHECK_STR(policy.name, "untouched");
	CHECK(policy_named(&policy, "lru3plru4", 3)); /* no more than that is looked at */
	CHECK_STR(policy.name, "lru");
}

TEST(qlru_has_all_its_variants)
{
	static const char *const hits[] = { "h00", "H10", "h11", "h20", "H21" };
	static const char *const misses[] = { "m0",   "m1",   "m2",   "m3",   "mr10",
					      "mr20", "MR21", "mr30", "mr31", "mr32" };
	uint32_t variants[5 * 10 * 3 * 4 * 2];
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s_%s_%s_r%u_u%u%s", i % 2 ? "qlru" : "QLRU",
			 hits[i / 240], misses[i / 24 % 10], i / 8 % 3, i / 2 % 4,
			 i % 2 ? "_umo" : "");
		if (!CHECK(is_named(name, "qlru")))
			printf("# %s\n", name);
		variants[n++] = variant_of(name);
		for (unsigned other = 0; other < n - 1; other++)
			CHECK(variants[other] != variants[n - 1]);
	}
}

TEST(qlru_has_no_others)
{
	static const char *const wrong[] = {
		"qlru",
		"qlru_",
		"qlru_h00",
		"qlru_h00_m1",
		"qlru_h00_m1_r0",
		"qlru_h00_m1_r0_u",
		"qlru_h01_m1_r0_u0", /* an older line would become younger than a younger one */
		"qlru_h22_m1_r0_u0",
		"qlru_h30_m1_r0_u0",
		"qlru_h0_m1_r0_u0",
		"qlru_h00_m4_r0_u0",
		"qlru_h00_mr1_r0_u0",
		"qlru_h00_mr11_r0_u0",
		"qlru_h00_mr13_r0_u0",
		"qlru_h00_m1_r3_u0",
		"qlru_h00_m1_r0_u4",
		"qlru_h00_m1_r0_u0_",
		"qlru_h00_m1_r0_u0_um",
		"qlru_h00_m1_r0_u0_umox",
		"qlru_h00_m1_u0_r0",
		"qlruh00_m1_r0_u0",
		"qlru__h00_m1_r0_u0",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!CHECK(is_named(wrong[i], NULL)))
			printf("# %s\n", wrong[i]);
	}
}

TEST(some_policies_want_certain_numbers_of_ways)
{
	CHECK_STR(misfit_of("lru", 3), NULL);
	CHECK_STR(misfit_of("fifo", 7), NULL);
	CHECK_STR(misfit_of("plru", 1), NULL);
	CHECK_STR(misfit_of("plru", 2), NULL);
	CHECK_STR(misfit_of("plru", 128), NULL);
	CHECK_STR(misfit_of("plru", 12), "needs a power of two of ways");
	CHECK_STR(misfit_of("lru3plru4", 12), NULL);
	CHECK_STR(misfit_of("lru3plru4", 16), "needs 12 ways");
	CHECK_STR(misfit_of("drrip", 11), NULL);
	CHECK_STR(misfit_of("qlru_h00_m1_r0_u1", 20), NULL);
	CHECK_STR(misfit_of("qlru_h11_m1_r1_u2", 20), NULL);
	CHECK_STR(misfit_of("qlru_h11_m1_r0_u2", 20),
		  "r0 and r2 need a line of age 3, which u2 and u3 do not always leave");
	CHECK(misfit_of("qlru_h11_m1_r2_u3_umo", 20) != NULL);
}

TEST(a_copy_of_lru_is_lru)
{
	struct policy policy;

	CHECK(policy_named(&policy, "lru", 3));
	CHECK(policy_is_lru(&policy) && policy_is_lru(NULL) && policy_is_lru(&policy_lru));
	CHECK(!policy_is_lru(&policy_fifo) && !policy_is_lru(&policy_random));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(each_policy_has_its_name),
		CHECK_TEST(seeds_are_numbers_of_32_bits),
		CHECK_TEST(other_names_are_none),
		CHECK_TEST(qlru_has_all_its_variants),
		CHECK_TEST(qlru_has_no_others),
		CHECK_TEST(some_policies_want_certain_numbers_of_ways),
		CHECK_TEST(a_copy_of_lru_is_lru),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
