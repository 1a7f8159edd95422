/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All findings: who makes them, in which order they are, and what is not said twice.
 */
#include "cmds/why/findings.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/data/objects.h"
#include "cmds/emit/visible.h"
#include "cmds/object/lacking.h"
#include "cmds/why/finder.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"

enum {
	MOST_FINDINGS = 12,
	MOST_INCLUDED = 4, /* named in one that includes them */
};

static const struct {
	const char *name, *page_class;
} kinds[N_FINDING_KINDS] = {
	[FINDING_CORE] = { "core bound", "hot" },
	[FINDING_DEPENDENCIES] = { "dependencies", "results" },
	[FINDING_FRONT_END] = { "front end", "front" },
	[FINDING_BRANCHES] = { "bad speculation", "branch" },
	[FINDING_MEMORY] = { "memory bound", "memory" },
	[FINDING_CONFLICTS] = { "conflicts", "conflict" },
	[FINDING_TLB] = { "TLB", "tlb" },
	[FINDING_MIXED] = { "mixed", "hot" },
	[FINDING_ALLOCATIONS] = { "allocations", "calls" },
	[FINDING_COPIES] = { "copies", "memory" },
	[FINDING_LIBRARY] = { "library", "calls" },
	[FINDING_CALLS] = { "calls", "calls" },
	[FINDING_CALLER] = { "caller", "conflict" },
	[FINDING_PLACEMENT] = { "placement", "front" },
	[FINDING_PYTHON] = { "python", "hot" },
	[FINDING_LOADER] = { "loader", "hot" },
	[FINDING_DATA] = { "data", "ll" },
	[FINDING_LAYOUT] = { "layout", "l1" },
};

const char *finding_kind_name(enum finding_kind kind)
{
	return kinds[kind].name;
}

const char *finding_kind_class(enum finding_kind kind)
{
	return kinds[kind].page_class;
}

/* -- all of it ---------------------------------------------------------------------------------- */

static int compare_findings(const void *a, const void *b)
{
	const struct finding *of_a = a, *of_b = b;

	if (of_a->cost != of_b->cost)
		return of_a->cost > of_b->cost ? -1 : 1;
	return strcmp(of_a->claim, of_b->claim);
}

static bool is_new(struct dictionary *said, const char *text)
{
	const size_t n = said->count;

	return dictionary_intern(said, text, strlen(text)) == n;
}

static void drop_known(struct finding_texts *texts, struct dictionary *said)
{
	size_t used = 0;

	for (size_t i = 0; i < texts->n; i++)
		if (is_new(said, texts->all[i]))
			texts->all[used++] = texts->all[i];
	texts->n = used;
}

/* True if the second one is about a part of what the first one is about, or about the same call. */
static bool includes(const struct finding *a, const struct finding *b)
{
	if (a->line == 0 || a->line != b->line || a->file != b->file)
		return false;
	/* What copies of objects allocate, and the functions of libraries that these run, if hardly anything else does. */
	if (a->kind == FINDING_COPIES && a->callee == MODEL_NO_FUNCTION)
		return (b->kind == FINDING_ALLOCATIONS || b->kind == FINDING_LIBRARY ||
			b->kind == FINDING_COPIES) &&
		       b->lines[0].share >= 80;
	return a->kind == FINDING_LIBRARY && b->kind == FINDING_LIBRARY;
}

/* In their order: has one finding say what the libraries take that one line calls: there is one place to look at. */
static void fold_libraries(struct finder *finder)
{
	struct findings *findings = finder->findings;
	const char **more = heap_zeroed(findings->n + 1, sizeof(char *));
	size_t *n_more = heap_zeroed(findings->n + 1, sizeof(*n_more));
	size_t used = 0;

	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->all[i];
		const char *what = "allocations";
		size_t first = 0;

		while (first < used && !includes(&findings->all[first], finding))
			first++;
		if (first == used) {
			findings->all[used++] = *finding;
			continue;
		}
		if (++n_more[first] > MOST_INCLUDED)
			continue;
		if (finding->callee != MODEL_NO_FUNCTION)
			what = say_name(finder,
					finder_family(finder,
						      findings->origins.family_of[finding->callee])
						->name);
		more[first] =
			say(finder, "%s%s%s %s", more[first] ? more[first] : "",
			    more[first] ? ", " : "", what,
			    say_share(finder, (double)finding->cost, (double)findings->whole));
	}
	findings->n = used;
	for (size_t i = 0; i < used; i++)
		if (more[i])
			finding_add_text(
				&findings->all[i].facts,
				say(finder,
				    findings->all[i].kind == FINDING_COPIES
					    ? "Mostly part of that: %s."
					    : "Other functions that run for this line: %s.",
				    more[i]));
	free(more);
	free(n_more);
}

