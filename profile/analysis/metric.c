/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas name metrics, which may be defined behind them: the definitions are gone
 * through until nothing new can be computed.
 */
#include "profile/analysis/metric.h"

#include <stdio.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "writer/shared/events.h"

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
	struct metric next; /* at work, with room for all events */
	struct model_derived estimate;
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
	static const char *const names[] = {
		EVENT_ESTIMATE,   "CEst", EVENT_ESTIMATE METRIC_UP,
		"CEst" METRIC_UP, "Ir",   "Ir" METRIC_UP,
	};
	const size_t cycles = metrics_find(metrics, EVENT_CYCLES, strlen(EVENT_CYCLES));

	/* The machine's, and no other one's of that name. */
	if (cycles < metrics->n && metrics_have(metrics, EVENT_CYCLES_NEEDS))
		return cycles;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t number = metrics_find(metrics, names[i], strlen(names[i]));

		if (number < metrics->n)
			return number;
	}
	return 0;
}

/* Whether a name is of a number of bytes of another one, and the suffix. */
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
static bool reserve(struct metric *metric, size_t n, struct arena *arena)
{
	*metric = (struct metric){
		.terms = arena_alloc(arena, n * sizeof(*metric->terms), sizeof(int64_t)),
		.references = arena_alloc(arena, n * sizeof(size_t), sizeof(size_t)),
	};
	return metric->terms && metric->references;
}

/* All events; their references may stand behind them. */
static bool add_events(struct metric_making *making)
{
	struct metrics *metrics = making->metrics;

	for (size_t i = 0; i < making->source->n_events; i++) {
		const struct model_event *event = &making->source->events[i];
		const struct event_info *info = event_find(event->name);
		struct metric *metric = &metrics->all[metrics->n];

		if (!reserve(metric, 1, making->arena))
			return false;
		metric->name = event->name;
		metric->long_name = event->long_name;
		if (!metric->long_name && info)
			metric->long_name = info->long_name;
		metric->terms[metric->n_terms++] = (struct metric_term){ i, 1 };
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
	return true;
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
 * Fills in what a formula says, without what was not recorded; false if it cannot be computed: a
 * factor is too large, nothing was recorded, or what it needs may still come.
 */
static bool expand(struct metric_making *making, const char *formula)
{
	const struct metrics *metrics = making->metrics;
	struct metric *next = &making->next;
	struct formula_term term;
	bool first = true;

	next->n_terms = next->n_references = 0;
	next->always = false;
	for (; formula_next(&formula, first, &term) == 1; first = false) {
		size_t number = metrics_find(metrics, term.name, term.len);

		if (number == metrics->n &&
		    (making->source->is_strict || may_come(making, term.name, term.len)))
			return false;
		if (number < metrics->n && !add_terms(next, &metrics->all[number], term.factor))
			return false;
	}
	return next->n_terms > 0;
}

/* Adds a definition, if it can be computed; false if memory ran out. */
static bool add_derived(struct metric_making *making, const struct model_derived *derived)
{
	struct metrics *metrics = making->metrics;
	struct metric *metric = &metrics->all[metrics->n];
	const struct metric *next = &making->next;

	if (metrics_find(metrics, derived->name, strlen(derived->name)) < metrics->n ||
	    !expand(making, derived->formula))
		return true;
	if (!reserve(metric, next->n_terms + next->n_references, making->arena))
		return false;
	metric->name = derived->name;
	metric->long_name = derived->long_name;
	metric->formula = derived->formula;
	memcpy(metric->terms, next->terms, next->n_terms * sizeof(*next->terms));
	metric->n_terms = next->n_terms;
	for (size_t i = 0; i < next->n_references; i++)
		metric->references[metric->n_references++] = next->references[i];
	metric->always = next->always;
	metrics->n++;
	return true;
}

/*
 * What is known in general, whatever the source says of it: one name means one thing in
 * all profiles.  The source's meaning counts where events for this one are missing.
 */
static bool add_known(struct metric_making *making, const struct model_derived *definition,
		      const char *needs)
{
	return !metrics_have(making->metrics, needs) || add_derived(making, definition);
}

static bool add_round(struct metric_making *making)
{
	const struct metric_source *source = making->source;

	for (size_t i = 0; i < source->n_derived; i++)
		if ((making->is_settled || !is_known(making, source->derived[i].name)) &&
		    !add_derived(making, &source->derived[i]))
			return false;
	for (size_t i = 0; i < N_KNOWN; i++)
		if (!add_known(making, &known[i].definition, known[i].needs))
			return false;
	return add_known(making, &making->estimate, EVENT_ESTIMATE_NEEDS);
}

static bool add_all(struct metric_making *making)
{
	for (int i = 0; i < MAX_ROUNDS; i++) {
		size_t before = making->metrics->n;

		if (!add_round(making))
			return false;
		if (making->metrics->n > before)
			continue;
		if (making->is_settled)
			break;
		making->is_settled = true;
	}
	return true;
}

static bool define_estimate(struct metric_making *making)
{
	static const struct metric_weights usual = { EVENT_CYCLES_L1, EVENT_CYCLES_LL,
						     EVENT_CYCLES_RAM, EVENT_CYCLES_BRANCH };
	struct metric_weights weights = making->source->weights ? *making->source->weights : usual;
	char text[128];
	int len;

	len = snprintf(text, sizeof(text), "%u L1hit + %u LLhit + %u RAMhit", weights.l1,
		       weights.ll, weights.ram);
	if (weights.branch != 0)
		len += snprintf(text + len, sizeof(text) - (size_t)len, " + %u Bm", weights.branch);
	making->estimate = (struct model_derived){
		EVENT_ESTIMATE,
		arena_copy(making->arena, text, (size_t)len),
		EVENT_ESTIMATE_NAME,
	};
	return making->estimate.formula != NULL;
}

bool metrics_init(struct metrics *metrics, const struct metric_source *source, struct arena *arena)
{
	size_t most = source->n_events + source->n_derived + N_KNOWN + 1;
	struct metric_making making = { .metrics = metrics, .source = source, .arena = arena };

	*metrics = (struct metrics){ 0 };
	metrics->all = arena_alloc(arena, most * sizeof(*metrics->all), sizeof(void *));
	return metrics->all && reserve(&making.next, source->n_events + 1, arena) &&
	       add_events(&making) && define_estimate(&making) && add_all(&making);
}

bool metrics_init_names(struct metrics *metrics, const char *const *names, size_t n,
			const struct metric_source *source, struct arena *arena)
{
	struct model_event *events = arena_alloc(arena, (n + 1) * sizeof(*events), sizeof(void *));
	struct metric_source named = *source;

	if (!events)
		return false;
	for (size_t i = 0; i < n; i++)
		events[i] = (struct model_event){ .name = names[i] };
	named.events = events;
	named.n_events = n;
	return metrics_init(metrics, &named, arena);
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
