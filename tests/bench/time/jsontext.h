/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text in JSON, for the programs of scripts/compare-time that parse one.
 */
#ifndef TESTS_BENCH_TIME_JSONTEXT_H
#define TESTS_BENCH_TIME_JSONTEXT_H

#include "tests/bench/bench.h"

/* Records with strings, numbers, lists and words; free() releases the text. */
static NOINLINE char *write_json(uint32_t records)
{
	char *text = (char *)allocate(records, 256), *at = text;
	uint64_t state = 1;

	*at++ = '[';
	for (uint32_t i = 0; i < records; i++) {
		at += snprintf(
			at, 200,
			"%s{\"id\": %u, \"name\": \"user %x\", \"score\": %u.%02u, \"tags\": [",
			i > 0 ? ",\n" : "", i, random_next(&state), random_below(&state, 5000),
			random_below(&state, 100));
		for (uint32_t tag = random_below(&state, 6); tag > 0; tag--)
			at += snprintf(at, 16, "\"t%u\"%s", random_below(&state, 1000),
				       tag > 1 ? ", " : "");
		at += snprintf(at, 24, "], \"known\": %s}",
			       random_below(&state, 2) ? "true" : "false");
	}
	*at++ = ']';
	*at = '\0';
	return text;
}

#endif
