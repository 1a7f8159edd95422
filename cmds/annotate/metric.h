/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the totals say of the whole run: hits, misses per thousand instructions, rates, cycles. */
#ifndef CMDS_ANNOTATE_METRIC_H
#define CMDS_ANNOTATE_METRIC_H

#include <stddef.h>

#include "cmds/listing/column.h"

enum metric_kind {
	METRIC_COUNT,    /* part */
	METRIC_PERCENT,  /* 100 * part / whole */
	METRIC_PER_KILO, /* 1000 * part / whole */
};

struct metric {
	const char *key;   /* "l1_hits": for machines */
	const char *label; /* "L1 hits" */
	enum metric_kind kind;
	int128 part, whole;
};

enum { METRICS_MAX = 20 };

/* Those whose events were recorded, in a fixed order; returns how many. */
size_t metrics_compute(struct metric metrics[METRICS_MAX], const struct columns *columns,
		       const uint64_t *totals);

/* The value of one that is no count; NaN if the whole is 0. */
double metric_ratio(const struct metric *metric);

/* The keys and what they mean, for the help: row i, or false behind the last. */
bool metric_explain(size_t i, const char **label, const char **part, const char **whole);

#endif
