/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The predictor of loops: branches that go one way n - 1 times, and the other way the n-th time, again and again.
 *
 * A loop belongs to a branch, and lies in the place that the lowest bits of the branch's key say.  An *exit* is an
 * execution against its direction; a *run*, the executions behind one exit up to and with the next.  Plain executions
 * (sim/branches/tage.h) are counted, but no exits, whichever way they go.  If LOOP_CONFIDENCE runs behind one another were as
 * long as the one before them, the loop is *known*, and predicts: an exit at the end of such a run, and none before.
 *
 *	not known	A run as long as the last one adds 1 to confidence.  Any other, the first one among them, sets that
 *			to 0 and takes 1 of age, which is LOOP_NEW_AGE at first; if that is 0 already, the loop is
 *			forgotten.  So it is if the branch's bias turns.  A run of more than TAGE_MAX_LEFT is like no
 *			other.
 *	known		Each exit where it was expected adds 1 to age, up to LOOP_MAX_AGE.  An exit before that, or none
 *			there, sets confidence to 0; the run up to that exit is the last one then; without an exit it
 *			goes on.
 *	another		If another branch wants the place, the loop goes if its age is 0; else age goes down by 1.
 *
 * Executions are counted by the branch's left, so that none of them but the last of a run calls C.
 */
#ifndef SIM_BRANCHES_LOOPS_H
#define SIM_BRANCHES_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct branch_place;

enum {
	LOOP_CONFIDENCE = 7,
	LOOP_NEW_AGE = 3,
	LOOP_MAX_AGE = 15,
};

struct loop {
	struct branch_place *place; /* that it belongs to; NULL: none */
	uint32_t period;            /* of its last run, 0 if that is not known */
	uint32_t run; /* executions since the last exit, but for those that left has counted since it was full */
	uint8_t direction, confidence, age;
};

struct loops {
	struct loop *places;
	uint32_t mask; /* of a key */
};

static inline bool loop_is_known(const struct loop *loop)
{
	return loop->confidence == LOOP_CONFIDENCE;
}

/* The loop of a branch, NULL if it has none. */
struct loop *loop_of(const struct loops *loops, const struct branch_place *place);

/*
 * An execution, counted by left already, of a branch whose loop is known.  Whether that predicted the
 * outcome wrongly: then it is known no more.
 */
bool loop_predict(struct loop *loop, bool taken);

/* The same of one that is not known: it may be behind this. */
void loop_learn(struct loop *loop, bool taken);

/* A branch has just gone against its direction, and none knew: looks from now on whether it is a loop, if there is a place. */
void loops_claim(struct loops *loops, struct branch_place *place, bool direction);

#endif
