/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/listing/costcells.h"

#include <stdio.h>
#include <string.h>

/* Columns of a line that counts leave, unless one alone takes more. */
enum { LEAST_TEXT = 40 };

static const struct metric *metric_at(const struct costcells *cells, size_t i)
{
	return &cells->columns->metrics.all[cells->columns->shown[i]];
}

static bool can_be_shown(const struct costcells *cells, const struct metric *metric,
			 const uint64_t *costs)
{
	return costs && !(cells->is_inclusive && metric->is_self_only) &&
	       (cells->has_zeros || metric_can_happen(metric, costs, cells->columns->is_signed));
}

struct cell costcells_counts(struct costcells *cells, size_t number, const uint64_t *costs)
{
	const struct columns *columns = cells->columns;
	int128 *values = cells->counting[number].values;
	bool *can_happen = cells->counting[number].can_happen;

	if (!costs)
		return cell_none;
	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct metric *metric = metric_at(cells, i);

		can_happen[i] = can_be_shown(cells, metric, costs);
		values[i] = can_happen[i] ? metric_value(metric, costs, columns->is_signed) : 0;
	}
	return cell_counts((struct cell_counts){
		.n = columns->n_shown,
		.values = values,
		.can_happen = can_happen,
		.decimals = cells->decimals,
	});
}

static struct cell part_of(void *ctx, const void *costs, size_t i)
{
	const struct costcells *cells = ctx;
	const size_t place = cells->places[i];
	const struct metric *metric = metric_at(cells, place);
	bool is_signed = cells->columns->is_signed;
	struct cell cell = cell_never;

	if (cells->is_blank)
		return cell_none;
	if (can_be_shown(cells, metric, costs)) {
		int128 value = metric_value(metric, costs, is_signed);

		cell = cell_decimal(cells->percents ? cell_part(value, cells->totals[place])
						    : cell_count(value),
				    metric->decimals);
	}
	cell.count.has_sum = cells->sums != NULL;
	if (cells->sums)
		cell.count.sum = metric_value(metric, cells->sums, is_signed);
	return cell;
}

/* -- few columns ---------------------------------------------------------------------------- */

size_t costcells_percent(char *text, int128 part, int128 whole)
{
	double percent = whole == 0 ? 0 : int128_percent(part, whole);

	text[0] = '\0';
	if (part == 0 || whole == 0)
		return 0;
	if (percent < 0.05 && percent > -0.05)
		return (size_t)snprintf(text, COSTCELLS_TEXT, "%s0.1 %%", percent < 0 ? ">-" : "<");
	return (size_t)snprintf(text, COSTCELLS_TEXT, "%.1f %%", percent);
}

static size_t print_count(const struct costcells *cells, char *text, size_t metric, int128 value)
{
	const unsigned decimals = cells->decimals[metric].people;

	return cells->is_scaled ? int128_print_scaled(text, value, decimals, COSTCELLS_SCALED_FROM)
				: int128_print_whole(text, value, decimals);
}

/* Its share of the totals, of costs that may be NULL. */
static size_t print_share(const struct costcells *cells, char *text, size_t metric,
			  const uint64_t *costs, bool is_inclusive)
{
	const struct metric *of = metric_at(cells, metric);

	text[0] = '\0';
	if (!costs || (is_inclusive && of->is_self_only))
		return 0;
	return costcells_percent(text, metric_value(of, costs, cells->columns->is_signed),
				 cells->totals[metric]);
}

/* True if there is no room for all words of what a function mostly is. */
static bool is_narrow(const struct costcells *cells)
{
	enum { WIDE = 100 };

	return cells->width > 0 && cells->width < WIDE;
}

static struct cell few_of(void *ctx, const void *costs, size_t i)
{
	struct costcells *cells = ctx;
	struct costcolumn *column = &cells->few[i];
	const struct metric *metric = metric_at(cells, column->metric);
	char *text = column->text;
	size_t len = 0;

