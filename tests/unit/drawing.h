/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a small cache as a string, so that a test can show the state that it
 * expects beside each step: "DB.|CA." is a cache of two sets of three ways,
 * the most recently used line first, `.` for an empty way.  Line 0 is A, line
 * 1 is B and so on; the last line of the address space is Z.
 */
#ifndef TESTS_UNIT_DRAWING_H
#define TESTS_UNIT_DRAWING_H

#include <stddef.h>
#include <stdint.h>

#include "sim/cache.h"

enum { DRAWING_SIZE = 64 }; /* bytes, with the NUL */

struct drawing {
	char text[DRAWING_SIZE];
};

/* The address of the first byte of the line drawn as name. */
static inline uint64_t drawing_address(const struct cache *cache, char name)
{
	uint64_t line = name == 'Z' ? UINT64_MAX >> cache->line_bits : (uint64_t)(name - 'A');

	return line << cache->line_bits;
}

static inline char drawing_name(const struct cache *cache, uint64_t tag)
{
	static const char names[] = "ABCDEFGHIJKLMNOPQRSTUVWXY";
	uint64_t line = tag >> cache->line_bits;

	if (tag == CACHE_NO_LINE)
		return '.';
	if (line == UINT64_MAX >> cache->line_bits)
		return 'Z';
	if (line < sizeof(names) - 1)
		return names[line];
	return '?';
}

/* The way of a set that is the rank-th youngest (0: the youngest); empty ones come last. */
static inline size_t drawing_way(const struct cache *cache, size_t first, size_t rank)
{
	for (size_t way = first; way < first + cache->assoc; way++) {
		size_t younger = 0;

		for (size_t other = first; other < first + cache->assoc; other++) {
			bool same = cache->stamps[other] == cache->stamps[way];

			younger += same ? other < way : cache->stamps[other] > cache->stamps[way];
		}
		if (younger == rank)
			return way;
	}
	return first;
}

static inline struct drawing draw(const struct cache *cache)
{
	struct drawing drawing = { "" };
	size_t length = 0;

	for (size_t set = 0; set <= cache->set_mask; set++) {
		if (length + cache->assoc + 2 > DRAWING_SIZE)
			break;
		if (set > 0)
			drawing.text[length++] = '|';
		for (size_t rank = 0; rank < cache->assoc; rank++) {
			size_t way = drawing_way(cache, set * cache->assoc, rank);

			drawing.text[length++] = drawing_name(cache, cache->tags[way]);
		}
	}
	return drawing;
}

#endif
