/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer/origin: seals as another implementation of SipHash-2-4 makes them. */
#include "writer/origin.h"

#include <string.h>

#include "tests/common/check.h"

/* 0, 1... 15, as in the test vectors of SipHash. */
static const unsigned char numbered[ORIGIN_KEY] = { 0, 1, 2,  3,  4,  5,  6,  7,
						    8, 9, 10, 11, 12, 13, 14, 15 };

TEST(seals)
{
	char seal[ORIGIN_SEAL];

	origin_seal(numbered, 1000, "/home/ann/build", "none /home/ann/build/prog", seal);
	CHECK_STR(seal, "4378c8a31821f61708359dc3a370c2c8");
	origin_seal(numbered, 0, "/", "", seal);
	CHECK_STR(seal, "07bb3283a56dc833929895cde82b6135");
}

/* A letter that moves from one text to the other makes another seal, as does another user. */
TEST(what_is_sealed)
{
	char one[ORIGIN_SEAL], other[ORIGIN_SEAL];

	origin_seal(numbered, 7, "/ab", "c", one);
	origin_seal(numbered, 7, "/a", "bc", other);
	CHECK(strcmp(one, other) != 0);
	origin_seal(numbered, 8, "/ab", "c", other);
	CHECK(strcmp(one, other) != 0);
	origin_seal(numbered, 7, "/ab", "c", other);
	CHECK_STR(other, one);
}

static bool has_key(const char *text, unsigned char key[ORIGIN_KEY])
{
	return origin_key(text, strlen(text), key);
}

TEST(keys)
{
	unsigned char key[ORIGIN_KEY];

	CHECK(has_key("000102030405060708090a0b0c0d0e0f\n", key));
	CHECK(memcmp(key, numbered, sizeof(key)) == 0);
	CHECK(has_key("00010203-0405-0607-0809-0a0b0c0d0e0f\n", key));
	CHECK(memcmp(key, numbered, sizeof(key)) == 0);
	CHECK(!has_key("", key));
	CHECK(!has_key("uninitialized\n", key));
	CHECK(!has_key("000102030405060708090a0b0c0d0e0\n", key));
	CHECK(!has_key("00000000000000000000000000000000\n", key));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(seals),
		CHECK_TEST(what_is_sealed),
		CHECK_TEST(keys),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
