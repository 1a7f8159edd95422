/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which instructions of a function are those of its older code, which is in another file, or not there any
 * more.  Used by reportchange.c.
 */
#ifndef CMDS_REPORT_CODEPAIR_H
#define CMDS_REPORT_CODEPAIR_H

#include <stddef.h>

#include "cmds/code/machinecode.h"
#include "cmds/report/alignment.h"
#include "cmds/report/reportrows.h"

struct codepair {
	struct reportrows *rows;
	const struct code_function *newer, *older;
	size_t *effort;   /* see alignment.h */
	size_t *partners; /* by the older code's instructions: places in the newer code */
	const char *why;  /* set if they cannot be shown: in what they differ */
};

/*
 * By the texts of both, in which addresses count by what they are of, not by their numbers: the most that
 * they have in common in order.  Returns a status.
 */
int codepair_by_text(struct codepair *pair);

/*
 * By distance from the first instruction that was executed, of what was executed.  Only if both have the same
 * distances, their lines are in one order, and calls, jumps and references for each execution are the
 * same; where counts change from one instruction to the next, there is a jump or call.  Returns a
 * status.
 */
int codepair_by_offset(struct codepair *pair);

#endif
