/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas name measures, which may be defined behind them: the definitions are gone
 * through until nothing new can be computed.
 */
#include "profile/analysis/measure.h"

#include <stdio.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "writer/shared/events.h"

/* Of weights, which the range of amounts depends on. */
#define FACTOR_LIMIT (INT64_C(1) << 20)

/* Formulas of events and of measures before them; `needs` must all be there. */
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
struct making {
	struct measures *measures;
	const struct measure_source *source;
	struct arena *arena;
	struct measure next; /* at work, with room for all events */
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

size_t measures_find(const struct measures *measures, const char *name, size_t len)
{
	char copy[64];

	for (size_t i = 0; i < measures->n; i++)
		if (is_text(measures->all[i].name, name, len))
			return i;
	if (len >= sizeof(copy))
		return measures->n;
	memcpy(copy, name, len);
	copy[len] = '\0';
	for (size_t i = 0; i < measures->n_events; i++)
		if (strcmp(event_name(measures->all[i].name), event_name(copy)) == 0)
			return i;
	return measures->n;
}

bool measures_have(const struct measures *measures, const char *names)
{
	while (*names != '\0') {
		size_t len = strcspn(names, ",");

		if (measures_find(measures, names, len) == measures->n)
			return false;
		names += len + (names[len] == ',');
	}
	return true;
}

static void add_reference(struct measure *measure, size_t event)
{
	for (size_t i = 0; i < measure->n_references; i++)
		if (measure->references[i] == event)
			return;
	measure->references[measure->n_references++] = event;
}

/* A measure without terms; room for terms and references of n events. */
static bool reserve(struct measure *measure, size_t n, struct arena *arena)
{
	*measure = (struct measure){
		.terms = arena_alloc(arena, n * sizeof(*measure->terms), sizeof(int64_t)),
		.references = arena_alloc(arena, n * sizeof(size_t), sizeof(size_t)),
	};
	return measure->terms && measure->references;
}

/* All events; their references may stand behind them. */
static bool add_events(struct making *making)
{
	struct measures *measures = making->measures;

	for (size_t i = 0; i < making->source->n_events; i++) {
		const struct model_event *event = &making->source->events[i];
		const struct event_info *info = event_find(event->name);
		struct measure *measure = &measures->all[measures->n];

		if (!reserve(measure, 1, making->arena))
			return false;
		measure->name = event->name;
		measure->long_name = event->long_name;
		if (!measure->long_name && info)
			measure->long_name = info->long_name;
		measure->terms[measure->n_terms++] = (struct measure_term){ i, 1 };
		measures->n_events = ++measures->n;
	}
	for (size_t i = 0; i < measures->n; i++) {
		const char *reference = reference_of(measures->all[i].name);
		size_t number = measures->n;

		if (reference)
			number = measures_find(measures, reference, strlen(reference));
		measures->all[i].always = number == measures->n;
		if (!measures->all[i].always)
			add_reference(&measures->all[i], number);
	}
	return true;
}

/* Adds factor times an earlier measure; false if a factor becomes too large. */
static bool add_terms(struct measure *measure, const struct measure *from, int64_t factor)
{
	for (size_t i = 0; i < from->n_terms; i++) {
		struct measure_term *term = measure->terms;
		struct measure_term *end = measure->terms + measure->n_terms;
		int64_t product;

		if (__builtin_mul_overflow(from->terms[i].factor, factor, &product))
			return false;
		while (term < end && term->event != from->terms[i].event)
			term++;
		if (term == end) {
			*term = (struct measure_term){ from->terms[i].event, 0 };
			measure->n_terms++;
		}
		if (__builtin_add_overflow(term->factor, product, &term->factor) ||
		    term->factor > FACTOR_LIMIT || term->factor < -FACTOR_LIMIT)
			return false;
	}
	for (size_t i = 0; i < from->n_references; i++)
		add_reference(measure, from->references[i]);
	measure->always |= from->always;
	return true;
}

static bool is_defined(const struct measure_source *source, const char *name, size_t len)
{
	for (size_t i = 0; i < source->n_derived; i++)
		if (is_text(source->derived[i].name, name, len))
			return true;
	return false;
}

/* Whether a name is that of a measure which is known in general. */
static bool is_known(const struct making *making, const char *name)
{
	for (size_t i = 0; i < N_KNOWN; i++)
		if (strcmp(known[i].definition.name, name) == 0)
			return true;
	return strcmp(making->estimate.name, name) == 0;
}

/* Whether a measure that is not there may still come. */
static bool may_come(const struct making *making, const char *name, size_t len)
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
static bool expand(struct making *making, const char *formula)
{
	const struct measures *measures = making->measures;
	struct measure *next = &making->next;
	struct formula_term term;
	bool first = true;

	next->n_terms = next->n_references = 0;
	next->always = false;
	for (; formula_next(&formula, first, &term) == 1; first = false) {
		size_t number = measures_find(measures, term.name, term.len);

		if (number == measures->n &&
		    (making->source->is_strict || may_come(making, term.name, term.len)))
			return false;
		if (number < measures->n && !add_terms(next, &measures->all[number], term.factor))
			return false;
	}
	return next->n_terms > 0;
}

/* Adds a definition, if it can be computed; false if memory ran out. */
static bool add_derived(struct making *making, const struct model_derived *derived)
{
	struct measures *measures = making->measures;
	struct measure *measure = &measures->all[measures->n];
	const struct measure *next = &making->next;

	if (measures_find(measures, derived->name, strlen(derived->name)) < measures->n ||
	    !expand(making, derived->formula))
		return true;
	if (!reserve(measure, next->n_terms + next->n_references, making->arena))
		return false;
	measure->name = derived->name;
	measure->long_name = derived->long_name;
	measure->formula = derived->formula;
	memcpy(measure->terms, next->terms, next->n_terms * sizeof(*next->terms));
	measure->n_terms = next->n_terms;
	for (size_t i = 0; i < next->n_references; i++)
		measure->references[measure->n_references++] = next->references[i];
	measure->always = next->always;
	measures->n++;
	return true;
}

/*
 * What is known in general, whatever the source says of it: one name means one thing in
 * all profiles.  The source's meaning counts where events for this one are missing.
 */
static bool add_known(struct making *making, const struct model_derived *definition,
		      const char *needs)
{
	return !measures_have(making->measures, needs) || add_derived(making, definition);
}

static bool add_round(struct making *making)
{
	const struct measure_source *source = making->source;

	for (size_t i = 0; i < source->n_derived; i++)
		if ((making->is_settled || !is_known(making, source->derived[i].name)) &&
		    !add_derived(making, &source->derived[i]))
			return false;
	for (size_t i = 0; i < N_KNOWN; i++)
		if (!add_known(making, &known[i].definition, known[i].needs))
			return false;
	return add_known(making, &making->estimate, EVENT_ESTIMATE_NEEDS);
}

static bool add_all(struct making *making)
{
	for (int i = 0; i < MAX_ROUNDS; i++) {
		size_t before = making->measures->n;

		if (!add_round(making))
			return false;
		if (making->measures->n > before)
			continue;
		if (making->is_settled)
			break;
		making->is_settled = true;
	}
	return true;
}

static bool define_estimate(struct making *making)
{
	static const struct measure_weights usual = { EVENT_CYCLES_L1, EVENT_CYCLES_LL,
						      EVENT_CYCLES_RAM, EVENT_CYCLES_BRANCH };
	struct measure_weights weights = making->source->weights ? *making->source->weights : usual;
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

bool measures_init(struct measures *measures, const struct measure_source *source,
		   struct arena *arena)
{
	size_t most = source->n_events + source->n_derived + N_KNOWN + 1;
	struct making making = { .measures = measures, .source = source, .arena = arena };

	*measures = (struct measures){ 0 };
	measures->all = arena_alloc(arena, most * sizeof(*measures->all), sizeof(void *));
	return measures->all && reserve(&making.next, source->n_events + 1, arena) &&
	       add_events(&making) && define_estimate(&making) && add_all(&making);
}

int128 measure_value(const struct measure *measure, const uint64_t *costs, bool is_signed)
{
	int128 value = 0;

	for (size_t i = 0; i < measure->n_terms; i++)
		value += int128_of(costs[measure->terms[i].event], is_signed) *
			 measure->terms[i].factor;
	return value;
}

bool measure_can_happen(const struct measure *measure, const uint64_t *costs, bool is_signed)
{
	if (measure->always)
		return true;
	for (size_t i = 0; i < measure->n_references; i++)
		if (costs[measure->references[i]] != 0)
			return true;
	return measure_value(measure, costs, is_signed) != 0;
}
