/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/misses/missclasses.h"

void fulllevel_init(struct full_level *level, const struct cache_config *config,
		    const struct misses_memory *memory)
{
	const uint32_t line_bits = geometry_line_bits(&config->geometry);

	fullcache_init(&level->cache, (uint32_t)geometry_lines(&config->geometry), line_bits,
		       memory);
	seen_init(&level->seen, line_bits, memory);
	level->tally = NULL;
}

void fulllevel_release(struct full_level *level)
{
	fullcache_release(&level->cache);
	seen_release(&level->seen);
}

uint32_t fulllevel_refer(struct full_level *level, uint64_t address, uint64_t size)
{
	const uint64_t line_size = UINT64_C(1) << level->cache.line_bits;
	const uint64_t line = address & ~(line_size - 1), end = (address - line) + size;
	uint32_t outcome = 0;

	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < end; covered += line_size) {
		const struct full_touched touched = fullcache_touch(&level->cache, line + covered);

		if (touched.missed)
			outcome |= curvetally_miss(level->tally, &level->seen, line + covered,
						   touched.left);
	}
	return outcome;
}

void fulllevel_evict(struct full_level *level, struct address_range range)
{
	fullcache_evict(&level->cache, range);
	seen_forget(&level->seen, range);
}

void missclasses_init(struct missclasses *classes, const struct hierarchy_config *config,
		      const struct misses_memory *memory)
{
	classes->n_lower = config->n_lower;
	for (unsigned i = 0; i < config->n_lower; i++)
		fulllevel_init(&classes->lower[i], &config->lower[i], memory);
}

void missclasses_release(struct missclasses *classes)
{
	for (unsigned i = 0; i < classes->n_lower; i++)
		fulllevel_release(&classes->lower[i]);
}

/* Of a miss, by what F did. */
static enum miss_class class_of(uint32_t outcome)
{
	if ((outcome & FULL_COLD) != 0)
		return MISS_COLD;
	return (outcome & FULL_MISSED) != 0 ? MISS_CAPACITY : MISS_CONFLICT;
}

struct miss_reasons missclasses_find(struct missclasses *classes, uint32_t first, uint64_t address,
				     uint64_t size, unsigned served)
{
	struct miss_reasons reasons = { .is_anti = served == 0 && (first & FULL_MISSED) != 0 };

	reasons.of[0] = class_of(first);
	/* Those that were asked: the one that served it, too. */
	for (unsigned i = 1; i <= served && i <= classes->n_lower; i++)
		reasons.of[i] = class_of(fulllevel_refer(&classes->lower[i - 1], address, size));
	return reasons;
}

void missclasses_evict(struct missclasses *classes, struct address_range range)
{
	for (unsigned i = 0; i < classes->n_lower; i++)
		fulllevel_evict(&classes->lower[i], range);
}
