/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/column.h"

#include <stdio.h>
#include <string.h>

#include "cmds/option.h"
#include "profile/events.h"
#include "profile/formula.h"

static const char no_memory[] = "out of memory";

/* What must happen for an event to be possible; an event that is its own reference is one. */
static const struct {
	const char *name, *reference;
} references[] = {
	{ "Ir", "Ir" },
	{ "Dr", "Dr" },
	{ "Dw", "Dw" },
	{ "I1mr", "Ir" },
	{ "D1mr", "Dr" },
	{ "D1mw", "Dw" },
	{ "ILmr", "Ir" },
	{ "DLmr", "Dr" },
	{ "DLmw", "Dw" },
	{ "ILdmr", "Ir" },
	{ "DLdmr", "Dr" },
	{ "DLdmw", "Dw" },
	{ "Bc", "Bc" },
	{ "Bcm", "Bc" },
	{ "Bi", "Bi" },
	{ "Bim", "Bi" },
	{ "sysTime", "sysCount" },
	{ "sysCpuTime", "sysCount" },
};

/* Formulas of events and of derived columns before them; `needs` must all be there. */
static const struct {
	const char *name, *long_name, *formula, *needs;
} builtins[] = {
	{ "L1m", "L1 misses", "I1mr + D1mr + D1mw", "" },
	{ "LLm", "Last-level misses", "ILmr + DLmr + DLmw", "" },
	{ "Bm", "Branches mispredicted", "Bcm + Bim", "" },
	{ "L1hit", "Served by L1", "Ir + Dr + Dw - L1m", "Ir,I1mr" },
	{ "LLhit", "Served by the last level", "L1m - LLm", "I1mr,ILmr" },
	{ "RAMhit", "Served by memory", "LLm", "ILmr" },
};

static const char *reference_of(const char *event)
{
	const char *name = event_name(event);

	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++)
		if (strcmp(references[i].name, name) == 0)
			return references[i].reference;
	return NULL;
}

size_t columns_find(const struct columns *columns, const char *name, size_t len)
{
	char copy[64];

	for (size_t i = 0; i < columns->n_all; i++) {
		const char *text = columns->all[i].name;

		if (strlen(text) == len && memcmp(text, name, len) == 0)
			return i;
	}
	if (len >= sizeof(copy))
		return columns->n_all;
	memcpy(copy, name, len);
	copy[len] = '\0';
	for (size_t i = 0; i < columns->n_events; i++)
		if (strcmp(event_name(columns->all[i].name), event_name(copy)) == 0)
			return i;
	return columns->n_all;
}

static bool add_reference(struct column *column, size_t event)
{
	for (size_t i = 0; i < column->n_references; i++)
		if (column->references[i] == event)
			return false;
	column->references[column->n_references++] = event;
	return true;
}

static bool init_event(struct columns *columns, const struct model *model, size_t event,
		       struct arena *arena)
{
	struct column *column = &columns->all[event];
	const struct event_info *info = event_find(model->events[event].name);
	const char *reference = reference_of(model->events[event].name);
	size_t number = reference ? model_event(model, reference) : model->n_events;

	*column = (struct column){
		.name = model->events[event].name,
		.long_name = model->events[event].long_name,
		.terms = arena_alloc(arena, sizeof(*column->terms), 8),
		.n_terms = 1,
		.references = arena_alloc(arena, sizeof(size_t), 8),
		.always = number == model->n_events,
	};
	if (!column->terms || !column->references)
		return false;
	if (!column->long_name && info)
		column->long_name = info->long_name;
	column->terms[0] = (struct column_term){ event, 1 };
	if (!column->always)
		add_reference(column, number);
	return true;
}

/* Adds factor times an earlier column; false if a factor becomes too large for amounts. */
static bool add_terms(struct column *column, const struct column *from, int64_t factor)
{
	static const int64_t most = (int64_t)1 << 50;

	for (size_t i = 0; i < from->n_terms; i++) {
		struct column_term *term = column->terms;
		struct column_term *end = column->terms + column->n_terms;
		int64_t product;

		if (__builtin_mul_overflow(from->terms[i].factor, factor, &product))
			return false;
		while (term < end && term->event != from->terms[i].event)
			term++;
		if (term == end) {
			*term = (struct column_term){ from->terms[i].event, 0 };
			column->n_terms++;
		}
		if (__builtin_add_overflow(term->factor, product, &term->factor) ||
		    term->factor > most || term->factor < -most)
			return false;
	}
	for (size_t i = 0; i < from->n_references; i++)
		add_reference(column, from->references[i]);
	column->always |= from->always;
	return true;
}

