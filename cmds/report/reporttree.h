/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree in a report, and that of the older profile by the same chains. */
#ifndef CMDS_REPORT_REPORTTREE_H
#define CMDS_REPORT_REPORTTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/json.h"
#include "cmds/report/reportrows.h"
#include "profile/analysis/pathtree.h"

/*
 * Chains that cost less than this share of the whole are folded, if --detail does not ask for less or more. They
 * are many: folded below 0.05 %, they were a fifth to half of the runs of interpreters.
 */
#define REPORTTREE_SHARE 0.00001

/* A node that is written; private. */
struct reporttree_node {
	uint32_t parent;
	int64_t row;  /* -1 = none */
	size_t costs; /* where those of the main side are; of the other: behind them */
	uint64_t inclusive[N_SIDES]; /* of the event that is judged by */
};

/* Fields are private. */
struct reporttree {
	const struct reportrows *rows;
	const struct pathtree *trees[N_SIDES];      /* NULL = there is none */
	size_t n_events, width;                     /* of one side, and of all */
	size_t events[N_SIDES][PROFILE_MAX_EVENTS]; /* of the tree's model, by the report's */
	struct reporttree_node *nodes;              /* owned */
	uint64_t *costs;                            /* owned */
	size_t n;
};

/*
 * Makes it of an exact tree in pre-order, of a model of its own, whose functions are found among the rows by
 * their names; those that are not found, and what was folded, are -1.  If other is not NULL, it is the older
 * profile's, and nodes are those of both.  Nodes that with all below them cost less than a share of
 * the whole, in both, are one below their parent.  Returns a status; to be released in any case,
 * also if it is {0}.
 */
int reporttree_make(struct reporttree *tree, const struct reportrows *rows,
		    const struct pathtree *main_tree, const struct pathtree *other, double share);
void reporttree_release(struct reporttree *tree);

/* "tree" of the data, null if there is none; and of "other", where related is as in reportchange_write(). */
void reporttree_write(const struct reporttree *tree, struct json *json);
void reporttree_write_other(const struct reporttree *tree, bool is_related, struct json *json);

#endif
