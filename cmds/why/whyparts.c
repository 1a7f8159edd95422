/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a place costs, by parts: the largest one is explained, and others that matter as well. */
#include "cmds/why/finder.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "writer/shared/events.h"

/* A part of a place's cycles dominates, or is named as well; formulas of estimated cycles set misses low. */
static const double share_that_dominates = 0.4, share_of_place = 0.25, share_of_estimate = 0.1;

/* -- rules ------------------------------------------------------------------------------------ */

/* Parts of the machine's cycles: each is an event. */
static const struct {
	const char *event, *page_class;
	enum finding_kind kind;
} cycle_rules[] = {
	{ "CyBase", "exec", FINDING_CORE },     { "CyDep", "results", FINDING_DEPENDENCIES },
	{ "CyFe", "front", FINDING_FRONT_END }, { "CyBr", "branch", FINDING_BRANCHES },
	{ "CyMem", "ll", FINDING_MEMORY },      { "CyTlb", "tlb", FINDING_TLB },
};

/* Of estimated cycles, an event that a formula has and that is not here is executing. */
enum {
	COUNTS_EXECUTING,
	COUNTS_CACHES, /* misses of the first level that a lower level serves */
	COUNTS_MEMORY,
	COUNTS_CODE,
	COUNTS_BRANCHES,
	N_COUNTS,
};

static const struct {
	const char *event, *term, *page_class;
	enum finding_kind kind;
} count_rules[N_COUNTS] = {
	[COUNTS_EXECUTING] = { "Ir", "executing", "exec", FINDING_MIXED },
	[COUNTS_CACHES] = { "D1m", "first-level misses", "l1", FINDING_MEMORY },
	[COUNTS_MEMORY] = { "DLm", "last-level misses", "ll", FINDING_MEMORY },
	[COUNTS_CODE] = { "I1mr", "instruction misses", "front", FINDING_FRONT_END },
	[COUNTS_BRANCHES] = { "Bm", "mispredictions", "branch", FINDING_BRANCHES },
};

static const struct {
	const char *event;
	int rule;
	int writes; /* 1: of COUNTS_CACHES, it is of writes */
} count_events[] = {
	{ "D1mr", COUNTS_CACHES, 0 },  { "L2dr", COUNTS_CACHES, 0 },  { "L3dr", COUNTS_CACHES, 0 },
	{ "DLmr", COUNTS_CACHES, 0 },  { "D1mw", COUNTS_CACHES, 1 },  { "L2dw", COUNTS_CACHES, 1 },
	{ "L3dw", COUNTS_CACHES, 1 },  { "DLmw", COUNTS_CACHES, 1 },  { "I1mr", COUNTS_CODE, 0 },
	{ "L2ir", COUNTS_CODE, 0 },    { "L3ir", COUNTS_CODE, 0 },    { "ILmr", COUNTS_CODE, 0 },
	{ "Bcm", COUNTS_BRANCHES, 0 }, { "Bim", COUNTS_BRANCHES, 0 }, { "Brm", COUNTS_BRANCHES, 0 },
};

/*
 * What estimated cycles have not in their formula, at what it is usually taken to cost: a misprediction as in Callgrind's, a line
 * as of the caches, a miss of the first TLB what the second one takes, and a walk.
 */
