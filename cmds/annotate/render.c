/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/render.h"

#include <inttypes.h>
#include <string.h>

#include "profile/common/heap.h"

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

/* Begins the document, with fields of CSV and columns of the metrics shown; false if memory ran out. */
static bool begin(struct rendering *rendering)
{
	struct document *document = &rendering->document;
	const struct annotation *annotation = rendering->annotation;
	const struct annotation_options *options = annotation->options;
	const struct columns *columns = &annotation->columns;
	const struct costcells_options showing = {
		.percents = options->percents,
		.has_sums = options->list_by_file || options->list_by_function,
		.has_choice = options->choice.show != NULL,
		.terminal_columns = rendering->terminal_columns,
	};
	bool has_types = annotation->has_types || annotation->object_types.model;
	size_t n_fixed = annotation->has_layout ? N_LAYOUT_FIELDS
			 : has_types            ? N_TYPES_FIELDS
			 : annotation->has_code ? N_CODE_FIELDS
						: N_USUAL_FIELDS;
	struct arena *arena = &rendering->arena;
	const char **fields;
	size_t n_fields;

	n_fields = n_fixed + columns->n_shown;
	fields = arena_alloc(arena, n_fields * sizeof(*fields), 8);
	rendering->clipped = row_new(arena, annotation->model->n_events);
	if (!fields || !rendering->clipped)
		return false;
	memcpy(fields, fixed_fields, n_fixed * sizeof(*fields));
	for (size_t i = 0; i < columns->n_shown; i++)
		fields[n_fixed + i] = columns->metrics.all[columns->shown[i]].name;
	document_begin(document, rendering->backend, rendering->out, fields, n_fields,
		       columns->n_shown);
	if (rendering->color)
		document_use_color(document);
	costcells_init(&rendering->cells, columns, annotation->totals.costs, document, &showing,
		       arena);
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
	bool is_whole = false;

	arena_init(&rendering->arena, &heap_env);
	if (begin(rendering)) {
		put_sections(rendering, document_is_prose(document) ? &render_prose : &render_data);
		is_whole = document_end(document);
	}
	arena_release(&rendering->arena);
	return is_whole;
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
	rendering->cells.is_inclusive = true;
	costcells_begin_row(&rendering->cells, bound ? rendering->clipped : costs);
	rendering->cells.is_inclusive = false;
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