/*
 * Adds a derived column, if anything of its formula was recorded; what was not
 * is left out, as KCachegrind does.  False if memory ran out.
 */
static bool add_derived(struct columns *columns, const char *name, const char *long_name,
			const char *formula, struct arena *arena)
{
	struct column *column = &columns->all[columns->n_all];
	struct formula_term term;
	bool first = true, fine = true;
	const char *rest = formula;

	if (columns_find(columns, name, strlen(name)) < columns->n_all)
		return true;
	*column = (struct column){
		.name = name,
		.long_name = long_name,
		.formula = formula,
		.terms = arena_alloc(arena, columns->n_events * sizeof(*column->terms), 8),
		.references = arena_alloc(arena, columns->n_events * sizeof(size_t), 8),
	};
	if (!column->terms || !column->references)
		return false;
	for (; fine && formula_next(&rest, first, &term) == 1; first = false) {
		size_t number = columns_find(columns, term.name, term.len);

		if (number < columns->n_all)
			fine = add_terms(column, &columns->all[number], term.factor);
	}
	if (fine && column->n_terms > 0)
		columns->n_all++;
	return true;
}

bool columns_have(const struct columns *columns, const char *names)
{
	while (*names != '\0') {
		size_t len = strcspn(names, ",");

		if (columns_find(columns, names, len) == columns->n_all)
			return false;
		names += len + (names[len] == ',');
	}
	return true;
}

static bool add_estimate(struct columns *columns, const struct column_weights *weights,
			 struct arena *arena)
{
	char text[128];
	char *formula;
	int len = snprintf(text, sizeof(text), "%u L1hit + %u LLhit + %u RAMhit", weights->l1,
			   weights->ll, weights->ram);

	if (weights->branch != 0)
		len += snprintf(text + len, sizeof(text) - (size_t)len, " + %u Bm",
				weights->branch);
	formula = arena_copy(arena, text, (size_t)len);
	if (!formula)
		return false;
	return !columns_have(columns, "L1hit,LLhit") ||
	       add_derived(columns, "EstCyc", "Estimated cycles", formula, arena);
}

static bool init_all(struct columns *columns, const struct model *model,
		     const struct column_weights *weights, struct arena *arena)
{
	enum { N_BUILTINS = sizeof(builtins) / sizeof(builtins[0]) };
	size_t capacity = model->n_events + model->n_derived + N_BUILTINS + 1;

	columns->all = arena_alloc(arena, capacity * sizeof(*columns->all), 16);
	columns->n_events = columns->n_all = model->n_events;
	columns->is_signed = model->is_signed;
	if (!columns->all)
		return false;
	for (size_t i = 0; i < model->n_events; i++)
		if (!init_event(columns, model, i, arena))
			return false;
	/* What a file defines under one of our names is what the file means. */
	for (size_t i = 0; i < model->n_derived; i++)
		if (!add_derived(columns, model->derived[i].name, model->derived[i].long_name,
				 model->derived[i].formula, arena))
			return false;
	for (size_t i = 0; i < N_BUILTINS; i++)
		if (columns_have(columns, builtins[i].needs) &&
		    !add_derived(columns, builtins[i].name, builtins[i].long_name,
				 builtins[i].formula, arena))
			return false;
	return add_estimate(columns, weights, arena);
}

/* "'Xx' is no event of the profile, which has Ir Dr ..." */
static const char *unknown(const struct columns *columns, const char *name, size_t len,
			   struct arena *arena)
{
	char text[768];
	size_t used;
	char *copy;

	snprintf(text, sizeof(text), "'%.*s': expected an event of the profile, one of",
		 (int)(len < 100 ? len : 100), name);
	used = strlen(text);
	for (size_t i = 0; i < columns->n_all; i++) {
		int n = snprintf(text + used, sizeof(text) - used, " %s", columns->all[i].name);

		if (n < 0 || (size_t)n >= sizeof(text) - used)
			break;
		used += (size_t)n;
	}
	copy = arena_copy(arena, text, used);
	return copy ? copy : no_memory;
}

static size_t count_items(const char *list)
{
	size_t n = 1;

	for (; *list != '\0'; list++)
		n += *list == ',';
	return n;
}

