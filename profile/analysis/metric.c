/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas name metrics, which may be defined behind them: the definitions are gone
 * through until nothing new can be computed.
 */
#include "profile/analysis/metric.h"

#include <stdio.h>
#include <string.h>

#include "profile/common/event_names.h"

/* Of weights, which the range of amounts depends on. */
#define FACTOR_LIMIT (INT64_C(1) << 20)

/* Formulas of events and of metrics before them; `needs` must all be there. */
static const struct {
	struct model_derived definition;
	const char *needs;
} known[] = {
#define KNOWN(name, formula, needs, long_name, text) { { name, formula, long_name }, needs },
	DERIVED_EVENTS(KNOWN)
#undef KNOWN
};
enum { N_KNOWN = sizeof(known) / sizeof(known[0]) };

enum { MAX_ROUNDS = 16 }; /* over definitions that stand in the wrong order */

/* What is being made of a source. */
struct metric_making {
	struct metrics *metrics;
	const struct metric_source *source;
	struct arena *arena;
	struct metric next;            /* at work, with room for all events */
	struct model_derived estimate; /* its formula is weighted */
	bool is_settled; /* what is known in general and not there yet will not come */
};

static const char *reference_of(const char *event)
{
	const struct event_info *info = event_find(event);

	return info ? info->of : NULL;
}

static bool is_text(const char *text, const char *name, size_t len)
{
	return strlen(text) == len && memcmp(text, name, len) == 0;
}

size_t metrics_find(const struct metrics *metrics, const char *name, size_t len)
{
	char copy[64];

	for (size_t i = 0; i < metrics->n; i++)
		if (is_text(metrics->all[i].name, name, len))
			return i;
	if (len >= sizeof(copy))
		return metrics->n;
	memcpy(copy, name, len);
	copy[len] = '\0';
	for (size_t i = 0; i < metrics->n_events; i++)
		if (strcmp(event_name(metrics->all[i].name), event_name(copy)) == 0)
			return i;
	return metrics->n;
}

size_t metrics_main(const struct metrics *metrics)
{
	static const struct {
		const char *name, *needs;
	} all[] = {
		/* The machine's, and no other one's of that name. */
		{ EVENT_CYCLES, EVENT_CYCLES_NEEDS },
		{ EVENT_CYCLES METRIC_UP, "CyBase" METRIC_UP ",CyMem" METRIC_UP },
		{ EVENT_ESTIMATE, "" },
		{ "CEst", "" },
		{ EVENT_ESTIMATE METRIC_UP, "" },
		{ "CEst" METRIC_UP, "" },
		{ "Ir", "" },
		{ "Ir" METRIC_UP, "" },
	};
	size_t number = metrics_find(metrics, EVENT_ESTIMATE, strlen(EVENT_ESTIMATE));

	if (metrics->has_own_estimate && number < metrics->n)
		return number;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		number = metrics_find(metrics, all[i].name, strlen(all[i].name));
		if (number < metrics->n && metrics_have(metrics, all[i].needs))
			return number;
	}
	return 0;
}

/* True if is_so() of an event, or of the one whose increase or decrease it is. */
static bool is_any_way(const char *event, bool (*is_so)(const char *name))
{
	static const char *const ways[] = { "", METRIC_UP, METRIC_DOWN };
	size_t len = strlen(event);
	char stem[32];

	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
		size_t way_len = strlen(ways[way]);

		if (len <= way_len || len - way_len >= sizeof(stem) ||
		    strcmp(event + len - way_len, ways[way]) != 0)
			continue;
		memcpy(stem, event, len - way_len);
		stem[len - way_len] = '\0';
		if (is_so(stem))
			return true;
	}
	return false;
}

static bool is_self_only(const char *event)
{
	return !event_is_inclusive(event);
}

/* Whether a name is of a number of bytes of another one, and the suffix. */
static bool is_with(const char *name, const char *stem, size_t len, const char *suffix)
{
	return strncmp(name, stem, len) == 0 && strcmp(name + len, suffix) == 0;
}

