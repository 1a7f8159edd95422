/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle of several cores: the rules of sim/coherence.h by their definition.  Each core has a struct naive_levels, all
 * have one last level; each core has a state of each line that was ever asked for, which counts while it has the line.
 * There is no directory: who has a line is seen in the caches of all.
 */
#ifndef TESTS_SIM_NAIVE_CORES_H
#define TESTS_SIM_NAIVE_CORES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/naive_levels.h"

enum {
	NAIVE_CORES = 8,
	NAIVE_BUCKETS = 1 << 12,
	NAIVE_LINES = 64, /* of a reference */
};

enum naive_state {
	NAIVE_ABSENT,
	NAIVE_SHARED,
	NAIVE_EXCLUSIVE,
	NAIVE_MODIFIED,
};

struct naive_line {
	uint64_t number;
	enum naive_state states[NAIVE_CORES];
	bool invalidated[NAIVE_CORES];
	uint64_t when[NAIVE_CORES]; /* that was, by the caller's clock */
	struct naive_line *next;    /* of the same bucket */
};

struct naive_cores {
	unsigned n; /* 1: the others have not begun yet */
	struct naive_levels cores[NAIVE_CORES];
	struct naive_line *lines[NAIVE_BUCKETS];
	uint64_t now; /* the caller's clock */
};

/* What a reference did. */
struct naive_outcome {
	unsigned served;
	bool from_core;
	unsigned n_upgraded;
	bool was_invalidated;
	uint64_t when; /* the last time that one of its lines was */
};

static inline void naive_cores_init(struct naive_cores *all, const struct hierarchy_config *config)
{
	memset(all, 0, sizeof(*all));
	all->n = 1;
	naive_levels_init(&all->cores[0], config);
}

static inline void naive_cores_release(struct naive_cores *all)
{
	for (unsigned i = 0; i < all->n; i++)
		naive_levels_release(&all->cores[i]);
	for (size_t i = 0; i < NAIVE_BUCKETS; i++) {
		while (all->lines[i]) {
			struct naive_line *line = all->lines[i];

			all->lines[i] = line->next;
			free(line);
		}
	}
}

static inline struct naive_line *naive_line(struct naive_cores *all, uint64_t number)
{
	struct naive_line **bucket = &all->lines[number % NAIVE_BUCKETS];
	struct naive_line *line = *bucket;

	while (line && line->number != number)
		line = line->next;
	if (line)
		return line;
	line = calloc(1, sizeof(*line));
	if (!line)
		abort();
	line->number = number;
	line->next = *bucket;
	*bucket = line;
	return line;
}

/* A core's own caches: I1, D1, and the lower ones but the last. */
static inline unsigned naive_own(struct naive_levels *core, struct naive_level **levels)
{
	unsigned n = 0;

	levels[n++] = &core->i1;
	levels[n++] = &core->d1;
	for (unsigned i = 0; i + 1 < core->n; i++)
		levels[n++] = &core->lower[i];
	return n;
}

static inline bool naive_core_has(struct naive_levels *core, uint64_t line)
{
	struct naive_level *levels[1 + HIERARCHY_MAX_LEVELS];
	unsigned n = naive_own(core, levels);

	for (unsigned i = 0; i < n; i++)
		if (naive_has(levels[i], line))
			return true;
	return false;
}

static inline enum naive_state naive_state(struct naive_cores *all, unsigned core, uint64_t line)
{
	return naive_core_has(&all->cores[core], line) ? naive_line(all, line)->states[core]
						       : NAIVE_ABSENT;
}

/* Returns whether it was dirty. */
static inline bool naive_core_remove(struct naive_levels *core, uint64_t line)
{
	struct naive_level *levels[1 + HIERARCHY_MAX_LEVELS];
	unsigned n = naive_own(core, levels);
	bool was_dirty = false;

	/* Nothing is executed from it now. */
	if (core->last_code == line + 1 && naive_has(&core->i1, line))
		core->last_code = 0;
	for (unsigned i = 0; i < n; i++)
		was_dirty |= naive_remove(levels[i], line);
	return was_dirty;
}