/* Puts copies of objects before the allocations that they make: passing by reference saves both. */
static void order_effects(struct findings *findings)
{
	size_t effect = 0, cause;

	while (effect < findings->n && !findings->all[effect].is_effect)
		effect++;
	for (cause = effect; cause < findings->n; cause++) {
		const struct finding copies = findings->all[cause];

		if (copies.kind != FINDING_COPIES || copies.callee != MODEL_NO_FUNCTION)
			continue;
		memmove(&findings->all[effect + 1], &findings->all[effect],
			(cause - effect) * sizeof(copies));
		findings->all[effect] = copies;
		return;
	}
}

static bool is_address(const char *name)
{
	return strncmp(name, "0x", 2) == 0;
}

/* "53.0 %": what functions of an object cost that have no names. */
static const char *share_unnamed(const struct finder *finder, uint32_t object)
{
	const struct findings *findings = finder->findings;
	double sum = 0;

	for (uint32_t i = 0; i < findings->origins.n_families; i++) {
		const struct why_family *of = &findings->origins.families[i];

		if (is_address(of->name) && finder->model->functions[of->function].object == object)
			sum += (double)metric_value(findings->metric, of->self, false);
	}
	return say_share(finder, sum, (double)findings->whole);
}

/* How to get the names of an object's functions. */
static const char *advise_names(struct finder *finder, uint32_t object)
{
	char *advice = lacking_advice(finder->model, object, LACKS_NAMES);
	const char *text =
		advice ? say(finder, "Its functions have no names: %s.", advice)
		       : "Get names first: install its debug symbols (Debian: -dbgsym or "
			 "-dbg), or build it without stripping, and run again.";

	free(advice);
	return text;
}

/* An address says where to look to nobody: one finding of such a function is enough, with what makes names of it. */
static void limit_unnamed(struct finder *finder)
{
	struct findings *findings = finder->findings;
	size_t used = 0, n = 0;

	for (size_t i = 0; i < findings->n; i++) {
		struct finding *finding = &findings->all[i];
		const bool is_unnamed = !finder->options->function &&
					finding->kind <= FINDING_MIXED &&
					is_address(finder_family(finder, finding->family)->name);

		if (is_unnamed && n++ > 0)
			continue;
		if (is_unnamed) {
			const uint32_t object = finder->model->functions[finding->function].object;

			finding_add_text(
				&finding->facts,
				say(finder, "Functions of %s without symbols have %s of all %s.",
				    path_base(model_name(finder->model, NAME_OBJECT, object).text),
				    share_unnamed(finder, object), say_cost_word(finder)));
			finding->advice = advise_names(finder, object);
		}
		findings->all[used++] = *finding;
	}
	findings->n = used;
}

/* The first ones, which cost most; a sentence that one has is not said again by those after it. */
static void choose_findings(struct findings *findings)
{
	struct dictionary said;
	size_t used = 0;

	dictionary_init(&said);
	for (size_t i = 0; i < findings->n && used < MOST_FINDINGS; i++) {
		struct finding *finding = &findings->all[used];

		if (!is_new(&said, findings->all[i].claim))
			continue;
		*finding = findings->all[i];
		used++;
		if (finding->advice && !is_new(&said, finding->advice))
			finding->advice = NULL;
		drop_known(&finding->facts, &said);
		drop_known(&finding->ruled_out, &said);
	}
	findings->n = used;
	dictionary_release(&said);
}

