/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings that are about no line's own cost: calls, loops by their place in memory, the dynamic loader. */
#define _GNU_SOURCE /* strcasestr() */
#include "cmds/why/finder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/placement/placement.h"
#include "profile/common/error.h"

static const double share_of_loader = 0.1;
/* What a call and its return are taken to be, in instructions, and above how many a callee is not small. */
static const double call_overhead = 5, small_call = 60;
static const uint64_t many_calls = 1000;

struct small_calls {
	uint64_t count;
	double instructions;
	const struct why_call *most; /* the line with most of them */
};

/* Very many calls of very little, which the compiler could have inlined. */
static void explain_calls(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const double instructions = finder_value(finder, "Ir", finder->findings->totals);
	const double per_instruction =
		!finder->findings->has_cycles ? finder_weight(finder, "Ir")
		: instructions > 0
			? finder_value(finder, "CyBase", finder->findings->totals) / instructions
			: 0;
	struct small_calls *calls = heap_zeroed(origins->n_families, sizeof(*calls));

	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];
		struct small_calls *of = &calls[origins->family_of[call->callee]];

		if (call->is_inlined || finder_is_of_system(finder, call->callee) ||
		    finder_is_of_system(finder, call->caller) ||
		    owncode_is_python(finder->model, call->callee) ||
		    owncode_is_python(finder->model, call->caller) ||
		    (!finder_is_wanted(finder, origins->family_of[call->caller]) &&
		     !finder_is_wanted(finder, origins->family_of[call->callee])))
			continue;
		of->count += call->count;
		of->instructions += call->instructions;
		if (!of->most || call->count > of->most->count)
			of->most = call;
	}
	for (uint32_t i = 0; i < origins->n_families; i++) {
		const struct small_calls *of = &calls[i];
		const double count = (double)of->count;
		const int128 overhead = (int128)(count * call_overhead * per_instruction);
		const char *name = origins->families[i].name;
		const bool is_check = strcasestr(name, "assert") || strcasestr(name, "invariant");
		struct finding finding;
		bool is_own_line;

		if (of->count < many_calls || of->instructions <= 0 ||
		    of->instructions / count >= small_call)
			continue;
		is_own_line = origins_file_is_own(&finder->findings->origins, of->most->file);
		finding = (struct finding){
			.kind = FINDING_CALLS,
			.title = "Many small calls",
			/* Counts of a profile that is not of a run may be any. */
			.cost = overhead < finder->findings->whole ? overhead
								   : finder->findings->whole,
			.family = origins->family_of[of->most->caller],
			.function = of->most->caller,
			.callee = origins->families[i].function,
			.file = is_own_line ? of->most->file
					    : finder->model->functions[of->most->caller].file,
			.line = is_own_line ? of->most->line : 0,
			.event = "Ir",
		};
		finding_add_line(finder, &finding, finding.family, finding.file, finding.line,
				 100 * (double)of->most->count / count);
		finding.claim = say(
			finder,
			"%s calls of %s have %s instructions each: calling and returning alone is %s.",
			say_short_number(finder, count), say_name(finder, name),
			say_quotient(finder, of->instructions / count),
			say_of_all(finder, (double)finding.cost));
		finding_add_text(&finding.facts,
				 say(finder, "%s of the calls are made by %s%s.",
				     say_share(finder, (double)of->most->count, count),
				     say_name(finder, finder_family(finder, finding.family)->name),
				     finding.line
					     ? say(finder, " at %s",
						   say_place(finder, finding.file, finding.line))
					     : ""));
		finding_add_text(&finding.facts,
				 say(finder,
				     "A call and its return are taken to be %.0f instructions.",
				     call_overhead));
		finding.advice =
			is_check ? "Inline it, or build with NDEBUG, which leaves such checks out."
			: origins->families[i].is_own
				? "Inline it: static or in a header, or link-time optimization."
				: "Build with optimization (-O2): the compiler inlines functions of templates.";
		finding.next = say_show_command(finder, "annotate --tree=caller --list=function");
		finder_add(finder, &finding);
	}
	free(calls);
}

/* What the metric has of misses in calls: the machine's waiting, or what a formula makes of misses. */
static double memory_of(const struct finder *finder, const struct why_call *call)
{
	return finder->findings->has_cycles
		       ? call->memory
		       : call->misses * finder_weight(finder, "D1mr") +
				 call->last_misses * finder_weight(finder, "DLmr");
}

