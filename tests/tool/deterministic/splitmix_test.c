/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/deterministic/splitmix: the published sequence, and that seeds and numbers tell sequences apart. */
#include "tool/deterministic/splitmix.h"

#include "tests/common/check.h"

/* First numbers of SplitMix64 from state 1234567, as published with the generator. */
TEST(sequence_is_that_of_the_generator)
{
	static const uint64_t published[] = {
		UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
		UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
		UINT64_C(16408922859458223821),
	};
	struct splitmix splitmix = { .state = 1234567 };

	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++)
		CHECK_EQ_U64(splitmix_next(&splitmix), published[i]);
}

TEST(bytes_are_those_of_the_numbers)
{
	struct splitmix words, bytes;
	unsigned char got[19];

	splitmix_init(&words, 7, 0);
	splitmix_init(&bytes, 7, 0);
	memset(got, 0, sizeof(got));
	splitmix_fill(&bytes, got, 18);
	for (size_t i = 0; i < 2; i++) {
		uint64_t word = splitmix_next(&words), read;

		memcpy(&read, got + 8 * i, 8);
		CHECK_EQ_U64(read, word);
	}
	CHECK_EQ_U64(got[16] | (unsigned)got[17] << 8, splitmix_next(&words) & 0xffff);
	CHECK_EQ_U64(got[18], 0);
	/* What was left of the last number is not used. */
	CHECK_EQ_U64(splitmix_next(&bytes), splitmix_next(&words));
	splitmix_fill(&bytes, got, 0);
	CHECK_EQ_U64(splitmix_next(&bytes), splitmix_next(&words));
}

/* No two of many sequences meet within their first numbers. */
TEST(sequences_are_apart)
{
	enum { SEEDS = 20, NUMBERS = 20, WORDS = 4, ALL = SEEDS * NUMBERS * WORDS };
	static uint64_t seen[ALL];
	size_t n = 0;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		for (uint64_t number = 0; number < NUMBERS; number++) {
			struct splitmix splitmix;

			splitmix_init(&splitmix, seed, number);
			for (int i = 0; i < WORDS; i++)
				seen[n++] = splitmix_next(&splitmix);
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			CHECK(seen[i] != seen[j]);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(sequence_is_that_of_the_generator),
		CHECK_TEST(bytes_are_those_of_the_numbers),
		CHECK_TEST(sequences_are_apart),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
