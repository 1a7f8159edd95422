/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary at the end of a run.  Each line has a label, a number and, if there are two kinds of it, both numbers in
 * brackets.  Columns are as wide as their largest number; a rate needs one more for its percent sign.
 */
#include "tool/output/state.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"

#include "sim/core/instructiontable.h"
#include "tool/calls/state.h"
#include "tool/common/self.h"
#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/simulate/state.h"

enum {
	NUMBER_SIZE = 48, /* bytes; 20 digits and 6 commas fit */
	LINE_COLUMNS = 80,
	PREFIX_COLUMNS = 12, /* "==4194304== " */
};

struct summary {
	const ULong *totals;               /* N_EVENTS */
	const struct levels *levels;       /* NULL: no caches were simulated */
	const struct missreasons *reasons; /* why caches were missed; NULL if nobody asked */
	Bool has_branches, has_prefetches;
	Bool has_returns; /* predictors of a machine: returns and targets are counted, too */
};

struct summary_columns {
	UInt total, first, second; /* characters */
};

/* A number of one kind or two: sum, and what it is made of. */
struct split {
	ULong total, first, second;
};

/* 1234567 as 1,234,567; returns its length. */
static UInt format_number(ULong number, HChar *text)
{
	HChar digits[NUMBER_SIZE];
	UInt n = VG_(snprintf)(digits, sizeof(digits), "%llu", number);
	UInt len = 0;

	for (UInt i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text[len++] = ',';
		text[len++] = digits[i];
	}
	text[len] = '\0';
	return len;
}

static UInt width(ULong number)
{
	HChar text[NUMBER_SIZE];

	return format_number(number, text);
}

static ULong max(ULong a, ULong b)
{
	return a > b ? a : b;
}

/* Right-justifies text in a column; longer text is left as it is. */
static void pad(HChar *text, UInt column)
{
	UInt len = (UInt)VG_(strlen)(text);

	if (len >= column || column >= NUMBER_SIZE)
		return;
	VG_(memmove)(text + (column - len), text, len + 1);
	VG_(memset)(text, ' ', column - len);
}

static void number_in(HChar *text, ULong number, UInt column)
{
	format_number(number, text);
	pad(text, column);
}

static void rate_in(HChar *text, ULong part, ULong whole, UInt decimals, UInt column)
{
	double percent = (double)part * 100.0 / (double)max(whole, 1);

	if (decimals == 2)
		VG_(snprintf)(text, NUMBER_SIZE, "%.2f%%", percent);
	else
		VG_(snprintf)(text, NUMBER_SIZE, "%.1f%%", percent);
	pad(text, column + 1);
}

static void print_number(const HChar *label, ULong number, const struct summary_columns *columns)
{
	HChar text[NUMBER_SIZE];

	number_in(text, number, columns->total);
	VG_(umsg)("%s %s\n", label, text);
}

static void print_rate(const HChar *label, ULong part, ULong whole,
		       const struct summary_columns *columns)
{
	HChar text[NUMBER_SIZE];

	rate_in(text, part, whole, 2, columns->total);
	VG_(umsg)("%s %s\n", label, text);
}

/* kinds: "rd  " and "wr", or "cond" and "ind" */
static void print_split(const HChar *label, const struct split *split,
			const struct summary_columns *columns, const HChar *const *kinds)
{
	HChar total[NUMBER_SIZE], first[NUMBER_SIZE], second[NUMBER_SIZE];

	number_in(total, split->total, columns->total);
	number_in(first, split->first, columns->first);
	number_in(second, split->second, columns->second);
	VG_(umsg)("%s %s  (%s %s + %s %s)\n", label, total, first, kinds[0], second, kinds[1]);
}

/* between, after: blanks after the rates, as wide as the kinds would be */
static void print_split_rate(const HChar *label, const struct split *part,
			     const struct split *whole, const struct summary_columns *columns,
			     const HChar *between, const HChar *after)
{
	HChar total[NUMBER_SIZE], first[NUMBER_SIZE], second[NUMBER_SIZE];

	rate_in(total, part->total, whole->total, 1, columns->total);
	rate_in(first, part->first, whole->first, 1, columns->first);
	rate_in(second, part->second, whole->second, 1, columns->second);
	VG_(umsg)("%s %s (%s%s + %s%s)\n", label, total, first, between, second, after);
}

static struct split sum(ULong first, ULong second)
{
	return (struct split){ first + second, first, second };
}

