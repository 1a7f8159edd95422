/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/listing/column.h"

#include <stdio.h>
#include <string.h>

#include "cmds/cli/option.h"
#include "profile/common/event_names.h"

/* "'Xx' is no event of the profile, which has Ir Dr ..." */
static const char *unknown(const struct columns *columns, const char *name, size_t len,
			   struct arena *arena)
{
	char text[768];
	size_t used;

	snprintf(text, sizeof(text), "'%.*s': expected an event of the profile, one of",
		 (int)(len < 100 ? len : 100), name);
	used = strlen(text);
	for (size_t i = 0; i < columns->metrics.n; i++) {
		int n = snprintf(text + used, sizeof(text) - used, " %s",
				 columns->metrics.all[i].name);

		if (n < 0 || (size_t)n >= sizeof(text) - used)
			break;
		used += (size_t)n;
	}
	return arena_copy(arena, text, used);
}

static size_t count_items(const char *list)
{
	size_t n = 1;

	for (; *list != '\0'; list++)
		n += *list == ',';
	return n;
}

static bool is_listed(const struct columns *columns, size_t metric)
{
	for (size_t i = 0; i < columns->n_shown; i++)
		if (columns->shown[i] == metric)
			return true;
	return false;
}

static void show(struct columns *columns, const struct column_choice *choice, size_t metric)
{
	const struct metrics *metrics = &columns->metrics;

	if (!is_listed(columns, metric) &&
	    !(choice->is_prose && event_is_of_curve(metrics->all[metric].name)))
		columns->shown[columns->n_shown++] = metric;
}

static const char *choose_shown(struct columns *columns, const struct column_choice *choice,
				struct arena *arena)
{
	const char *list = choice->show;
	const struct metrics *metrics = &columns->metrics;
	size_t n = list ? count_items(list) : metrics->n_events + 2, first, other, part;

	columns->shown = arena_alloc(arena, (n + 1) * sizeof(*columns->shown), 8);
	columns->n_shown = list ? n : 0;
	for (size_t i = 0; list && i < n; i++) {
		size_t len = strcspn(list, ",");

		columns->shown[i] = metrics_find(&columns->metrics, list, len);
		if (columns->shown[i] == columns->metrics.n)
			return unknown(columns, list, len, arena);
		list += len + 1;
	}
	if (list)
		return NULL;
	/*
	 * Events, after the main metric unless that is one of them; of a pair, after both.  Of cycles, what they
	 * were spent on comes first.
	 */
	first = metrics_main(metrics);
	other = metrics_other_way(metrics, first);
	columns->shown[columns->n_shown++] = first;
	if (other < metrics->n)
		columns->shown[columns->n_shown++] = other;
	for (size_t i = 0; (part = metrics_cycle_part(metrics, first, i)) < metrics->n; i++)
		show(columns, choice, part);
	for (size_t i = 0; i < metrics->n_events; i++)
		show(columns, choice, i);
	return NULL;
}

static const char *read_key(struct columns *columns, struct sort_key *key, const char *item,
			    size_t len, struct arena *arena)
{
	size_t name_len = strcspn(item, ",:");
	char number[32];

	*key = (struct sort_key){ .metric = metrics_find(&columns->metrics, item, name_len) };
	if (key->metric == columns->metrics.n)
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

/*
 * The first key has the threshold.  If it is one of a pair, so has the other one: what only decreased
 * is not to be left out for having no increase.  There is room for another key.
 */
static void set_threshold(struct columns *columns, double threshold)
{
	size_t other = metrics_other_way(&columns->metrics, columns->keys[0].metric), i = 0;

	columns->keys[0].has_threshold = true;
	columns->keys[0].threshold = threshold;
	if (other == columns->metrics.n)
		return;
	while (i < columns->n_keys && columns->keys[i].metric != other)
		i++;
	if (i == columns->n_keys && !is_listed(columns, other))
		return;
	if (i == columns->n_keys)
		columns->n_keys++;
	columns->keys[i] = (struct sort_key){ other, true, threshold };
}

static const char *choose_keys(struct columns *columns, const struct column_choice *choice,
			       struct arena *arena)
{
	const char *list = choice->sort;
	size_t n = list ? count_items(list) : columns->n_shown;
	bool has_thresholds = false;

	columns->keys = arena_alloc(arena, (n + 1) * sizeof(*columns->keys), 8);
	columns->n_keys = n;
	for (size_t i = 0; i < n; i++) {
		const char *wrong = NULL;

		if (list) {
			size_t len = strcspn(list, ",");

			wrong = read_key(columns, &columns->keys[i], list, len, arena);
			list += len + 1;
		} else {
			columns->keys[i] = (struct sort_key){ .metric = columns->shown[i] };
		}
		if (wrong)
			return wrong;
		has_thresholds |= columns->keys[i].has_threshold;
	}
	if (!has_thresholds)
		set_threshold(columns, choice->threshold);
	return NULL;
}

const char *columns_init(struct columns *columns, const struct model *model,
			 const struct column_choice *choice, struct arena *arena)
{
	const char *wrong;
	const struct metric_source source = metric_source_of(model, choice->estimate);

	columns->is_signed = model->is_signed;
	metrics_init(&columns->metrics, &source, arena);
	wrong = choose_shown(columns, choice, arena);
	if (!wrong)
		wrong = choose_keys(columns, choice, arena);
	/* Few columns begin with what is sorted by; there is room for it. */
	if (!wrong && choice->is_few && !choice->show &&
	    !is_listed(columns, columns->keys[0].metric))
		columns->shown[columns->n_shown++] = columns->keys[0].metric;
	return wrong;
}

int columns_compare(const struct columns *columns, const uint64_t *a, const uint64_t *b)
{
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct metric *metric = &columns->metrics.all[columns->keys[i].metric];
		int128 of_a = int128_magnitude(metric_value(metric, a, columns->is_signed));
		int128 of_b = int128_magnitude(metric_value(metric, b, columns->is_signed));

		if (of_a != of_b)
			return of_a > of_b ? -1 : 1;
	}
	return 0;
}

