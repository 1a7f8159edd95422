/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a small cache as a string, so that a test can show the state that it
 * expects next to each step: "DB.|CA." is a cache of two sets of three ways,
 * the most recently used line first, `.` for an empty way.  Line 0 is A, line
 * 1 is B and so on; the last line of the address space is Z.  Line 2048 is a,
 * the next one b and so on: they share the entries of the line filter
 * (sim/machine.h) with A, B ...
 */
#ifndef TESTS_SIM_DRAWING_H
#define TESTS_SIM_DRAWING_H

#include <stddef.h>
#include <stdint.h>

#include "sim/cache.h"

enum {
	DRAWING_SIZE = 64,    /* bytes, with the NUL */
	DRAWING_LOWER = 2048, /* line a */
};

struct drawing {
	char text[DRAWING_SIZE];
};

/* The address of the first byte of the line drawn as name. */
static inline uint64_t drawing_address(char name, unsigned line_bits)
{
	uint64_t line = (uint64_t)(name - 'A');

	if (name == 'Z')
		line = UINT64_MAX >> line_bits;
	else if (name >= 'a')
		line = DRAWING_LOWER + (uint64_t)(name - 'a');
	return line << line_bits;
}

/* How the line with that address is drawn. */
static inline char drawing_name(uint64_t address, unsigned line_bits)
{
	static const char upper[] = "ABCDEFGHIJKLMNOPQRSTUVWXY";
	static const char lower[] = "abcdefghijklmnopqrstuvwxyz";
	uint64_t line = address >> line_bits;

	if (line << line_bits != address)
		return '!';
	if (line == UINT64_MAX >> line_bits)
		return 'Z';
	if (line < sizeof(upper) - 1)
		return upper[line];
	if (line - DRAWING_LOWER < sizeof(lower) - 1)
		return lower[line - DRAWING_LOWER];
	return '?';
}

static inline struct drawing draw(const struct cache *cache)
{
	struct drawing drawing = { "" };
	size_t length = 0;

	for (size_t set = 0; set < cache_n_sets(cache); set++) {
		if (length + cache->assoc + 2 > DRAWING_SIZE)
			break;
		if (set > 0)
			drawing.text[length++] = '|';
		for (size_t way = 0; way < cache->assoc; way++) {
			uint64_t tag = cache_tag(cache, set, way);
			char name = drawing_name(tag - 1, cache->line_bits);

			if (tag == 0)
				name = '.';
			drawing.text[length++] = name;
		}
	}
	return drawing;
}

#endif
