/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What predictors of directions (sim/branches/tage.h) and of targets (sim/branches/ittage.h) share: the history of
 * branches, and the tagged tables that are indexed by it.
 */
#ifndef SIM_BRANCHES_TAGGED_H
#define SIM_BRANCHES_TAGGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- history ---------------------------------------------------------------------------------- */

/*
 * The history is a sequence of bits.  A conditional branch adds one, its outcome (1: taken); an indirect jump or call
 * adds several bits of its target (sim/branches/ittage.h).
 *
 * The n_newest newest bits choose the cell of a branch, so generated code keeps them in one word, recent, and shifts
 * new bits into it.  history_settle() moves the older bits out of that word when a predictor needs them.
 *
 * A 1, the marker, precedes the bits that recent has collected since it was last settled.  Nothing checks whether
 * recent is full: bits beyond 64 are lost, the marker among them, and then the highest 1 is taken for the marker.  So
 * after a long run of branches that all go as expected, only the last 50 or so are remembered.
 *
 * Long histories are *folded*, as in hardware: the n bits older than the newest ones are cut into words of 64, the
 * youngest bit in bit 0, and XORed into one word.  Settling rotates a fold, adds the young bits, and removes the bits
 * that are now older than n, which are still in the ring.
 */
enum {
	HISTORY_NEWEST = 8, /* most bits that choose cells */
	HISTORY_FOLDS = 3,
	HISTORY_WORDS = 16,
	/* The longest history that can be folded, without the newest bits. */
	HISTORY_BITS = (HISTORY_WORDS - 1) * 64,
};

struct history_size {
	uint16_t n_newest;             /* 0 to HISTORY_NEWEST */
	uint16_t folds[HISTORY_FOLDS]; /* lengths, 64 to HISTORY_BITS */
};

struct branch_history {
	uint64_t recent;
	uint64_t older; /* the 64 youngest bits after the newest ones */
	uint64_t folds[HISTORY_FOLDS];
	uint32_t newest_mask;
	uint32_t begin; /* position of the youngest bit in ring, modulo its size; older ones follow */
	uint64_t ring[HISTORY_WORDS];
	struct history_size size;
};

/* All bits are 0. */
static inline void history_init(struct branch_history *history, const struct history_size *size)
{
	*history = (struct branch_history){
		.recent = UINT64_C(1) << size->n_newest,
		.newest_mask = (UINT32_C(1) << size->n_newest) - 1,
		.size = *size,
	};
}

/* The newest bits. */
static inline uint32_t history_newest(const struct branch_history *history)
{
	return (uint32_t)history->recent & history->newest_mask;
}

static inline uint64_t history_rotate(uint64_t word, unsigned n)
{
	return word << n % 64 | word >> (64 - n) % 64;
}

/* The 64 bits of the ring that begin at a position. */
static inline uint64_t history_at(const struct branch_history *history, uint32_t at)
{
	const uint64_t *ring = history->ring;
	const uint64_t first = ring[at / 64 % HISTORY_WORDS];
	const uint64_t second = ring[(at / 64 + 1) % HISTORY_WORDS];

	return first >> at % 64 | second << 1 << (63 - at % 64);
}

/* Moves the bits of recent that are older than the newest ones. */
static inline void history_settle(struct branch_history *history)
{
	const uint64_t recent = history->recent;
	const unsigned newest = history->size.n_newest;
	uint64_t *ring = history->ring;
	uint64_t bits;
	uint32_t first;
	unsigned n;

	history->recent = history_newest(history) | UINT64_C(1) << newest;
	if (recent >> newest < 2)
		return;
	n = 63 - newest - (unsigned)__builtin_clzll(recent);
	bits = recent >> newest & ((UINT64_C(1) << n) - 1);
	for (unsigned i = 0; i < HISTORY_FOLDS; i++) {
		const unsigned length = history->size.folds[i];
		const uint64_t leaving = history_at(history, history->begin + length - n) &
					 ((UINT64_C(1) << n) - 1);

		history->folds[i] = history_rotate(history->folds[i], n) ^ bits ^
				    history_rotate(leaving, length);
	}
	history->older = history->older << n | bits;
	first = history->begin - n;
	/* The two words of the ring in which the youngest 64 bits lie. */
	ring[first / 64 % HISTORY_WORDS] = history->older << first % 64;
	ring[(first / 64 + 1) % HISTORY_WORDS] =
		(ring[(first / 64 + 1) % HISTORY_WORDS] & UINT64_MAX << first % 64) |
		history->older >> 1 >> (63 - first % 64);
	history->begin = first;
}

/* Adds n bits; bit 0 is the newest. */
static inline void history_add(struct branch_history *history, uint64_t bits, unsigned n)
{
	history->recent = history->recent << n | bits;
}

/* -- tagged tables ----------------------------------------------------------------------------- */

/*
 * TAGGED_TABLES tables of ever longer history, with an entry for a branch and its history.  This says which entries are
 * asked, when one is made, and which have been useful.  What an entry's counter means is up to the predictor.
 *
 * A word of 32 bits for each table, its *hash*, gives the place of a branch's entry, and its tag:
 *
 *	history		for the first TAGGED_SHORT tables the lower bits of history.older, as many as the table's length; for the
 *			others a fold; low and high are its halves
 *	sum		low * TAGGED_LOW + high * TAGGED_HIGH + (table + 1) * TAGGED_TABLE, modulo 2^64
 *	hash		sum ^ sum >> 32 ^ key >> 16 ^ newest * TAGGED_LOW, modulo 2^32
 *
 * Its lower log2_entries bits are the index of the entry; the tag is 1 + its upper tag_bits.  Tables do not depend on
 * each other, so one vector instruction computes the hashes of several.
 */
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
	int ticks;                       /* the number at which all useful are halved */
};

struct tagged_entry {
	uint16_t tag; /* 1.., 0 is an empty one */
	uint8_t counter;
	uint8_t useful; /* up to TAGGED_MAX_USEFUL */
};

/* What the tables know about a branch with its history. */
struct tagged_probe {
	uint32_t hashes[TAGGED_TABLES];
	uint32_t found; /* bit t: table t was asked, and has an entry with the tag */
};

struct tagged;

/* Fills probe, asking the tables whose bits are set in made; history must be settled. */
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
	int alternative;                 /* -8 to 7; from 0 on, new entries are not believed */
	int tick;
	uint32_t random; /* of xorshift (Marsaglia, "Xorshift RNGs", 2003), 1 at first: shifts 13, 17, 5 */
};

/* The number of entries. */
static inline size_t tagged_count(const struct tagged_size *size)
{
	return (size_t)TAGGED_TABLES << size->log2_entries;
}

/* entries: tagged_count() of them, all zero; owned by the caller, who keeps them as long as *tagged. */
void tagged_init(struct tagged *tagged, const struct tagged_size *size,
		 struct tagged_entry *entries);

/* In C, and with AVX2; tagged_init() chooses what the processor supports.  Both give the same results. */
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
 * Makes an entry with this counter in table number first, or in a later one, in place of one that is not useful.  Sets the
 * table's bit in *made and returns the entry; returns NULL if all are useful.  random takes a step in either case.
 */
struct tagged_entry *tagged_make(struct tagged *tagged, const struct tagged_probe *probe,
				 unsigned first, uint8_t counter, uint8_t *made);

/*
 * Updates provider.useful and alternative where provider and cell disagreed.  was_new: the provider was new.  At most one
 * of the two was right.
 */
void tagged_learn_use(struct tagged *tagged, struct tagged_entry *provider, bool was_new,
		      bool was_right, bool cell_right);

#endif
