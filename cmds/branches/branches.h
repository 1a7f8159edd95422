/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind branches: which branches are mispredicted, and why. */
#ifndef CMDS_BRANCHES_BRANCHES_H
#define CMDS_BRANCHES_BRANCHES_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/branches/branchlist.h"
#include "cmds/cli/option.h"
#include "cmds/emit/document.h"

extern const struct option_rule branches_options[];

int branches_main(int argc, char **argv);

struct branchreport {
	const struct branch_list *list;
	const struct document_backend *backend;
	FILE *out;
	bool color;
};

/* Writes it; false if memory ran out.  Errors of writing stay in the stream.  (branchreport.c) */
bool branchreport_print(const struct branchreport *report);

#endif
