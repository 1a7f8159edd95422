/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/data/heap_map.h"

enum {
	FIRST_SHIFT = 8, /* log2 of the bytes of a granule of the first level */
	LEVEL_SHIFT = 3, /* log2 of how much larger granules of the next level are */
	PAGE_BITS = 14,  /* log2 of the blocks in a page of them */
	PAGE = 1 << PAGE_BITS,
	FIRST_BITS = 6, /* log2 of the granules of a level, at first */
	NEIGHBOURS = 4,
};

void heap_map_init(struct heap_map *map, void *(*allocate)(size_t size),
		   void (*release)(void *memory))
{
	*map = (struct heap_map){ .allocate = allocate, .release = release };
}

void heap_map_release(struct heap_map *map)
{
	for (uint32_t i = 0; i < HEAP_LEVELS; i++)
		if (map->levels[i].granules != NULL)
			map->release(map->levels[i].granules);
	for (uint32_t i = 0; i < map->n_pages; i++)
		map->release(map->pages[i]);
	if (map->pages != NULL)
		map->release(map->pages);
}

static struct heap_block *block_of(const struct heap_map *map, uint32_t number)
{
	return &map->pages[number >> PAGE_BITS][number & (PAGE - 1)];
}

/* --- granules ---------------------------------------------------------------------------- */

static uint32_t shift_of(uint32_t level)
{
	const uint32_t shift = FIRST_SHIFT + LEVEL_SHIFT * level;

	return shift < 63 ? shift : 63;
}

static uint32_t level_of(uint64_t size)
{
	uint32_t level = 0;

	while (level < HEAP_LEVELS - 1 && size > UINT64_C(1) << shift_of(level))
		level++;
	return level;
}

/* Where the granule of that number is, or would be; there is room. */
static struct heap_granule *place_of(const struct heap_level *level, uint64_t number)
{
	const uint32_t mask = (1U << level->bits) - 1;
	/* A search looks at neighbours, so they are neighbours in the host's cache, too. */
	const uint64_t hash = (number / NEIGHBOURS * UINT64_C(0x9e3779b97f4a7c15)) >>
			      (64 - level->bits);
	uint32_t at = ((uint32_t)hash + (uint32_t)(number % NEIGHBOURS)) & mask;

	while (level->granules[at].is_used && level->granules[at].number != number)
		at = (at + 1) & mask;
	return &level->granules[at];
}

/* Its first block's number + 1, or 0. */
static uint32_t first_of(const struct heap_level *level, uint64_t number)
{
	return level->n == 0 ? 0 : place_of(level, number)->first;
}

/* Makes room for one more granule; drops those without blocks. */
static void make_room(struct heap_map *map, struct heap_level *level)
{
	const struct heap_level old = *level;
	const uint32_t old_room = old.granules == NULL ? 0 : 1U << old.bits;
	uint32_t n = 0;

	if (old_room != 0 && (uint64_t)4 * (old.n_used + 1) <= (uint64_t)3 * old_room)
		return;
	for (uint32_t i = 0; i < old_room; i++)
		n += old.granules[i].first != 0;
	level->bits = FIRST_BITS;
	while (1U << level->bits < 2 * (n + 1))
		level->bits++;
	level->granules = map->allocate(sizeof(*level->granules) << level->bits);
	level->n_used = n;
	for (uint32_t i = 0; i < old_room; i++)
		if (old.granules[i].first != 0)
			*place_of(level, old.granules[i].number) = old.granules[i];
	if (old.granules != NULL)
		map->release(old.granules);
}

/* --- blocks ------------------------------------------------------------------------------ */

static uint32_t take_number(struct heap_map *map)
{
	struct heap_block **pages;

	if (map->free != 0) {
		const uint32_t number = map->free - 1;

		map->free = block_of(map, number)->next;
		return number;
	}
	if (map->n_numbers == map->n_pages * (uint32_t)PAGE) {
		if ((map->n_pages & (map->n_pages - 1)) == 0) { /* full: 0, 1, 2, 4... */
			const uint32_t room = map->n_pages == 0 ? 1 : 2 * map->n_pages;

			pages = map->allocate(room * sizeof(struct heap_block *));
			for (uint32_t i = 0; i < map->n_pages; i++)
				pages[i] = map->pages[i];
			if (map->pages != NULL)
				map->release(map->pages);
			map->pages = pages;
		}
		map->pages[map->n_pages++] = map->allocate(PAGE * sizeof(struct heap_block));
	}
	return map->n_numbers++;
}

