/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle of sim/lastlevel: lines are records that move in a list per set,
 * most recently used first; what is used of them is an array of bytes.
 * Written to be obviously right and not to be fast.
 */
#ifndef TESTS_SIM_NAIVE_LASTLEVEL_H
#define TESTS_SIM_NAIVE_LASTLEVEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/lastlevel.h"
#include "tests/sim/two_levels.h"

enum {
	NAIVE_LOADERS = 16,
	NAIVE_MAX_LINE = 256, /* bytes */
};

struct naive_line {
	uint64_t number;
	uint64_t uses;
	unsigned loader;
	bool dirty;
	bool bytes[NAIVE_MAX_LINE];
};

struct naive_level {
	uint64_t sets, assoc, line_size;
	struct naive_line *lines; /* set s has used[s] of them from [s * assoc] on */
	uint64_t *used;
};

/* Costs of each loader: access cost and space loss of both levels. */
struct naive_costs {
	uint64_t sums[NAIVE_LOADERS][4];
};

struct naive_memory {
	struct lastlevel_options options;
	struct naive_level i1, d1, ll;
	uint64_t last[8]; /* line number + 1000, of each stream; 0 at first */
	int64_t run[8];
	struct naive_costs costs;
};

static inline void naive_level_init(struct naive_level *level,
				    const struct cache_geometry *geometry)
{
	level->assoc = geometry->assoc;
	level->line_size = geometry->line_size;
	level->sets = geometry->size / level->assoc / level->line_size;
	level->lines = calloc(level->sets * level->assoc, sizeof(*level->lines));
	level->used = calloc(level->sets, sizeof(*level->used));
	if (!level->lines || !level->used)
		abort();
}

static inline void naive_level_release(struct naive_level *level)
{
	free(level->lines);
	free(level->used);
}

static inline void naive_memory_init(struct naive_memory *memory, const struct two_levels *caches,
				     const struct lastlevel_options *options)
{
	memset(memory, 0, sizeof(*memory));
	memory->options = *options;
	naive_level_init(&memory->i1, &caches->i1);
	naive_level_init(&memory->d1, &caches->d1);
	naive_level_init(&memory->ll, &caches->ll);
}

static inline void naive_memory_release(struct naive_memory *memory)
{
	naive_level_release(&memory->i1);
	naive_level_release(&memory->d1);
	naive_level_release(&memory->ll);
}

static inline struct naive_line *naive_find(const struct naive_level *level, uint64_t number)
{
	uint64_t set = number % level->sets;

	for (uint64_t i = 0; i < level->used[set]; i++) {
		if (level->lines[set * level->assoc + i].number == number)
			return &level->lines[set * level->assoc + i];
	}
	return NULL;
}

/* Moves a line to the front; returns whether it missed, and then what fell off, if evicted->uses. */
static inline bool naive_bring(struct naive_level *level, uint64_t number, unsigned loader,
			       struct naive_line *evicted)
{
	uint64_t set = number % level->sets;
	struct naive_line *list = level->lines + set * level->assoc;
	struct naive_line *found = naive_find(level, number);
	struct naive_line line = { .number = number, .loader = loader };

	memset(evicted, 0, sizeof(*evicted));
	if (found) {
		line = *found;
		memmove(list + 1, list, (size_t)(found - list) * sizeof(line));
	} else {
		if (level->used[set] == level->assoc)
			*evicted = list[level->assoc - 1];
		else
			level->used[set]++;
		memmove(list + 1, list, (level->used[set] - 1) * sizeof(line));
	}
	list[0] = line;
	return !found;
}

/* The line touched last in its set. */
static inline struct naive_line *naive_front(const struct naive_level *level, uint64_t number)
{
	return &level->lines[number % level->sets * level->assoc];
}

/* The byte at an offset, and all others of its part: 32 a line, of a byte or more. */
static inline void naive_use_byte(const struct naive_level *level, struct naive_line *line,
				  uint64_t offset)
{
	uint64_t part = level->line_size < 32 ? 1 : level->line_size / 32;

	for (uint64_t i = offset / part * part; i < (offset / part + 1) * part; i++)
		line->bytes[i] = true;
}

static inline void naive_charge(const struct naive_level *level, const struct naive_line *line,
				unsigned number, struct naive_costs *costs)
{
	uint64_t loss = 0;

	if (line->uses == 0)
		return;
	for (uint64_t i = 0; i < level->line_size; i++)
		loss += !line->bytes[i];
	costs->sums[line->loader][number * 2 - 2] += 1000 / line->uses;
	costs->sums[line->loader][number * 2 - 1] += loss;
}

