/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of functions: which are worth showing, in which order, with those
 * that they call and are called by.
 */
#ifndef CMDS_LISTING_LISTING_H
#define CMDS_LISTING_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/listing/basis.h"
#include "profile/analysis/inclusive.h"

enum listing_tree {
	TREE_NONE = 0,
	TREE_CALLERS = 1,
	TREE_CALLEES = 2,
	TREE_BOTH = TREE_CALLERS | TREE_CALLEES,
};

struct listing_options {
	bool inclusive;  /* sort by, judge by and show what functions cost with all they call */
	double coverage; /* percent that the functions shown are to reach; below 0: by thresholds */
	size_t most;     /* functions to show, the most costly ones; 0 = no bound */
	enum listing_tree tree;
};

/* All calls between two functions. */
struct listing_link {
	uint32_t function; /* the other one */
	uint64_t count;
	const uint64_t *costs; /* inclusive */
};

struct listing_entry {
	uint32_t function;
	uint32_t cycle;        /* that it is in, 0 = none or not known */
	const uint64_t *costs; /* what is shown */
	bool is_partial;       /* costs are inclusive, but without what it calls within its cycle */
	const struct listing_link *callers, *callees; /* those that cost most first */
	size_t n_callers, n_callees;
};

/* Arrays are the arena's. */
struct listing {
	struct listing_entry *entries;
	size_t n;
	size_t n_functions; /* that there are in all */
};

/*
 * Makes the list; inclusive may be NULL if it is not needed, then no cycles are
 * known.  Returns a status.
 */
int listing_make(struct listing *listing, const struct basis *basis,
		 const struct inclusive *inclusive, const struct listing_options *options);

/* <0, 0, >0: functions by name, file, object. */
int listing_compare_names(const struct model *model, uint32_t a, uint32_t b);

#endif
