/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor of the targets of indirect jumps and calls, of the ITTAGE class (Seznec, "A 64-Kbytes ITTAGE indirect
 * branch predictor", CBP-3, 2011): sim/branches/tage.h with targets in place of directions.
 *
 * A jump has a cell, which it may share with others: its last target, the confidence in it (0 to JUMP_SURE), and a
 * credit as a cell in tage.h has.  A jump that goes where its cell says, with full confidence and without credit,
 * changes only the history, which generated code does by itself (it compares with jump_cell.expected).
 *
 * The rules of tage.h hold, with these differences:
 *
 *	1. There are no loops.
 *	3. The provider predicts its target.  It is new if its confidence and useful are both 0.
 *	4. An entry or cell learns a target: if it has the same target, its confidence goes up by 1, else down by 1; if the
 *	   confidence is 0 already, it takes the new target, still without confidence.  The target of a new cell is 0.  useful
 *	   goes up to TAGGED_MAX_USEFUL.  If cell and provider disagreed and both were wrong, useful goes down, and
 *	   alternative stays.
 *	5. A new entry has no confidence.
 *	6. "Right and not weak" means right, with full confidence before.
 *	7. There is no bias.
 *
 * In the exact model credit does not go down: once mispredicted, a jump asks the tables every time.
 *
 * A target adds JUMP_BITS bits to the history (ittage_bits()), made from its offset in its page, which does not depend on
 * where the object was loaded.
 */
#ifndef SIM_BRANCHES_ITTAGE_H
#define SIM_BRANCHES_ITTAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

extern const struct ittage_size ittage_8k, ittage_64k; /* to go with tage_8k and tage_64k */

struct jump_cell {
	uint64_t expected; /* the target, if going there changes nothing; else JUMP_NOWHERE */
	uint64_t bits;     /* ittage_bits() of the last target */
	uint64_t target;   /* the prediction */
	uint16_t credit, confidence;
	uint8_t made; /* bit t: an entry was made for it in table t */
};

/* No jump goes there in a program that survives. */
#define JUMP_NOWHERE UINT64_C(1)

struct ittage {
	const struct ittage_size *size;
	struct jump_cell *cells;
	struct tagged tagged; /* the counter of an entry is its confidence */
	uint64_t *targets;    /* of entries */
	bool is_exact;        /* credit does not go down */
};

size_t ittage_memory(const struct ittage_size *size);

/* memory: ittage_memory() bytes, aligned to 8, all zero; owned by the caller, who keeps it as long as *ittage. */
void ittage_init(struct ittage *ittage, const struct ittage_size *size, void *memory);

static inline struct jump_cell *ittage_cell(struct ittage *ittage, uint64_t key)
{
	return &ittage->cells[key & ((UINT64_C(1) << ittage->size->log2_cells) - 1)];
}

/* What a target adds to the history: its lower 12 bits, folded. */
static inline uint64_t ittage_bits(uint64_t target)
{
	return (target ^ target >> 4 ^ target >> 8) & ((1U << JUMP_BITS) - 1);
}

/*
 * Predicts the target of a jump, and learns the true one.  Does not add it to the history.  Returns true if it was
 * mispredicted.
 */
bool ittage_predict(struct ittage *ittage, struct branch_history *history,
		    struct branch_place *place, uint64_t target);

#endif
