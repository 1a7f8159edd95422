/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown of branches beside their counts: names, instructions, sources, loads. */
#ifndef CMDS_BRANCHES_BRANCHTEXTS_H
#define CMDS_BRANCHES_BRANCHTEXTS_H

#include "cmds/branches/branchlist.h"

/*
 * Fills in the texts of a list's rows, from objects and sources that are there; and by the code of
 * conditional ones whether they jump back.  Returns a status.
 */
int branchtexts_make(struct branch_list *list);

#endif