static inline bool naive_core_clean(struct naive_levels *core, uint64_t line)
{
	struct naive_level *levels[1 + HIERARCHY_MAX_LEVELS];
	unsigned n = naive_own(core, levels);
	bool was_dirty = false;

	for (unsigned i = 0; i < n; i++)
		was_dirty |= naive_clean(levels[i], line);
	return was_dirty;
}

/* The others begin, n in all; all that core 0 has is exclusive. */
static inline void naive_cores_begin(struct naive_cores *all, const struct hierarchy_config *config,
				     unsigned n)
{
	struct naive_levels *first = &all->cores[0];
	struct naive_level *levels[1 + HIERARCHY_MAX_LEVELS];
	unsigned n_levels = naive_own(first, levels);

	all->n = n;
	for (unsigned i = 0; i < n; i++) {
		struct naive_levels *core = &all->cores[i];

		if (i != 0) {
			naive_levels_init(core, config);
			core->shared = &first->lower[config->n_lower - 1];
		}
		core->peers = all->cores;
		core->n_peers = n;
	}
	for (unsigned i = 0; i < n_levels; i++) {
		const struct naive_cache *cache = &levels[i]->cache;

		for (uint64_t set = 0; set < cache->sets; set++)
			for (uint64_t k = 0; k < cache->used[set]; k++)
				naive_line(all, cache->lines[set * cache->assoc + k])->states[0] =
					NAIVE_EXCLUSIVE;
	}
}

/* --- a line ------------------------------------------------------------------------ */

/* It leaves all cores but one; what is dirty is written down unless it is written over. */
static inline void naive_invalidate(struct naive_cores *all, unsigned but, uint64_t number,
				    bool is_written)
{
	struct naive_line *line = naive_line(all, number);
	bool is_dirty = false;

	for (unsigned i = 0; i < all->n; i++) {
		if (i == but || !naive_core_has(&all->cores[i], number))
			continue;
		is_dirty |= naive_core_remove(&all->cores[i], number);
		line->invalidated[i] = true;
		line->when[i] = all->now;
	}
	if (is_dirty && !is_written)
		naive_write(&all->cores[but], all->cores[but].n - 1, number);
}

struct naive_before {
	bool in_core, in_shared;
};

/* A line comes into a core that did not have it; returns whether it came from memory. */
static inline bool naive_came(struct naive_cores *all, unsigned core, uint64_t number,
			      bool in_shared, struct naive_outcome *outcome)
{
	struct naive_line *line = naive_line(all, number);
	bool others = false, modified = false;

	for (unsigned i = 0; i < all->n; i++) {
		enum naive_state state = i == core ? NAIVE_ABSENT : naive_state(all, i, number);

		others |= state != NAIVE_ABSENT;
		modified |= state == NAIVE_MODIFIED;
	}
	if (line->invalidated[core]) {
		outcome->was_invalidated = true;
		outcome->when = line->when[core] > outcome->when ? line->when[core] : outcome->when;
	}
	line->invalidated[core] = false;
	if (modified || (others && !in_shared))
		outcome->from_core = true;
	else if (!in_shared)
		return true;
	return false;
}

/* Returns whether the line came from memory. */
static inline bool naive_settle_read(struct naive_cores *all, unsigned core, uint64_t number,
				     bool in_shared, struct naive_outcome *outcome)
{
	bool from_memory = naive_came(all, core, number, in_shared, outcome);
	struct naive_line *line = naive_line(all, number);
	bool others = false, was_dirty = false;

	for (unsigned i = 0; i < all->n; i++) {
		if (i == core || !naive_core_has(&all->cores[i], number))
			continue;
		others = true;
		was_dirty |= naive_core_clean(&all->cores[i], number);
		line->states[i] = NAIVE_SHARED;
	}
	line->states[core] = others ? NAIVE_SHARED : NAIVE_EXCLUSIVE;
	if (was_dirty)
		naive_write(&all->cores[core], all->cores[core].n - 1, number);
	return from_memory;
}