bool columns_reach(const struct columns *columns, const uint64_t *costs, const uint64_t *totals)
{
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct sort_key *key = &columns->keys[i];
		const struct metric *metric = &columns->metrics.all[key->metric];
		int128 value, total;

		if (!key->has_threshold)
			continue;
		value = int128_magnitude(metric_value(metric, costs, columns->is_signed));
		total = int128_magnitude(metric_value(metric, totals, columns->is_signed));
		/* Of nothing, everything is 0 %. */
		if (100.0 * (double)value >= key->threshold * (double)total &&
		    (value > 0 || key->threshold == 0))
			return true;
	}
	return false;
}

/* -- --cycles ---------------------------------------------------------------------------- */

enum { MAX_NUMBERS = 4, NUMBER_TEXT = 16 };

/* A number of cycles, len bytes, into text; false if it is none, or no weight. */
static bool take_number(const char *value, size_t len, char text[NUMBER_TEXT])
{
	char formula[NUMBER_TEXT + sizeof(" Ir")];
	double number;

	if (len >= NUMBER_TEXT)
		return false;
	memcpy(text, value, len);
	text[len] = '\0';
	memcpy(formula, text, len);
	memcpy(formula + len, " Ir", sizeof(" Ir"));
	return option_decimal(text, 0, 1000000, &number) && strchr(text, '%') == NULL &&
	       formula_is_weighted(formula);
}

/* "1,5,35" or "1,5,35,10"; false for anything else. */
static bool read_numbers(const char *value, struct cycleformula *made)
{
	char numbers[MAX_NUMBERS][NUMBER_TEXT];
	int n = 0, len;

	for (; n < MAX_NUMBERS && *value != '\0'; n++) {
		size_t one = strcspn(value, ",");

		if (!take_number(value, one, numbers[n]))
			return false;
		value += one + (value[one] == ',' && value[one + 1] != '\0');
	}
	if (n < MAX_NUMBERS - 1 || *value != '\0')
		return false;
	len = snprintf(made->text, sizeof(made->text), METRIC_ESTIMATE_OF("%s", "%s", "%s"),
		       numbers[0], numbers[1], numbers[2]);
	if (n == MAX_NUMBERS && strspn(numbers[3], "0.") < strlen(numbers[3]))
		snprintf(made->text + len, sizeof(made->text) - (size_t)len, " + %s Bm",
			 numbers[3]);
	return true;
}

const char *cycleformula_read(const char *value, struct cycleformula *made, const char **estimate)
{
	bool is_made = read_numbers(value, made);
	struct formula_term term;
	const char *rest;

	if (!is_made && !formula_is_weighted(value))
		return "a formula such as 'Ir + 0.5*D1m + 30 LLm' (three decimals at most), or cycles of L1, "
		       "LL, memory and perhaps mispredictions, such as 1,5,35";
	*estimate = rest = is_made ? made->text : value;
	for (bool first = true; formula_next_weighted(&rest, first, &term) == 1; first = false)
		if (term.factor > 0)
			return NULL;
	return "a weight above 0";
}