/* Calls of one function from two lines, one of which misses more. */
static void explain_caller(struct finder *finder, const struct why_call *worst,
			   const struct why_call *best, double excess)
{
	const struct origins *origins = &finder->findings->origins;
	const uint32_t caller = origins->family_of[worst->caller];
	const double each = worst->instructions / (double)worst->count,
		     other = best->instructions / (double)best->count;
	const bool is_same = other > 0 && each < other * 1.03 && other < each * 1.03;
	struct finding finding = {
		.kind = FINDING_CALLER,
		.title = is_same ? "The same work misses more when called from here"
				 : "Calls from here miss more",
		.cost = (int128)excess,
		.family = caller,
		.function = finder_family(finder, caller)->function,
		.callee = worst->callee,
		.file = worst->file,
		.line = worst->line,
		.event = "D1m",
	};

	finding_add_line(finder, &finding, caller, worst->file, worst->line, 100);
	finding_add_line(finder, &finding, origins->family_of[best->caller], best->file, best->line,
			 0);
	finding.claim = say(
		finder, "Called from %s, %s of the data references of %s miss D1; from %s, %s: %s.",
		say_place(finder, worst->file, worst->line),
		say_share(finder, worst->misses, worst->references),
		say_name(finder, finder_family(finder, origins->family_of[worst->callee])->name),
		say_place(finder, best->file, best->line),
		say_share(finder, best->misses, best->references),
		say(finder,
		    finder->findings->has_cycles ? "it waits %s longer from there"
						 : "that makes a difference of %s",
		    say_of_all(finder, excess)));
	finding_add_text(&finding.facts,
			 say(finder, "%s of its misses of D1 goes to memory.",
			     say_one_in(finder, worst->last_misses, worst->misses)));
	if (is_same)
		finding_add_text(
			&finding.ruled_out,
			"More work: a call has the same number of instructions from both places.");
	finding.advice = "Give it less memory to go through here, or closer together.";
	finding.next = say_show_command(finder, "annotate --tree=caller --list=function");
	finder_add(finder, &finding);
}

static void explain_callers(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const double all = finder_value(finder, "D1m", finder->findings->totals);

	if (all <= 0)
		return;
	for (uint32_t callee = 0; callee < finder->model->n_functions; callee++) {
		const struct why_call *worst = NULL, *best = NULL;
		double excess;

		for (size_t i = origins->first_into[callee]; i < origins->first_into[callee + 1];
		     i++) {
			const struct why_call *call = &origins->calls[i];
			const uint32_t cycle = origins->sums.cycle[callee];

			/* In a recursion, the costs of calls include other calls'. */
			if ((cycle && cycle == origins->sums.cycle[call->caller]) ||
			    !finder_family(finder, origins->family_of[call->caller])->is_own ||
			    !finder_is_wanted(finder, origins->family_of[call->caller]) ||
			    call->line == 0 || call->references <= 0 ||
			    call->misses + call->references * 0.01 <= all * 0.005)
				continue;
			if (!worst ||
			    call->misses * worst->references > worst->misses * call->references)
				worst = call;
			if (!best ||
			    call->misses * best->references < best->misses * call->references)
				best = call;
		}
		if (!worst || worst == best || worst->misses < worst->references * 0.02 ||
		    worst->misses * best->references < 2 * best->misses * worst->references)
			continue;
		excess = memory_of(finder, worst) -
			 memory_of(finder, best) / best->references * worst->references;
		if (finder_is_worth_it(finder, excess))
			explain_caller(finder, worst, best, excess);
	}
}
/* -- loops and the loader ----------------------------------------------------------------------- */

/* Tenths of cycles that code waits for code. */
static double wait_for_code(const struct finder *finder, const struct loop *loop)
{
	const struct model *model = finder->model;
	const size_t event = model_event(model, "CyFe");
	double sum = 0;

	for (uint32_t i = 0; event < model->n_events && i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		if (model->functions[i].object != loop->object)
			continue;
		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line))
			if (line.at.instr >= loop->begin && line.at.instr < loop->end)
				sum += (double)line.costs[event];
	}
	return sum;
}

/* Without cycles nobody knows what a loop's place costs: it counts as much of it as there are windows too many. */
static double spare_of(const struct placement *placement, const struct placement_row *row,
		       int128 whole)
{
	double touched = 0, needed = 0;

	for (unsigned i = 0; i < N_WINDOWS; i++) {
		touched += (double)row->touched[i];
		needed += (double)row->needed[i];
	}
	return (double)row->cost / (double)placement->whole * (double)whole *
	       (1 - needed / touched);
}

/* The window size with the most windows in excess. */
static unsigned worst_window(const struct placement_row *row)
{
	unsigned worst = 0;

	for (unsigned i = 1; i < N_WINDOWS; i++)
		if (row->touched[i] * row->needed[worst] >= row->touched[worst] * row->needed[i])
			worst = i;
	return worst;
}

