/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of costgrind diff: read, checked, reported. */
#ifndef CMDS_DIFF_DIFFLIMITS_H
#define CMDS_DIFF_DIFFLIMITS_H

#include "cmds/cli/option.h"
#include "cmds/emit/document.h"
#include "profile/analysis/limit.h"

/* {0} is no limits at all. */
struct difflimits {
	struct limits limits;
	struct limit_verdict *verdicts; /* one of each limit; the arena's */
	size_t n;
	size_t n_broken;       /* hard ones that fail, whatever the reason */
	const char *no_result; /* why NEW says nothing, and so no limit is kept; NULL = it does */
};

/* Which of the facts of runs (run_facts.h) make a gate worthless. */

/*
 * Why NEW is no result: "NEW collected nothing", "NEW collected 3 of 7,012,334 instructions, ..." in the
 * arena.  NULL: it is one; of memory that ran out, *failed says so.
 */
const char *difflimits_no_result(const struct model *old_model, const struct model *new_model,
				 struct arena *arena, bool *failed);

/* How a run ended if its program failed, as "signal 11" or "exit 1"; else, or if that is not said, NULL. */
const char *difflimits_failed_end(const struct model *model, struct arena *arena);

/*
 * Reads the limits in a file and checks them; memory is the arena's.  If is_first, there is no run to
 * compare with, and only limits with absolute bounds (<=N, >=N) count.  Returns EXIT_FINE,
 * whatever the limits say, or EXIT_FAILED, with a message.
 */
int difflimits_check(struct difflimits *limits, const char *path,
		     const struct difference *difference, const struct metrics *metrics,
		     bool is_first, struct arena *arena);
void difflimits_release(struct difflimits *limits);

enum { DIFFLIMITS_FUNCTIONS = 10 }; /* that are listed for one limit, at most */

/*
 * Prints one line for each limit that fails, as a warning if it is soft, and warns of what limits do not
 * see: programs that were not profiled, and time that is a count of instructions.  By the common options,
 * quiet suppresses warnings, and verbose adds a line for each other function that breaks a
 * limit, the largest increase first, DIFFLIMITS_FUNCTIONS with the first one.
 */
void difflimits_print(const struct difflimits *limits, const char *path,
		      const struct difference *difference, const struct option_common *common);

/*
 * Puts what limits came to into a document: as prose, those that fail, a few at most; returns how many
 * lines these are.  Or as a table of all, for programs.
 */
size_t difflimits_summarize(struct document *document, const struct difflimits *limits,
			    const struct difference *difference);
void difflimits_list(struct document *document, const struct difflimits *limits,
		     const struct difference *difference);

#endif
