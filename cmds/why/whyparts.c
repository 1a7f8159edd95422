/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a place costs, by parts: the largest one is explained, and others that matter as well. */
#include "cmds/why/finder.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"

/* A part of a place's cycles dominates, or is named as well. */
static const double share_that_dominates = 0.4, share_of_place = 0.25;

static const struct {
	const char *event;
	enum finding_kind kind;
} cycle_kinds[N_PARTS] = {
	{ "CyBase", FINDING_CORE },    { "CyDep", FINDING_DEPENDENCIES },
	{ "CyFe", FINDING_FRONT_END }, { "CyBr", FINDING_BRANCHES },
	{ "CyMem", FINDING_MEMORY },   { "CyTlb", FINDING_TLB },
};

static int compare_parts(const void *a, const void *b)
{
	const struct cycle_share *of_a = a, *of_b = b;

	return (of_a->value < of_b->value) - (of_a->value > of_b->value);
}

/* What people call a part, as a share: "core bound". */
static const char *term_of(const char *event)
{
	const struct cycle_part *known = cycle_part_find(event);

	return known ? known->term : strcmp(event, "Ir") == 0 ? "executing" : "cache misses";
}

/* A closing brace has only what comes with returning; where there is no machine code, its text says so. */
static bool is_closing(struct finder *finder, const struct why_place *place)
{
	const char *text = finder_source(finder, place->file, place->line);

	return text && text[0] == '}' && text[strspn(text, "}; ")] == '\0';
}

size_t parts_of(struct finder *finder, const struct chosen *chosen,
		struct cycle_share parts[N_PARTS], double *sum)
{
	const uint64_t *costs = chosen->costs;
	size_t n = 0;

	*sum = 0;
	if (finder->findings->has_cycles) {
		for (size_t i = 0; i < N_PARTS; i++) {
			const char *event = cycle_kinds[i].event;
			struct cycle_share part = { event, cycle_kinds[i].kind,
						    finder_value(finder, event, costs) };

			/* A predicted return waits for nothing: what its caller needs is the caller's. */
			if (part.kind == FINDING_DEPENDENCIES)
				part.value = is_closing(finder, &chosen->place)
						     ? 0
						     : part.value - place_returns(finder,
										  &chosen->place,
										  event);
			if (part.value > 0)
				parts[n++] = part;
			*sum += part.value > 0 ? part.value : 0;
		}
	} else if (strcmp(finder->findings->metric->name, EVENT_ESTIMATE) == 0) {
		const double whole = (double)chosen->place.cost;
		const double misses =
			(EVENT_CYCLES_LL - EVENT_CYCLES_L1) * finder_value(finder, "D1m", costs) +
			(EVENT_CYCLES_RAM - EVENT_CYCLES_LL) * finder_value(finder, "DLm", costs);

		if (misses > 0 && misses < whole)
			parts[n++] = (struct cycle_share){ "D1m", FINDING_MEMORY, misses };
		parts[n] =
			(struct cycle_share){ "Ir", FINDING_MIXED, whole - (n > 0 ? misses : 0) };
		n++;
		*sum = whole;
	} else {
		*sum = (double)chosen->place.cost;
	}
	qsort(parts, n, sizeof(*parts), compare_parts);
	return n;
}

const char *say_parts(const struct finder *finder, const struct cycle_share *parts, size_t n,
		      double sum, double least)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		if (parts[i].value >= sum * least)
			text = say(finder, "%s%s%s %s", text, text[0] ? ", " : "",
				   say_share(finder, parts[i].value, sum), term_of(parts[i].event));
	return text;
}

/* "TLB (0.1 %), front end (0 %).": parts that are not worth looking at. */
static const char *small_parts_text(const struct finder *finder, const uint64_t *costs, double sum)
{
	const char *text = "";

	for (size_t i = 0; finder->findings->has_cycles && i < N_PARTS; i++) {
		const char *term = term_of(cycle_kinds[i].event);
		const double value = finder_value(finder, cycle_kinds[i].event, costs);

		if (value >= sum * 0.05 || !finder_metric(finder, cycle_kinds[i].event))
			continue;
		text = text[0] ? say(finder, "%s, %s (%s)", text, term,
				     say_share(finder, value, sum))
			       : say(finder, "%c%s (%s)",
				     term[0] - (term[0] >= 'a' ? 'a' - 'A' : 0), term + 1,
				     say_share(finder, value, sum));
	}
	return text[0] ? say(finder, "%s.", text) : NULL;
}

/* "walk and 2 more functions spend"; "walk also spends" */
static const char *subject_of(const struct finder *finder, const struct chosen *chosen,
			      bool is_also)
{
	const char *name = say_name(finder, finder_family(finder, chosen->place.family)->name);
	const size_t others = chosen->n_families > 0 ? chosen->n_families - 1 : 0;
	const char *also = is_also ? " also" : "";

	if (others == 0)
		return say(finder, "%s%s spends", name, also);
	return say(finder, "%s and %zu more function%s%s spend", name, others,
		   others == 1 ? "" : "s", also);
}