/* Callgrind has no blanks where Cachegrind has two, to align with its branches. */
static const HChar *const cachegrind_kinds[2] = { "rd  ", "wr" };
static const HChar *const callgrind_kinds[2] = { "rd", "wr" };

/* Labels of all references: Cachegrind has no gap in them since 3.21. */
struct reference_labels {
	const HChar *instructions, *data;
};

static struct reference_labels reference_labels(void)
{
	if (dropin_name() == DROPIN_CACHEGRIND && !dropin_is_before_3_21())
		return (struct reference_labels){ "I refs:       ", "D refs:       " };
	return (struct reference_labels){ "I   refs:     ", "D   refs:     " };
}

/* References of a kind that missed level i. */
static ULong missed(const struct summary *summary, enum reference_kind kind, UInt i)
{
	return summary->totals[summary->levels->missed[kind][i]];
}

static struct split data_missed(const struct summary *summary, UInt i)
{
	return sum(missed(summary, REFERENCE_READ, i), missed(summary, REFERENCE_WRITE, i));
}

/* "L2i misses:   ", "D1  misses:   ": the first level has the name of its cache only. */
static const HChar *cache_label(const struct summary *summary, UInt i, const HChar *first,
				HChar kind, const HChar *what, HChar *text)
{
	VG_(snprintf)(text, NUMBER_SIZE, "%s%c %s", i == 0 ? first : summary->levels->names[i],
		      i == 0 ? ' ' : kind, what);
	return text;
}

static void print_caches(const struct summary *summary, const struct summary_columns *columns)
{
	Bool is_callgrind = dropin_name() == DROPIN_CALLGRIND;
	const HChar *const *kinds = is_callgrind ? callgrind_kinds : cachegrind_kinds;
	const HChar *between = is_callgrind ? "  " : "    ";
	const ULong *totals = summary->totals;
	const ULong ir = totals[EVENT_IR];
	const struct split refs = sum(totals[EVENT_DR], totals[EVENT_DW]);
	const struct split all = sum(ir + refs.first, refs.second);
	const UInt last = summary->levels->n - 1;
	struct split ll_refs = data_missed(summary, last - 1);
	struct split ll = data_missed(summary, last);
	HChar label[NUMBER_SIZE];

	for (UInt i = 0; i <= last; i++)
		print_number(cache_label(summary, i, "I1", 'i', "misses:   ", label),
			     missed(summary, REFERENCE_FETCH, i), columns);
	for (UInt i = 0; i <= last; i++)
		print_rate(cache_label(summary, i, "I1", 'i', "miss rate:", label),
			   missed(summary, REFERENCE_FETCH, i), ir, columns);
	VG_(umsg)("\n");
	print_split(reference_labels().data, &refs, columns, kinds);
	for (UInt i = 0; i <= last; i++) {
		const struct split misses = data_missed(summary, i);

		print_split(cache_label(summary, i, "D1", 'd', "misses:   ", label), &misses,
			    columns, kinds);
	}
	for (UInt i = 0; i <= last; i++) {
		const struct split misses = data_missed(summary, i);

		print_split_rate(cache_label(summary, i, "D1", 'd', "miss rate:", label), &misses,
				 &refs, columns, between, "  ");
	}
	VG_(umsg)("\n");
	ll_refs = sum(ll_refs.first + missed(summary, REFERENCE_FETCH, last - 1), ll_refs.second);
	ll = sum(ll.first + missed(summary, REFERENCE_FETCH, last), ll.second);
	print_split("LL refs:      ", &ll_refs, columns, kinds);
	print_split("LL misses:    ", &ll, columns, kinds);
	print_split_rate("LL miss rate: ", &ll, &all, columns, between, "  ");
}

static void print_prefetches(const ULong *totals, const struct summary_columns *columns)
{
	static const HChar *const kinds[2] = { "in time", "late" };
	const ULong late = totals[EVENT_PFL];
	const struct split used = sum(totals[EVENT_PFU] - late, late);

	VG_(umsg)("\n");
	print_number("Prefetched:   ", totals[EVENT_PF], columns);
	print_split("Pf used:      ", &used, columns, kinds);
	print_rate("Pf use rate:  ", used.total, totals[EVENT_PF], columns);
}

/* Labels of one view of TLBs. */
struct tlb_labels {
	const HChar *misses, *rate, *walks, *walk_rate;
};

