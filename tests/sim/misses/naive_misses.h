/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle of sim/misses: a fully associative cache as a list of lines, the one that was used last in front, and a list of
 * lines that were ever asked for.  Written to be obviously right and not to be fast.
 */
#ifndef TESTS_SIM_MISSES_NAIVE_MISSES_H
#define TESTS_SIM_MISSES_NAIVE_MISSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/basics.h"
#include "sim/misses/fullcache.h"

/* Lines by their numbers; the last one in use is the oldest. */
struct naive_list {
	uint64_t *lines;
	size_t n, room;
};

static size_t naive_blocks; /* of memory that were allocated and not released */

static inline void *naive_allocate(size_t size)
{
	void *memory = size != 0 ? calloc(1, size) : NULL; /* nothing is never asked for */

	if (!memory)
		abort();
	naive_blocks++;
	return memory;
}

static inline void naive_release_memory(void *memory)
{
	naive_blocks--;
	free(memory);
}

static const struct misses_memory naive_memory = { naive_allocate, naive_release_memory };

static inline void naive_list_release(struct naive_list *list)
{
	free(list->lines);
	*list = (struct naive_list){ .lines = NULL };
}

/* Where a line is; n if it is not there. */
static inline size_t naive_list_find(const struct naive_list *list, uint64_t line)
{
	size_t place = 0;

	while (place < list->n && list->lines[place] != line)
		place++;
	return place;
}

static inline void naive_list_remove(struct naive_list *list, size_t place)
{
	memmove(list->lines + place, list->lines + place + 1,
		(--list->n - place) * sizeof(*list->lines));
}

static inline void naive_list_push(struct naive_list *list, uint64_t line)
{
	if (list->n == list->room) {
		list->room = 2 * list->room + 16;
		list->lines = realloc(list->lines, list->room * sizeof(*list->lines));
		if (!list->lines)
			abort();
	}
	memmove(list->lines + 1, list->lines, list->n++ * sizeof(*list->lines));
	list->lines[0] = line;
}

/* Takes lines of that many bytes out that have one from first to last. */
static inline void naive_list_evict(struct naive_list *list, uint64_t line_size,
				    struct address_range range)
{
	for (size_t i = list->n; i-- > 0;)
		if (list->lines[i] >= range.first / line_size &&
		    list->lines[i] <= range.last / line_size)
			naive_list_remove(list, i);
}

/* A line of a cache of n_lines is used; returns whether it missed, and the number of the line that has left, or UINT64_MAX. */
static inline bool naive_list_touch(struct naive_list *list, size_t n_lines, uint64_t line,
				    uint64_t *left)
{
	const size_t place = naive_list_find(list, line);
	const bool missed = place == list->n;

	*left = UINT64_MAX;
	if (!missed)
		naive_list_remove(list, place);
	naive_list_push(list, line);
	if (list->n > n_lines)
		*left = list->lines[--list->n];
	return missed;
}

#endif
