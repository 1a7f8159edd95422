/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of costgrind diff: read, checked, reported. */
#ifndef CMDS_DIFF_DIFFLIMITS_H
#define CMDS_DIFF_DIFFLIMITS_H

#include "cmds/common/option.h"
#include "cmds/text/document.h"
#include "profile/analysis/limit.h"

/* {0} is no limits at all. */
struct difflimits {
	struct limits limits;
	struct limit_verdict *verdicts; /* one of each limit; the arena's */
	size_t n;
	size_t n_broken; /* hard ones that are broken, or fit no function */
};

/*
 * Reads the limits in a file and checks them; memory is the arena's.  Returns EXIT_FINE,
 * whatever the limits say, or EXIT_FAILED, with a message.
 */
int difflimits_check(struct difflimits *limits, const char *path,
		     const struct difference *difference, const struct metrics *metrics,
		     struct arena *arena);
void difflimits_release(struct difflimits *limits);

enum { DIFFLIMITS_FUNCTIONS = 10 }; /* that are listed for one limit, at most */

/*
 * Prints one line for each limit that is broken or fits no function, as a warning if it is
 * soft, and warns of patterns that fit only functions that are gone.  By the common options,
 * quiet suppresses warnings, and verbose adds a line for each other function that breaks a
 * limit, the largest increase first, DIFFLIMITS_FUNCTIONS with the first one.
 */
void difflimits_print(const struct difflimits *limits, const char *path,
		      const struct difference *difference, const struct option_common *common);

/*
 * Puts what n limits came to into a document: as prose, those that are broken or fit no function,
 * a few at most; returns how many lines these are.  Or as a table of all, for programs.
 */
size_t difflimits_summarize(struct document *document, const struct limit_verdict *verdicts,
			    size_t n, const struct difference *difference);
void difflimits_list(struct document *document, const struct limit_verdict *verdicts, size_t n,
		     const struct difference *difference);

#endif