const struct heap_block *heap_map_insert(struct heap_map *map, uint64_t start, uint64_t size,
					 uint32_t object)
{
	const uint64_t bytes = size == 0 ? 1 : size;
	const uint32_t index = level_of(bytes);
	struct heap_level *level = &map->levels[index];
	struct heap_granule *granule;
	struct heap_block *block;
	const struct heap_block *old;
	uint32_t number;

	/* A larger one may be a pool, and this its first piece. */
	for (old = heap_map_at(map, start); old != NULL && old->size <= bytes;
	     old = heap_map_at(map, start))
		heap_map_remove(map, start);
	make_room(map, level);
	granule = place_of(level, start >> shift_of(index));
	if (!granule->is_used) {
		granule->is_used = true;
		granule->number = start >> shift_of(index);
		level->n_used++;
	}
	number = take_number(map);
	block = block_of(map, number);
	*block = (struct heap_block){
		.start = start,
		.size = bytes,
		.serial = ++map->last_serial,
		.object = object,
		.next = granule->first,
	};
	granule->first = number + 1;
	level->n++;
	map->n++;
	return block;
}

/* The link to the block of a level that begins there, or NULL. */
static uint32_t *link_of(const struct heap_map *map, uint32_t index, uint64_t start)
{
	const struct heap_level *level = &map->levels[index];
	struct heap_granule *granule;
	uint32_t *link;

	if (level->n == 0)
		return NULL;
	granule = place_of(level, start >> shift_of(index));
	for (link = &granule->first; *link != 0; link = &block_of(map, *link - 1)->next)
		if (block_of(map, *link - 1)->start == start)
			return link;
	return NULL;
}

/* The link to the block inserted last of those that begin there, or NULL. */
static uint32_t *last_link_of(const struct heap_map *map, uint64_t start, uint32_t *index)
{
	uint32_t *last = NULL;

	for (uint32_t i = 0; i < HEAP_LEVELS; i++) {
		uint32_t *link = link_of(map, i, start);

		if (link == NULL || (last != NULL && block_of(map, *last - 1)->serial >
							     block_of(map, *link - 1)->serial))
			continue;
		last = link;
		*index = i;
	}
	return last;
}

bool heap_map_remove(struct heap_map *map, uint64_t start)
{
	uint32_t index = 0, number;
	uint32_t *link = last_link_of(map, start, &index);
	struct heap_block *block;

	if (link == NULL)
		return false;
	number = *link - 1;
	block = block_of(map, number);
	*link = block->next;
	block->serial = 0;
	block->next = map->free;
	map->free = number + 1;
	map->levels[index].n--;
	map->n--;
	return true;
}

const struct heap_block *heap_map_at(const struct heap_map *map, uint64_t start)
{
	uint32_t index = 0;
	const uint32_t *link = last_link_of(map, start, &index);

	return link == NULL ? NULL : block_of(map, *link - 1);
}

/* The last inserted block of a granule that holds the address, if inserted later than found; else found. */
static const struct heap_block *find_in(const struct heap_map *map, uint32_t first,
					uint64_t address, const struct heap_block *found)
{
	for (uint32_t at = first; at != 0;) {
		const struct heap_block *block = block_of(map, at - 1);

		if (address - block->start < block->size &&
		    (found == NULL || block->serial > found->serial))
			found = block;
		at = block->next;
	}
	return found;
}

const struct heap_block *heap_map_find(const struct heap_map *map, uint64_t address)
{
	const struct heap_block *found = NULL;

	for (uint32_t i = 0; i < HEAP_LEVELS; i++) {
		const struct heap_level *level = &map->levels[i];
		const uint64_t number = address >> shift_of(i);

		if (level->n == 0)
			continue;
		found = find_in(map, first_of(level, number), address, found);
		if (number != 0)
			found = find_in(map, first_of(level, number - 1), address, found);
	}
	return found;
}
