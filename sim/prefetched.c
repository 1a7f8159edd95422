/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/prefetched.h"

enum { ALIGNMENT = 64 }; /* bytes */

/* A power of two, at least twice as many as there are lines, so that searches are short and end. */
static size_t places(size_t n_lines)
{
	size_t n = 2;

	while (n < 2 * n_lines)
		n *= 2;
	return n;
}

size_t prefetched_memory_size(size_t n_lines)
{
	size_t size = places(n_lines) * sizeof(struct prefetched_line);

	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void prefetched_init(struct prefetched *prefetched, size_t n_lines, uint64_t late, void *memory)
{
	*prefetched = (struct prefetched){
		.lines = memory,
		.mask = places(n_lines) - 1,
		.late = late,
	};
}

static size_t home(const struct prefetched *prefetched, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & prefetched->mask;
}

/* Where a line is, or the empty place where it would be. */
static size_t find(const struct prefetched *prefetched, uint64_t key)
{
	size_t at = home(prefetched, key);

	while (prefetched->lines[at].key != 0 && prefetched->lines[at].key != key)
		at = (at + 1) & prefetched->mask;
	return at;
}

void prefetched_add(struct prefetched *prefetched, uint64_t line, uint64_t now,
		    struct prefetch_trigger trigger)
{
	size_t at = find(prefetched, line | 1);

	prefetched->lines[at] = (struct prefetched_line){ line | 1, now, trigger };
}

/* Empties a place; those behind it that are not at home move up, so that none is cut off. */
static void take(struct prefetched *prefetched, size_t gap)
{
	size_t at = gap;

	for (;;) {
		const struct prefetched_line *line;

		at = (at + 1) & prefetched->mask;
		line = &prefetched->lines[at];
		if (line->key == 0)
			break;
		/* It may stand in the gap if that is no nearer to it than its home. */
		if (((at - home(prefetched, line->key)) & prefetched->mask) <
		    ((at - gap) & prefetched->mask))
			continue;
		prefetched->lines[gap] = *line;
		gap = at;
	}
	prefetched->lines[gap] = (struct prefetched_line){ .key = 0 };
}

enum prefetch_fate prefetched_use(struct prefetched *prefetched, uint64_t line, uint64_t now,
				  struct prefetch_trigger *trigger)
{
	size_t at = find(prefetched, line | 1);
	uint64_t age = now - prefetched->lines[at].time;

	if (prefetched->lines[at].key == 0)
		return PREFETCH_NONE;
	*trigger = prefetched->lines[at].trigger;
	take(prefetched, at);
	return age < prefetched->late ? PREFETCH_LATE : PREFETCH_USED;
}

enum prefetch_fate prefetched_leave(struct prefetched *prefetched, uint64_t line,
				    struct prefetch_trigger *trigger)
{
	size_t at = find(prefetched, line | 1);

	if (prefetched->lines[at].key == 0)
		return PREFETCH_NONE;
	*trigger = prefetched->lines[at].trigger;
	take(prefetched, at);
	return PREFETCH_UNUSED;
}
