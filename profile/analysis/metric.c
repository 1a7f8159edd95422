/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas name metrics, which may be defined after them: the definitions are gone
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

enum { MAX_ROUNDS = 16 }; /* over definitions that are in the wrong order */

/* What is being made of a source. */
struct metric_making {
	struct metrics *metrics;
	const struct metric_source *source;
	struct arena *arena;
	struct metric next;            /* at work, with room for all events */
	struct model_derived estimate; /* its formula is weighted */
	bool is_settled; /* what is known in general and not there yet will not come */
};

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

const struct metric *metrics_named(const struct metrics *metrics, const char *name)
{
	const size_t number = metrics_find(metrics, name, strlen(name));

	return number < metrics->n ? &metrics->all[number] : NULL;
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

static bool is_cycles(const char *name)
{
	return strcmp(name, EVENT_CYCLES) == 0;
}

/* True if a name is the first len bytes of another one, and the suffix. */
static bool is_with(const char *name, const char *stem, size_t len, const char *suffix)
{
	return strncmp(name, stem, len) == 0 && strcmp(name + len, suffix) == 0;
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

	if (!whole->formula || !is_any_way(whole->name, is_cycles) || i >= whole->n_terms * n_ways)
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

/* All events; their references may come after them. */
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
		const struct event_info *info = event_find(metrics->all[i].name);
		size_t number = metrics->n;

		if (info && info->of)
			number = metrics_find(metrics, info->of, strlen(info->of));
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

/* True if this is the name of a metric that is known in general. */
static bool is_known(const char *name, size_t len)
{
	for (size_t i = 0; i < N_KNOWN; i++)
		if (is_text(known[i].definition.name, name, len))
			return true;
	return is_text(EVENT_ESTIMATE, name, len);
}

/* True if a metric that is not there may still come. */
static bool may_come(const struct metric_making *making, const char *name, size_t len)
{
	for (size_t i = 0; i < making->source->n_derived; i++)
		if (is_text(making->source->derived[i].name, name, len))
			return true;
	return !making->is_settled && is_known(name, len);
}

/*
 * The next term of a formula, and its metric; n if it was not recorded.  *decimals: of its values and its
 * weight.  Formulas of profiles add up columns as they are; in the weighted one of the estimate, what is counted in
 * tenths counts as people see it.
 */
static bool next_term(const struct metrics *metrics, const char **rest,
		      const struct model_derived *derived, bool is_weighted,
		      struct formula_term *term, size_t *number, unsigned *decimals)
{
	bool first = *rest == derived->formula;

	if ((is_weighted ? formula_next_weighted(rest, first, term)
			 : formula_next(rest, first, term)) != 1)
		return false;
	*number = metrics_find(metrics, term->name, term->len);
	*decimals = term->decimals;
	if (*number < metrics->n)
		*decimals += is_weighted ? metrics->all[*number].decimals.people
					 : metrics->all[*number].decimals.programs;
	return true;
}

/*
 * Fills in what a formula says, without what was not recorded; false if it cannot be computed: a
 * factor is too large, nothing was recorded, or what it needs may still come.
 */
static bool expand(struct metric_making *making, const struct model_derived *derived)
{
	const struct metrics *metrics = making->metrics;
	const bool is_weighted = derived == &making->estimate;
	struct metric *next = &making->next;
	unsigned finest = 0, decimals, tenths = !is_weighted;
	const char *rest = derived->formula;
	struct formula_term term;
	size_t number;

	*next = (struct metric){ .terms = next->terms, .references = next->references };
	/* Terms are brought to as many decimals as the finest of them has. */
	while (next_term(metrics, &rest, derived, is_weighted, &term, &number, &decimals))
		finest = decimals > finest ? decimals : finest;
	rest = derived->formula;
	while (next_term(metrics, &rest, derived, is_weighted, &term, &number, &decimals)) {
		const struct metric *from = &metrics->all[number];

		if (number == metrics->n &&
		    (making->source->is_strict || may_come(making, term.name, term.len)))
			return false;
		if (number == metrics->n)
			continue;
		for (; decimals < finest; decimals++)
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

static void *copy_array(struct arena *arena, const void *array, size_t size)
{
	return memcpy(arena_alloc(arena, size, sizeof(int64_t)), array, size);
}

/* Adds a definition, if it can be computed. */
static void add_derived(struct metric_making *making, const struct model_derived *derived)
{
	struct metrics *metrics = making->metrics;
	struct metric *metric = &metrics->all[metrics->n];
	const struct metric *next = &making->next;

	if (metrics_find(metrics, derived->name, strlen(derived->name)) < metrics->n ||
	    !expand(making, derived))
		return;
	*metric = *next;
	metric->name = derived->name;
	metric->long_name = derived->long_name;
	metric->formula = derived->formula;
	metric->terms =
		copy_array(making->arena, next->terms, next->n_terms * sizeof(*next->terms));
	metric->references = copy_array(making->arena, next->references,
					next->n_references * sizeof(*next->references));
	metrics->n++;
}

/*
 * What is known in general, whatever the source says about it: one name means one thing in
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
		if (is_cycles(definition->name) && is_cycles(making->source->derived[i].name) &&
		    making->source->derived[i].long_name)
			known_here.long_name = making->source->derived[i].long_name;
	add_derived(making, &known_here);
}

static void add_round(struct metric_making *making)
{
	const struct metric_source *source = making->source;

	for (size_t i = 0; i < source->n_derived; i++) {
		const char *name = source->derived[i].name;
		/* Other files may use the name of cycles for anything. */
		bool known_here = is_cycles(name)
					  ? metrics_have(making->metrics, EVENT_CYCLES_NEEDS)
					  : is_known(name, strlen(name));

		/* People may have given another formula for the estimate than the source's. */
		if ((making->is_settled || !known_here) &&
		    !(source->estimate && strcmp(name, EVENT_ESTIMATE) == 0))
			add_derived(making, &source->derived[i]);
	}
	for (size_t i = 0; i < N_KNOWN; i++)
		add_known(making, &known[i].definition, known[i].needs);
	if (source->estimate || metrics_have(making->metrics, EVENT_ESTIMATE_NEEDS))
		add_derived(making, &making->estimate);
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
	for (int i = 0; i < MAX_ROUNDS; i++) {
		size_t before = metrics->n;

		add_round(&making);
		/* cppcheck-suppress knownConditionTrueFalse ; a round adds to them */
		if (metrics->n > before)
			continue;
		if (making.is_settled)
			break;
		making.is_settled = true;
	}
}

/* True if some event, of this profile or another one, is called this. */
static bool is_event(const char *name, size_t len)
{
	char copy[64];

	if (len >= sizeof(copy))
		return false;
	memcpy(copy, name, len);
	copy[len] = '\0';
	return event_find(copy) != NULL;
}

const char *metrics_estimate_wrong(const struct metrics *metrics, const char *estimate,
				   const uint64_t *totals, struct arena *arena)
{
	const struct metric *metric;
	const char *rest = estimate;
	struct formula_term term;
	size_t n_there = 0, n_positive = 0, number;

	for (bool first = true; formula_next_weighted(&rest, first, &term) == 1; first = false) {
		const bool is_itself = is_text(EVENT_ESTIMATE, term.name, term.len);
		char text[160];
		int len;

		if (metrics_find(metrics, term.name, term.len) < metrics->n && !is_itself) {
			n_there++;
			continue;
		}
		if (!is_itself && (is_known(term.name, term.len) || is_event(term.name, term.len)))
			continue;
		len = snprintf(text, sizeof(text), "expected an event in the formula, found '%.*s'",
			       (int)(term.len < 100 ? term.len : 100), term.name);
		return arena_copy(arena, text, (size_t)len);
	}
	if (n_there == 0)
		return "expected an event that was recorded in the formula";
	number = metrics_find(metrics, EVENT_ESTIMATE, strlen(EVENT_ESTIMATE));
	metric = &metrics->all[number];
	if (number == metrics->n || metric->formula != estimate)
		return "expected weights of fewer digits";
	for (size_t i = 0; i < metric->n_terms; i++)
		n_positive += metric->terms[i].factor > 0;
	if (n_positive == 0)
		return "expected a weight above 0 of an event that was recorded";
	if (totals && metric_value(metric, totals, false) < 0)
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

int64_t metric_factor(const struct metric *metric, size_t event)
{
	for (size_t i = 0; i < metric->n_terms; i++)
		if (metric->terms[i].event == event)
			return metric->terms[i].factor;
	return 0;
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
