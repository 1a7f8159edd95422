/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/metric.h"

#include <math.h>
#include <string.h>

#include "profile/common/event_names.h"

/*
 * Part and whole are formulas of columns.  All columns of `needs` must be there; of
 * the formulas, what was not recorded is left out.  The miss rate of the last level is
 * of all references, not of the misses of the first (Cachegrind's manual, 5.2.1).
 */
static const struct {
	const char *key, *label;
	enum metric_kind kind;
	const char *part, *whole, *needs;
} table[] = {
	{ "l1_hits", "L1 hits", METRIC_COUNT, "L1hit", NULL, "L1hit" },
	{ "ll_hits", "LL hits", METRIC_COUNT, "LLhit", NULL, "LLhit" },
	{ "ram_hits", "RAM hits", METRIC_COUNT, "RAMhit", NULL, "RAMhit" },
	{ "estimated_cycles", "Estimated cycles", METRIC_COUNT, "EstCyc", NULL, "EstCyc" },
	{ "i1_miss_rate", "I1 miss rate", METRIC_PERCENT, "I1mr", "Ir", "I1mr,Ir" },
	{ "d1_miss_rate", "D1 miss rate", METRIC_PERCENT, "D1mr + D1mw", "Dr + Dw", "D1mr,Dr" },
	{ "lli_miss_rate", "LLi miss rate", METRIC_PERCENT, "ILmr", "Ir", "ILmr,Ir" },
	{ "lld_miss_rate", "LLd miss rate", METRIC_PERCENT, "DLmr + DLmw", "Dr + Dw", "DLmr,Dr" },
	{ "ll_miss_rate", "LL miss rate", METRIC_PERCENT, "LLm", "Ir + Dr + Dw", "LLm,Ir,Dr" },
	{ "mispredict_rate", "Mispredict rate", METRIC_PERCENT, "Bm", "Bc + Bi", "Bm,Bc" },
	{ "i1_mpki", "I1 MPKI", METRIC_PER_KILO, "I1mr", "Ir", "I1mr,Ir" },
	{ "d1_mpki", "D1 MPKI", METRIC_PER_KILO, "D1mr + D1mw", "Ir", "D1mr,Ir" },
	{ "ll_mpki", "LL MPKI", METRIC_PER_KILO, "LLm", "Ir", "LLm,Ir" },
	{ "mispredict_mpki", "Mispredict MPKI", METRIC_PER_KILO, "Bm", "Ir", "Bm,Ir" },
};

enum { N_TABLE = sizeof(table) / sizeof(table[0]) };

_Static_assert((int)N_TABLE <= (int)METRICS_MAX, "METRICS_MAX is too small");

static int128 evaluate(const struct columns *columns, const char *formula, const uint64_t *totals)
{
	struct formula_term term;
	bool first = true;
	int128 sum = 0;

	for (; formula_next(&formula, first, &term) == 1; first = false) {
		size_t number = measures_find(&columns->measures, term.name, term.len);

		if (number < columns->measures.n)
			sum += term.factor * measure_value(&columns->measures.all[number], totals,
							   columns->is_signed);
	}
	return sum;
}

size_t metrics_compute(struct metric metrics[METRICS_MAX], const struct columns *columns,
		       const uint64_t *totals)
{
	size_t n = 0;

	for (size_t i = 0; i < N_TABLE; i++) {
		if (!measures_have(&columns->measures, table[i].needs))
			continue;
		metrics[n++] = (struct metric){
			.key = table[i].key,
			.label = table[i].label,
			.kind = table[i].kind,
			.part = evaluate(columns, table[i].part, totals),
			.whole = table[i].whole ? evaluate(columns, table[i].whole, totals) : 1,
		};
	}
	return n;
}

double metric_ratio(const struct metric *metric)
{
	double factor = metric->kind == METRIC_PER_KILO ? 1000.0 : 100.0;

	if (metric->whole == 0)
		return (double)NAN;
	return factor * (double)metric->part / (double)metric->whole;
}

bool metric_explain(size_t i, const char **label, const char **part, const char **whole)
{
	if (i >= N_TABLE)
		return false;
	*label = table[i].label;
	*part = table[i].part;
	*whole = table[i].whole;
	return true;
}
