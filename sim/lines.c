/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records are too large to be moved about, so the order of use is kept by
 * stamps: the victim is the way with the smallest one.
 */
#include "sim/lines.h"

enum {
	LINES_ALIGNMENT = 64, /* bytes */
};

static uint64_t tag_of(const struct lines *lines, uint64_t address)
{
	return (address >> lines->line_bits << lines->line_bits) | 1;
}

static size_t set_number(const struct lines *lines, uint64_t address)
{
	return (size_t)((address >> lines->line_bits) & lines->set_mask);
}

static struct line *set_of(const struct lines *lines, uint64_t address)
{
	return lines->lines + set_number(lines, address) * lines->assoc;
}

static size_t aligned(size_t size)
{
	return (size + LINES_ALIGNMENT - 1) / LINES_ALIGNMENT * LINES_ALIGNMENT;
}

static size_t records_size(const struct cache_geometry *geometry)
{
	return aligned((size_t)(geometry->size / geometry->line_size) * sizeof(struct line));
}

size_t lines_memory_size(const struct cache_geometry *geometry)
{
	return records_size(geometry) + aligned((size_t)geometry_sets(geometry) * sizeof(uint32_t));
}

void lines_init(struct lines *lines, const struct cache_geometry *geometry, void *memory)
{
	lines->lines = memory;
	lines->newest = (uint32_t *)(void *)((unsigned char *)memory + records_size(geometry));
	lines->clock = 0;
	lines->set_mask = geometry_sets(geometry) - 1;
	lines->assoc = geometry->assoc;
	lines->line_bits = 0;
	while (UINT64_C(1) << lines->line_bits < geometry->line_size)
		lines->line_bits++;
}

size_t lines_count(const struct lines *lines)
{
	return (size_t)(lines->set_mask + 1) * lines->assoc;
}

struct line *lines_find(const struct lines *lines, uint64_t address)
{
	uint64_t tag = tag_of(lines, address);
	struct line *set = set_of(lines, address);

	for (uint32_t way = 0; way < lines->assoc; way++) {
		if (set[way].tag == tag)
			return &set[way];
	}
	return NULL;
}

static struct line *oldest(struct line *set, uint32_t assoc)
{
	struct line *oldest = set;

	for (uint32_t way = 1; way < assoc; way++) {
		if (set[way].stamp < oldest->stamp)
			oldest = &set[way];
	}
	return oldest;
}

struct line *lines_touch(struct lines *lines, uint64_t address, struct line *evicted, bool *missed)
{
	struct line *set = set_of(lines, address);
	struct line *line = lines_newest(lines, address);

	evicted->tag = 0;
	*missed = false;
	if (line->tag == tag_of(lines, address)) /* nearly always */
		return line;
	line = lines_find(lines, address);
	if (line == NULL) {
		*missed = true;
		line = oldest(set, lines->assoc);
		*evicted = *line;
		*line = (struct line){ .tag = tag_of(lines, address) };
	}
	line->stamp = ++lines->clock;
	lines->newest[set_number(lines, address)] = (uint32_t)(line - set);
	return line;
}
