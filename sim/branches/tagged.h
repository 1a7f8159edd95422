/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tagged tables that predictors of directions (sim/branches/tage.h) and of targets (sim/branches/ittage.h) have in common: an
 * entry by branch and history, in TAGGED_TABLES tables of ever longer history; which of them is asked, when one is made, and
 * which has been of use.  What an entry's counter means is the predictor's.
 *
 * Where the entry of a branch is, and its tag, is in a word of 32 bits for each table, its *hash*:
 *
 *	looked back on	of the first TAGGED_SHORT tables, the lower bits of history.older, as many as the length says; of the others,
 *			history.folds; low and high are the halves
 *	sum		low * TAGGED_LOW + high * TAGGED_HIGH + (table + 1) * TAGGED_TABLE, modulo 2^64
 *	hash		sum ^ sum >> 32 ^ key >> 16 ^ newest * TAGGED_LOW, modulo 2^32
 *
 * Its lower log2_entries bits say which entry of the table; the tag is 1 + the upper tag_bits of it.  No step depends on the one
 * before it, but for a sum, so that one vector instruction does it for several tables.
 */
#ifndef SIM_BRANCHES_TAGGED_H
#define SIM_BRANCHES_TAGGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branches/history.h"

enum {
	TAGGED_TABLES = 8,
	TAGGED_SHORT = TAGGED_TABLES - HISTORY_FOLDS,
	TAGGED_MAX_USEFUL = 3,
};

/* Odd, and without a pattern: digits of the golden ratio, and primes of xxHash (Y. Collet). */
#define TAGGED_LOW   UINT64_C(0x9E3779B1)
#define TAGGED_HIGH  UINT64_C(0x85EBCA77)
#define TAGGED_TABLE UINT64_C(0xC2B2AE3D27D4EB4F)

struct tagged_size {
	unsigned log2_entries, tag_bits; /* together up to 32 */
	uint16_t lengths[TAGGED_SHORT];  /* of history beyond the newest bits, up to 64 */
	int ticks;                       /* at so many, all useful are halved */
};

struct tagged_entry {
	uint16_t tag; /* 1.., 0 is an empty one */
	uint8_t counter;
	uint8_t useful; /* up to TAGGED_MAX_USEFUL */
};

/* What tables have of a branch and its history. */
struct tagged_probe {
	uint32_t hashes[TAGGED_TABLES];
	uint32_t found; /* bit t: the entry in table t, one of those that were asked, has its tag */
};

struct tagged;

/* Fills probe, asking the tables whose bits are set in made; history is settled. */
typedef void tagged_probe_function(const struct tagged *tagged,
				   const struct branch_history *history, uint64_t key,
				   uint32_t made, struct tagged_probe *probe);

struct tagged {
	const struct tagged_size *size;
	tagged_probe_function *probe;
	struct tagged_entry *entries;    /* table by table, from the shortest history on */
	uint64_t masks[TAGGED_TABLES];   /* of history.older; 0 where that is folded */
	uint64_t offsets[TAGGED_TABLES]; /* (table + 1) * TAGGED_TABLE */
	uint32_t bases[TAGGED_TABLES];   /* the index of a table's first entry */
	uint32_t entry_mask, tag_shift;  /* of its size */
	int alternative;                 /* -8 to 7; 0 or more: new entries are not believed */
	int tick;
	uint32_t random; /* of xorshift (Marsaglia, "Xorshift RNGs", 2003), 1 at first: shifts 13, 17, 5 */
};

/* How many entries there are. */
static inline size_t tagged_count(const struct tagged_size *size)
{
	return (size_t)TAGGED_TABLES << size->log2_entries;
}

/* entries: tagged_count() of them, the caller's, all zero. */
void tagged_init(struct tagged *tagged, const struct tagged_size *size,
		 struct tagged_entry *entries);

/* In C, and with AVX2: of which tagged_init() chooses one that the processor has.  They do the same. */
tagged_probe_function tagged_probe_plain, tagged_probe_avx2;
bool tagged_has_avx2(void);

/* Settles the history, and fills probe, asking the tables whose bits are set in made. */
static inline void tagged_ask(const struct tagged *tagged, struct branch_history *history,
			      uint64_t key, uint32_t made, struct tagged_probe *probe)
{
	history_settle(history);
	tagged->probe(tagged, history, key, made, probe);
}

/* The entry of a table for a hash. */
static inline struct tagged_entry *tagged_at(const struct tagged *tagged, unsigned table,
					     uint32_t hash)
{
	return &tagged->entries[tagged->bases[table] + (hash & tagged->entry_mask)];
}

static inline uint16_t tagged_tag(const struct tagged *tagged, uint32_t hash)
{
	return (uint16_t)(1 + (hash >> tagged->tag_shift));
}

/*
 * Makes an entry, with a counter, in table number first or one behind it, if there is one that is of no use; sets the
 * table's bit in *made then, and returns the entry, else NULL.  In any case, random goes on by a step.
 */
struct tagged_entry *tagged_make(struct tagged *tagged, const struct tagged_probe *probe,
				 unsigned first, uint8_t counter, uint8_t *made);

/*
 * What a provider makes of it that the cell said something else: was_new says whether the provider was new; of the two, one may
 * have been right.
 */
void tagged_learn_use(struct tagged *tagged, struct tagged_entry *provider, bool was_new,
		      bool was_right, bool cell_right);

#endif