static struct finding finding_of(struct finder *finder, const struct chosen *chosen)
{
	const struct why_place *place = &chosen->place;
	struct finding finding = {
		.family = place->family,
		.function = finder_family(finder, place->family)->function,
		.callee = MODEL_NO_FUNCTION,
		.n_others = chosen->n_families > 0 ? chosen->n_families - 1 : 0,
		.file = place->file,
		.line = place->line,
		.event = finder->findings->metric->name,
		.costs = chosen->costs,
	};

	finding_add_line(finder, &finding, place->family, place->file, place->line, 100);
	return finding;
}

static void put_part(struct finder *finder, const struct chosen *chosen,
		     const struct cycle_share *parts, size_t n, size_t which, double sum)
{
	static const struct cycle_share none = { "", FINDING_MIXED, 0 };
	const struct why_place *place = &chosen->place;
	const struct cycle_share *part = n > 0 ? &parts[which] : &none;
	const bool is_mixed = part->kind == FINDING_MIXED ||
			      parts[0].value < sum * share_that_dominates;
	struct finding finding = finding_of(finder, chosen);
	struct reason reason = { finder, chosen, part, &finding, NULL };
	const char *at =
		place->line ? say(finder, " at %s", say_place(finder, place->file, place->line))
		: chosen->is_inlined ? " in code of libraries that is inlined there"
				     : "";
	const char *cycles = say_number(finder, finder_cycles(finder, sum));

	finding_add_count(finder, &finding, finder->findings->metric->name);
	for (size_t i = 0; finder->findings->has_cycles && i < n; i++)
		finding_add_count(finder, &finding, parts[i].event);
	if (which == 0)
		finding_add_text(&finding.facts,
				 n > 1 ? say(finder, "%s %s: %s.", cycles, say_cost_word(finder),
					     say_parts(finder, parts, n, sum, 0.01))
				       : say(finder, "%s %s.", cycles, say_cost_word(finder)));
	if (which == 0 && place->line != 0 && chosen->is_inlined)
		finding_add_text(&finding.facts, "Code of libraries that is inlined there counts.");
	finding.kind = is_mixed ? FINDING_MIXED : part->kind;
	reason_explain(&reason);
	if (which == 0 && !is_mixed)
		finding_add_text(&finding.ruled_out, small_parts_text(finder, chosen->costs, sum));
	if (!is_mixed)
		finding.event = part->event;
	/* Where there is no own code, a program of the system is named, but nobody changes that. */
	if (finder_is_of_system(finder, finding.function))
		finding.advice = NULL;
	finding.cost = (int128)(which == 0 ? sum : part->value);
	if (is_mixed)
		finding.claim =
			n > 1 ? say(finder, "%s %s%s: %s.", subject_of(finder, chosen, which > 0),
				    say_of_all(finder, sum), at,
				    say_parts(finder, parts, n < 3 ? n : 3, sum, 0))
			      : say(finder, "%s %s%s.", subject_of(finder, chosen, which > 0),
				    say_of_all(finder, sum), at);
	else if (which == 0)
		finding.claim = say(finder, "%s %s%s, %s of them %s.",
				    subject_of(finder, chosen, which > 0), say_of_all(finder, sum),
				    at, say_share(finder, part->value, sum), reason.why);
	else
		finding.claim = say(finder, "%s %s%s %s.", subject_of(finder, chosen, true),
				    say_of_all(finder, part->value), at, reason.why);
	finder_add(finder, &finding);
}

/* The largest part of a place, and others that are worth it.  Whatever is executed has to pass through the core. */
static void explain_place(struct finder *finder, const struct chosen *chosen)
{
	struct cycle_share parts[N_PARTS];
	double sum;
	const size_t n = parts_of(finder, chosen, parts, &sum);

	if (!finder_is_worth_it(finder, sum))
		return;
	put_part(finder, chosen, parts, n, 0, sum);
	for (size_t i = 1; i < n && parts[0].value >= sum * share_that_dominates; i++)
		if (parts[i].kind != FINDING_CORE && parts[i].kind != FINDING_MIXED &&
		    parts[i].value >= sum * share_of_place &&
		    finder_is_worth_it(finder, parts[i].value))
			put_part(finder, chosen, parts, n, i, sum);
}

static void explain_whole_functions(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;

	for (uint32_t i = 0; i < origins->n_families; i++) {
		const struct why_family *of = &origins->families[i];
		const struct chosen whole = {
			.place = { .cost = metric_value(finder->findings->metric, of->self, false),
				   .file = finder->model->functions[of->function].file,
				   .family = i,
				   .is_whole = true },
			.costs = of->self,
			.n_families = 1,
		};

		if (places_has_whole(finder, i))
			explain_place(finder, &whole);
	}
}

void parts_explain(struct finder *finder)
{
	for (size_t i = 0; i < finder->n_chosen; i++)
		explain_place(finder, &finder->chosen[i]);
	explain_whole_functions(finder);
}
