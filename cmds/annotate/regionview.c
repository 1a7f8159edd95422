/* SPDX-License-Identifier: GPL-3.0-or-later */
/* annotate --by=region: what each region of the program cost, with all that was called in it. */
#define _GNU_SOURCE /* qsort_r() */
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "profile/analysis/limit.h"
#include "profile/common/heap.h"

/* Those that cost most first, then by name. */
static int compare(const void *left, const void *right, void *columns)
{
	const struct region_pair *a = left, *b = right;
	const int order = columns_compare(columns, a->new_side.costs, b->new_side.costs);

	return order ? order : strcmp(a->name, b->name);
}

int regions_make(struct annotation *annotation)
{
	struct region_pairs *regions = &annotation->regions;
	const char *pattern = annotation->options->region;
	const int status = regionpairs_of_model(regions, annotation->model, &annotation->arena);
	size_t kept = 0;

	if (status)
		return status;
	for (size_t i = 0; i < regions->n; i++) {
		const struct region_pair *region = &regions->all[i];

		if (!pattern || limit_matches(pattern, region->name, strlen(region->name)))
			regions->all[kept++] = *region;
	}
	regions->n = kept;
	qsort_r(regions->all, regions->n, sizeof(*regions->all), compare, &annotation->columns);
	return PROFILE_OK;
}

/* How many of them --top shows. */
static size_t n_shown(const struct annotation *annotation)
{
	const size_t most = annotation->options->listing.most, n = annotation->regions.n;

	return most > 0 && most < n ? most : n;
}

static void put_row(struct document *document, void *ctx, size_t i)
{
	const struct rendering *rendering = ctx;
	const struct region_pair *region = &rendering->annotation->regions.all[i];
	const struct region_side *side = &region->new_side;

	document_costs(document, side->costs);
	document_cell(document, cell_string(region->name));
	document_cell(document, cell_count(side->times));
	document_cell(document, cell_count(side->threads));
	document_cell(document, cell_bool(side->is_open));
	document_begin_words(document, cell_none);
	document_words(document, region->name);
	document_prose(document, "%s", side->is_open ? " (not over)" : "");
	document_end_words(document);
}

static void put_notes(struct document *document, void *ctx)
{
	const struct annotation *annotation = ((const struct rendering *)ctx)->annotation;

	if (n_shown(annotation) < annotation->regions.n)
		document_prose(document, "\n%zu of %zu regions are shown.\n", n_shown(annotation),
			       annotation->regions.n);
}

void regions_section(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .key = "region", .field = "text" },
		{ .title = "Times", .key = "times", .field = "calls" },
		{ .title = "Threads", .key = "threads", .field = "threads" },
		{ .key = "open", .field = "open" },
		COUNTS_COLUMN,
		{ .title = "Region", .is_left = true },
	};
	struct document *document = &rendering->document;

	/* An empty region costs 0. */
	rendering->cells.is_inclusive = rendering->cells.has_zeros = true;
	document_section(document, 2, "Regions", NULL);
	document_view(document,
		      &(const struct document_view){
			      .table = { .key = "regions", .record = "region", COLUMNS(columns) },
			      .n_rows = n_shown(rendering->annotation),
			      .put_row = put_row,
			      .put_notes = put_notes,
			      .ctx = rendering,
		      });
	rendering->cells.is_inclusive = rendering->cells.has_zeros = false;
}
