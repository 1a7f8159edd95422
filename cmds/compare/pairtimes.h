/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of two programs that ran in pairs, and the ratio of NEW to OLD with a confidence interval.
 *
 * The ratio is the median of the pairs' ratios: what slows both runs of a pair cancels out, and a disturbance of one
 * run moves it little.  Its interval is from the k-th smallest to the k-th largest of these ratios, with the largest k for which
 * the binomial distribution promises 95 %: exact, whatever the distribution of times (J.-Y. Le Boudec, Performance Evaluation of
 * Computer and Communication Systems, EPFL Press 2010, theorem 2.1).  Fewer than 6 pairs have none.
 */
#ifndef CMDS_COMPARE_PAIRTIMES_H
#define CMDS_COMPARE_PAIRTIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/diff/diff.h"
#include "cmds/emit/document.h"

enum { PAIRTIMES_MOST = 1000 };

enum pairtimes_kind {
	PAIRTIMES_CPU, /* processor time, user and system, including children that were waited for */
	PAIRTIMES_WALL,
	N_PAIRTIMES,
};

struct pairtimes {
	size_t n; /* complete pairs */
	/* Seconds, above 0; of OLD, then of NEW. */
	double seconds[N_PAIRTIMES][2][PAIRTIMES_MOST];
};

struct pairtimes_summary {
	double medians[2]; /* seconds, of OLD and of NEW */
	double ratio;      /* NEW to OLD */
	double low, high;  /* its interval, if there is one */
	bool has_interval;
};

/* Of one pair at least. */
struct pairtimes_summary pairtimes_summarize(const struct pairtimes *times,
					     enum pairtimes_kind kind);

/* For a struct diffreport_maker, whose ctx is a struct pairtimes: times next to the change of what was counted. */
void pairtimes_put(void *ctx, struct document *document, const struct diffreport_change *change);

#endif
