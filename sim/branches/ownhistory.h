/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What predictors that have a branch for themselves would make of it: a two-bit counter, and a table of
 * two-bit counters by the last OWN_BITS outcomes of the branch (the local history of Yeh and Patt, "Two-level
 * adaptive training branch prediction", MICRO 1991).  They tell why a branch is mispredicted: what the counter gets is
 * biased; what its own history gets repeats itself; what neither gets, but the machine's predictor does, depends on other
 * branches.
 *
 * A history that was not met before is predicted by the counter, and makes an entry of two bits that says the outcome weakly.
 * There are entries from the first outcome on that the counter predicts wrongly.
 */
#ifndef SIM_BRANCHES_OWNHISTORY_H
#define SIM_BRANCHES_OWNHISTORY_H

#include <stdbool.h>
#include <stdint.h>

enum {
	OWN_BITS = 12,
	OWN_TABLE = 1 << OWN_BITS, /* bytes */
};

struct own_history {
	uint8_t *table; /* by history: 0, not met; else 1 + a counter.  NULL before the counter is wrong for once. */
	uint16_t history; /* outcomes, the newest in bit 0 */
	uint8_t counter;  /* 0 to 3, taken from 2 on */
};

enum {
	OWN_COUNTER_WRONG = 1,
	OWN_HISTORY_WRONG = 2,
};

/* At the start: counter weakly "not taken". */
static inline void own_history_init(struct own_history *own)
{
	*own = (struct own_history){ .counter = 1 };
}

/* Whether an outcome needs the table that is not there yet: OWN_TABLE bytes of the caller's, all zero. */
static inline bool own_history_needs_table(const struct own_history *own, bool taken)
{
	return own->table == 0 && (own->counter >= 2) != taken;
}

static inline uint8_t own_history_step(uint8_t counter, bool taken)
{
	if (taken)
		return counter < 3 ? (uint8_t)(counter + 1) : counter;
	return counter > 0 ? (uint8_t)(counter - 1) : counter;
}

/* Predicts, then learns an outcome; what was wrong, as bits. */
static inline unsigned own_history_predict(struct own_history *own, bool taken)
{
	const bool by_counter = own->counter >= 2;
	bool by_history = by_counter;

	if (own->table != 0) {
		uint8_t *entry = &own->table[own->history];
		const uint8_t known = *entry == 0 ? (taken ? 1 : 2) : (uint8_t)(*entry - 1);

		if (*entry != 0)
			by_history = known >= 2;
		*entry = (uint8_t)(own_history_step(known, taken) + 1);
	}
	own->counter = own_history_step(own->counter, taken);
	own->history = (uint16_t)((own->history << 1 | taken) & (OWN_TABLE - 1));
	return (by_counter != taken ? OWN_COUNTER_WRONG : 0U) |
	       (by_history != taken ? OWN_HISTORY_WRONG : 0U);
}

#endif