/* True if it is the machine's cycles, or their increase or decrease. */
static bool is_cycles(const char *name)
{
	size_t len = strlen(EVENT_CYCLES);

	return strcmp(name, EVENT_CYCLES) == 0 || is_with(name, EVENT_CYCLES, len, METRIC_UP) ||
	       is_with(name, EVENT_CYCLES, len, METRIC_DOWN);
}

size_t metrics_other_way(const struct metrics *metrics, size_t number)
{
	static const char *const ways[] = { METRIC_UP, METRIC_DOWN };
	const char *name = metrics->all[number].name;
	size_t name_len = strlen(name);

	for (size_t way = 0; way < 2; way++) {
		size_t suffix_len = strlen(ways[way]);

		if (name_len <= suffix_len || strcmp(name + name_len - suffix_len, ways[way]) != 0)
			continue;
		for (size_t i = 0; i < metrics->n; i++)
			if (is_with(metrics->all[i].name, name, name_len - suffix_len,
				    ways[1 - way]))
				return i;
	}
	return metrics->n;
}

size_t metrics_cycle_part(const struct metrics *metrics, size_t number, size_t i)
{
	const struct metric *whole = &metrics->all[number];
	size_t other = metrics_other_way(metrics, number);
	size_t n_ways = other < metrics->n ? 2 : 1, part;

	if (!whole->formula || !is_cycles(whole->name) || i >= whole->n_terms * n_ways)
		return metrics->n;
	part = whole->terms[i / n_ways].event;
	return i % n_ways == 0 ? part : metrics_other_way(metrics, part);
}

bool metrics_is_defined(const struct model *model, const char *name)
{
	for (size_t i = 0; i < model->n_derived; i++)
		if (strcmp(model->derived[i].name, name) == 0)
			return true;
	return false;
}

bool metrics_have(const struct metrics *metrics, const char *names)
{
	while (*names != '\0') {
		size_t len = strcspn(names, ",");

		if (metrics_find(metrics, names, len) == metrics->n)
			return false;
		names += len + (names[len] == ',');
	}
	return true;
}

static void add_reference(struct metric *metric, size_t event)
{
	for (size_t i = 0; i < metric->n_references; i++)
		if (metric->references[i] == event)
			return;
	metric->references[metric->n_references++] = event;
}

/* A metric without terms; room for terms and references of n events. */
static void reserve(struct metric *metric, size_t n, struct arena *arena)
{
	*metric = (struct metric){
		.terms = arena_alloc(arena, n * sizeof(*metric->terms), sizeof(int64_t)),
		.references = arena_alloc(arena, n * sizeof(size_t), sizeof(size_t)),
	};
}

bool metric_is_tenths(const char *name, const char *long_name)
{
	size_t len = long_name ? strlen(long_name) : 0, end = strlen(METRIC_TENTHS);

	return is_any_way(name, event_is_tenths) ||
	       (len >= end && strcmp(long_name + len - end, METRIC_TENTHS) == 0);
}

/* All events; their references may stand behind them. */
static void add_events(struct metric_making *making)
{
	struct metrics *metrics = making->metrics;

	for (size_t i = 0; i < making->source->n_events; i++) {
		const struct model_event *event = &making->source->events[i];
		const struct event_info *info = event_find(event->name);
		struct metric *metric = &metrics->all[metrics->n];

		reserve(metric, 1, making->arena);
		metric->name = event->name;
		metric->long_name = event->long_name;
		if (!metric->long_name && info)
			metric->long_name = info->long_name;
		metric->terms[metric->n_terms++] = (struct metric_term){ i, 1 };
		metric->decimals.people = metric_is_tenths(event->name, event->long_name);
		metric->is_self_only = is_any_way(event->name, is_self_only);
		metrics->n_events = ++metrics->n;
	}
	for (size_t i = 0; i < metrics->n; i++) {
		const char *reference = reference_of(metrics->all[i].name);
		size_t number = metrics->n;

		if (reference)
			number = metrics_find(metrics, reference, strlen(reference));
		metrics->all[i].always = number == metrics->n;
		if (!metrics->all[i].always)
			add_reference(&metrics->all[i], number);
	}
}

