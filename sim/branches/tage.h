/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor of directions of the TAGE class (Seznec and Michaud, "A case for (partially) TAgged GEometric history
 * length branch prediction", JILP 8, 2006; Seznec, "A new case for the TAGE branch predictor", MICRO 2011): a table of
 * two-bit counters by branch, several tables of tagged entries by branch and ever longer history, and a
 * predictor of loops.
 *
 * A branch has a cell of the first table, which some branches share:
 *
 *	direction	what its counter predicts
 *	weak		the counter is one step from the other direction: the next misprediction turns it
 *	credit		how long tagged tables are still asked; 0: they are not, and the counter predicts
 *	left		of executions, until C has to look: as many as fit, or up to the end of a loop
 *
 * In a run of most programs nine of ten executions are of a branch that goes where its counter says, without
 * weakness or credit: then nothing but left changes, and generated code does that (tage_is_plain()).
 *
 * The rules, for the outcome of a branch (prediction first, then all that is learned); random, alternative, tick and useful are
 * those of the tagged tables (sim/branches/tagged.h):
 *
 *	1. If a loop is known (sim/branches/loops.h), it predicts.  If it was right, nothing is learned.  Else
 *	   the counter learns, and the credit is TAGE_FRESH_CREDIT.  While it is known, the counter says its direction, not
 *	   weakly, and there is no credit.
 *	2. Without credit the counter predicts.
 *	3. With credit, of all tables in which an entry was made for the cell since rule 6 took the last of its credit, and
 *	   whose entry has the tag of branch and history, that with the longest history is the provider.  Its
 *	   counter of 0 to 7 predicts "taken" from 4 on.  It predicts; but if it is new (its counter is 3 or 4 and
 *	   its useful is 0), and alternative is 0 or more, the cell's counter does.
 *	4. The provider learns the outcome; the cell's counter always does, last of all.  If the two disagreed,
 *	   provider.useful (0 to 3) is incremented if the provider was right, else decremented; where it was new,
 *	   alternative (-8 to 7) goes down, or up.
 *	5. If the prediction was wrong, and a provider, if there was one, too, random goes on by a step, and one entry is
 *	   made in a table of longer history than the provider's (any, without one): the first one whose entry there
 *	   has useful 0.  If random is odd, the search begins one table further on, if there is one.  The entry's
 *	   counter says the outcome, weakly, its useful is 0.  Each entry that was in the way adds 1 to tick, a new
 *	   entry takes away 1 (0 stays).  If there is no room for one, and tick is the size's ticks or more, all useful are
 *	   halved, and it is 0.
 *	6. If the cell's counter was wrong: the credit is at least TAGE_PROVEN_CREDIT if a provider was right, else at
 *	   least TAGE_FRESH_CREDIT.  If it was right and not weak, the credit goes down by 1; at 0 the cell is as if no
 *	   entry had been made for it.
 *	   TAGE_TRIAL executions by this rule with credit are a trial.  One in which providers, where they and the
 *	   counter disagreed, were not TAGE_MIN_GAIN times more often right than wrong does not pay: behind the
 *	   rest of this rule the credit is 0, the cell is as above, and for the next 4, 8, 16, ... 128
 *	   mispredictions without credit, twice as many after each such trial behind another one, rules 5 and 6 do
 *	   not apply.
 *	7. Of mispredictions against the counter's direction that do not turn it, of a cell that has no loop, one in eight,
 *	   those at which bits 8 to 10 of random are 0, begins to look for a loop.
 *
 * Credit, and that the alternative is the cell's counter and no shorter history, is what this one has beside the papers: it
 * is what makes it cheap, and costs some accuracy (docs/BRANCHES.md has how much).  There is no statistical corrector.
 */
#ifndef SIM_BRANCHES_TAGE_H
#define SIM_BRANCHES_TAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branches/history.h"
#include "sim/branches/loops.h"
#include "sim/branches/tagged.h"

struct branch_place;

enum {
	TAGE_CELL_DIRECTION = 1,
	TAGE_CELL_WEAK = 2,
	TAGE_CELL_CREDIT = 4, /* one of it */
	TAGE_MAX_CREDIT = 1023,
	TAGE_CELL_STATE = TAGE_CELL_CREDIT * (TAGE_MAX_CREDIT + 1) - 1,
	TAGE_CELL_EXECUTION = TAGE_CELL_STATE + 1, /* one of left */
	TAGE_MAX_LEFT = 0x7FFFF,
	TAGE_FRESH_CREDIT = 16,
	TAGE_PROVEN_CREDIT = 64,
	TAGE_TRIAL = 128, /* executions */
	TAGE_MIN_GAIN = 4,
	TAGE_MAX_FAILURES = 5,
	TAGE_HAS_LOOP = 0x8000, /* the cell may have a loop */
};

#define TAGE_CELL_OVER UINT32_C(0x80000000) /* left is below 0 */

struct tage_size {
	unsigned log2_cells;
	struct tagged_size tagged;
	unsigned n_loops; /* a power of two */
};

/* With 4,096 counters, seven tables of 512 entries and 64 loops: 8 KB, as hardware would have it. */
extern const struct tage_size tage_8k;
/* With 16,384, twelve of 2,048 and 256: 64 KB. */
extern const struct tage_size tage_64k;

/* What else is known of a cell. */
struct tage_trial {
	uint16_t made; /* bit t, an entry was made for it in table t; TAGE_HAS_LOOP */
	int16_t gain; /* in this trial providers were right against the counter, less the reverse */
	uint8_t n;    /* executions with credit in this trial */
	uint8_t failures; /* trials behind one another that did not pay, up to TAGE_MAX_FAILURES */
	uint8_t pause;    /* so many mispredictions without credit until the next one */
};

struct tage {
	const struct tage_size *size;
	uint32_t *cells;
	struct tage_trial *trials; /* by cell */
	struct tagged tagged;
	struct loops loops;
};

/* Bytes of memory that a predictor takes beside its struct. */
size_t tage_memory(const struct tage_size *size);

/* memory: tage_memory() bytes of the caller's, aligned to 8, all zero.  All counters are weakly "not taken". */
void tage_init(struct tage *tage, const struct tage_size *size, void *memory);

/* The cell of a branch: by the low bits of its key. */
static inline uint32_t *tage_cell(struct tage *tage, uint64_t key)
{
	return &tage->cells[key & ((UINT64_C(1) << tage->size->log2_cells) - 1)];
}

/* Whether an execution of a branch, which left has counted already, is predicted rightly and changes nothing else. */
static inline bool tage_is_plain(uint32_t cell, bool taken)
{
	return ((cell ^ (uint32_t)taken) & (TAGE_CELL_OVER | TAGE_CELL_STATE)) == 0;
}

/*
 * An execution of a branch, which left has counted already.  Predicts it, learns its outcome, which is not added to the history,
 * and returns whether it was mispredicted.  history is settled if need be.
 */
bool tage_predict(struct tage *tage, struct branch_history *history, struct branch_place *place,
		  bool taken);

#endif