static void print_view(const struct summary *summary, UInt view, const struct tlb_labels *labels,
		       const struct summary_columns *columns)
{
	static const HChar *const kinds[2] = { "code", "data" };
	const ULong *totals = summary->totals;
	const struct levels *levels = summary->levels;
	const struct split refs = sum(totals[EVENT_IR], totals[EVENT_DR] + totals[EVENT_DW]);
	struct split misses[2];

	for (UInt i = 0; i < 2; i++)
		misses[i] = sum(totals[levels->missed_pages[REFERENCE_FETCH][view][i]],
				totals[levels->missed_pages[REFERENCE_READ][view][i]]);
	print_split(labels->misses, &misses[0], columns, kinds);
	print_split_rate(labels->rate, &misses[0], &refs, columns, "    ", "    ");
	print_split(labels->walks, &misses[1], columns, kinds);
	print_split_rate(labels->walk_rate, &misses[1], &refs, columns, "    ", "    ");
}

static void print_tlbs(const struct summary *summary, const struct summary_columns *columns)
{
	static const struct tlb_labels labels[MACHINETLBS_MAX_VIEWS] = {
		{ "TLB misses:   ", "TLB miss rate:", "Page walks:   ", "Walk rate:    " },
		{ "THP misses:   ", "THP miss rate:", "THP walks:    ", "THP walk rate:" },
	};

	for (UInt view = 0; view < summary->levels->n_views; view++) {
		VG_(umsg)("\n");
		print_view(summary, view, &labels[view], columns);
	}
}

/* The causes of a level's misses; for D1, also its lucky hits. */
static void print_reasons(const HChar *level, const enum event *events, const ULong *totals)
{
	VG_(umsg)("%s misses by:%s %'llu cold + %'llu capacity + %'llu conflict", level,
		  VG_(strlen)(level) == 2 ? "  " : " ", totals[events[MISS_COLD]],
		      totals[events[MISS_CAPACITY]], totals[events[MISS_CONFLICT]]);
	if (events[MISS_COLD] == EVENT_D1COLD)
		VG_(umsg)(" (anti-conflict: %'llu)", totals[EVENT_D1ANTI]);
	VG_(umsg)("\n");
}

static void print_all_reasons(const struct summary *summary)
{
	const struct levels *levels = summary->levels;

	VG_(umsg)("\n");
	print_reasons("I1", levels->reasons[REFERENCE_FETCH][0], summary->totals);
	for (UInt i = 0; i < levels->n; i++)
		print_reasons(levels->names[i], levels->reasons[REFERENCE_READ][i],
			      summary->totals);
}

static ULong per_mille(ULong part, ULong whole)
{
	return whole == 0 ? 0 : (part * 1000 + whole / 2) / whole;
}

/* Which lines the curve is of, and how exact its columns are. */
static void print_curve(const struct missreasons *reasons)
{
	const struct curve_error first = missreasons_error(reasons, 0);
	const ULong weight = curve_weight(&reasons->curve);
	ULong worst = 0;

	VG_(umsg)("\n");
	if (weight == 1) {
		VG_(umsg)("Miss curve:    exact\n");
		return;
	}
	/* Only columns with at least a tenth of the misses of the first: users rarely look at smaller ones. */
	for (UInt i = 0; i < N_SIZE_EVENTS; i++) {
		const struct curve_error error = missreasons_error(reasons, i);
		const ULong permille = per_mille(error.misses_error, error.misses);

		if (error.misses * 10 >= first.misses && permille > worst)
			worst = permille;
	}
	VG_(umsg)(
		"Miss curve:    one line of %'llu looked at (%'llu), standard error up to %llu.%llu%%\n",
		weight, (ULong)first.lines, worst / 10, worst % 10);
}

static void print_branches(const ULong *totals, const struct summary_columns *columns)
{
	static const HChar *const kinds[2] = { "cond", "ind" };
	const struct split executed = sum(totals[EVENT_BC], totals[EVENT_BI]);
	const struct split mispredicted = sum(totals[EVENT_BCM], totals[EVENT_BIM]);

	VG_(umsg)("\n");
	print_split("Branches:     ", &executed, columns, kinds);
	print_split("Mispredicts:  ", &mispredicted, columns, kinds);
	print_split_rate("Mispred rate: ", &mispredicted, &executed, columns, "    ", "   ");
}