/* Adds factor times an earlier metric; false if a factor becomes too large. */
static bool add_terms(struct metric *metric, const struct metric *from, int64_t factor)
{
	for (size_t i = 0; i < from->n_terms; i++) {
		struct metric_term *term = metric->terms;
		struct metric_term *end = metric->terms + metric->n_terms;
		int64_t product;

		if (__builtin_mul_overflow(from->terms[i].factor, factor, &product))
			return false;
		while (term < end && term->event != from->terms[i].event)
			term++;
		if (term == end) {
			*term = (struct metric_term){ from->terms[i].event, 0 };
			metric->n_terms++;
		}
		if (__builtin_add_overflow(term->factor, product, &term->factor) ||
		    term->factor > FACTOR_LIMIT || term->factor < -FACTOR_LIMIT)
			return false;
	}
	for (size_t i = 0; i < from->n_references; i++)
		add_reference(metric, from->references[i]);
	metric->always |= from->always;
	metric->is_self_only |= from->is_self_only;
	return true;
}

static bool is_defined(const struct metric_source *source, const char *name, size_t len)
{
	for (size_t i = 0; i < source->n_derived; i++)
		if (is_text(source->derived[i].name, name, len))
			return true;
	return false;
}

/* Whether a name is that of a metric which is known in general. */
static bool is_known(const struct metric_making *making, const char *name)
{
	/* Other files may call what they like so. */
	if (strcmp(name, EVENT_CYCLES) == 0)
		return metrics_have(making->metrics, EVENT_CYCLES_NEEDS);
	for (size_t i = 0; i < N_KNOWN; i++)
		if (strcmp(known[i].definition.name, name) == 0)
			return true;
	return strcmp(making->estimate.name, name) == 0;
}

/* Whether a metric that is not there may still come. */
static bool may_come(const struct metric_making *making, const char *name, size_t len)
{
	if (is_defined(making->source, name, len))
		return true;
	for (size_t i = 0; i < N_KNOWN && !making->is_settled; i++)
		if (is_text(known[i].definition.name, name, len))
			return true;
	return !making->is_settled && is_text(making->estimate.name, name, len);
}

/*
 * A formula that is gone through.  Those of profiles add up columns as they are; in the weighted one of the
 * estimate, what is counted in tenths counts as people see it.
 */
struct formula {
	const char *text;
	bool is_weighted;
};

/* The decimals of a term's values, those of its weight included; of what was not recorded, 0. */
static unsigned decimals_of(const struct metrics *metrics, const struct formula *formula,
			    const struct formula_term *term)
{
	size_t number = metrics_find(metrics, term->name, term->len);
	struct decimals decimals = { 0, 0 };

	if (number < metrics->n)
		decimals = metrics->all[number].decimals;
	return term->decimals + (formula->is_weighted ? decimals.people : decimals.programs);
}

static int next_term(const char **rest, const struct formula *formula, struct formula_term *term)
{
	bool first = *rest == formula->text;

	return formula->is_weighted ? formula_next_weighted(rest, first, term)
				    : formula_next(rest, first, term);
}

/* Terms are brought to as many decimals as the finest of them has. */
static unsigned finest_of(const struct metrics *metrics, const struct formula *formula)
{
	const char *rest = formula->text;
	struct formula_term term;
	unsigned finest = 0;

	while (next_term(&rest, formula, &term) == 1) {
		unsigned decimals = decimals_of(metrics, formula, &term);

		finest = decimals > finest ? decimals : finest;
	}
	return finest;
}

/*
 * Fills in what a formula says, without what was not recorded; false if it cannot be computed: a
 * factor is too large, nothing was recorded, or what it needs may still come.
 */
