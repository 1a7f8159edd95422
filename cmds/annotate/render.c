/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/render.h"

#include <inttypes.h>
#include <string.h>

#include "profile/common/heap.h"

enum {
	LEAST_TEXT =
		40, /* columns of the terminal that counts leave, unless one alone takes more */
};

/* Columns of CSV before the counts: what a row is, and then what it has. */
static const char *const fixed_fields[] = {
	"record",   "file",      "function", "object",    "line",     "calls",
	"text",     "address",   "end",      "bytes",     "share",    "windows16",
	"needed16", "windows32", "needed32", "windows64", "needed64",
};

/* How many of them are always there; with machine code, too; with types; all are there with the placement of loops. */
enum {
	N_USUAL_FIELDS = 7,
	N_CODE_FIELDS = 8,
	N_TYPES_FIELDS = 10,
	N_LAYOUT_FIELDS = sizeof(fixed_fields) / sizeof(fixed_fields[0]),
};

const struct coverage_words coverage_words[N_COVERAGE] = {
	[COVERAGE_SHOWN] = { "shown", "annotated: in the lines above" },
	[COVERAGE_PAST_END] = { "past_end", "annotated: in lines past the end of a file" },
	[COVERAGE_LINELESS] = { "lineless", "annotated: in no particular line" },
	[COVERAGE_NOT_FOUND] = { "not_found", "not annotated: file not found" },
	[COVERAGE_REFUSED] = { "refused", "not annotated: file not to be read, see --include" },
	[COVERAGE_NOT_CHOSEN] = { "not_chosen", "not annotated: file not chosen" },
	[COVERAGE_UNKNOWN] = { "unknown", "not annotated: file not known" },
};

/*
 * Metrics that are not asked for have columns as far as the terminal has room for them, so that the first
 * ones and names can be read; totals are as wide as any count.
 */
static void fit_columns(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct annotation_options *options = annotation->options;
	const struct columns *columns = &annotation->columns;
	size_t percents = options->list_by_file || options->list_by_function
				  ? strlen(" (100.0%, 100.0%)")
				  : strlen(" (100.0%)");
	size_t used = 1;

	rendering->n_shown = columns->n_shown;
	rendering->room = 0;
	if (rendering->terminal_columns == 0)
		return;
	for (size_t i = 0; i < columns->n_shown; i++) {
		char text[INT128_TEXT];
		size_t title = strlen(columns->metrics.all[columns->shown[i]].name);
		size_t width = int128_print_decimal(text, rendering->totals[i], true,
						    rendering->decimals[i].people) +
			       (options->percents ? percents : 0);

		width = (width < title ? title : width) + 1;
		if (i > 0 && !options->choice.show &&
		    used + width + LEAST_TEXT > rendering->terminal_columns) {
			rendering->n_shown = i;
			break;
		}
		used += width;
	}
	rendering->room = rendering->terminal_columns > used + RENDER_LEAST_NAME
				  ? rendering->terminal_columns - used
				  : RENDER_LEAST_NAME;
}

/* Makes what depends on how many metrics are shown, and the n_fields of CSV; false if memory ran out. */
static bool begin(struct rendering *rendering, const char ***fields, size_t *n_fields)
{
	const struct annotation *annotation = rendering->annotation;
	const struct columns *columns = &annotation->columns;
	bool has_types = annotation->has_types || annotation->object_types.model;
	size_t n_fixed = annotation->has_layout ? N_LAYOUT_FIELDS
			 : has_types            ? N_TYPES_FIELDS
			 : annotation->has_code ? N_CODE_FIELDS
						: N_USUAL_FIELDS;
	size_t n = columns->n_shown;
	struct arena *arena = &rendering->arena;

	*n_fields = n_fixed + n;
	*fields = arena_alloc(arena, *n_fields * sizeof(**fields), 8);
	rendering->totals = arena_alloc(arena, n * sizeof(int128), 16);
	rendering->columns = arena_alloc(arena, (n + 1) * sizeof(struct document_column), 8);
	rendering->decimals = arena_alloc(arena, n * sizeof(struct decimals), 1);
	rendering->has_inclusive = arena_alloc(arena, n * sizeof(bool), 1);
	rendering->clipped = row_new(arena, annotation->model->n_events);
	if (!*fields || !rendering->totals || !rendering->columns || !rendering->decimals ||
	    !rendering->has_inclusive || !rendering->clipped)
		return false;
	for (size_t i = 0; i < 2; i++) {
		rendering->counting[i].values = arena_alloc(arena, n * sizeof(int128), 16);
		rendering->counting[i].can_happen = arena_alloc(arena, n * sizeof(bool), 1);
		if (!rendering->counting[i].values || !rendering->counting[i].can_happen)
			return false;
	}
	memcpy(*fields, fixed_fields, n_fixed * sizeof(**fields));
	for (size_t i = 0; i < n; i++) {
		const struct metric *metric = &columns->metrics.all[columns->shown[i]];

		(*fields)[n_fixed + i] = metric->name;
		rendering->decimals[i] = metric->decimals;
		rendering->has_inclusive[i] = !metric->is_self_only;
		rendering->totals[i] =
			metric_value(metric, annotation->totals.costs, columns->is_signed);
		rendering->columns[i] =
			(struct document_column){ .title = metric->name, .is_parts = true };
	}
	fit_columns(rendering);
	return true;
}

