/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a call graph adds up.  A function spends its own costs and those of its
 * calls; its callers are charged for it.  Functions that call each other in a circle
 * are taken as one, of which only calls from and to others count.
 *
 * A function whose callers are charged less than it spent has also run without being called
 * (main(), a thread's first function, a handler).  If they are charged more, costs were made up.
 */
#ifndef CMDS_CHECK_BALANCE_H
#define CMDS_CHECK_BALANCE_H

#include <stddef.h>
#include <stdint.h>

#include "profile/model/model.h"

struct balance_fault {
	uint32_t function; /* or one of its circle */
	size_t event;
	uint64_t spent, charged; /* charged is more */
};

enum { BALANCE_MAX_FAULTS = 8 }; /* that are described */

struct balance {
	uint64_t n_faults; /* functions, or circles, that were charged more than was spent */
	struct balance_fault faults[BALANCE_MAX_FAULTS]; /* the first, by function */
	uint64_t n_roots;                                /* that were never called */
	uint64_t n_partly; /* that were called, but spent more than was charged */
};

/*
 * Draws up the balance of a model, all its parts added up; of each function the first event that
 * does not fit.  Returns a status.
 */
int balance_find(struct balance *balance, const struct model *model);

#endif
