/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that costgrind annotate has to say about profiles, as data; views make a document of it. */
#include <math.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/code/accesses.h"
#include "cmds/listing/listing.h"
#include "cmds/object/disassembly.h"
#include "cmds/object/objectfile.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "writer/shared/events.h"

/* -- rates ----------------------------------------------------------------------------------- */

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
	/* Cyc is in tenths; its parts are called as cycle_part_find() says. */
	{ "cycles_per_instruction", "Cycles per instr", RUN_RATE_QUOTIENT, "Cyc", "10 Ir",
	  CYCLES ",Ir" },
	{ "base_cycle_rate", NULL, RUN_RATE_PERCENT, "CyBase", "Cyc", CYCLES },
	{ "dependency_cycle_rate", NULL, RUN_RATE_PERCENT, "CyDep", "Cyc", CYCLES },
	{ "front_end_cycle_rate", NULL, RUN_RATE_PERCENT, "CyFe", "Cyc", CYCLES },
	{ "mispredict_cycle_rate", NULL, RUN_RATE_PERCENT, "CyBr", "Cyc", CYCLES },
	{ "memory_cycle_rate", NULL, RUN_RATE_PERCENT, "CyMem", "Cyc", CYCLES },
	{ "tlb_cycle_rate", NULL, RUN_RATE_PERCENT, "CyTlb", "Cyc", CYCLES },
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

_Static_assert((int)N_TABLE <= (int)RUN_RATES_MAX, "RUN_RATES_MAX is too small");

static const char *label_of(size_t i)
{
	return table[i].label ? table[i].label : cycle_part_find(table[i].part)->term;
}

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

/* Of cycles and estimated cycles, only those that lead are shown. */
static bool is_beside_lead(size_t i, const struct metrics *metrics)
{
	const char *lead = metrics->all[metrics_main(metrics)].name;

	if (strcmp(table[i].part, EVENT_ESTIMATE) == 0)
		return strcmp(lead, EVENT_CYCLES) == 0;
	return strncmp(table[i].needs, CYCLES, strlen(CYCLES)) == 0 && metrics->has_own_estimate;
}

/* Computes those whose events were recorded, in the order of the table; returns how many. */
static size_t compute_rates(struct run_rate rates[RUN_RATES_MAX], const struct columns *columns,
			    const uint64_t *totals)
{
	static const double factors[] = {
		[RUN_RATE_COUNT] = 1.0,
		[RUN_RATE_QUOTIENT] = 1.0,
		[RUN_RATE_PERCENT] = 100.0,
		[RUN_RATE_PER_KILO] = 1000.0,
	};
	size_t n = 0;

	for (size_t i = 0; i < N_TABLE; i++) {
		const struct metrics *metrics = &columns->metrics;
		size_t number = metrics_find(metrics, table[i].part, strlen(table[i].part));
		int128 part, whole;
		bool is_sum;

		if (!metrics_have(metrics, table[i].needs) || is_beside_lead(i, metrics))
			continue;
		/* With levels between, what caches after L1 served is not what the last one did. */
		is_sum = strcmp(table[i].key, "ll_hits") == 0 && metrics_have(metrics, "L2hit");
		part = evaluate(columns, table[i].part, totals);
		whole = table[i].whole ? evaluate(columns, table[i].whole, totals) : 1;
		rates[n++] = (struct run_rate){
			.key = table[i].key,
			.label = is_sum ? "Hits after L1" : label_of(i),
			.is_sum = is_sum,
			.kind = table[i].kind,
			.part = part,
			/* Of a count that is a column. */
			.decimals = number < metrics->n ? metrics->all[number].decimals
							: (struct decimals){ 0, 0 },
			.ratio = whole == 0 ? (double)NAN
					    : factors[table[i].kind] * (double)part / (double)whole,
		};
	}
	return n;
}

bool run_rate_explain(size_t i, const char **label, const char **part, const char **whole)
{
	if (i >= N_TABLE)
		return false;
	*label = label_of(i);
	*part = table[i].part;
	*whole = table[i].whole;
	return true;
}

/* -- all of it ------------------------------------------------------------------------------- */

/* Of a finished model.  Returns a status; PROFILE_RANGE if a sum is beyond 64 bits. */
static int make_totals(struct program_totals *totals, const struct model *model,
		       struct arena *arena)
{
	size_t n = model->n_events;
	uint64_t *sums = row_new(arena, n);
	uint64_t *said = row_new(arena, n);
	uint64_t *outside = row_new(arena, n);
	bool is_said = false, differs = false;

