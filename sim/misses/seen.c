/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/misses/seen.h"

enum {
	FIRST_SIZE = 256, /* stretches */
	STRETCH_BITS = 6, /* log2 of SEEN_STRETCH */
	HASH_SHIFT = 32,  /* the middle of a product depends on all bits of the number */
};

static uint64_t first_index(const struct seen *seen, uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15) >> HASH_SHIFT & seen->mask;
}

/* Where a stretch is, or would be. */
static struct seen_stretch *find(const struct seen *seen, uint64_t key)
{
	uint64_t i = first_index(seen, key);

	while (seen->stretches[i].key != key && seen->stretches[i].key != 0)
		i = (i + 1) & seen->mask;
	return &seen->stretches[i];
}

static void make_table(struct seen *seen, uint64_t size)
{
	seen->stretches = seen->memory.allocate((size_t)size * sizeof(*seen->stretches));
	seen->mask = size - 1;
}

void seen_init(struct seen *seen, uint32_t line_bits, const struct misses_memory *memory)
{
	*seen = (struct seen){ .line_bits = line_bits, .memory = *memory };
	make_table(seen, FIRST_SIZE);
}

void seen_release(struct seen *seen)
{
	seen->memory.release(seen->stretches);
	seen->stretches = NULL;
}

static void grow(struct seen *seen)
{
	struct seen_stretch *old = seen->stretches;
	const uint64_t n = seen->mask + 1;

	make_table(seen, 2 * n);
	for (uint64_t i = 0; i < n; i++)
		if (old[i].key != 0)
			*find(seen, old[i].key) = old[i];
	seen->memory.release(old);
}

bool seen_add(struct seen *seen, uint64_t address)
{
	const uint64_t line = address >> seen->line_bits, key = (line >> STRETCH_BITS) + 1;
	const uint64_t bit = UINT64_C(1) << (line & (SEEN_STRETCH - 1));
	struct seen_stretch *stretch = find(seen, key);
	bool was_seen;

	if (stretch->key == 0) {
		if (2 * ++seen->n > seen->mask) {
			grow(seen);
			stretch = find(seen, key);
		}
		stretch->key = key;
	}
	was_seen = (stretch->lines & bit) != 0;
	stretch->lines |= bit;
	return was_seen;
}

void seen_forget(struct seen *seen, struct address_range range)
{
	for (uint64_t i = 0; i <= seen->mask; i++) {
		struct seen_stretch *stretch = &seen->stretches[i];
		const uint64_t first = (stretch->key - 1) << STRETCH_BITS;

		for (uint32_t bit = 0; stretch->lines >> bit != 0; bit++) {
			if (address_range_meets(range, (first + bit) << seen->line_bits,
						seen->line_bits))
				stretch->lines &= ~(UINT64_C(1) << bit);
			if (bit == SEEN_STRETCH - 1)
				break;
		}
	}
}
