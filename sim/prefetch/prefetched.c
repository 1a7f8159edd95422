/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/prefetch/prefetched.h"

#include "sim/shorttags.h"

enum { ALIGNMENT = 64 }; /* bytes */

static size_t places(const struct prefetched_shape *shape)
{
	return (size_t)shape->sets.n * shape->assoc;
}

size_t prefetched_memory_size(const struct prefetched_shape *shape)
{
	size_t place = sizeof(uint64_t) + sizeof(struct prefetched_line) + sizeof(uint32_t);
	size_t size = places(shape) * place + (size_t)shape->sets.n * sizeof(uint16_t);

	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void prefetched_init(struct prefetched *prefetched, const struct prefetched_shape *shape,
		     void *memory)
{
	prefetched->shape = *shape;
	prefetched->addresses = memory;
	prefetched->lines = (void *)(prefetched->addresses + places(shape));
	prefetched->low_tags = (void *)(prefetched->lines + places(shape));
	prefetched->counts = (void *)(prefetched->low_tags + places(shape));
}

static inline size_t set_of(const struct prefetched *prefetched, uint64_t line)
{
	uint64_t number = line >> prefetched->shape.line_bits;

	return (size_t)sets_place(&prefetched->shape.sets, number).set;
}

/* Another one of the set stands in the place then. */
static void take(struct prefetched *prefetched, size_t set, size_t place)
{
	size_t last = set * prefetched->shape.assoc + --prefetched->counts[set];

	prefetched->addresses[place] = prefetched->addresses[last];
	prefetched->low_tags[place] = prefetched->low_tags[last];
	prefetched->lines[place] = prefetched->lines[last];
}

static inline uint32_t low_tag_of(const struct prefetched *prefetched, uint64_t line)
{
	return (uint32_t)(line >> prefetched->shape.line_bits);
}

/* The place of a line in its set; SIZE_MAX if it has none. */
static inline size_t find(const struct prefetched *prefetched, size_t set, uint64_t line)
{
	const size_t first = set * prefetched->shape.assoc, n = prefetched->counts[set];
	size_t place = shorttags_find_value(prefetched->low_tags + first,
					    prefetched->addresses + first, n,
					    low_tag_of(prefetched, line), line);

	return place < n ? first + place : SIZE_MAX;
}

bool prefetched_take(struct prefetched *prefetched, uint64_t line, struct prefetched_line *known)
{
	size_t set = set_of(prefetched, line), place = find(prefetched, set, line);

	if (place == SIZE_MAX)
		return false;
	*known = prefetched->lines[place];
	take(prefetched, set, place);
	return true;
}

static void sweep_set(struct prefetched *prefetched, size_t set,
		      const struct prefetched_sweep *sweep)
{
	size_t first = set * prefetched->shape.assoc;

	/* From the end, so that what comes into a place has been asked for. */
	for (size_t place = first + prefetched->counts[set]; place-- > first;) {
		if (sweep->is_resident(sweep->ctx, prefetched->addresses[place]))
			continue;
		sweep->unused(sweep->ctx, prefetched->lines[place].trigger);
		take(prefetched, set, place);
	}
}

void prefetched_add(struct prefetched *prefetched, uint64_t line, struct prefetched_line known,
		    const struct prefetched_sweep *sweep)
{
	size_t set = set_of(prefetched, line), place = find(prefetched, set, line);

	if (place != SIZE_MAX) {
		sweep->unused(sweep->ctx, prefetched->lines[place].trigger);
		prefetched->lines[place] = known;
		return;
	}
	if (prefetched->counts[set] == prefetched->shape.assoc)
		sweep_set(prefetched, set, sweep);
	place = set * prefetched->shape.assoc + prefetched->counts[set]++;
	prefetched->addresses[place] = line;
	prefetched->low_tags[place] = low_tag_of(prefetched, line);
	prefetched->lines[place] = known;
}

void prefetched_sweep(struct prefetched *prefetched, const struct prefetched_sweep *sweep)
{
	for (size_t set = 0; set < prefetched->shape.sets.n; set++)
		sweep_set(prefetched, set, sweep);
}