static const struct {
	const char *event, *term, *page_class, *price;
	enum finding_kind kind;
	struct {
		const char *name;
		double weight;
	} events[4];
} priced_rules[] = {
	{ "Bm",
	  "mispredictions",
	  "branch",
	  "10 for each",
	  FINDING_BRANCHES,
	  { { "Bcm", EVENT_CYCLES_WRONG_BRANCH },
	    { "Bim", EVENT_CYCLES_WRONG_BRANCH },
	    { "Brm", EVENT_CYCLES_WRONG_BRANCH } } },
	{ "DTm",
	  "TLB",
	  "tlb",
	  "7 for each miss, 30 with a walk",
	  FINDING_TLB,
	  { { "ITm", 7 }, { "DTm", 7 }, { "ISm", 23 }, { "DSm", 23 } } },
	{ "WB",
	  "write-backs",
	  "ll",
	  "30 for each",
	  FINDING_MEMORY,
	  { { "ILdmr", EVENT_CYCLES_OF_LL_MISS },
	    { "DLdmr", EVENT_CYCLES_OF_LL_MISS },
	    { "DLdmw", EVENT_CYCLES_OF_LL_MISS } } },
	{ "PfX",
	  "prefetches",
	  "l1",
	  "4 for each",
	  FINDING_MEMORY,
	  { { "PfX", EVENT_CYCLES_OF_L1_MISS }, { "PfL", EVENT_CYCLES_OF_L1_MISS } } },
};

static struct part_rule *add_rule(struct finder *finder)
{
	struct part_rule *rule = &finder->rules[finder->n_rules++];

	rule->weights = arena_alloc(finder->arena,
				    (finder->model->n_events + 1) * sizeof(*rule->weights), 8);
	for (size_t e = 0; e < finder->model->n_events; e++)
		rule->weights[e] = 0;
	return rule;
}

/* The rule of counts, which is made if it is not there. */
static struct part_rule *count_rule(struct finder *finder, int which)
{
	struct part_rule *rule;

	for (size_t i = 0; i < finder->n_rules; i++)
		if (strcmp(finder->rules[i].term, count_rules[which].term) == 0)
			return &finder->rules[i];
	rule = add_rule(finder);
	rule->event = count_rules[which].event;
	rule->term = count_rules[which].term;
	rule->page_class = count_rules[which].page_class;
	rule->kind = count_rules[which].kind;
	return rule;
}

/* Shares the terms of a formula out: what all misses of data cost that memory serves is its part. */
static void init_estimate(struct finder *finder)
{
	static const char *const last[] = { "DLmr", "DLmw" };
	const struct metric *metric = finder->findings->metric;
	double chains[2] = { 0,
			     0 }; /* of reads and writes: what one costs that misses all levels */

	for (size_t i = 0; i < metric->n_terms; i++) {
		const struct metric_term *term = &metric->terms[i];
		int which = COUNTS_EXECUTING;

		for (size_t k = 0; k < sizeof(count_events) / sizeof(count_events[0]); k++) {
			if (model_event(finder->model, count_events[k].event) != term->event)
				continue;
			which = count_events[k].rule;
			if (which == COUNTS_CACHES)
				chains[count_events[k].writes] += (double)term->factor;
		}
		count_rule(finder, which)->weights[term->event] += (double)term->factor;
	}
	for (int i = 0; i < 2; i++) {
		const size_t event = model_event(finder->model, last[i]);

		if (chains[i] <= 0 || event == finder->model->n_events)
			continue;
		count_rule(finder, COUNTS_MEMORY)->weights[event] += chains[i];
		count_rule(finder, COUNTS_CACHES)->weights[event] -= chains[i];
	}
}

/* What the metric does not count and the profile does. */
static void init_priced(struct finder *finder)
{
	const size_t n = finder->model->n_events;
	const double scale = finder_scale(finder);

	for (size_t i = 0; i < sizeof(priced_rules) / sizeof(priced_rules[0]); i++) {
		struct part_rule *rule = NULL;

		for (size_t k = 0; k < 4 && priced_rules[i].events[k].name; k++) {
			const char *name = priced_rules[i].events[k].name;
			const size_t event = model_event(finder->model, name);

			if (event == n || finder_weight(finder, name) > 0)
				continue;
			if (!rule)
				rule = add_rule(finder);
			rule->weights[event] = priced_rules[i].events[k].weight * scale;
		}
		if (!rule)
			continue;
		rule->event = priced_rules[i].event;
		rule->term = priced_rules[i].term;
		rule->page_class = priced_rules[i].page_class;
		rule->kind = priced_rules[i].kind;
		rule->price = priced_rules[i].price;
		if (!finder->priced)
			finder->priced = arena_alloc(finder->arena, n * sizeof(*finder->priced), 8);
	}
	for (size_t e = 0; finder->priced && e < n; e++) {
		finder->priced[e] = 0;
		for (size_t i = 0; i < finder->n_rules; i++)
			if (finder->rules[i].price)
				finder->priced[e] += finder->rules[i].weights[e];
	}
}