static const char *choose_shown(struct columns *columns, const char *list, struct arena *arena,
				bool *is_usage)
{
	size_t n = list ? count_items(list) : columns->n_events;

	columns->shown = arena_alloc(arena, n * sizeof(*columns->shown), 8);
	if (!columns->shown)
		return no_memory;
	columns->n_shown = n;
	for (size_t i = 0; i < n; i++) {
		size_t len;

		columns->shown[i] = i;
		if (!list)
			continue;
		len = strcspn(list, ",");
		columns->shown[i] = columns_find(columns, list, len);
		if (columns->shown[i] == columns->n_all) {
			*is_usage = true;
			return unknown(columns, list, len, arena);
		}
		list += len + 1;
	}
	return NULL;
}

static const char *read_key(struct columns *columns, struct sort_key *key, const char *item,
			    size_t len, struct arena *arena)
{
	size_t name_len = strcspn(item, ",:");
	char number[32];

	*key = (struct sort_key){ .column = columns_find(columns, item, name_len) };
	if (key->column == columns->n_all)
		return unknown(columns, item, name_len, arena);
	if (name_len == len)
		return NULL;
	key->has_threshold = true;
	if (len - name_len - 1 < sizeof(number)) {
		memcpy(number, item + name_len + 1, len - name_len - 1);
		number[len - name_len - 1] = '\0';
		if (option_decimal(number, 0, 100, &key->threshold))
			return NULL;
	}
	return "expected thresholds of 0 to 100 percent, as in --sort=DLmr:1,DLmw:1";
}

static const char *choose_keys(struct columns *columns, const struct column_choice *choice,
			       struct arena *arena, bool *is_usage)
{
	const char *list = choice->sort;
	size_t n = list ? count_items(list) : columns->n_events;
	bool has_thresholds = false;

	columns->keys = arena_alloc(arena, n * sizeof(*columns->keys), 8);
	if (!columns->keys)
		return no_memory;
	columns->n_keys = n;
	for (size_t i = 0; i < n; i++) {
		const char *wrong = NULL;

		columns->keys[i] = (struct sort_key){ .column = i };
		if (list) {
			size_t len = strcspn(list, ",");

			wrong = read_key(columns, &columns->keys[i], list, len, arena);
			list += len + 1;
		}
		if (wrong) {
			*is_usage = wrong != no_memory;
			return wrong;
		}
		has_thresholds |= columns->keys[i].has_threshold;
	}
	if (!has_thresholds) {
		columns->keys[0].has_threshold = true;
		columns->keys[0].threshold = choice->threshold;
	}
	return NULL;
}

const char *columns_init(struct columns *columns, const struct model *model,
			 const struct column_choice *choice, struct arena *arena, bool *is_usage)
{
	const char *wrong;

	*is_usage = false;
	if (!init_all(columns, model, &choice->weights, arena))
		return no_memory;
	wrong = choose_shown(columns, choice->show, arena, is_usage);
	return wrong ? wrong : choose_keys(columns, choice, arena, is_usage);
}

amount column_value(const struct column *column, const uint64_t *costs, bool is_signed)
{
	amount value = 0;

	for (size_t i = 0; i < column->n_terms; i++)
		value += amount_of(costs[column->terms[i].event], is_signed) *
			 column->terms[i].factor;
	return value;
}

bool column_can_happen(const struct column *column, const uint64_t *costs, bool is_signed)
{
	if (column->always)
		return true;
	for (size_t i = 0; i < column->n_references; i++)
		if (costs[column->references[i]] != 0)
			return true;
	return column_value(column, costs, is_signed) != 0;
}

int columns_compare(const struct columns *columns, const uint64_t *a, const uint64_t *b)
{
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct column *column = &columns->all[columns->keys[i].column];
		amount of_a = amount_magnitude(column_value(column, a, columns->is_signed));
		amount of_b = amount_magnitude(column_value(column, b, columns->is_signed));

		if (of_a != of_b)
			return of_a > of_b ? -1 : 1;
	}
	return 0;
}

bool columns_reach(const struct columns *columns, const uint64_t *costs, const uint64_t *totals)
{
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct sort_key *key = &columns->keys[i];
		const struct column *column = &columns->all[key->column];
		amount value, total;

		if (!key->has_threshold)
			continue;
		value = amount_magnitude(column_value(column, costs, columns->is_signed));
		total = amount_magnitude(column_value(column, totals, columns->is_signed));
		/* Of nothing, everything is 0 %. */
		if (100.0 * (double)value >= key->threshold * (double)total &&
		    (value > 0 || key->threshold == 0))
			return true;
	}
	return false;
}
