/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the totals say of the whole run: hits, misses per thousand instructions, rates, cycles. */
#ifndef CMDS_ANNOTATE_RUN_RATES_H
#define CMDS_ANNOTATE_RUN_RATES_H

#include <stddef.h>

#include "cmds/listing/column.h"

enum run_rate_kind {
	RUN_RATE_COUNT,    /* part */
	RUN_RATE_QUOTIENT, /* part / whole */
	RUN_RATE_PERCENT,  /* 100 * part / whole */
	RUN_RATE_PER_KILO, /* 1000 * part / whole */
};

struct run_rate {
	const char *key;   /* "l1_hits": for machines */
	const char *label; /* "L1 hits" */
	enum run_rate_kind kind;
	int128 part, whole;
	struct decimals decimals; /* of a count */
};

enum { METRICS_MAX = 32 };

/* Those whose events were recorded, in a fixed order; returns how many. */
size_t run_rates_compute(struct run_rate rates[METRICS_MAX], const struct columns *columns,
			 const uint64_t *totals);

/* The value of one that is no count; NaN if the whole is 0. */
double run_rate_ratio(const struct run_rate *rate);

/* The keys and what they mean, for the help: row i, or false behind the last. */
bool run_rate_explain(size_t i, const char **label, const char **part, const char **whole);

#endif
