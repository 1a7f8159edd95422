/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where branches went to, by the jumps and calls of a profile. */
#ifndef CMDS_BRANCHES_BRANCHTARGETS_H
#define CMDS_BRANCHES_BRANCHTARGETS_H

#include "cmds/branches/branchlist.h"

/*
 * Fills in the targets of the rows of a list that are chosen; and of conditional ones how often they
 * were taken, if no event says so, and whether they jump back.  Returns a status.
 */
int branchtargets_find(struct branch_list *list);

#endif
