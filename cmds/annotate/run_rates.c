/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/run_rates.h"

#include <math.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "writer/shared/events.h"

#define CYCLES EVENT_CYCLES "," EVENT_CYCLES_NEEDS

/*
 * Part and whole are formulas of columns.  All columns of `needs` must be there; of
 * the formulas, what was not recorded is left out.  The miss rate of the last level is
 * of all references, not of the misses of the first (Cachegrind's manual, 5.2.1).
 */
static const struct {
	const char *key, *label;
	enum run_rate_kind kind;
	const char *part, *whole, *needs;
} table[] = {
	{ "l1_hits", "L1 hits", RUN_RATE_COUNT, "L1hit", NULL, "L1hit" },
	{ "l2_hits", "L2 hits", RUN_RATE_COUNT, "L2hit", NULL, "L2hit" },
	{ "l3_hits", "L3 hits", RUN_RATE_COUNT, "L3hit", NULL, "L3hit" },
	{ "ll_hits", "LL hits", RUN_RATE_COUNT, "LLhit", NULL, "LLhit" },
	{ "ram_hits", "RAM hits", RUN_RATE_COUNT, "RAMhit", NULL, "RAMhit" },
	{ "estimated_cycles", "Estimated cycles", RUN_RATE_COUNT, "EstCyc", NULL, "EstCyc" },
	/* Cyc is in tenths. */
	{ "cycles_per_instruction", "Cycles per instr", RUN_RATE_QUOTIENT, "Cyc", "10 Ir",
	  CYCLES ",Ir" },
	{ "base_cycle_rate", "Width and ports", RUN_RATE_PERCENT, "CyBase", "Cyc", CYCLES },
	{ "dependency_cycle_rate", "Wait for results", RUN_RATE_PERCENT, "CyDep", "Cyc", CYCLES },
	{ "front_end_cycle_rate", "Wait for code", RUN_RATE_PERCENT, "CyFe", "Cyc", CYCLES },
	{ "mispredict_cycle_rate", "Mispredictions", RUN_RATE_PERCENT, "CyBr", "Cyc", CYCLES },
	{ "memory_cycle_rate", "Wait for memory", RUN_RATE_PERCENT, "CyMem", "Cyc", CYCLES },
	{ "tlb_cycle_rate", "Wait for TLBs", RUN_RATE_PERCENT, "CyTlb", "Cyc", CYCLES },
	{ "i1_miss_rate", "I1 miss rate", RUN_RATE_PERCENT, "I1mr", "Ir", "I1mr,Ir" },
	{ "d1_miss_rate", "D1 miss rate", RUN_RATE_PERCENT, "D1mr + D1mw", "Dr + Dw", "D1mr,Dr" },
	{ "lli_miss_rate", "LLi miss rate", RUN_RATE_PERCENT, "ILmr", "Ir", "ILmr,Ir" },
	{ "lld_miss_rate", "LLd miss rate", RUN_RATE_PERCENT, "DLmr + DLmw", "Dr + Dw", "DLmr,Dr" },
	{ "ll_miss_rate", "LL miss rate", RUN_RATE_PERCENT, "LLm", "Ir + Dr + Dw", "LLm,Ir,Dr" },
	{ "mispredict_rate", "Mispredict rate", RUN_RATE_PERCENT, "Bm", "Bc + Bi", "Bm,Bc" },
	{ "i1_mpki", "I1 MPKI", RUN_RATE_PER_KILO, "I1mr", "Ir", "I1mr,Ir" },
	{ "d1_mpki", "D1 MPKI", RUN_RATE_PER_KILO, "D1mr + D1mw", "Ir", "D1mr,Ir" },
	{ "l2_mpki", "L2 MPKI", RUN_RATE_PER_KILO, "L2m", "Ir", "L2m,Ir" },
	{ "ll_mpki", "LL MPKI", RUN_RATE_PER_KILO, "LLm", "Ir", "LLm,Ir" },
	{ "walk_mpki", "Page walks per 1000", RUN_RATE_PER_KILO, "Walks", "Ir", "Walks,Ir" },
	{ "walk_2m_mpki", "... with huge pages", RUN_RATE_PER_KILO, "Walks2M", "Ir", "Walks2M,Ir" },
	{ "mispredict_mpki", "Mispredict MPKI", RUN_RATE_PER_KILO, "Bm", "Ir", "Bm,Ir" },
};

enum { N_TABLE = sizeof(table) / sizeof(table[0]) };

_Static_assert((int)N_TABLE <= (int)METRICS_MAX, "METRICS_MAX is too small");

static int128 evaluate(const struct columns *columns, const char *formula, const uint64_t *totals)
{
	struct formula_term term;
	bool first = true;
	int128 sum = 0;

	for (; formula_next(&formula, first, &term) == 1; first = false) {
		size_t number = metrics_find(&columns->metrics, term.name, term.len);

		if (number < columns->metrics.n)
			sum += term.factor * metric_value(&columns->metrics.all[number], totals,
							  columns->is_signed);
	}
	return sum;
}

/* Of a count that is a column. */
static struct decimals decimals_of(const struct columns *columns, const char *name)
{
	size_t number = metrics_find(&columns->metrics, name, strlen(name));

	return number < columns->metrics.n ? columns->metrics.all[number].decimals
					   : (struct decimals){ 0, 0 };
}

/* With levels between, what caches behind L1 served is not what the last one did. */
static const char *label_of(size_t i, const struct columns *columns)
{
	if (strcmp(table[i].key, "ll_hits") == 0 && metrics_have(&columns->metrics, "L2hit"))
		return "Hits behind L1";
	return table[i].label;
}

/* Cycles and estimated ones are not said beside each other: those that lead are. */
static bool is_beside_lead(size_t i, const struct metrics *metrics)
{
	const char *lead = metrics->all[metrics_main(metrics)].name;

	if (strcmp(table[i].part, EVENT_ESTIMATE) == 0)
		return strcmp(lead, EVENT_CYCLES) == 0;
	return strncmp(table[i].needs, CYCLES, strlen(CYCLES)) == 0 && metrics->has_own_estimate;
}

size_t run_rates_compute(struct run_rate rates[METRICS_MAX], const struct columns *columns,
			 const uint64_t *totals)
{
	size_t n = 0;

	for (size_t i = 0; i < N_TABLE; i++) {
		if (!metrics_have(&columns->metrics, table[i].needs) ||
		    is_beside_lead(i, &columns->metrics))
			continue;
		rates[n++] = (struct run_rate){
			.key = table[i].key,
			.label = label_of(i, columns),
			.kind = table[i].kind,
			.part = evaluate(columns, table[i].part, totals),
			.whole = table[i].whole ? evaluate(columns, table[i].whole, totals) : 1,
			.decimals = decimals_of(columns, table[i].part),
		};
	}
	return n;
}

double run_rate_ratio(const struct run_rate *rate)
{
	static const double factors[] = {
		[RUN_RATE_QUOTIENT] = 1.0,
		[RUN_RATE_PERCENT] = 100.0,
		[RUN_RATE_PER_KILO] = 1000.0,
	};

	if (rate->whole == 0)
		return (double)NAN;
	return factors[rate->kind] * (double)rate->part / (double)rate->whole;
}

bool run_rate_explain(size_t i, const char **label, const char **part, const char **whole)
{
	if (i >= N_TABLE)
		return false;
	*label = table[i].label;
	*part = table[i].part;
	*whole = table[i].whole;
	return true;
}
