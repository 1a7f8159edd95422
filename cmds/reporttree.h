/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree in a report. */
#ifndef CMDS_REPORTTREE_H
#define CMDS_REPORTTREE_H

#include "cmds/jsonstream.h"
#include "cmds/pathtree.h"
#include "cmds/reportrows.h"

/*
 * "tree" of the data: an exact tree in pre-order, of a model of its own, whose functions are
 * found among the rows by their names; those that are not found, and what was folded, are -1.
 * Nodes that with all below them cost less than a share of the whole are one below their
 * parent.  Returns a status.
 */
int reporttree_write(const struct pathtree *tree, const struct reportrows *rows, double share,
		     struct jsonstream *json);

#endif