/* Shares of another event have one part. */
static void init_one(struct finder *finder)
{
	const struct metric *metric = finder->findings->metric;
	struct part_rule *rule = count_rule(finder, COUNTS_EXECUTING);

	rule->event = metric->name;
	if (strcmp(metric->name, "Ir") != 0)
		rule->term = metric->name;
	for (size_t i = 0; i < metric->n_terms; i++)
		rule->weights[metric->terms[i].event] += (double)metric->terms[i].factor;
}

void parts_init(struct finder *finder)
{
	const char *name = finder->findings->metric->name;

	if (finder->findings->has_cycles) {
		for (size_t i = 0; i < sizeof(cycle_rules) / sizeof(cycle_rules[0]); i++) {
			const size_t event = model_event(finder->model, cycle_rules[i].event);
			struct part_rule *rule;

			if (event == finder->model->n_events)
				continue;
			rule = add_rule(finder);
			rule->event = cycle_rules[i].event;
			rule->term = cycle_part_find(rule->event)->term;
			rule->page_class = cycle_rules[i].page_class;
			rule->kind = cycle_rules[i].kind;
			rule->weights[event] = 1;
		}
		return;
	}
	if (strcmp(name, EVENT_ESTIMATE) == 0 || strcmp(name, "CEst") == 0)
		init_estimate(finder);
	else
		init_one(finder);
	init_priced(finder);
}

static double weigh(const struct finder *finder, const double *weights, const uint64_t *costs)
{
	double sum = 0;

	for (size_t e = 0; e < finder->model->n_events; e++)
		if (weights[e] < 0 || weights[e] > 0)
			sum += weights[e] * (double)costs[e];
	return sum;
}

double parts_priced(const struct finder *finder, const uint64_t *costs)
{
	return finder->priced ? weigh(finder, finder->priced, costs) : 0;
}

double parts_waits(const struct finder *finder, const uint64_t *costs)
{
	double sum = 0;

	for (size_t i = 0; i < finder->n_rules; i++) {
		const struct part_rule *rule = &finder->rules[i];
		const double value = rule->kind == FINDING_MEMORY && !rule->price
					     ? weigh(finder, rule->weights, costs)
					     : 0;

		sum += value > 0 ? value : 0;
	}
	return sum;
}

/* -- parts of a place --------------------------------------------------------------------------- */

static int compare_parts(const void *a, const void *b)
{
	const struct cost_part *of_a = a, *of_b = b;

	return (of_a->value < of_b->value) - (of_a->value > of_b->value);
}

/* A closing brace has only what comes with returning; where there is no machine code, its text says so. */
static bool is_closing(struct finder *finder, const struct why_place *place)
{
	const char *text = finder_source(finder, place->file, place->line);

	return text && text[0] == '}' && text[strspn(text, "}; ")] == '\0';
}

size_t parts_of(struct finder *finder, const struct chosen *chosen, struct cost_part parts[N_PARTS],
		double *sum)
{
	const bool has_cycles = finder->findings->has_cycles;
	size_t n = 0;

	*sum = has_cycles ? 0 : (double)chosen->place.cost;
	for (size_t i = 0; i < finder->n_rules; i++) {
		const struct part_rule *rule = &finder->rules[i];
		const bool is_string = rule->kind == FINDING_CORE &&
				       mostly_is_string(&finder->mostly, chosen->costs);
		struct cost_part part = { rule,
					  is_string ? "string instructions (rep)" : rule->term,
					  weigh(finder, rule->weights, chosen->costs) };

		if (rule->price)
			continue;
		/* A predicted return waits for nothing: what its caller needs is the caller's. */
		if (rule->kind == FINDING_DEPENDENCIES)
			part.value = is_closing(finder, &chosen->place)
					     ? 0
					     : part.value - place_returns(finder, &chosen->place,
									  rule->event);
		if (part.value <= 0)
			continue;
		parts[n++] = part;
		if (has_cycles)
			*sum += part.value;
	}
	if (n > 0)
		qsort(parts, n, sizeof(*parts), compare_parts);
	return n;
}

