/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tagged tables that predictors of directions (sim/branches/tage.h) and of targets (sim/branches/ittage.h) have in common: an
 * entry by branch and history, in tables of ever longer history; which of them is asked, when one is made, and
 * which has been of use.  What an entry's counter means is the predictor's.
 *
 * Of the history_hash() of a branch's key and the history of a table, the lower log2_entries bits say which of the table's
 * entries it has; the tag is 1 + the tag_bits bits from bit 44 on.
 */
#ifndef SIM_BRANCHES_TAGGED_H
#define SIM_BRANCHES_TAGGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branches/history.h"
#include "sim/inlining.h"

enum {
	TAGGED_MAX_USEFUL = 3,
	TAGGED_TAG_SHIFT = 44, /* of a hash */
};

struct tagged_size {
	unsigned n_tables, log2_entries, tag_bits;
	uint16_t lengths[HISTORY_MAX_TABLES]; /* of history */
	int ticks;                            /* at so many, all useful are halved */
};

struct tagged_entry {
	uint16_t tag; /* 1.., 0 is an empty one */
	uint8_t counter;
	uint8_t useful; /* up to TAGGED_MAX_USEFUL */
};

struct tagged {
	const struct tagged_size *size;
	struct history_length lengths[HISTORY_MAX_TABLES];
	struct tagged_entry *entries; /* table by table, from the shortest history on */
	uint32_t log2_entries, entry_mask, tag_mask; /* of its size */
	int alternative; /* -8 to 7; 0 or more: new entries are not believed */
	int tick;
	uint32_t random; /* of xorshift (Marsaglia, "Xorshift RNGs", 2003), 1 at first: shifts 13, 17, 5 */
};

/* How many entries there are. */
static inline size_t tagged_count(const struct tagged_size *size)
{
	return (size_t)size->n_tables << size->log2_entries;
}

/* entries: tagged_count() of them, the caller's, all zero. */
void tagged_init(struct tagged *tagged, const struct tagged_size *size,
		 struct tagged_entry *entries);

static inline uint16_t tagged_tag(const struct tagged *tagged, uint64_t hash)
{
	return (uint16_t)(1 + (hash >> TAGGED_TAG_SHIFT & tagged->tag_mask));
}

static inline struct tagged_entry *tagged_at(const struct tagged *tagged, unsigned table,
					     uint64_t hash)
{
	return &tagged->entries[((size_t)table << tagged->log2_entries) +
				(hash & tagged->entry_mask)];
}

/*
 * The entry of the longest history that has the tag of key and history, which is settled, of the tables whose bits are
 * set in made; NULL if there is none.  *table is its table.
 */
static ALWAYS_INLINED struct tagged_entry *tagged_find(const struct tagged *tagged,
						       const struct branch_history *history,
						       uint64_t key, uint32_t made, unsigned *table)
{
	while (made != 0) {
		const unsigned i = 31 - (unsigned)__builtin_clz(made);
		const uint64_t hash = history_hash(history, &tagged->lengths[i], key);
		struct tagged_entry *entry = tagged_at(tagged, i, hash);

		if (entry->tag == tagged_tag(tagged, hash)) {
			*table = i;
			return entry;
		}
		made ^= UINT32_C(1) << i;
	}
	return NULL;
}

/*
 * Makes an entry, with a counter, in table number first or one behind it, if there is one that is of no use; sets the
 * table's bit in *made then, and returns the entry, else NULL.  In any case, random goes on by a step.
 */
struct tagged_entry *tagged_make(struct tagged *tagged, const struct branch_history *history,
				 uint64_t key, unsigned first, uint8_t counter, uint16_t *made);

/*
 * What a provider makes of it that the cell said something else: was_new says whether the provider was new; of the two, one may
 * have been right.
 */
void tagged_learn_use(struct tagged *tagged, struct tagged_entry *provider, bool was_new,
		      bool was_right, bool cell_right);

#endif