	if (cells->is_blank)
		return cell_none;
	switch (column->kind) {
	case COST_PART:
		break;
	case COST_COUNT:
		if (can_be_shown(cells, metric, costs))
			len = print_count(cells, text, column->metric,
					  metric_value(metric, costs, cells->columns->is_signed));
		break;
	case COST_SHARE:
		len = print_share(cells, text, column->metric, costs, cells->is_inclusive);
		break;
	case COST_SUM:
		len = print_share(cells, text, column->metric, cells->sums, false);
		break;
	case COST_SELF:
		len = print_share(cells, text, column->metric,
				  cells->self || cells->is_inclusive ? cells->self : costs, false);
		break;
	case COST_INCLUSIVE:
		len = print_share(cells, text, column->metric,
				  cells->is_inclusive ? costs : cells->inclusive, true);
		break;
	case COST_MOSTLY:
		/* What costs next to nothing is mostly nothing. */
		print_share(cells, text, column->metric, costs, false);
		if (!costs || text[0] == '<')
			return cell_none;
		if (!cells->is_chase)
			return cell_string(mostly_word(&cells->mostly, costs));
		len = (size_t)snprintf(text, COSTCELLS_TEXT, "%s, %schase",
				       mostly_word(&cells->mostly, costs),
				       is_narrow(cells) ? "" : "pointer ");
		break;
	}
	return cell_text(text, len);
}

static void add_column(struct costcells *cells, int kind, size_t metric, const char *title)
{
	size_t n = cells->shown.n++;

	cells->few[n].kind = kind;
	cells->few[n].metric = metric;
	cells->titles[n] =
		(struct document_column){ .title = title, .is_left = kind == COST_MOSTLY };
}

/* What Cyc, Ir and others are called by people who have not read the manual. */
static const char *title_of(const struct metric *metric)
{
	return strcmp(metric->name, EVENT_CYCLES) == 0 ? "Cycles"
	       : strcmp(metric->name, "Ir") == 0       ? "Instrs"
						       : metric->name;
}

void costcells_use(struct costcells *cells, enum costcells_form form, bool has_inclusive)
{
	enum { GAP = 2, SHARE = 7, MOSTLY = 12, CHASE = 18, LEAST_ROOM = 44 };
	const size_t lead = cells->lead;
	size_t other = metrics_other_way(&cells->columns->metrics, cells->columns->shown[lead]);
	const bool is_long = cells->is_chase && !is_narrow(cells);
	size_t used = 0, count, of_instructions;
	char text[INT128_TEXT];

	if (!cells->is_few)
		return;
	cells->shown.n = 0;
	cells->has_inclusive_share = has_inclusive;
	if (form == COSTS_OF_CODE && cells->has_shares)
		add_column(cells, COST_SHARE, lead, "Share");
	if (form == COSTS_OF_CODE && cells->has_shares && cells->has_sums)
		add_column(cells, COST_SUM, lead, "Sum");
	add_column(cells, COST_COUNT, lead, title_of(metric_at(cells, lead)));
	/* What increased and what decreased are one answer. */
	for (size_t i = 0; i < cells->columns->n_shown; i++)
		if (cells->columns->shown[i] == other && i != lead)
			add_column(cells, COST_COUNT, i, title_of(metric_at(cells, i)));
	if (form == COSTS_OF_FUNCTIONS && cells->has_shares)
		add_column(cells, COST_SELF, lead, "Self");
	if (form == COSTS_OF_FUNCTIONS && cells->has_shares && has_inclusive)
		add_column(cells, COST_INCLUSIVE, lead, "Incl.");
	if (cells->has_mostly)
		add_column(cells, COST_MOSTLY, lead, "mostly");
	count = print_count(cells, text, lead, cells->totals[lead]);
	for (size_t i = 0; i < cells->shown.n; i++)
		used += GAP + (cells->few[i].kind == COST_COUNT    ? count
			       : cells->few[i].kind == COST_MOSTLY ? is_long ? CHASE : MOSTLY
								   : SHARE);
	of_instructions = cells->has_instructions
				  ? print_count(cells, text, cells->instructions,
						cells->totals[cells->instructions]) +
					    GAP
				  : 0;
	if (of_instructions > 0 &&
	    (cells->width == 0 || used + of_instructions + LEAST_ROOM <= cells->width)) {
		add_column(cells, COST_COUNT, cells->instructions,
			   title_of(metric_at(cells, cells->instructions)));
		used += of_instructions;
	}
	if (cells->width > 0)
		cells->room = cells->width > used + COSTCELLS_LEAST_NAME ? cells->width - used
									 : COSTCELLS_LEAST_NAME;
}