static void put_sections(struct rendering *rendering, const struct render_sections *sections)
{
	const struct annotation *annotation = rendering->annotation;

	sections->head(rendering);
	if (annotation->options->list_functions)
		sections->listing(rendering);
	if (annotation->options->list_by_file)
		sections->nesting(rendering, &annotation->by_file);
	if (annotation->options->list_by_function)
		sections->nesting(rendering, &annotation->by_function);
	if (annotation->has_layout)
		sections->layout(rendering);
	if (annotation->options->shows_objects)
		sections->objects(rendering);
	if (annotation->has_types)
		sections->types(rendering);
	if (annotation->has_code)
		sections->code(rendering);
	if (annotation->has_sources)
		sections->sources(rendering);
}

bool render(struct rendering *rendering)
{
	struct document *document = &rendering->document;
	const char **fields;
	bool is_whole = false;
	size_t n;

	arena_init(&rendering->arena, &heap_env);
	if (begin(rendering, &fields, &n)) {
		document_begin(document, rendering->backend, rendering->out, fields, n,
			       rendering->n_shown);
		if (rendering->color)
			document_use_color(document);
		put_sections(rendering, document_is_prose(document) ? &render_prose : &render_data);
		is_whole = document_end(document);
	}
	arena_release(&rendering->arena);
	return is_whole;
}

static bool can_be_shown(const struct rendering *rendering, const struct metric *metric,
			 const uint64_t *costs)
{
	return costs && !(rendering->is_inclusive && metric->is_self_only) &&
	       metric_can_happen(metric, costs, rendering->annotation->columns.is_signed);
}

struct cell render_counts(struct rendering *rendering, size_t number, const uint64_t *costs)
{
	const struct columns *columns = &rendering->annotation->columns;
	int128 *values = rendering->counting[number].values;
	bool *can_happen = rendering->counting[number].can_happen;

	if (!costs)
		return cell_none;
	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct metric *metric = &columns->metrics.all[columns->shown[i]];

		can_happen[i] = can_be_shown(rendering, metric, costs);
		values[i] = can_happen[i] ? metric_value(metric, costs, columns->is_signed) : 0;
	}
	return cell_counts((struct cell_counts){
		.n = columns->n_shown,
		.values = values,
		.can_happen = can_happen,
		.decimals = rendering->decimals,
	});
}

/* -- for people -------------------------------------------------------------------------- */

void render_table(struct rendering *rendering, enum document_form form, const char *title,
		  void (*put_rows)(struct document *document, void *ctx), void *ctx)
{
	size_t n = rendering->n_shown;
	const struct document_table table = {
		.columns = rendering->columns,
		.n = n + 1,
		.put_rows = put_rows,
		.ctx = ctx,
		.form = form,
	};

	rendering->columns[n] = (struct document_column){ .title = title, .is_left = true };
	document_table(&rendering->document, &table);
}

static struct cell part_of(const struct rendering *rendering, size_t i, const uint64_t *costs)
{
	const struct columns *columns = &rendering->annotation->columns;
	const struct metric *metric = &columns->metrics.all[columns->shown[i]];
	int128 value;

	if (!can_be_shown(rendering, metric, costs))
		return cell_never;
	value = metric_value(metric, costs, columns->is_signed);
	return cell_decimal(rendering->annotation->options->percents
				    ? cell_part(value, rendering->totals[i])
				    : cell_count(value),
			    metric->decimals);
}

void render_parts(struct rendering *rendering, const uint64_t *costs, const uint64_t *cumulative)
{
	const struct columns *columns = &rendering->annotation->columns;

	for (size_t i = 0; i < rendering->n_shown; i++) {
		struct cell cell = part_of(rendering, i, costs);

		cell.count.has_sum = cumulative != NULL;
		if (cumulative)
			cell.count.sum = metric_value(&columns->metrics.all[columns->shown[i]],
						      cumulative, columns->is_signed);
		document_cell(&rendering->document, cell);
	}
}

void render_begin_row(struct rendering *rendering, const uint64_t *costs)
{
	render_parts(rendering, costs, NULL);
	document_begin_cell(&rendering->document);
}

void render_begin_call(struct rendering *rendering, uint32_t caller, uint32_t callee,
		       const uint64_t *costs)
{
	const struct annotation *annotation = rendering->annotation;
	const struct model *model = annotation->model;
	const uint64_t *bound = annotation->has_bounds && !model->is_signed
					? inclusive_bound(&annotation->inclusive, caller, callee)
					: NULL;

	rendering->recursive = MODEL_NO_FUNCTION;
	for (size_t i = 0; bound && i < model->n_events; i++) {
		rendering->clipped[i] = costs[i] < bound[i] ? costs[i] : bound[i];
		if (costs[i] > bound[i])
			rendering->recursive = callee;
	}
	rendering->is_inclusive = true;
	render_begin_row(rendering, bound ? rendering->clipped : costs);
	rendering->is_inclusive = false;
}

void render_recursion(struct rendering *rendering)
{
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);
	uint32_t cycle;

	if (rendering->recursive == MODEL_NO_FUNCTION)
		return;
	cycle = rendering->annotation->inclusive.cycle[rendering->recursive];
	if (cycle != 0)
		document_prose(document, is_short ? " (cycle %" PRIu32 ")" : " <cycle %" PRIu32 ">",
			       cycle);
	else
		document_prose(document, is_short ? " (recursive)" : " <recursive>");
	rendering->has_clipped = true;
}

void render_recursion_note(struct rendering *rendering)
{
	if (rendering->has_clipped)
		document_prose(
			&rendering->document,
			"Calls marked as recursive, or with a cycle, nest: they are shown with "
			"no more than the function, or the cycle, costs.\n\n");
	rendering->has_clipped = false;
}

void render_row(struct rendering *rendering, const uint64_t *costs, const char *words)
{
	render_begin_row(rendering, costs);
	document_prose(&rendering->document, "%s", words);
	document_end_cell(&rendering->document);
}