static bool expand(struct metric_making *making, const struct formula *formula)
{
	const struct metrics *metrics = making->metrics;
	struct metric *next = &making->next;
	unsigned finest = finest_of(metrics, formula), tenths = !formula->is_weighted;
	const char *rest = formula->text;
	struct formula_term term;

	*next = (struct metric){ .terms = next->terms, .references = next->references };
	while (next_term(&rest, formula, &term) == 1) {
		size_t number = metrics_find(metrics, term.name, term.len);
		const struct metric *from = &metrics->all[number];

		if (number == metrics->n &&
		    (making->source->is_strict || may_come(making, term.name, term.len)))
			return false;
		if (number == metrics->n)
			continue;
		for (unsigned i = decimals_of(metrics, formula, &term); i < finest; i++)
			if (__builtin_mul_overflow(term.factor, 10, &term.factor))
				return false;
		if (!add_terms(next, from, term.factor))
			return false;
		/* A sum of nothing but tenths is of tenths. */
		tenths &= (unsigned)(from->decimals.people - from->decimals.programs);
	}
	next->decimals.programs = (unsigned char)finest;
	next->decimals.people = (unsigned char)(finest + tenths);
	return next->n_terms > 0;
}

/* Adds a definition, if it can be computed. */
static void add_derived(struct metric_making *making, const struct model_derived *derived)
{
	struct metrics *metrics = making->metrics;
	struct metric *metric = &metrics->all[metrics->n];
	const struct metric *next = &making->next;

	if (metrics_find(metrics, derived->name, strlen(derived->name)) < metrics->n ||
	    !expand(making, &(struct formula){ derived->formula, derived == &making->estimate }))
		return;
	reserve(metric, next->n_terms + next->n_references, making->arena);
	metric->name = derived->name;
	metric->long_name = derived->long_name;
	metric->formula = derived->formula;
	memcpy(metric->terms, next->terms, next->n_terms * sizeof(*next->terms));
	metric->n_terms = next->n_terms;
	for (size_t i = 0; i < next->n_references; i++)
		metric->references[metric->n_references++] = next->references[i];
	metric->always = next->always;
	metric->is_self_only = next->is_self_only;
	metric->decimals = next->decimals;
	metrics->n++;
}

/*
 * What is known in general, whatever the source says of it: one name means one thing in
 * all profiles.  The source's meaning counts where events for this one are missing.
 */
static void add_known(struct metric_making *making, const struct model_derived *definition,
		      const char *needs)
{
	struct model_derived known_here = *definition;

	if (!metrics_have(making->metrics, needs))
		return;
	/* Cycles are of a machine, which the profile names. */
	for (size_t i = 0; i < making->source->n_derived; i++)
		if (strcmp(definition->name, EVENT_CYCLES) == 0 &&
		    strcmp(making->source->derived[i].name, EVENT_CYCLES) == 0 &&
		    making->source->derived[i].long_name)
			known_here.long_name = making->source->derived[i].long_name;
	add_derived(making, &known_here);
}

/* Whether people have given another formula for it than the source's. */
static bool is_replaced(const struct metric_source *source, const char *name)
{
	return source->estimate && strcmp(name, EVENT_ESTIMATE) == 0;
}

static void add_round(struct metric_making *making)
{
	const struct metric_source *source = making->source;

	for (size_t i = 0; i < source->n_derived; i++)
		if ((making->is_settled || !is_known(making, source->derived[i].name)) &&
		    !is_replaced(source, source->derived[i].name))
			add_derived(making, &source->derived[i]);
	for (size_t i = 0; i < N_KNOWN; i++)
		add_known(making, &known[i].definition, known[i].needs);
	if (source->estimate || metrics_have(making->metrics, EVENT_ESTIMATE_NEEDS))
		add_derived(making, &making->estimate);
}

static void add_all(struct metric_making *making)
{
	for (int i = 0; i < MAX_ROUNDS; i++) {
		size_t before = making->metrics->n;

		add_round(making);
		if (making->metrics->n > before)
			continue;
		if (making->is_settled)
			break;
		making->is_settled = true;
	}
}