	if (!model_totals(model, sums))
		return PROFILE_RANGE;
	for (size_t i = 0; i < model->n_parts; i++)
		is_said |= model->parts[i].summary || model->parts[i].totals;
	*totals = (struct program_totals){
		.costs = sums,
		.kind = is_said ? TOTALS_SAID : TOTALS_CALCULATED,
	};
	if (!is_said)
		return PROFILE_OK;
	if (!model_summary(model, said)) {
		totals->kind = TOTALS_CORRECTED;
		return PROFILE_OK;
	}
	/* By event: with --cacheuse=yes, Callgrind's summary: lacks the costs of cache lines. */
	for (size_t i = 0; i < n; i++) {
		if (!cost_can_be_total(said[i], sums[i], model->is_signed)) {
			/* A summary that is cut short has some of the costs. */
			totals->kind = model->is_cut ? TOTALS_CALCULATED : TOTALS_CORRECTED;
			said[i] = sums[i];
		}
		outside[i] = said[i] - sums[i];
		differs |= outside[i] != 0;
	}
	totals->costs = said;
	totals->outside = differs ? outside : NULL;
	return PROFILE_OK;
}

/* Which of the functions listed that mostly wait for memory chase pointers, by their machine code. */
static int find_chases(struct annotation *annotation, const struct basis *basis)
{
	const struct annotation_options *options = annotation->options;
	const struct metrics *metrics = &annotation->columns.metrics;
	const size_t number = metrics_find(metrics, "CyMem", strlen("CyMem"));
	const struct listing *listing = &annotation->listing;
	struct code_objects objects = {
		.options = &options->code.objects,
		.oldest = options->code.oldest,
		.refuses_stale = true,
	};
	uint32_t *functions;
	size_t *entries, n = 0;
	struct mostly mostly;
	bool *found;
	int status;

	if (number == metrics->n || !(annotation->model->positions & POSITION_INSTR) ||
	    annotation->model->is_signed || !mostly_init(&mostly, annotation->model))
		return PROFILE_OK;
	functions = arena_alloc(basis->arena, (listing->n + 1) * sizeof(*functions), 4);
	entries = arena_alloc(basis->arena, (listing->n + 1) * sizeof(*entries), 8);
	found = arena_alloc(basis->arena, listing->n + 1, 1);
	annotation->chases = arena_alloc(basis->arena, listing->n + 1, 1);
	memset(annotation->chases, 0, listing->n + 1);
	for (size_t i = 0; i < listing->n; i++) {
		const uint64_t *self = annotation->self_costs.self[listing->entries[i].function];
		const char *level = self ? mostly_level(&mostly, self) : NULL;

		/* What costs less is not worth opening an object. */
		if (!level || strcmp(mostly_word(&mostly, self), level) != 0 ||
		    metric_value(&metrics->all[number], self, false) * 100 <
			    metric_value(&metrics->all[number], basis->totals, false))
			continue;
		functions[n] = listing->entries[i].function;
		entries[n++] = i;
	}
	code_objects_init(&objects, annotation->model);
	status = code_find_chases(found, functions, n, &metrics->all[number], basis, &objects);
	for (size_t i = 0; i < n; i++)
		annotation->chases[entries[i]] = found[i];
	code_objects_release(&objects);
	return status;
}

