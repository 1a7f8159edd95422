/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A counter moves one step with each outcome and stays at its ends:
 *
 *	          not taken <-                     -> taken
 *	(stays)  0 strongly n.t. | 1 weakly n.t. | 2 weakly t. | 3 strongly t.  (stays)
 *	         predicts not taken              | predicts taken
 */
#include "tests/oracle/plainpredictors.h"

enum {
	COUNTER_MAX = 3,
	COUNTER_TAKEN = 2, /* from here on it predicts taken */
	HISTORY_MASK = (1 << BRANCH_HISTORY_BITS) - 1,
	ADDRESS_MASK = (1 << BRANCH_ADDRESS_BITS) - 1,
};

bool direction_predict(struct direction_predictor *predictor, uint64_t address, bool taken)
{
	uint64_t index = (predictor->history & HISTORY_MASK) << BRANCH_ADDRESS_BITS |
			 (address & ADDRESS_MASK);
	uint8_t *counter = &predictor->counters[index];
	bool predicted = *counter >= COUNTER_TAKEN;

	if (taken && *counter < COUNTER_MAX)
		++*counter;
	else if (!taken && *counter > 0)
		--*counter;
	/* Last: a branch is predicted by the outcomes before it, never by its own. */
	predictor->history = predictor->history << 1 | taken;
	return predicted != taken;
}

bool target_predict(struct target_predictor *predictor, uint64_t address, uint64_t target)
{
	uint64_t *place = &predictor->targets[address % BRANCH_TARGETS];
	bool mispredicted = *place != target;

	*place = target;
	return mispredicted;
}