void finding_set_parts(struct finder *finder, struct finding *finding,
		       const struct cost_part *parts, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += parts[i].value;
	finding->parts = arena_alloc(finder->arena, (n + 1) * sizeof(*finding->parts), 8);
	finding->n_parts = n;
	for (size_t i = 0; i < n; i++)
		finding->parts[i] = (struct finding_part){
			.event = parts[i].rule->event,
			.term = parts[i].term,
			.page_class = parts[i].rule->page_class,
			.share = 100 * parts[i].value / sum,
		};
}

const char *say_parts(const struct finder *finder, const struct cost_part *parts, size_t n,
		      double sum, double least)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		if (parts[i].value >= sum * least)
			text = say(finder, "%s%s%s %s", text, text[0] ? ", " : "",
				   say_share(finder, parts[i].value, sum), parts[i].term);
	return text;
}

/* "walk", "walk and 2 more functions" */
static const char *name_of(const struct finder *finder, const struct chosen *chosen)
{
	const char *name = say_name(finder, finder_family(finder, chosen->place.family)->name);
	const size_t others = chosen->n_families > 0 ? chosen->n_families - 1 : 0;

	return others == 0 ? name
			   : say(finder, "%s and %zu more function%s", name, others,
				 others == 1 ? "" : "s");
}

/* " at d.c:4" */
static const char *where_of(const struct finder *finder, const struct chosen *chosen)
{
	const struct why_place *place = &chosen->place;

	return place->line ? say(finder, " at %s", say_place(finder, place->file, place->line))
	       : chosen->is_inlined ? " in code of libraries that is inlined there"
				    : "";
}

/* "walk and 2 more functions spend"; "walk also spends" */
static const char *subject_of(const struct finder *finder, const struct chosen *chosen,
			      bool is_also)
{
	return say(finder, "%s%s %s", name_of(finder, chosen), is_also ? " also" : "",
		   chosen->n_families > 1 ? "spend" : "spends");
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

/* What a finding of a place has whatever part it is about. */
static void finish(struct finder *finder, const struct cost_part *parts, size_t n,
		   struct finding *finding)
{
	/* Where there is no own code, a program of the system is named, but nobody changes that. */
	if (finder_is_of_system(finder, finding->function))
		finding->advice = NULL;
	finding_set_parts(finder, finding, parts, n);
	finder_add(finder, finding);
}

/* What a place is about: a part, and what all parts of its kind are, as misses of two levels are of one. */
struct leading {
	size_t part;
	double value;
};

static struct leading find_leading(const struct cost_part *parts, size_t n)
{
	struct leading leading = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		double value = 0;

		for (size_t k = 0; k < n; k++)
			value += parts[k].rule->kind == parts[i].rule->kind ? parts[k].value : 0;
		if (value > leading.value)
			leading = (struct leading){ i, value };
	}
	return leading;
}

