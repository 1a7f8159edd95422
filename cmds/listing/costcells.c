/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/listing/costcells.h"

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
	       metric_can_happen(metric, costs, cells->columns->is_signed);
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
	const struct metric *metric = metric_at(cells, i);
	bool is_signed = cells->columns->is_signed;
	struct cell cell = cell_never;

	if (cells->is_blank)
		return cell_none;
	if (can_be_shown(cells, metric, costs)) {
		int128 value = metric_value(metric, costs, is_signed);

		cell = cell_decimal(cells->percents ? cell_part(value, cells->totals[i])
						    : cell_count(value),
				    metric->decimals);
	}
	cell.count.has_sum = cells->sums != NULL;
	if (cells->sums)
		cell.count.sum = metric_value(metric, cells->sums, is_signed);
	return cell;
}

static struct cell counts_of(void *ctx, const void *costs)
{
	return costcells_counts(ctx, 0, costs);
}

void costcells_init(struct costcells *cells, const struct columns *columns, const uint64_t *totals,
		    struct document *document, const struct costcells_options *options,
		    struct arena *arena)
{
	size_t n = columns->n_shown, room = options->width, used = 1;
	size_t percents = strlen(options->has_sums ? " (100.0%, 100.0%)" : " (100.0%)");

	*cells = (struct costcells){
		.columns = columns,
		.percents = options->percents,
		.n_shown = n,
		.totals = arena_alloc(arena, n * sizeof(int128), 16),
		.titles = arena_alloc(arena, (n + 1) * sizeof(struct document_column), 8),
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
		cells->titles[i] =
			(struct document_column){ .title = metric->name, .is_parts = true };
	}
	/*
	 * Metrics that are not asked for have columns as far as the terminal has room for them, so that the first
	 * ones and names can be read; totals are as wide as any count.
	 */
	for (size_t i = 0; room > 0 && i < n; i++) {
		char text[INT128_TEXT];
		size_t title = strlen(metric_at(cells, i)->name);
		size_t width = int128_print_decimal(text, cells->totals[i], true,
						    cells->decimals[i].people) +
			       (options->percents ? percents : 0);

		width = (width < title ? title : width) + 1;
		if (i > 0 && !options->has_choice && used + width + LEAST_TEXT > room) {
			cells->n_shown = i;
			break;
		}
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