static inline bool naive_settle_write(struct naive_cores *all, unsigned core, uint64_t number,
				      const struct naive_before *before,
				      struct naive_outcome *outcome)
{
	struct naive_levels *levels = &all->cores[core];
	struct naive_line *line = naive_line(all, number);
	bool from_memory = false;

	if (!before->in_core) {
		from_memory = naive_came(all, core, number, before->in_shared, outcome);
	} else if (line->states[core] == NAIVE_SHARED) {
		outcome->n_upgraded++;
		if (levels->inclusion[levels->n - 1] == INCLUSION_VICTIM)
			naive_remove(naive_lower(levels, levels->n - 1), number);
	}
	naive_invalidate(all, core, number, true);
	line->states[core] = NAIVE_MODIFIED;
	return from_memory;
}

/* --- a reference ------------------------------------------------------------------- */

enum naive_kind {
	NAIVE_REFERENCE,
	NAIVE_MODIFICATION, /* a write of what was just read, which nobody serves */
	NAIVE_PREFETCH,     /* a read of a byte, by a level */
};

static inline unsigned naive_serve(struct naive_levels *levels, enum naive_access access,
				   enum naive_kind kind, unsigned level, uint64_t address,
				   uint64_t size)
{
	return kind == NAIVE_PREFETCH && level > 0
		       ? naive_levels_bring(levels, level, address / levels->line_size)
		       : naive_levels_refer(levels, access, address, size);
}

static inline struct naive_outcome naive_cores_refer(struct naive_cores *all, unsigned core,
						     enum naive_access access, enum naive_kind kind,
						     unsigned level, uint64_t address,
						     uint64_t size)
{
	struct naive_levels *levels = &all->cores[core];
	const uint64_t n_lines = UINT64_MAX / levels->line_size + 1;
	const uint64_t first = address / levels->line_size;
	const uint64_t count = (address % levels->line_size + size - 1) / levels->line_size + 1;
	struct naive_before before[NAIVE_LINES];
	struct naive_outcome outcome = { 0 };
	bool from_memory = false;

	if (count > NAIVE_LINES)
		abort();
	for (uint64_t k = 0; k < count; k++) {
		uint64_t line = (first + k) % n_lines;

		before[k].in_core = naive_core_has(levels, line);
		before[k].in_shared = naive_has(naive_lower(levels, levels->n - 1), line);
	}
	outcome.served = naive_serve(levels, access, kind, level, address, size);
	if (all->n == 1 || (kind == NAIVE_PREFETCH && level == levels->n))
		return outcome;
	for (uint64_t k = 0; k < count; k++) {
		uint64_t line = (first + k) % n_lines;

		if (access == NAIVE_WRITE)
			from_memory |= naive_settle_write(all, core, line, &before[k], &outcome);
		else if (!before[k].in_core)
			from_memory |=
				naive_settle_read(all, core, line, before[k].in_shared, &outcome);
	}
	if (outcome.from_core && !from_memory && outcome.served > levels->n)
		outcome.served = levels->n;
	return outcome;
}

/* The kernel writes lines first to last. */
static inline void naive_cores_foreign(struct naive_cores *all, unsigned core, uint64_t first,
				       uint64_t last)
{
	for (uint64_t line = first; line <= last; line++) {
		naive_invalidate(all, core, line, false);
		if (naive_core_has(&all->cores[core], line))
			naive_line(all, line)->states[core] = NAIVE_MODIFIED;
	}
}

static inline void naive_cores_evict(struct naive_cores *all, uint64_t first, uint64_t last)
{
	for (unsigned i = 0; i < all->n; i++)
		naive_levels_evict(&all->cores[i], first, last);
	naive_level_evict(naive_lower(&all->cores[0], all->cores[0].n - 1), first, last);
}

#endif
