/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/format/idtable.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum {
	ALWAYS_DENSE = 256, /* ids below this */
	MAX_SPARSENESS = 4, /* elements of the array for each id */
};

void idtable_init(struct idtable *table, const struct env *env)
{
	*table = (struct idtable){ .env = env };
}

void idtable_release(struct idtable *table)
{
	free(table->dense);
	free(table->slots);
	idtable_init(table, table->env);
}

/* The slot of id, or the free one where it belongs. */
static size_t find_slot(const struct idtable_slot *slots, size_t n_slots, uint64_t id)
{
	uint64_t mixed = (id ^ id >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (mixed >> 32) & (n_slots - 1);

	while (slots[i].key != IDTABLE_NONE && slots[i].id != id)
		i = (i + 1) & (n_slots - 1);
	return i;
}

static void add_slots(struct idtable *table)
{
	size_t n_slots = table->n_slots ? 2 * table->n_slots : 64;
	struct idtable_slot *slots = heap_alloc(n_slots * sizeof(*slots));

	memset(slots, 0xff, n_slots * sizeof(*slots));
	for (size_t i = 0; i < table->n_slots; i++)
		if (table->slots[i].key != IDTABLE_NONE)
			slots[find_slot(slots, n_slots, table->slots[i].id)] = table->slots[i];
	free(table->slots);
	table->slots = slots;
	table->n_slots = n_slots;
}

static void put_hashed(struct idtable *table, uint64_t id, uint32_t key)
{
	size_t slot;

	if (2 * (table->n_hashed + 1) > table->n_slots)
		add_slots(table);
	slot = find_slot(table->slots, table->n_slots, id);
	if (table->slots[slot].key == IDTABLE_NONE)
		table->n_hashed++;
	table->slots[slot] = (struct idtable_slot){ id, key };
}

static void put_dense(struct idtable *table, size_t id, uint32_t key)
{
	size_t old = table->n_dense;

	table->dense = heap_grow(table->dense, &table->n_dense, id + 1, sizeof(*table->dense));
	if (table->n_dense > old)
		memset(table->dense + old, 0xff, (table->n_dense - old) * sizeof(*table->dense));
	table->dense[id] = key;
}

bool idtable_put(struct idtable *table, uint64_t id, uint32_t key)
{
	bool is_dense = id < table->n_dense || id < ALWAYS_DENSE ||
			id < (uint64_t)MAX_SPARSENESS * table->count;

	if (is_dense)
		put_dense(table, (size_t)id, key);
	else
		put_hashed(table, id, key);
	table->count++;
	return true;
}

uint32_t idtable_get(const struct idtable *table, uint64_t id)
{
	/* An id that was hashed may lie within the array by now, but what is there is newer. */
	if (id < table->n_dense && table->dense[id] != IDTABLE_NONE)
		return table->dense[id];
	if (table->n_hashed == 0)
		return IDTABLE_NONE;
	return table->slots[find_slot(table->slots, table->n_slots, id)].key;
}