void metrics_init(struct metrics *metrics, const struct metric_source *source, struct arena *arena)
{
	size_t most = source->n_events + source->n_derived + N_KNOWN + 1;
	struct metric_making making = {
		.metrics = metrics,
		.source = source,
		.arena = arena,
		.estimate = { EVENT_ESTIMATE, METRIC_ESTIMATE_USUAL, EVENT_ESTIMATE_NAME },
	};

	if (source->estimate)
		making.estimate.formula = source->estimate;
	*metrics = (struct metrics){ .has_own_estimate = source->estimate != NULL };
	metrics->all = arena_alloc(arena, most * sizeof(*metrics->all), sizeof(void *));
	reserve(&making.next, source->n_events + 1, arena);
	add_events(&making);
	add_all(&making);
}

/* Whether something is called so, in this profile or another one. */
static bool is_any(const char *name, size_t len)
{
	char copy[64];

	for (size_t i = 0; i < N_KNOWN; i++)
		if (is_text(known[i].definition.name, name, len))
			return true;
	if (len >= sizeof(copy))
		return false;
	memcpy(copy, name, len);
	copy[len] = '\0';
	return event_find(copy) != NULL;
}

static bool has_positive(const struct metric *metric)
{
	for (size_t i = 0; i < metric->n_terms; i++)
		if (metric->terms[i].factor > 0)
			return true;
	return false;
}

const char *metrics_estimate_wrong(const struct metrics *metrics, const char *estimate,
				   const uint64_t *totals, struct arena *arena)
{
	const char *rest = estimate;
	struct formula_term term;
	size_t n_there = 0, number;

	for (bool first = true; formula_next_weighted(&rest, first, &term) == 1; first = false) {
		char text[160];
		int len;

		if (metrics_find(metrics, term.name, term.len) < metrics->n &&
		    !is_text(EVENT_ESTIMATE, term.name, term.len)) {
			n_there++;
			continue;
		}
		if (is_any(term.name, term.len))
			continue;
		len = snprintf(text, sizeof(text), "expected an event in the formula, found '%.*s'",
			       (int)(term.len < 100 ? term.len : 100), term.name);
		return arena_copy(arena, text, (size_t)len);
	}
	if (n_there == 0)
		return "expected an event that was recorded in the formula";
	number = metrics_find(metrics, EVENT_ESTIMATE, strlen(EVENT_ESTIMATE));
	if (number == metrics->n || metrics->all[number].formula != estimate)
		return "expected weights of fewer digits";
	if (!has_positive(&metrics->all[number]))
		return "expected a weight above 0 of an event that was recorded";
	if (totals && metric_value(&metrics->all[number], totals, false) < 0)
		return "expected a formula that is not below 0 for the whole program";
	return NULL;
}

void metrics_init_names(struct metrics *metrics, const char *const *names, size_t n,
			const struct metric_source *source, struct arena *arena)
{
	struct model_event *events = arena_alloc(arena, (n + 1) * sizeof(*events), sizeof(void *));
	struct metric_source named = *source;

	for (size_t i = 0; i < n; i++)
		events[i] = (struct model_event){ .name = names[i] };
	named.events = events;
	named.n_events = n;
	metrics_init(metrics, &named, arena);
}

int128 metric_value(const struct metric *metric, const uint64_t *costs, bool is_signed)
{
	int128 value = 0;

	for (size_t i = 0; i < metric->n_terms; i++)
		value += int128_of(costs[metric->terms[i].event], is_signed) *
			 metric->terms[i].factor;
	return value;
}

bool metric_can_happen(const struct metric *metric, const uint64_t *costs, bool is_signed)
{
	if (metric->always)
		return true;
	for (size_t i = 0; i < metric->n_references; i++)
		if (costs[metric->references[i]] != 0)
			return true;
	return metric_value(metric, costs, is_signed) != 0;
}
