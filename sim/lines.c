/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records are too large to be moved about, as tags are; their slots move with the tags. */
#include "sim/lines.h"

enum {
	LINES_ALIGNMENT = 64, /* bytes */
};

static size_t aligned(size_t size)
{
	return (size + LINES_ALIGNMENT - 1) / LINES_ALIGNMENT * LINES_ALIGNMENT;
}

static size_t records_size(const struct cache_geometry *geometry)
{
	return aligned((size_t)geometry_lines(geometry) * sizeof(struct line));
}

static size_t slots_size(const struct cache_geometry *geometry)
{
	return aligned((size_t)geometry_lines(geometry) * sizeof(uint32_t));
}

size_t lines_memory_size(const struct cache_config *config)
{
	return records_size(&config->geometry) + slots_size(&config->geometry) +
	       cache_memory_size(config);
}

void lines_init(struct lines *lines, const struct cache_config *config, void *memory)
{
	const struct cache_geometry *geometry = &config->geometry;
	unsigned char *next = memory;
	uint32_t *slots;

	lines->lines = memory;
	next += records_size(geometry);
	slots = (uint32_t *)(void *)next;
	next += slots_size(geometry);
	cache_init(&lines->cache, config, next);
	cache_keep_slots(&lines->cache, slots);
	for (size_t i = 0; i < (size_t)geometry_lines(geometry); i++)
		slots[i] = (uint32_t)(i % geometry->assoc);
}

size_t lines_count(const struct lines *lines)
{
	return cache_ways(&lines->cache);
}

void lines_evict(struct lines *lines, struct address_range range)
{
	for (size_t i = 0; i < lines_count(lines); i++) {
		struct line *line = &lines->lines[i];

		if (line->tag != 0 &&
		    address_range_meets(range, line_address(line), lines->cache.line_bits))
			*line = (struct line){ .tag = 0 };
	}
	cache_evict(&lines->cache, range);
}

/* The record of the line in this way of the set of an address. */
static struct line *record_at(const struct lines *lines, uint64_t address, size_t way)
{
	return &lines->lines[cache_set(&lines->cache, address) + lines->cache.slots[way]];
}

struct line *lines_find(const struct lines *lines, uint64_t address)
{
	size_t way = cache_find(&lines->cache, address);

	return way == SIZE_MAX ? NULL : record_at(lines, address, way);
}

struct line *lines_touch(struct lines *lines, uint64_t address, struct line *evicted, bool *missed)
{
	struct line *line = lines_newest(lines, address);
	struct cache_touched touched;

	evicted->tag = 0;
	*missed = false;
	if (line != NULL) /* nearly always */
		return line;
	touched = cache_touch_line(&lines->cache, address);
	line = record_at(lines, address, touched.way);
	if (touched.missed) {
		*missed = true;
		*evicted = *line;
		*line = (struct line){ .tag = lines->cache.tags[touched.way] };
	}
	return line;
}