/* What a line of the first level has used, to those lines of LL that hold the bytes. */
static inline void naive_pass(const struct naive_level *first, const struct naive_line *line,
			      const struct naive_level *ll)
{
	struct naive_line *before = NULL;

	for (uint64_t i = 0; i < first->line_size; i++) {
		uint64_t address = line->number * first->line_size + i;
		struct naive_line *to = naive_find(ll, address / ll->line_size);

		if (!to || !line->bytes[i])
			continue;
		naive_use_byte(ll, to, address % ll->line_size);
		if (to != before)
			to->uses += line->uses;
		before = to;
	}
}

static inline bool naive_first(struct naive_memory *memory, struct naive_level *first,
			       uint64_t address, uint64_t size, unsigned loader)
{
	bool missed = false;

	for (uint64_t i = 0; i < size; i++) {
		uint64_t byte = address + i;
		uint64_t number = byte / first->line_size;

		if (i == 0 || byte % first->line_size == 0) {
			struct naive_line evicted;

			missed |= naive_bring(first, number, loader, &evicted);
			naive_charge(first, &evicted, 1, &memory->costs);
			naive_pass(first, &evicted, &memory->ll);
			naive_front(first, number)->uses++;
		}
		naive_use_byte(first, naive_front(first, number), byte % first->line_size);
	}
	return missed;
}

static inline unsigned naive_ll(struct naive_memory *memory, uint64_t address, unsigned loader,
				bool dirty)
{
	struct naive_line evicted;
	uint64_t number = address / memory->ll.line_size;
	bool missed = naive_bring(&memory->ll, number, loader, &evicted);

	naive_front(&memory->ll, number)->dirty |= dirty;
	if (memory->options.uses)
		naive_charge(&memory->ll, &evicted, 2, &memory->costs);
	return (missed ? LAST_MISSED : 0U) | (evicted.dirty ? LAST_WROTE_BACK : 0U);
}

/* Steps from line to line are counted as long as they go the same way. */
static inline void naive_prefetch(struct naive_memory *memory, uint64_t address, unsigned loader)
{
	uint64_t line_size = memory->ll.line_size;
	uint64_t number = address / line_size + 1000;
	unsigned stream = address / 4096 % 8;
	int64_t *run = &memory->run[stream];
	uint64_t last = memory->last[stream];

	if (number == last)
		return;
	memory->last[stream] = number;
	if (number == last + 1 && *run >= 0)
		++*run;
	else if (number + 1 == last && *run <= 0)
		--*run;
	else
		*run = 0;
	if (*run >= 2)
		naive_ll(memory, address + 5 * line_size, loader, false);
	if (*run <= -2)
		naive_ll(memory, address - 5 * line_size, loader, false);
}

static inline unsigned naive_behind(struct naive_memory *memory, uint64_t address, uint64_t size,
				    bool is_write, bool missed, unsigned loader)
{
	unsigned outcome = 0;
	bool dirty = is_write && memory->options.write_back;

	if (!missed && !dirty)
		return 0;
	if (memory->options.prefetch)
		naive_prefetch(memory, address, loader);
	for (uint64_t i = 0; i < size; i++) {
		if (i == 0 || (address + i) % memory->ll.line_size == 0)
			outcome |= naive_ll(memory, address + i, loader, dirty);
	}
	return missed ? outcome : 0;
}

/* Lines with bytes first to last leave a level; number: the level's, 0 if uses do not count. */
static inline void naive_level_evict(struct naive_memory *memory, struct naive_level *level,
				     unsigned number, uint64_t first, uint64_t last)
{
	for (uint64_t set = 0; set < level->sets; set++) {
		struct naive_line *list = level->lines + set * level->assoc;

		for (uint64_t i = level->used[set]; i-- > 0;) {
			if (list[i].number < first / level->line_size ||
			    list[i].number > last / level->line_size)
				continue;
			if (number != 0)
				naive_charge(level, &list[i], number, &memory->costs);
			if (number == 1)
				naive_pass(level, &list[i], &memory->ll);
			memmove(list + i, list + i + 1, (level->used[set] - i - 1) * sizeof(*list));
			level->used[set]--;
		}
	}
}

/* As lastlevel_evict(). */
static inline void naive_memory_evict(struct naive_memory *memory, uint64_t first, uint64_t last)
{
	bool uses = memory->options.uses;

	naive_level_evict(memory, &memory->i1, uses, first, last);
	naive_level_evict(memory, &memory->d1, uses, first, last);
	naive_level_evict(memory, &memory->ll, uses ? 2 : 0, first, last);
	if (first == 0 && last == UINT64_MAX) {
		memset(memory->last, 0, sizeof(memory->last));
		memset(memory->run, 0, sizeof(memory->run));
	}
}

#endif