static void put_part(struct finder *finder, const struct chosen *chosen,
		     const struct cost_part *parts, size_t n, size_t which,
		     const struct leading *leading, double sum)
{
	const struct cost_part *part = &parts[which];
	const struct part_rule *rule = part->rule;
	const bool leads = which == leading->part;
	const bool is_even = leading->value < sum * share_that_dominates;
	const bool is_mixed = rule->kind == FINDING_MIXED || is_even;
	struct finding finding = finding_of(finder, chosen);
	struct reason reason = { finder, chosen, is_even ? NULL : part, &finding, NULL };
	const char *at = where_of(finder, chosen);
	const char *cycles = say_number(finder, finder_cycles(finder, sum));

	finding_add_count(finder, &finding, finder->findings->metric->name);
	for (size_t i = 0; finder->findings->has_cycles && i < n; i++)
		finding_add_count(finder, &finding, parts[i].rule->event);
	if (leads)
		finding_add_text(&finding.facts,
				 n > 1 ? say(finder, "%s %s: %s.", cycles, say_cost_word(finder),
					     say_parts(finder, parts, n, sum, 0.01))
				       : say(finder, "%s %s.", cycles, say_cost_word(finder)));
	if (leads && chosen->place.line != 0 && chosen->is_inlined)
		finding_add_text(&finding.facts, "Code of libraries that is inlined there counts.");
	finding.kind = is_mixed ? FINDING_MIXED : rule->kind;
	reason_explain(&reason);
	if (!is_mixed)
		finding.event = rule->event;
	finding.cost = (int128)(leads ? sum : part->value);
	if (is_mixed)
		finding.claim = n > 1 ? say(finder, "%s %s%s: %s.",
					    subject_of(finder, chosen, !leads),
					    say_of_all(finder, sum), at,
					    say_parts(finder, parts, n < 3 ? n : 3, sum, 0))
				      : say(finder, "%s %s%s.", subject_of(finder, chosen, !leads),
					    say_of_all(finder, sum), at);
	else if (leads)
		finding.claim = say(finder, "%s %s%s, %s of them %s.",
				    subject_of(finder, chosen, !leads), say_of_all(finder, sum), at,
				    say_share(finder, part->value, sum), reason.why);
	else
		finding.claim = say(finder, "%s %s%s %s.", subject_of(finder, chosen, true),
				    say_of_all(finder, part->value), at, reason.why);
	finish(finder, parts, n, &finding);
}

/* What the metric does not count, at its price. */
static void put_priced(struct finder *finder, const struct chosen *chosen,
		       const struct cost_part *parts, size_t n, const struct part_rule *rule)
{
	const struct cost_part part = { rule, rule->term,
					weigh(finder, rule->weights, chosen->costs) };
	struct finding finding = finding_of(finder, chosen);
	struct reason reason = { finder, chosen, &part, &finding, NULL };

	if (!finder_is_worth_it(finder, part.value))
		return;
	finding.cost = (int128)part.value;
	finding.kind = rule->kind;
	finding.event = rule->event;
	reason_explain(&reason);
	if (!reason.why)
		return;
	finding.claim = say(finder, "%s%s: %s; at %s, as much as %s.", name_of(finder, chosen),
			    where_of(finder, chosen), reason.why, rule->price,
			    say_of_all(finder, part.value));
	finish(finder, parts, n, &finding);
}

/* The part that leads, and others that are worth it.  Whatever is executed has to pass through the core. */
static void explain_place(struct finder *finder, const struct chosen *chosen)
{
	const double least = finder->findings->has_cycles ? share_of_place : share_of_estimate;
	struct cost_part parts[N_PARTS];
	double sum;
	const size_t n = parts_of(finder, chosen, parts, &sum);
	const struct leading leading = find_leading(parts, n);

	if (n > 0 && finder_is_worth_it(finder, sum)) {
		put_part(finder, chosen, parts, n, leading.part, &leading, sum);
		for (size_t i = 0; i < n && leading.value >= sum * share_that_dominates; i++)
			if (i != leading.part && parts[i].rule->kind != FINDING_CORE &&
			    parts[i].rule->kind != FINDING_MIXED && parts[i].value >= sum * least &&
			    finder_is_worth_it(finder, parts[i].value))
				put_part(finder, chosen, parts, n, i, &leading, sum);
	}
	for (size_t i = 0; i < finder->n_rules; i++)
		if (finder->rules[i].price)
			put_priced(finder, chosen, parts, n, &finder->rules[i]);
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
