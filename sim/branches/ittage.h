/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor of the targets of indirect jumps and calls, of the ITTAGE class (Seznec, "A 64-Kbytes ITTAGE indirect
 * branch predictor", CBP-3, 2011): sim/branches/tage.h with targets in the place of directions.
 *
 * A jump has a cell, which some share: its last target, how sure that is (0 to JUMP_SURE), and a credit as a cell of
 * tage.h has it.  A jump that goes where its cell says, with full confidence and without credit, changes nothing
 * but the history: generated code does that (it compares with jump_cell.expected).
 *
 * The rules are those of tage.h, with these differences:
 *
 *	1. There are no loops.
 *	3. The provider predicts its target.  It is new if its confidence and its useful are 0.
 *	4. An entry, or cell, learns a target: if it is its own, its confidence goes up by 1, else down by 1; one
 *	   without confidence takes the target, and stays without.  A cell has target 0 at first.  useful goes up to
 *	   TAGGED_MAX_USEFUL.  If cell and provider disagreed and both were wrong, useful goes down, and alternative stays.
 *	5. A new entry has no confidence.
 *	6. "Right and not weak" is: right, with full confidence before.
 *	7. There is none.
 *
 * In the exact model credit does not go down: once it was mispredicted, a jump asks the tables each time.
 *
 * The target adds JUMP_BITS bits to the history (ittage_bits()), of what of it does not
 * depend on where its object was loaded: the place in its page.
 */
#ifndef SIM_BRANCHES_ITTAGE_H
#define SIM_BRANCHES_ITTAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branches/history.h"
#include "sim/branches/tagged.h"

struct branch_place;

enum {
	JUMP_SURE = 3,
	JUMP_BITS = 4,
	JUMP_FRESH_CREDIT = 16,
	JUMP_PROVEN_CREDIT = 255,
};

struct ittage_size {
	unsigned log2_cells;
	struct tagged_size tagged;
};

extern const struct ittage_size ittage_8k, ittage_64k; /* they go with those of tage.h */

struct jump_cell {
	uint64_t expected; /* target, where an execution of it changes nothing; else JUMP_NOWHERE */
	uint64_t bits;     /* ittage_bits() of the target that was jumped to last */
	uint64_t target;   /* that is predicted */
	uint16_t credit, confidence;
	uint8_t made; /* bit t: an entry was made for it in table t */
};

/* No jump of a program that goes on goes there. */
#define JUMP_NOWHERE UINT64_C(1)

struct ittage {
	const struct ittage_size *size;
	struct jump_cell *cells;
	struct tagged tagged; /* counters of entries are their confidence */
	uint64_t *targets;    /* of entries */
	bool is_exact;        /* credit does not go down */
};

size_t ittage_memory(const struct ittage_size *size);

/* memory: ittage_memory() bytes of the caller's, aligned to 8, all zero. */
void ittage_init(struct ittage *ittage, const struct ittage_size *size, void *memory);

static inline struct jump_cell *ittage_cell(struct ittage *ittage, uint64_t key)
{
	return &ittage->cells[key & ((UINT64_C(1) << ittage->size->log2_cells) - 1)];
}

/* What a target adds to the history: 12 bits of it, folded. */
static inline uint64_t ittage_bits(uint64_t target)
{
	return (target ^ target >> 4 ^ target >> 8) & ((1U << JUMP_BITS) - 1);
}

/*
 * An execution of a jump.  Predicts its target, learns it, but for the history, and returns whether it was
 * mispredicted.
 */
bool ittage_predict(struct ittage *ittage, struct branch_history *history,
		    struct branch_place *place, uint64_t target);

#endif
