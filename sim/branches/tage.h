/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor of directions of the TAGE class (Seznec and Michaud, "A case for (partially) TAgged GEometric history
 * length branch prediction", JILP 8, 2006; Seznec, "A new case for the TAGE branch predictor", MICRO 2011): a table of
 * two-bit counters indexed by branch and newest history, several tables of tagged entries indexed by branch and ever
 * longer history, and a predictor of loops.
 *
 * This is the *fast* model.  An execution of a branch uses a cell of the first table, which branches may share.  The newest
 * n_newest bits of the history take part in choosing it, since most branches always go one way after a given path:
 *
 *	direction	what its counter predicts
 *	weak		the counter is one step from the other direction: the next misprediction turns it
 *	credit		how much longer tagged tables are asked; at 0 they are not, and the counter predicts
 *
 * Each branch also counts its executions down in left, until C has to look: from TAGE_MAX_LEFT, or to the end of a loop.
 *
 * An execution is *plain* if the branch goes where the cell's counter says, the counter is not weak, there is no credit, and
 * left is not below 0.  In most programs nine of ten executions are plain.  They are predicted correctly and change only
 * left, which generated code does by itself.  The rules are for all others.
 *
 * For each outcome of a branch, first predict, then learn (random, alternative, tick and useful belong to the tagged
 * tables, sim/branches/tagged.h):
 *
 *	1. If the branch has a known loop (below), the loop predicts.  If it was right, the counter takes its direction, not
 *	   weak, and without credit.  Else the counter learns, and the credit becomes at least TAGE_FRESH_CREDIT.
 *	2. Without credit the counter predicts.
 *	3. With credit, consider the tables in which an entry was made for the cell since rule 6 last used up its credit, and
 *	   whose entry has the tag of branch and history.  The one with the longest history is the provider.  Its counter of 0
 *	   to 7 predicts "taken" from 4 on.  The provider predicts, unless it is new (its counter is 3 or 4, and its useful
 *	   is 0) and alternative is 0 or more: then the cell's counter predicts.
 *	4. The provider learns the outcome; the cell's counter always learns it, last of all.  If the two disagreed,
 *	   provider.useful (0 to 3) goes up if the provider was right, else down; if the provider was new, alternative (-8
 *	   to 7) goes down or up, too.
 *	5. If the prediction was wrong, and so was the provider (if there is one), random takes a step, and one entry is made
 *	   in a table of longer history than the provider's (in any table without a provider): the first whose entry has
 *	   useful 0.  If random is odd, the search begins one table further on, if there is one.  The new entry's counter
 *	   says the outcome, weakly; its useful is 0.  Each entry in the way adds 1 to tick, and a new entry subtracts 1
 *	   (not below 0).  If there is no room, and tick has reached the size's ticks, all useful are halved and tick is 0.
 *	6. If the cell's counter was wrong, the credit becomes at least TAGE_PROVEN_CREDIT if a provider was right, else at
 *	   least TAGE_FRESH_CREDIT.  If it was right and not weak, the credit goes down by 1; at 0 the cell is as if no
 *	   entry had been made for it.
 *	   TAGE_TRIAL executions with credit by this rule are a trial.  A trial does not pay if the providers that disagreed
 *	   with the counter were right no more often than wrong.  Then, after the rest of this rule, the credit is 0, the cell
 *	   is as if no entry had been made for it, and rules 5 and 6 are suspended for the next 4, 8, 16, ... 128 mispredictions
 *	   without credit: twice as many after each further trial that does not pay.
 *	7. The branch's bias (-2 to 1, initially -1) goes up by 1 if it was taken, else down.  A cell that is used for the first
 *	   time starts with what the bias says, weakly: "taken" from 0 on.  The bias stays if there is a known loop, or if
 *	   left was the only reason why the execution was not plain.
 *	8. After a misprediction against a counter that agrees with the bias, and still does afterwards, of a branch without a
 *	   loop, bits 8 to 10 of random decide: if they are 0 (one in eight), the branch is watched for a loop.
 *
 * The *exact* model has neither cells nor credit, and nothing is plain: each execution follows these rules.
 *
 *	1. A known loop predicts, as above; apart from it only the bias learns.
 *	2. Of all tables in which an entry was ever made for the branch, and whose entry has the tag, the one with the longest
 *	   history is the provider, and the next longest the alternate; the bias is the alternate if there is no other.  The
 *	   provider predicts, unless it is new and alternative is 0 or more: then the alternate does.  Without a provider the
 *	   bias predicts.
 *	3. The provider learns the outcome, and if its useful was 0, so does the alternate.  If the two disagreed, useful and
 *	   alternative change as in rule 4 above, with the alternate in place of the cell.  Without a provider the bias learns.
 *	4. Entries are made as in rule 5, and loops are looked for as in rule 8, with the bias in place of the counter.
 *
 * What is not in the papers: credit, history in the choice of cells, and the cell's counter as the alternative, rather than a
 * shorter history.  These make the model cheap; credit costs some accuracy (docs/BRANCHES.md says how much).  There is no
 * statistical corrector.
 */
#ifndef SIM_BRANCHES_TAGE_H
#define SIM_BRANCHES_TAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branches/tagged.h"

struct branch_place;

enum {
	TAGE_CELL_DIRECTION = 1,
	TAGE_CELL_WEAK = 2,
	TAGE_CELL_CREDIT = 4, /* a unit of credit */
	TAGE_MAX_CREDIT = 1023,
	TAGE_CELL_SHIFT = 20, /* the first of the bits of a key that choose a cell */
	TAGE_LEFT_BITS = 19,
	TAGE_MAX_LEFT = (1 << TAGE_LEFT_BITS) - 1,
	TAGE_FRESH_CREDIT = 16,
	TAGE_PROVEN_CREDIT = 64,
	TAGE_TRIAL = 128, /* executions */
	TAGE_MAX_FAILURES = 5,
};

/*
 * The predictor of loops: branches that go one way n - 1 times and the other way the n-th time, again and again.
 *
 * A loop belongs to one branch; the lowest bits of the branch's key choose its place.  An *exit* is an execution against the
 * loop's direction; a *run* is all executions after one exit, up to and including the next.  Plain executions are counted,
 * but never as exits, whichever way they go.  After LOOP_CONFIDENCE runs in a row of the same length the loop is *known*, and
 * predicts an exit at the end of such a run, and none before.
 *
 *	not known	A run as long as the last one adds 1 to confidence.  Any other, and the very first, sets confidence to 0
 *			and takes 1 from age, which begins with LOOP_NEW_AGE; if age is 0 already, the loop is forgotten.
 *			It is also forgotten if the branch's bias turns.  A run of more than TAGE_MAX_LEFT equals no other.
 *	known		Each expected exit adds 1 to age, up to LOOP_MAX_AGE.  An early or missing exit sets confidence to 0;
 *			after an early one, the run up to it is the last one; without an exit the run goes on.
 *	contended	If another branch wants the place, the loop gives way if its age is 0; else age goes down by 1.
 *
 * The branch's left counts the executions, so that only the last one of a run calls C.
 */
enum {
	LOOP_CONFIDENCE = 7,
	LOOP_NEW_AGE = 3,
	LOOP_MAX_AGE = 15,
};

struct loop {
	struct branch_place *place; /* the branch; NULL: the place is free */
	uint32_t period;            /* length of the last run; 0: not known */
	uint32_t run; /* executions since the last exit, without those that left has counted since it was full */
	uint8_t direction, confidence, age;
};

struct loops {
	struct loop *places;
	uint32_t mask; /* of a key */
};

struct tage_size {
	struct history_size history; /* for ittage.h, too */
	unsigned log2_cells;
	struct tagged_size tagged;
	unsigned n_loops; /* a power of two */
};

/* Tables of 512 entries, histories of 6 to 200 bits, 64 loops: about 8 KB in hardware. */
extern const struct tage_size tage_8k;
/* 4,096 entries, 10 to 640 bits, 256 loops: about 64 KB. */
extern const struct tage_size tage_64k;

/* The rest of a cell, which generated code does not see. */
struct tage_trial {
	uint8_t made;    /* bit t: an entry was made for it in table t */
	uint8_t is_used; /* there was an execution */
	int16_t gain; /* in this trial: how often a provider was right against the counter, minus the reverse */
	uint8_t n;        /* executions with credit in this trial */
	uint8_t failures; /* trials in a row that did not pay, up to TAGE_MAX_FAILURES */
	uint8_t pause;    /* mispredictions without credit until the next trial */
};

static inline bool loop_is_known(const struct loop *loop)
{
	return loop->confidence == LOOP_CONFIDENCE;
}

/* The loop of a branch; NULL if it has none. */
struct loop *loop_of(const struct loops *loops, const struct branch_place *place);

struct tage {
	const struct tage_size *size;
	uint16_t *cells;
	struct tage_trial *trials; /* by cell */
	struct tagged tagged;
	struct loops loops;
};

/* Bytes of memory that a predictor needs in addition to its struct. */
size_t tage_memory(const struct tage_size *size);

/* memory: tage_memory() bytes, aligned to 8, all zero; owned by the caller, who keeps it as long as *tage. */
void tage_init(struct tage *tage, const struct tage_size *size, void *memory);

/* The index of a branch's cell is this ^ the newest bits of the history. */
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
 * Predicts an execution of a branch that is not plain, and learns its outcome; left has counted it already, and cell is the
 * branch's tage_cell().  Settles history if necessary, but does not add the outcome to it.  Returns true if it was mispredicted.
 */
bool tage_predict(struct tage *tage, struct branch_history *history, struct branch_place *place,
		  uint16_t *cell, bool taken);

/* The same by the exact model, for any execution. */
bool tage_predict_exact(struct tage *tage, struct branch_history *history,
			struct branch_place *place, bool taken);

#endif
