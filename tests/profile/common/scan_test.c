/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile/common/scan: numbers of all lengths, before every byte that may follow. */
#include "profile/common/scan.h"

#include <string.h>

#include "tests/common/check.h"

enum { MOST = 7 }; /* digits that are read at once */

/* Digits, a byte that is none, and a byte after it, which must not matter. */
static void check_number(const char *digits, unsigned char end, unsigned char behind)
{
	char line[32];
	size_t len = strlen(digits);
	uint64_t value = 12345, want = 0;

	memset(line, behind, sizeof(line));
	memcpy(line, digits, len + 1);
	line[len] = (char)end;
	for (size_t i = 0; i < len; i++)
		want = want * 10 + (uint64_t)(digits[i] - '0');
	if (len == 0 || len > MOST) {
		CHECK_EQ_U64(scan_short_number(line, &value), 0);
		return;
	}
	CHECK_EQ_U64(scan_short_number(line, &value), len);
	CHECK_EQ_U64(value, want);
}

TEST(short_numbers)
{
	static const char *const numbers[] = { "",          "0",       "9",       "42",
					       "907",       "1234",    "99999",   "100000",
					       "999999",    "1000000", "9999999", "12345678",
					       "999999999", "0000007" };
	static const unsigned char behind[] = { 0, '5', '\n', 0x8a, 0xff };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		for (unsigned end = 0; end < 256; end++)
			for (size_t k = 0; k < sizeof(behind); k++)
				if (!scan_is_digit((char)end))
					check_number(numbers[i], (unsigned char)end, behind[k]);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(short_numbers),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
