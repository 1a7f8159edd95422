/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor of directions of the TAGE class (Seznec and Michaud, "A case for (partially) TAgged GEometric history
 * length branch prediction", JILP 8, 2006; Seznec, "A new case for the TAGE branch predictor", MICRO 2011): a table of
 * two-bit counters by branch and its newest history, several tables of tagged entries by branch and ever longer history, and
 * a predictor of loops.
 *
 * This is the *fast* model.  An execution of a branch has a cell of the first table, which others may share; the newest
 * n_newest bits of the history are part of what chooses it, since most branches go one way for sure behind each of the
 * ways that led to them:
 *
 *	direction	what its counter predicts
 *	weak		the counter is one step from the other direction: the next misprediction turns it
 *	credit		how long tagged tables are still asked; 0: they are not, and the counter predicts
 *
 * and a branch counts its executions down, left, until C has to look: from TAGE_MAX_LEFT, or up to the end of a loop.
 *
 * An execution is *plain* if the branch goes where the counter of the cell says, that is not weak, without credit, and left is not
 * below 0.  In a run of most programs nine of ten are.  A plain one is predicted rightly and changes nothing but left, and
 * generated code does that.  The rules are for all others.
 *
 * The rules, for the outcome of a branch (prediction first, then all that is learned); random, alternative, tick and useful are
 * those of the tagged tables (sim/branches/tagged.h):
 *
 *	1. If a loop of the branch is known (sim/branches/loops.h), it predicts.  If it was right, the counter says its direction
 *	   from now on, not weakly, and without credit.  Else the counter learns, and the credit is TAGE_FRESH_CREDIT.
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
 *	   counter disagreed, were right no more often than wrong does not pay: behind the
 *	   rest of this rule the credit is 0, the cell is as above, and for the next 4, 8, 16, ... 128
 *	   mispredictions without credit, twice as many after each such trial behind another one, rules 5 and 6 do
 *	   not apply.
 *	7. The branch's bias (-2 to 1, -1 at first) goes up by 1 if it was taken, else down.  A cell that had no execution yet says
 *	   weakly what the bias says: "taken" from 0 on.  With a loop that is known, or where left alone was the reason that
 *	   the execution was not plain, the bias stays.
 *	8. Of mispredictions against a counter that says what the bias does, and goes on to, of a branch that has no loop, one in
 *	   eight, those at which bits 8 to 10 of random are 0, begins to look for a loop.
 *
 * The *exact* model has neither cells nor credit, and nothing is plain: each execution goes by these rules.
 *
 *	1. A loop that is known predicts, as above; the bias learns, and nothing else does.
 *	2. Of all tables in which an entry was ever made for the branch, and whose entry has the tag, that with the longest history
 *	   is the provider, and that with the next longest one the alternate, or the bias, where there is no other.  The
 *	   provider predicts; but if it is new, and alternative is 0 or more, the alternate does.  Without a provider the bias does.
 *	3. The provider learns the outcome; if its useful was 0, the alternate, too.  If the two disagreed, useful and
 *	   alternative change as in rule 4, with the alternate in the place of the cell.  Without a provider the bias learns.
 *	4. Entries are made as in rule 5, and loops are looked for as in rule 8, with the bias in the place of the counter.
 *
 * Credit, history in the choice of cells, and that the alternative is the cell's counter and no shorter history, are what this one
 * has beside the papers: they make it cheap, and credit costs some accuracy (docs/BRANCHES.md has how much).  There is no
 * statistical corrector.
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
	TAGE_CELL_SHIFT = 20, /* of the bits of a key that choose a cell */
	TAGE_LEFT_BITS = 19,
	TAGE_MAX_LEFT = (1 << TAGE_LEFT_BITS) - 1,
	TAGE_FRESH_CREDIT = 16,
	TAGE_PROVEN_CREDIT = 64,
	TAGE_TRIAL = 128, /* executions */
	TAGE_MAX_FAILURES = 5,
};

struct tage_size {
	struct history_size history; /* of ittage.h, too */
	unsigned log2_cells;
	struct tagged_size tagged;
	unsigned n_loops; /* a power of two */
};

/* With tables of 512 entries for histories of 6 to 200 bits, 64 loops: some 8 KB, as hardware would have it. */
extern const struct tage_size tage_8k;
/* With 4,096, 10 to 640 and 256: some 64 KB. */
extern const struct tage_size tage_64k;

/* What else is known of a cell. */
struct tage_trial {
	uint8_t made;    /* bit t: an entry was made for it in table t */
	uint8_t is_used; /* it had an execution */
	int16_t gain; /* in this trial providers were right against the counter, less the reverse */
	uint8_t n;    /* executions with credit in this trial */
	uint8_t failures; /* trials behind one another that did not pay, up to TAGE_MAX_FAILURES */
	uint8_t pause;    /* so many mispredictions without credit until the next one */
};

struct tage {
	const struct tage_size *size;
	uint16_t *cells;
	struct tage_trial *trials; /* by cell */
	struct tagged tagged;
	struct loops loops;
};

/* Bytes of memory that a predictor takes beside its struct. */
size_t tage_memory(const struct tage_size *size);

/* memory: tage_memory() bytes of the caller's, aligned to 8, all zero. */
void tage_init(struct tage *tage, const struct tage_size *size, void *memory);

/* The cell of a branch is at this index ^ the newest bits of the history. */
static inline uint32_t tage_cell_index(const struct tage *tage, uint64_t key)
{
	return (uint32_t)(key >> TAGE_CELL_SHIFT) & ((UINT32_C(1) << tage->size->log2_cells) - 1);
}

static inline uint16_t *tage_cell(const struct tage *tage, const struct branch_history *history,
				  uint64_t key)
{
	return &tage->cells[tage_cell_index(tage, key) ^ history_newest(history)];
}

/*
 * An execution of a branch that is not plain, which left has counted already; cell is that of the branch.  Predicts it, learns its
 * outcome, which is not added to the history, and returns whether it was mispredicted.  history is settled if need be.
 */
bool tage_predict(struct tage *tage, struct branch_history *history, struct branch_place *place,
		  uint16_t *cell, bool taken);

/* Any execution of a branch by the exact model, which left has counted already; otherwise the same. */
bool tage_predict_exact(struct tage *tage, struct branch_history *history,
			struct branch_place *place, bool taken);

#endif