static void explain_loop(struct finder *finder, const struct placement *placement,
			 const struct placement_row *row, double cost)
{
	const bool has_cycles = finder->findings->has_cycles;
	const uint32_t of = finder->findings->origins.family_of[row->number];
	const unsigned worst = worst_window(row);
	char *advice;
	struct finding finding = {
		.kind = FINDING_PLACEMENT,
		.title = "Badly placed loop",
		.cost = (int128)cost,
		.family = of,
		.function = row->number,
		.callee = MODEL_NO_FUNCTION,
		.file = row->file_number,
		.line = row->line,
		.event = has_cycles ? "CyFe" : placement->metric->name,
	};

	finding_add_line(finder, &finding, of, row->file_number, row->line, 100);
	finding.claim = say(
		finder,
		"A loop of %s, %" PRIu64 " B, %s: it touches %" PRIu64 " fetch windows of %" PRIu64
		" B where %" PRIu64 " would do.",
		say_name(finder, finder_family(finder, of)->name), row->loop.end - row->loop.begin,
		has_cycles ? say(finder, "waits for code for %s", say_of_all(finder, cost))
			   : say(finder, "has %s of all %s",
				 say_share(finder, (double)row->cost, (double)placement->whole),
				 say_cost_word(finder)),
		row->touched[worst], window_size(worst), row->needed[worst]);
	finding_add_text(&finding.facts,
			 say(finder, "Code at 0x%" PRIx64 " to 0x%" PRIx64 ", %s turns.",
			     row->loop.begin, row->loop.end,
			     say_number(finder, (double)row->loop.turns)));
	if (!has_cycles)
		finding_add_text(&finding.facts,
				 "What that costs is not known: the share is of the "
				 "windows that are too many.");
	advice = heap_print("%s.", row->remedy.text);
	if (advice[0] >= 'a' && advice[0] <= 'z')
		advice[0] = (char)(advice[0] - 'a' + 'A');
	finding.advice = say(finder, "%s", advice);
	free(advice);
	finding.next = say_show_command(finder, "annotate --layout");
	finder_add(finder, &finding);
}

/* What a loop is ranked by; 0 = it has no finding. */
static double cost_of_loop(const struct finder *finder, const struct placement *placement,
			   const struct placement_row *row)
{
	const uint32_t number_of_family = finder->findings->origins.family_of[row->number];
	const struct why_family *of = finder_family(finder, number_of_family);
	const unsigned worst = worst_window(row);
	double cost;

	if (!of->is_own || !finder_is_wanted(finder, number_of_family) ||
	    row->touched[worst] * 4 < row->needed[worst] * 5)
		return 0;
	if (!finder->findings->has_cycles)
		cost = spare_of(placement, row, finder->findings->whole);
	/* Of a function that does not wait, no loop does. */
	else if (finder_is_worth_it(finder, finder_value(finder, "CyFe", of->self)))
		cost = wait_for_code(finder, &row->loop);
	else
		cost = 0;
	return finder_is_worth_it(finder, cost) ? cost : 0;
}

/* Two at most; where cycles are counted, only those where waiting for code is known to cost something. */
static int explain_placement(struct finder *finder)
{
	const struct placement_options options = {
		.estimate = finder->options->estimate,
		.objects = finder->options->objects,
		.oldest = finder->options->oldest,
	};
	const struct placement_row *rows[2] = { NULL, NULL };
	struct placement placement;
	double costs[2] = { 0, 0 };
	int status;

	if (finder->options->no_code || placement_missing(finder->model) ||
	    (finder->findings->has_cycles &&
	     !finder_is_worth_it(finder, finder_value(finder, "CyFe", finder->findings->totals))))
		return PROFILE_OK;
	status = placement_make(&placement, finder->model, &options);
	for (size_t i = 0; !status && i < placement.n; i++) {
		const struct placement_row *row = &placement.rows[i];
		const double cost = cost_of_loop(finder, &placement, row);

		if (cost > costs[0]) {
			rows[1] = rows[0];
			costs[1] = costs[0];
			rows[0] = row;
			costs[0] = cost;
		} else if (cost > costs[1]) {
			rows[1] = row;
			costs[1] = cost;
		}
	}
	for (size_t i = 0; i < 2; i++)
		if (rows[i])
			explain_loop(finder, &placement, rows[i], costs[i]);
	placement_release(&placement);
	return status;
}

/* A short run is mostly its start. */
static void explain_loader(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const struct why_family *most = NULL;
	int128 sum = 0, best = 0;
	struct finding finding;

	for (uint32_t i = 0; !finder->options->function && i < origins->n_families; i++) {
		const int128 cost =
			metric_value(finder->findings->metric, origins->families[i].self, false);

		if (!origins->families[i].is_loader)
			continue;
		sum += cost;
		if (!most || cost > best) {
			best = cost;
			most = &origins->families[i];
		}
	}
	if (!most || (double)sum < share_of_loader * (double)finder->findings->whole)
		return;
	finding = (struct finding){
		.kind = FINDING_LOADER,
		.title = "The dynamic loader",
		.cost = sum,
		.family = origins->family_of[most->function],
		.function = most->function,
		.callee = MODEL_NO_FUNCTION,
		.file = finder->model->functions[most->function].file,
		.event = finder->findings->metric->name,
		.claim = say(finder, "The dynamic loader takes %s: the start of a short run.",
			     say_of_all(finder, (double)sum)),
		.advice =
			"A longer run has less of it; --toggle-collect=main leaves the start out.",
		.next = say_run_command(finder, "--toggle-collect=main"),
	};
	finding_add_text(&finding.facts,
			 "Libraries are mapped and their symbols looked up, mostly at the start.");
	finder_add(finder, &finding);
}

int calls_explain(struct finder *finder)
{
	explain_calls(finder);
	explain_callers(finder);
	explain_loader(finder);
	return explain_placement(finder);
}
