/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/targetbuffer.h"

#include "sim/branches/predictor.h"

/* As many as divide the number of entries. */
static unsigned count_ways(unsigned n_entries)
{
	unsigned n = TARGETBUFFER_MAX_WAYS;

	while (n_entries % n != 0)
		n /= 2;
	return n;
}

size_t targetbuffer_memory(unsigned n_entries)
{
	return n_entries / count_ways(n_entries) * sizeof(struct target_set);
}

void targetbuffer_init(struct target_buffer *buffer, unsigned n_entries, void *memory)
{
	buffer->sets = memory;
	buffer->n_ways = count_ways(n_entries);
	buffer->n_sets = n_entries / buffer->n_ways;
}

struct branch_place *targetbuffer_take(struct target_buffer *buffer, struct branch_place *place)
{
	struct target_set *set = &buffer->sets[place->key % buffer->n_sets];
	struct branch_place **way = &set->ways[set->next], *forgotten = *way;

	*way = place;
	set->next = set->next + 1 == buffer->n_ways ? 0 : set->next + 1;
	return forgotten;
}

void targetbuffer_forget(struct target_buffer *buffer, const struct branch_place *place)
{
	struct target_set *set = &buffer->sets[place->key % buffer->n_sets];

	for (unsigned i = 0; i < buffer->n_ways; i++)
		if (set->ways[i] == place)
			set->ways[i] = NULL;
}