/* Cachegrind has no predictors of these. */
static void print_returns(const ULong *totals, const struct summary_columns *columns)
{
	print_number("Returns:      ", totals[EVENT_BR], columns);
	print_number("Mispredicts:  ", totals[EVENT_BRM], columns);
	print_number("BTB misses:   ", totals[EVENT_BTM], columns);
}

enum { TENTHS = 10, N_PARTS = EVENT_AFTER_CYCLES - EVENT_BEFORE_CYCLES - 1 };

/* "front end 55.5%, memory bound 25.0%, ...": what cycles are spent on, largest first, without what rounds to 0. */
static void print_parts(const ULong *totals, ULong tenths)
{
#define TERM(id, name, term, word) [EVENT_##id] = (term),
	static const HChar *const terms[N_EVENTS] = { CYCLE_PARTS(TERM) };
#undef TERM
	static const HChar label[] = "Spent on:      ";
	enum event parts[N_PARTS] = { 0 };
	UInt column = sizeof(label) - 1;

	for (UInt i = 0; i < N_PARTS; i++) {
		const enum event part = (enum event)(EVENT_BEFORE_CYCLES + 1 + i);
		UInt at = i;

		for (; at > 0 && totals[parts[at - 1]] < totals[part]; at--)
			parts[at] = parts[at - 1];
		parts[at] = part;
	}
	VG_(umsg)("%s", label);
	for (UInt i = 0; i < N_PARTS; i++) {
		const ULong permille = per_mille(totals[parts[i]], tenths);
		HChar text[NUMBER_SIZE];
		UInt len;

		if (permille == 0)
			break;
		len = VG_(snprintf)(text, sizeof(text), "%s %llu.%llu%%", terms[parts[i]],
				    permille / 10, permille % 10);
		if (i > 0 && column + 2 + len + 1 > LINE_COLUMNS - PREFIX_COLUMNS) {
			VG_(umsg)(",\n%*s", (Int)(sizeof(label) - 1), "");
			column = sizeof(label) - 1;
		} else if (i > 0) {
			VG_(umsg)(", ");
			column += 2;
		}
		VG_(umsg)("%s", text);
		column += len;
	}
	VG_(umsg)("\n");
}

/* How much of what was executed is in the core's table. */
static void print_rows(void)
{
	const ULong *rows = tool_counts.blocks.executed;
	static const HChar *const names[INSTRUCTION_DEFAULT + 1] = {
		[INSTRUCTION_EXACT] = "of their own",
		[INSTRUCTION_REDUCED] = "of their kind",
		[INSTRUCTION_DEFAULT] = "none",
	};
	const ULong n =
		rows[INSTRUCTION_EXACT] + rows[INSTRUCTION_REDUCED] + rows[INSTRUCTION_DEFAULT];
	HChar text[160] = "";
	UInt len = 0;

	for (UInt match = 0; match <= INSTRUCTION_DEFAULT; match++) {
		const ULong permille = per_mille(rows[match], n);

		len += VG_(snprintf)(text + len, (Int)(sizeof(text) - len), "%s%llu.%llu%% %s",
				     match == 0 ? "" : ", ", permille / 10, permille % 10,
				     names[match]);
	}
	VG_(umsg)("Table rows:    %s\n", text);
}

static void print_cycles(const ULong *totals, const struct summary_columns *columns)
{
	const ULong tenths = cycles_clock(totals);
	HChar text[NUMBER_SIZE];

	number_in(text, tenths / TENTHS, columns->total);
	VG_(umsg)("Cycles:        %s  (%.2f instructions per cycle)\n", text,
		  (double)totals[EVENT_IR] * TENTHS / (double)max(tenths, 1));
	print_parts(totals, tenths);
}

/* --- in few lines ------------------------------------------------------------------------ */

/* Prints nothing for what did not happen. */
static void print_rare(const HChar *label, ULong number, ULong instructions,
		       const struct summary_columns *columns)
{
	HChar text[NUMBER_SIZE];

	if (number == 0)
		return;
	number_in(text, number, columns->total);
	VG_(umsg)("%s %s  (%.2f per 1,000 instructions)\n", label, text,
		  (double)number * 1000.0 / (double)max(instructions, 1));
}