static int make(struct annotation *annotation)
{
	const struct annotation_options *options = annotation->options;
	const struct columns *columns = &annotation->columns;
	const struct metric *sort = &columns->metrics.all[columns->keys[0].metric];
	struct basis basis = {
		.model = annotation->model,
		.self_costs = &annotation->self_costs,
		.columns = columns,
		.arena = &annotation->arena,
	};
	int status =
		self_costs_compute(&annotation->self_costs, annotation->model, &annotation->arena);

	if (!status)
		status = make_totals(&annotation->totals, annotation->model, &annotation->arena);
	if (status)
		return status;
	basis.totals = annotation->totals.costs;
	/* A quotient of differences is the rate of no run. */
	if (!options->difference)
		annotation->n_rates = compute_rates(annotation->rates, columns, basis.totals);
	annotation->has_inclusive = options->listing.inclusive ||
				    options->listing.tree != TREE_NONE;
	annotation->has_sources = options->annotated.automatic || options->annotated.n_named > 0;
	annotation->is_few = options->choice.is_few && !options->choice.show;
	if (annotation->has_inclusive || annotation->has_sources || options->shows_code ||
	    annotation->is_few) {
		status = inclusive_compute(&annotation->inclusive, annotation->model, NULL);
		annotation->has_bounds = !status;
		/* Sums that nobody asked for may be too large. */
		if (status == PROFILE_RANGE && !annotation->has_inclusive)
			status = PROFILE_OK;
	}
	annotation->python = python_note(annotation->model, sort,
					 metric_value(sort, annotation->totals.costs, false),
					 &annotation->arena);
	if (options->is_run && !annotation->python && !python_is_listed(annotation->model))
		annotation->symbols = symbols_note(
			annotation->model, sort,
			metric_value(sort, annotation->totals.costs, false), &annotation->arena);
	annotation->lineless = lineless_note(annotation->model, sort, annotation->totals.costs,
					     &annotation->arena);
	if (!status)
		status = listing_make(&annotation->listing, &basis,
				      annotation->has_inclusive ? &annotation->inclusive : NULL,
				      &options->listing);
	if (!status && annotation->is_few && options->most_c > 0 && !annotation->has_inclusive &&
	    annotation->has_bounds && !annotation->model->is_signed &&
	    python_is_listed(annotation->model))
		python_list_make(annotation, options->most_c);
	if (!status && annotation->is_few)
		status = own_calls_make(annotation);
	if (!status && annotation->is_few)
		status = find_chases(annotation, &basis);
	if (!status && options->list_by_file)
		status = nesting_make(&annotation->by_file, &basis, false);
	if (!status && options->list_by_function)
		status = nesting_make(&annotation->by_function, &basis, true);
	if (!status && annotation->has_sources)
		status = annotated_make(&annotation->annotated, &basis, &annotation->listing,
					annotation->has_bounds ? &annotation->inclusive : NULL,
					&options->annotated);
	if (!status && options->shows_code) {
		annotation->has_code = true;
		status = machinecode_make(&annotation->code, &basis, &annotation->listing,
					  &options->code);
	}
	if (!status && options->shows_layout) {
		annotation->has_layout = true;
		status = placement_make(&annotation->placement, annotation->model,
					&options->placement);
	}
	if (!status && options->by == BY_OBJECT)
		status = objectcosts_make(&annotation->objects, &basis);
	if (!status && options->by == BY_OBJECT)
		objecttypes_make(&annotation->object_types, &annotation->objects, annotation->model,
				 &options->types);
	if (!status && options->by == BY_TYPE) {
		annotation->has_types = true;
		status = typecosts_make(&annotation->types, annotation->model, &columns->metrics,
					sort, &options->types);
	}
	if (!status && options->by == BY_REGION)
		status = regions_make(annotation);
	return status;
}

static void warn_of_objects(const struct annotation *annotation, const struct code_objects *objects,
			    const char *effect)
{
	for (size_t i = 0; objects->by_number && i < annotation->model->names[NAME_OBJECT].count;
	     i++)
		if (objects->by_number[i])
			code_object_warn(annotation->options->command, objects->by_number[i],
					 effect);
}

/* Warnings that are also in the output, for those who do not look there. */
static void print_warnings(const struct annotation *annotation)
{
	static const char no_types[] = "types of what its instructions refer to are not known";
	const char *command = annotation->options->command;
	const struct code_object *object;
	size_t at = 0;

	while (annotation->has_code &&
	       (object = machinecode_next_object(&annotation->code, &at)) != NULL) {
		code_object_warn(command, object, "its instructions are shown by address only");
		if (object->n_outside > 0)
			warn(command, "%s: has no code at %zu of the profile's instructions",
			     objectfile_path(object->file), object->n_outside);
		if (object->n_out_of_step > 0)
			warn(command,
			     "%s: %zu of the profile's instructions begin within others: is it what was "
			     "executed?",
			     objectfile_path(object->file), object->n_out_of_step);
	}
	if (annotation->has_layout && !annotation->has_code)
		warn_of_objects(annotation, &annotation->placement.objects,
				"its loops are known only where jumps are recorded "
				"(--collect-jumps=yes)");
	else if (annotation->has_types && !annotation->has_code)
		warn_of_objects(annotation, &annotation->types.objects, no_types);
	else if (annotation->options->by == BY_OBJECT && !annotation->has_code)
		warn_of_objects(annotation, &annotation->object_types.objects, no_types);
	if (annotation->totals.kind == TOTALS_CORRECTED)
		warn(command, "totals in the profile cannot be right, as its functions cost more "
			      "or a number wrapped: using the sum of what they cost");
	for (size_t i = 0; i < annotation->annotated.n; i++) {
		const struct annotated_file *file = &annotation->annotated.files[i];

		if (file->is_named && !file->is_known)
			warn(command, "%s: no costs are recorded for it", file->name);
		else if (file->is_named && !file->is_found && !file->is_refused)
			warn(command, "%s: not found", file->name);
		if (file->is_stale)
			warn(command,
			     "%s: changed after the profile was made, so lines may not fit",
			     file->text.path);
		if (file->n_past_end > 0)
			warn(command, "%s: costs of %zu lines past its end", file->text.path,
			     file->n_past_end);
	}
	read_policy_report(annotation->options->annotated.policy, command,
			   annotation->options->verbose);
}