/* The metrics of few columns: the one that leads, and instructions, if they are others and there are some. */
static void choose_few(struct costcells *cells, const struct model *model)
{
	const struct columns *columns = cells->columns;
	const struct metrics *metrics = &columns->metrics;
	const size_t instructions = metrics_find(metrics, "Ir", strlen("Ir"));

	cells->lead = 0;
	cells->has_instructions = false;
	for (size_t i = 0; i < columns->n_shown; i++)
		if (columns->shown[i] == columns->keys[0].metric)
			cells->lead = i;
	for (size_t i = 0; i < columns->n_shown; i++)
		if (i != cells->lead && columns->shown[i] == instructions &&
		    cells->totals[i] != 0) {
			cells->has_instructions = true;
			cells->instructions = i;
		}
	cells->has_shares = cells->totals[cells->lead] != 0;
	cells->has_mostly = strcmp(metric_at(cells, cells->lead)->name, EVENT_CYCLES) == 0 &&
			    !columns->is_signed && mostly_init(&cells->mostly, model);
}

/* -- all of them ---------------------------------------------------------------------------- */

static struct cell counts_of(void *ctx, const void *costs)
{
	return costcells_counts(ctx, 0, costs);
}

void costcells_init(struct costcells *cells, const struct columns *columns,
		    const struct model *model, const uint64_t *totals, struct document *document,
		    const struct costcells_options *options, struct arena *arena)
{
	size_t n = columns->n_shown, room = options->width, used = 1;
	size_t percents = strlen(options->has_sums ? " (100.0%, 100.0%)" : " (100.0%)");

	*cells = (struct costcells){
		.columns = columns,
		.percents = options->percents,
		.totals = arena_alloc(arena, n * sizeof(int128), 16),
		.titles =
			arena_alloc(arena, (n + COSTCELLS_FEW) * sizeof(struct document_column), 8),
		.is_few = options->is_few,
		.is_scaled = options->is_scaled,
		.has_sums = options->has_sums,
		.width = room,
		.places = arena_alloc(arena, (n + 1) * sizeof(size_t), 8),
		.decimals = arena_alloc(arena, n * sizeof(struct decimals), 1),
		.has_inclusive = arena_alloc(arena, n * sizeof(bool), 1),
	};
	for (size_t i = 0; i < 2; i++) {
		cells->counting[i].values = arena_alloc(arena, n * sizeof(int128), 16);
		cells->counting[i].can_happen = arena_alloc(arena, n * sizeof(bool), 1);
	}
	for (size_t i = 0; i < n; i++) {
		const struct metric *metric = metric_at(cells, i);

		cells->decimals[i] = metric->decimals;
		cells->has_inclusive[i] = !metric->is_self_only;
		cells->totals[i] = metric_value(metric, totals, columns->is_signed);
	}
	if (options->is_few) {
		cells->shown = (struct document_costs){
			.columns = cells->titles,
			.part = few_of,
			.counts = counts_of,
			.ctx = cells,
		};
		choose_few(cells, model);
		costcells_use(cells, COSTS_OF_CODE, false);
		document_use_costs(document, &cells->shown);
		return;
	}
	/*
	 * Metrics that are not asked for have columns if they are not 0, and as far as the line has room for them, so that
	 * the first ones and names can be read; totals are as wide as any count.
	 */
	cells->n_shown = 0;
	for (size_t i = 0; i < n; i++) {
		const char *name = metric_at(cells, i)->name;
		char text[INT128_TEXT];
		size_t width = int128_print_decimal(text, cells->totals[i], true,
						    cells->decimals[i].people) +
			       (options->percents ? percents : 0);

		width = (width < strlen(name) ? strlen(name) : width) + 1;
		if (i > 0 && !options->has_choice && !document_is_short(document) &&
		    (cells->totals[i] == 0 || (room > 0 && used + width + LEAST_TEXT > room)))
			continue;
		cells->titles[cells->n_shown] =
			(struct document_column){ .title = name, .is_parts = true };
		cells->places[cells->n_shown++] = i;
		used += width;
	}
	if (room > 0)
		cells->room = room > used + COSTCELLS_LEAST_NAME ? room - used
								 : COSTCELLS_LEAST_NAME;
	cells->shown = (struct document_costs){
		.columns = cells->titles,
		.n = cells->n_shown,
		.part = part_of,
		.counts = counts_of,
		.ctx = cells,
	};
	document_use_costs(document, &cells->shown);
}

struct cell costcells_shares(struct costcells *cells, size_t number, const uint64_t *costs)
{
	struct cell cell = costcells_counts(cells, number, costs);

	cell.counts.totals = cells->totals;
	cell.counts.can_happen = cells->is_inclusive ? cells->has_inclusive : NULL;
	return cell_shares(cell.counts);
}