/* A line for each level that missed; code and data are added up after the first level. */
static void print_levels(const struct summary *summary, const struct summary_columns *columns)
{
	const ULong *totals = summary->totals;
	const struct levels *levels = summary->levels;
	const ULong ir = totals[EVENT_IR];
	HChar label[NUMBER_SIZE];

	print_rare("I1  misses:   ", missed(summary, REFERENCE_FETCH, 0), ir, columns);
	print_rare("D1  misses:   ", data_missed(summary, 0).total, ir, columns);
	for (UInt i = 1; i < levels->n; i++)
		print_rare(cache_label(summary, i, "", ' ', "misses:   ", label),
			   missed(summary, REFERENCE_FETCH, i) + data_missed(summary, i).total, ir,
			   columns);
	for (UInt view = 0; view < levels->n_views; view++)
		for (UInt i = 0; i < 2; i++) {
			static const HChar *const names[MACHINETLBS_MAX_VIEWS][2] = {
				{ "TLB misses:   ", "Page walks:   " },
				{ "THP misses:   ", "THP walks:    " },
			};

			print_rare(names[view][i],
				   totals[levels->missed_pages[REFERENCE_FETCH][view][i]] +
					   totals[levels->missed_pages[REFERENCE_READ][view][i]],
				   ir, columns);
		}
}

static void print_briefly(const struct summary *summary, const struct summary_columns *columns)
{
	const ULong *totals = summary->totals;

	print_levels(summary, columns);
	if (summary->has_branches)
		print_rare("Mispredicts:  ",
			   totals[EVENT_BCM] + totals[EVENT_BIM] +
				   (summary->has_returns ? totals[EVENT_BRM] : 0),
			   totals[EVENT_IR], columns);
	if (summary->has_prefetches)
		print_prefetches(totals, columns);
	if (summary->reasons != NULL && summary->reasons->has_classes)
		print_all_reasons(summary);
	if (summary->reasons != NULL && summary->reasons->has_curve)
		print_curve(summary->reasons);
}

/* How finely threads were interleaved. */
static void print_turns(void)
{
	const struct threads *threads = &tool_calls.threads;

	if (threads->n_took_turns > 1 && dropin_name() == DROPIN_NONE)
		VG_(umsg)("Threads:       %u took %'llu turns\n", threads->n_took_turns,
			  threads->n_turns);
}

/*
 * For a machine with more than two levels, the full table has dozens of lines, mostly zeros: it is printed on request (-v).
 * The table for two levels is Cachegrind's, which scripts parse.
 */
static Bool is_brief(const struct summary *summary)
{
	return dropin_name() == DROPIN_NONE && VG_(clo_verbosity) == 1 && summary->levels != NULL &&
						   summary->levels->n > 2;
}

void summary_print(const ULong totals[N_EVENTS])
{
	const struct summary summary = {
		.totals = totals,
		.levels = tool_simulate.options.cache_sim ? &tool_counts.levels : NULL,
		.reasons = tool_simulate.reasons.is_on ? &tool_simulate.reasons : NULL,
		.has_branches = tool_simulate.options.branch_sim,
		.has_prefetches = tool_simulate.prefetching.prefetchers != NULL,
		.has_returns = tool_simulate.branching.predictor != NULL,
	};
	const struct summary_columns columns = {
		.total = width(totals[EVENT_IR]),
		.first = width(max(totals[EVENT_DR], totals[EVENT_BC])),
		.second = width(max(totals[EVENT_DW], totals[EVENT_BI])),
	};

	/* The core has printed an empty line before. */
	if (tool_cycles.is_on)
		print_cycles(totals, &columns);
	if (machinedescs_name() != NULL)
		VG_(umsg)("Machine:       %s\n", machinedescs_name());
	print_number(reference_labels().instructions, totals[EVENT_IR], &columns);
	if (is_brief(&summary)) {
		print_briefly(&summary, &columns);
		print_turns();
		return;
	}
	if (summary.levels != NULL)
		print_caches(&summary, &columns);
	if (summary.has_prefetches)
		print_prefetches(totals, &columns);
	if (summary.levels != NULL)
		print_tlbs(&summary, &columns);
	if (summary.levels != NULL && summary.reasons != NULL && summary.reasons->has_classes)
		print_all_reasons(&summary);
	if (summary.reasons != NULL && summary.reasons->has_curve)
		print_curve(summary.reasons);
	if (summary.has_branches)
		print_branches(totals, &columns);
	if (summary.has_returns)
		print_returns(totals, &columns);
	if (tool_cycles.is_on)
		print_rows();
	print_turns();
}
