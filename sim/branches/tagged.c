/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/tagged.h"

enum {
	ALTERNATIVE_MIN = -8,
	ALTERNATIVE_MAX = 7,
};

void tagged_init(struct tagged *tagged, const struct tagged_size *size,
		 struct tagged_entry *entries)
{
	*tagged = (struct tagged){
		.size = size,
		.entries = entries,
		.log2_entries = size->log2_entries,
		.entry_mask = (UINT32_C(1) << size->log2_entries) - 1,
		.tag_mask = (UINT32_C(1) << size->tag_bits) - 1,
		.random = 1,
	};
	for (unsigned i = 0; i < size->n_tables; i++)
		tagged->lengths[i] = history_length_of(size->lengths[i]);
}

static bool flip_coin(struct tagged *tagged)
{
	tagged->random ^= tagged->random << 13;
	tagged->random ^= tagged->random >> 17;
	tagged->random ^= tagged->random << 5;
	return tagged->random & 1;
}

static void halve_useful(struct tagged *tagged)
{
	for (size_t i = 0; i < tagged_count(tagged->size); i++)
		tagged->entries[i].useful /= 2;
	tagged->tick = 0;
}

struct tagged_entry *tagged_make(struct tagged *tagged, const struct branch_history *history,
				 uint64_t key, unsigned first, uint8_t counter, uint16_t *made)
{
	const unsigned n = tagged->size->n_tables;

	if (flip_coin(tagged) && first + 1 < n)
		first++;
	for (unsigned table = first; table < n; table++) {
		const uint64_t hash = history_hash(history, &tagged->lengths[table], key);
		struct tagged_entry *entry = tagged_at(tagged, table, hash);

		if (entry->useful == 0) {
			*entry = (struct tagged_entry){ .tag = tagged_tag(tagged, hash),
							.counter = counter };
			*made |= (uint16_t)(1U << table);
			if (tagged->tick > 0)
				tagged->tick--;
			return entry;
		}
		tagged->tick++;
	}
	if (tagged->tick >= tagged->size->ticks)
		halve_useful(tagged);
	return NULL;
}

void tagged_learn_use(struct tagged *tagged, struct tagged_entry *provider, bool was_new,
		      bool was_right, bool cell_right)
{
	if (was_right && provider->useful < TAGGED_MAX_USEFUL)
		provider->useful++;
	else if (!was_right && provider->useful > 0)
		provider->useful--;
	if (!was_new)
		return;
	if (was_right && tagged->alternative > ALTERNATIVE_MIN)
		tagged->alternative--;
	else if (cell_right && tagged->alternative < ALTERNATIVE_MAX)
		tagged->alternative++;
}