static int find_all(struct finder *finder)
{
	int status;

	status = data_explain(finder);
	if (status || finder->findings->is_of_data)
		return status;
	status = places_find(finder);
	if (!status)
		status = places_find_code(finder);
	if (status)
		return status;
	if (finder->findings->origins.is_python)
		python_explain(finder);
	parts_explain(finder);
	/* Shares do not say who calls what of an interpreter's: that is charged to functions of Python. */
	if (!finder->findings->origins.is_python)
		libraries_explain(finder);
	copies_explain(finder);
	return calls_explain(finder);
}

/* What is asked about: all of the run, or the functions of a name, with all that they call if they are own code. */
static void find_asked(struct finder *finder)
{
	struct findings *findings = finder->findings;
	const struct origins *origins = &findings->origins;

	finder->asked = findings->whole;
	findings->is_known = !finder->options->function;
	if (findings->is_known)
		return;
	for (uint32_t i = 0; i < origins->n_families; i++) {
		if (!finder_is_wanted(finder, i))
			continue;
		findings->is_known = true;
		findings->self += metric_value(findings->metric, origins->families[i].self, false);
	}
	for (uint32_t i = 0; i < finder->model->n_functions; i++) {
		const int128 cost =
			metric_value(findings->metric, inclusive_of(&origins->sums, i), false);

		if (finder_is_wanted(finder, origins->family_of[i]) && cost > findings->inclusive)
			findings->inclusive = cost;
	}
	finder->asked = findings->self > 0 ? findings->self : findings->inclusive;
}

static void finder_release(struct finder *finder)
{
	for (size_t i = 0; i < finder->n_chosen; i++)
		free(finder->chosen[i].by_family);
	free(finder->chosen);
	free(finder->places);
	idtable_release(&finder->place_of);
	code_choice_release(&finder->choice);
	code_sources_release(&finder->sources);
}

int findings_make(struct findings *findings, const struct model *model,
		  const struct findings_options *options)
{
	const struct metric_source source = metric_source_of(model, options->estimate);
	const struct column_choice choice = { .show = NULL, .estimate = options->estimate };
	struct finder finder = {
		.findings = findings,
		.model = model,
		.options = options,
		.arena = &findings->arena,
	};
	int status;

	*findings = (struct findings){
		.model = model,
		.options = options,
		.objects = { .options = &options->objects, .oldest = options->oldest },
	};
	arena_init(&findings->arena);
	code_objects_init(&findings->objects, model);
	metrics_init(&findings->metrics, &source, &findings->arena);
	findings->metric = &findings->metrics.all[metrics_main(&findings->metrics)];
	findings->is_of_data = objectcosts_are_in(model);
	findings->has_cycles = strcmp(findings->metric->name, EVENT_CYCLES) == 0;
	if (!model_totals(model, findings->totals))
		return PROFILE_RANGE;
	findings->whole = metric_value(findings->metric, findings->totals, false);
	callsites_init(&findings->sites, model, options->no_code ? NULL : &findings->objects);
	status = origins_init(&findings->origins, model, &findings->metrics, findings->metric,
			      &findings->sites, &findings->arena);
	if (status)
		return status;
	find_asked(&finder);
	if (columns_init(&finder.columns, model, &choice, &findings->arena))
		return PROFILE_EVENTS;
	finder.basis = (struct basis){
		.model = model,
		.columns = &finder.columns,
		.totals = findings->totals,
		.arena = &findings->arena,
	};
	mostly_init(&finder.mostly, model);
	parts_init(&finder);
	idtable_init(&finder.place_of);
	code_sources_init(&finder.sources, model, options->policy, options->rules);
	if (findings->whole > 0)
		status = find_all(&finder);
	if (findings->n > 0)
		qsort(findings->all, findings->n, sizeof(*findings->all), compare_findings);
	fold_libraries(&finder);
	order_effects(findings);
	limit_unnamed(&finder);
	choose_findings(findings);
	finder_release(&finder);
	return status;
}

void findings_release(struct findings *findings)
{
	free(findings->all);
	code_objects_release(&findings->objects);
	origins_release(&findings->origins);
	callsites_release(&findings->sites);
	arena_release(&findings->arena);
}