int annotation_make(struct annotation *annotation, const struct model *model,
		    const struct annotation_options *options)
{
	char message[TYPECOSTS_MESSAGE];
	const struct {
		const char *option;
		bool is_asked_for;
		const char *missing; /* what cannot be shown without it; NULL = nothing */
	} wanted[] = {
		{ "--asm", options->shows_code,
		  model->positions & POSITION_INSTR
			  ? NULL
			  : "expected costs of instructions, found none: they are recorded with "
			    "--dump-instr=yes" },
		{ "--layout", options->shows_layout, placement_missing(model) },
		{ "--by=object", options->by == BY_OBJECT, objectcosts_missing(model) },
		{ "--by=type", options->by == BY_TYPE, typecosts_missing(model, message) },
		{ "--by=region", options->by == BY_REGION,
		  regionpairs_are_in(model) ? NULL
					    : "expected regions, found none: " REGIONPAIR_MISSING },
	};
	const char *wrong;
	int status;

	*annotation = (struct annotation){
		.options = options,
		.model = model,
	};
	arena_init(&annotation->arena);
	wrong = columns_init(&annotation->columns, model, &options->choice, &annotation->arena);
	if (options->choice.estimate && annotation->columns.metrics.n > 0) {
		uint64_t totals[PROFILE_MAX_EVENTS];
		bool has_totals = !model->is_signed && model_totals(model, totals);
		const char *what = metrics_estimate_wrong(&annotation->columns.metrics,
							  options->choice.estimate,
							  has_totals ? totals : NULL,
							  &annotation->arena);

		if (what) {
			complain(options->command, "--cycles: %s", what);
			return EXIT_USAGE;
		}
	}
	if (wrong) {
		complain(options->command, "%s", wrong);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (wanted[i].is_asked_for && wanted[i].missing) {
			complain(options->command, "%s: %s", wanted[i].option, wanted[i].missing);
			return EXIT_FAILED;
		}
	status = make(annotation);
	/* Of Python, the list of a run says which function it is, and what that calls. */
	if (!status && options->wants_findings && !model->is_signed &&
	    !(options->is_run && annotation->n_python > 0)) {
		annotation->has_findings = true;
		status = findings_make(&annotation->findings, model, &options->findings);
	}
	if (status) {
		complain_status(options->command, NULL, status);
		return EXIT_FAILED;
	}
	if (annotation->has_code && annotation->code.unknown) {
		complain(options->command,
			 "--asm=%s: expected a function, an address or FILE:LINE of the profile",
			 annotation->code.unknown);
		return EXIT_FAILED;
	}
	if (options->region && annotation->regions.n == 0) {
		complain(options->command,
			 "--region=%s: expected the name of a region, or a pattern of one",
			 options->region);
		return EXIT_FAILED;
	}
	if (!options->quiet)
		print_warnings(annotation);
	return EXIT_FINE;
}

void annotation_release(struct annotation *annotation)
{
	if (annotation->has_findings)
		findings_release(&annotation->findings);
	annotated_release(&annotation->annotated);
	machinecode_release(&annotation->code);
	if (annotation->has_layout)
		placement_release(&annotation->placement);
	if (annotation->has_types)
		typecosts_release(&annotation->types);
	objecttypes_release(&annotation->object_types);
	self_costs_release(&annotation->self_costs);
	inclusive_release(&annotation->inclusive);
	arena_release(&annotation->arena);
}
