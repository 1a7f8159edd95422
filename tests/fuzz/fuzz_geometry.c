/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as the text of a geometry, up to the first line feed or to the
 * end.  What geometry_check_any_sets() accepts must really be simulable: caches of
 * that shape take 1,000 references and do as the naive model does.  The bytes
 * after the line feed choose the references.  The input's first bytes are
 * also taken as plain numbers, to reach geometries that no text gives.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/geometry.h"
#include "tests/common/check.h"
#include "tests/oracle/hierarchy.h"
#include "tests/sim/naive_cache.h"

enum {
	REFERENCES = 1000,
	MAX_TEXT = 256, /* bytes, with the NUL */
};

/* The naive model looks at all ways of a set, so this bounds the time, too. */
#define MAX_MEMORY ((size_t)8 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) require((condition), #condition, __LINE__)

static void require(bool held, const char *what, int line)
{
	if (held)
		return;
	fprintf(stderr, "fuzz_geometry: line %d: %s is false\n", line, what);
	abort();
}

/* One line for each status, whether or not it is the geometry's. */
static void explain_all(const struct cache_geometry *geometry, enum geometry_status checked)
{
	for (int i = GEOMETRY_OK; i <= GEOMETRY_SETS_NOT_POWER_OF_TWO; i++) {
		enum geometry_status status = (enum geometry_status)i;
		char text[GEOMETRY_MESSAGE_SIZE];

		memset(text, '\n', sizeof(text));
		geometry_explain(status, geometry, i % 2 == 0 ? 32 : GEOMETRY_MIN_LINE_SIZE, text);
		REQUIRE(memchr(text, '\0', sizeof(text)));
		REQUIRE(!strchr(text, '\n'));
		if (status == GEOMETRY_OK || status == checked)
			REQUIRE((text[0] == '\0') == (status == GEOMETRY_OK));
	}
}

static void round_sets(struct cache_geometry geometry)
{
	const struct cache_geometry old = geometry;
	bool changed = geometry_round_sets(&geometry);

	REQUIRE(changed == (geometry.size != old.size || geometry.assoc != old.assoc));
	REQUIRE(geometry.line_size == old.line_size);
	if (!changed)
		return;
	REQUIRE(geometry.assoc >= old.assoc);
	REQUIRE(geometry.size % ((uint64_t)geometry.assoc * geometry.line_size) == 0);

	uint64_t sets = geometry_sets(&geometry);

	REQUIRE((sets & (sets - 1)) == 0);
}

/* Addresses from everywhere at first, later mostly near ones, so that some hit. */
static uint64_t next_address(struct check_random *random, uint64_t last, uint64_t span)
{
	switch (check_random_below(random, 8)) {
	case 0:
		return check_random(random);
	case 1:
		return check_random_below(random, span) - span / 2; /* around the top */
	case 2:
		return last;
	case 3:
		return last + span;
	default:
		return last + check_random_below(random, 512) - 256;
	}
}

static void refer(const struct cache_geometry *cache, uint64_t seed)
{
	const struct hierarchy_config config = hierarchy_two_levels(*cache, *cache, *cache);
	size_t memory_size = hierarchy_memory_size(&config);
	void *memory = memory_size <= MAX_MEMORY ? aligned_alloc(64, memory_size) : NULL;
	struct check_random random = { seed | 1 };
	struct hierarchy hierarchy;
	struct naive_cache naive[3];
	uint64_t address = 0;

	if (!memory)
		return;
	memset(memory, 0, memory_size);
	hierarchy_init(&hierarchy, &config, memory);
	for (int i = 0; i < 3; i++)
		naive_init(&naive[i], cache);
	for (int i = 0; i < REFERENCES; i++) {
		bool fetch = check_random_below(&random, 2);
		uint64_t size = 1 + check_random_below(&random, i % 16 ? 32 : 600);

		address = next_address(&random, address, cache->size);

		unsigned got = fetch ? hierarchy_fetch(&hierarchy, address, size)
				     : hierarchy_data(&hierarchy, address, size);

		REQUIRE(got == naive_reference(&naive[!fetch], &naive[2], address, size));
	}
	REQUIRE(naive_equals(&naive[0], &hierarchy.i1));
	REQUIRE(naive_equals(&naive[1], &hierarchy.d1));
	REQUIRE(naive_equals(&naive[2], &hierarchy.lower.caches[0]));
	for (int i = 0; i < 3; i++)
		naive_release(&naive[i]);
	free(memory);
}

static void try_geometry(const struct cache_geometry *geometry, uint64_t seed)
{
	enum geometry_status status = geometry_check(geometry);

	explain_all(geometry, status);
	round_sets(*geometry);
	if (status == GEOMETRY_SETS_NOT_POWER_OF_TWO)
		status = GEOMETRY_OK;
	REQUIRE(geometry_check_any_sets(geometry) == status);
	if (status == GEOMETRY_OK)
		refer(geometry, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[MAX_TEXT] = "";
	uint64_t seed = 0;
	size_t length = 0;
	struct cache_geometry geometry = { 0, 0, 0 };

	while (length < size && length < MAX_TEXT - 1 && data[length] != '\n')
		length++;
	if (length > 0)
		memcpy(text, data, length);
	for (size_t i = length; i < size; i++)
		seed = seed * 257 + data[i];

	enum geometry_status status = geometry_parse(text, &geometry);

	REQUIRE(status == GEOMETRY_OK || status == GEOMETRY_SYNTAX || status == GEOMETRY_OVERFLOW);
	explain_all(&geometry, status);
	if (status == GEOMETRY_OK)
		try_geometry(&geometry, seed);
	else
		REQUIRE(geometry.size == 0 && geometry.assoc == 0 && geometry.line_size == 0);
	if (size >= 16) {
		memcpy(&geometry.size, data, 8);
		memcpy(&geometry.assoc, data + 8, 4);
		memcpy(&geometry.line_size, data + 12, 4);
		try_geometry(&geometry, seed);
	}
	return 0;
}
