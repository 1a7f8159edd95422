/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a file of limits.  What is read can be checked against a
 * difference, and says the same when the text of each limit is read again.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/limit.h"
#include "profile/common/heap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void read_again(const struct limit *limit)
{
	struct limits limits;

	require(!limits_parse(&limits, limit->text, strlen(limit->text), "again", NULL));
	require(limits.n == 1);
	require(same(limits.all[0].text, limit->text) &&
		same(limits.all[0].pattern, limit->pattern) &&
		same(limits.all[0].event, limit->event));
	require(limits.all[0].percent == limit->percent && limits.all[0].change == limit->change &&
		limits.all[0].most == limit->most && limits.all[0].least == limit->least &&
		limits.all[0].is_both_ways == limit->is_both_ways &&
		limits.all[0].must_improve == limit->must_improve &&
		limits.all[0].is_soft == limit->is_soft);
	limits_release(&limits);
}

static void check(const struct limit *limit)
{
	static const int128 values[] = {
		0, 1, -1, INT64_MAX, (int128)UINT64_MAX << 29, -((int128)UINT64_MAX << 29)
	};

	for (size_t i = 0; i < 6; i++) {
		require(!limit_is_exceeded(limit, values[i], values[i], 0) || limit->must_improve ||
			limit->has_most || limit->has_least || limit->percent < 0 ||
			limit->change < 0);
		for (size_t j = 0; j < 6; j++)
			limit_is_exceeded(limit, values[i], values[j], 0);
	}
	if (limit->pattern) {
		limit_matches(limit->pattern, "std::vector<int>::operator[](int)", 33);
		limit_matches(limit->pattern, limit->text, strlen(limit->text));
	}
	require(limit->has_percent || limit->has_change || limit->has_most || limit->has_least ||
		limit->must_improve);
	/* A decrease exceeds some bound, or an increase does. */
	require(!limit->has_least || !(limit->has_percent || limit->has_change || limit->has_most));
	require(limit->line > 0 && limit->event_column > 0 && limit->event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct limits limits;
	struct profile_error error = { .status = PROFILE_OK };
	int status = limits_parse(&limits, (const char *)data, size, "limits", &error);

	require(status == (int)error.status);
	require(status != PROFILE_SYNTAX || (error.line > 0 && error.column > 0));
	for (size_t i = 0; status == PROFILE_OK && i < limits.n; i++) {
		check(&limits.all[i]);
		read_again(&limits.all[i]);
	}
	limits_release(&limits);
	return 0;
}
