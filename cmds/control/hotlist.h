/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What functions have cost between two looks at a running target, those first that cost
 * most.  Functions of one name in one object are one.
 */
#ifndef CMDS_CONTROL_HOTLIST_H
#define CMDS_CONTROL_HOTLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/control/runstate.h"

struct hotfunction {
	const char *object, *name; /* the later state's */
	uint64_t *costs;           /* as in cmds/control/runstate.h */
};

struct hotlist {
	struct arena arena;
	struct hotfunction *functions; /* those with any cost */
	size_t n;
	uint64_t *totals; /* their sum */
	/* The counts began anew: the costs are since the last part, not since the last look. */
	bool is_anew;
};

/*
 * Compares two states of one target; before may be NULL.  sort_by is the number of an
 * event; of functions of the same cost the name decides.  Both states must live on.  False
 * if memory ran out.  Release it in either case.
 */
bool hotlist_make(struct hotlist *list, const struct runstate *before, const struct runstate *now,
		  size_t sort_by);
void hotlist_release(struct hotlist *list);

#endif
