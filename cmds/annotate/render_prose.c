/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An annotation for people, as a document: text, in the manner of Valgrind's annotate scripts, and
 * Markdown for the summary of a CI job, which is short.
 *
 * Markdown has some words and sections in another order.  That stays: outputs are compared.
 */
#define _GNU_SOURCE /* memrchr() */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/emit/shortname.h"
#include "profile/common/heap.h"

enum {
	OF_LINK = 12, /* columns of what stands beside a caller's or callee's */
};

/* What rows are put of; one of these. */
struct putting {
	struct rendering *rendering;
	const struct nesting *nesting;
	const struct annotated_file *file;
};

/* Whether all counts are 0. */
static bool is_empty(const struct annotation *annotation, const uint64_t *costs)
{
	for (size_t i = 0; i < annotation->model->n_events; i++)
		if (costs[i] != 0)
			return false;
	return true;
}

static void make_room(struct rendering *rendering, const uint64_t *costs)
{
	costcells_put(&rendering->cells, costs);
	document_drop_row(&rendering->document);
}

/* -- names ------------------------------------------------------------------------------- */

static void put_name(struct rendering *rendering, enum document_style style, struct name name)
{
	document_styled(&rendering->document, style, name.text, name.len);
}

/* The last part of a path. */
static struct name base_of(struct name path)
{
	const char *slash = memrchr(path.text, '/', path.len);

	if (slash && slash + 1 < path.text + path.len)
		path = (struct name){ slash + 1, (size_t)(path.text + path.len - slash - 1),
				      path.key };
	return path;
}

/* `room` less what is used, but so much that a name can be read. */
static size_t left_of(size_t room, size_t used)
{
	return room > used + COSTCELLS_LEAST_NAME ? room - used : COSTCELLS_LEAST_NAME;
}

void render_fold(struct rendering *rendering, struct annotation_names *names, size_t room,
		 size_t used)
{
	size_t object = names->has_object ? names->object.len + strlen(" []") : 0;
	struct bytes text;

	if (room == 0 || names->file.len + 1 + names->function.len + object <= left_of(room, used))
		return;
	names->object = base_of(names->object);
	names->file = base_of(names->file);
	object = names->has_object ? names->object.len + strlen(" []") : 0;
	room = left_of(left_of(room, used), names->file.len + 1 + object);
	bytes_init(&text, &heap_env);
	shortname_make(&text, names->function.text, names->function.len, room);
	names->function.len = text.len;
	names->function.text = text.failed ? NULL
					   : arena_copy(&rendering->arena, text.text, text.len);
	bytes_release(&text);
	if (!names->function.text) {
		names->function = (struct name){ "", 0, names->function.key };
		document_fail(&rendering->document);
	}
}

static void put_function(struct rendering *rendering, const struct annotation_names *names)
{
	put_name(rendering, STYLE_PLAIN, names->file);
	document_prose(&rendering->document, ":");
	put_name(rendering, STYLE_STRONG, names->function);
}

static void put_times(struct rendering *rendering, uint64_t count)
{
	char text[INT128_TEXT];

	int128_print(text, int128_of(count, rendering->annotation->model->is_signed), true);
	document_prose(&rendering->document, " (%sx)", text);
}

void render_call(struct rendering *rendering, const struct annotated_call *call, size_t used)
{
	struct annotation_names names = annotation_names(rendering->annotation, call->callee);

	names.has_object = false;
	render_fold(rendering, &names, rendering->cells.room, used + OF_LINK);
	document_prose(&rendering->document, "=> ");
	put_function(rendering, &names);
	put_times(rendering, call->count);
	render_recursion(rendering);
}

/* -- totals ------------------------------------------------------------------------------ */

static void put_totals_row(struct document *document, void *ctx)
{
	static const char *const words[] = {
		[TOTALS_SAID] = "PROGRAM TOTALS",
		[TOTALS_CALCULATED] = "PROGRAM TOTALS (calculated)",
		[TOTALS_CORRECTED] =
			"PROGRAM TOTALS (calculated, as what the profile says cannot be right)",
	};
	struct rendering *rendering = ctx;

	(void)document;
	costcells_row(&rendering->cells, rendering->annotation->totals.costs,
		      words[rendering->annotation->totals.kind]);
}

/* How many bytes of a long name are before what says that counts are tenths, which people do not see. */
static size_t len_before_tenths(const char *long_name)
{
	const char *at = strstr(long_name, METRIC_TENTHS);

	return at ? (size_t)(at - long_name) : strlen(long_name);
}

/* What is one below the other in short documents, where the rates follow. */
static void put_metric_rows(struct document *document, struct rendering *rendering)
{
	const struct columns *columns = &rendering->annotation->columns;

	for (size_t i = 0; i < columns->n_shown; i++) {
		const struct metric *metric = &columns->metrics.all[columns->shown[i]];
		const char *long_name = metric->long_name ? metric->long_name : "";
		size_t len = metric->decimals.people > metric->decimals.programs
				     ? len_before_tenths(long_name)
				     : strlen(long_name);
		const char *rest = long_name + len;
		size_t size = strlen(metric->name) + strlen(long_name) + sizeof(", ");
		char *label = arena_alloc(&rendering->arena, size, 1), text[INT128_TEXT];

		if (!label) {
			document_fail(document);
			return;
		}
		if (rest[0] != '\0')
			rest += strlen(METRIC_TENTHS);
		snprintf(label, size, "%s%s%.*s%s", metric->name, metric->long_name ? ", " : "",
			 (int)len, long_name, rest);
		document_cell(document, cell_string(label));
		document_begin_cell(document);
		int128_print_decimal(text, rendering->cells.totals[i], true,
				     metric->decimals.people);
		document_prose(document, "%s", text);
		document_end_cell(document);
	}
}

static void put_rate_rows(struct document *document, void *ctx)
{
	struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;

	if (document_is_short(document))
		put_metric_rows(document, rendering);
	for (size_t i = 0; i < annotation->n_rates; i++) {
		const struct run_rate *rate = &annotation->rates[i];
		double ratio = run_rate_ratio(rate);
		char text[INT128_TEXT];

		int128_print_decimal(text, rate->part, true, rate->decimals.people);
		if (rate->kind != RUN_RATE_COUNT)
			snprintf(text, sizeof(text), isnan(ratio) ? "n/a" : "%.3f", ratio);
		document_cell(document, cell_string(rate->label));
		document_begin_cell(document);
		document_prose(document, "%s%s", text,
			       rate->kind == RUN_RATE_PERCENT && !isnan(ratio) ? " %" : "");
		document_end_cell(document);
	}
}

static void put_rates(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .title = "Total", .is_left = true, .width = 16 },
		{ .title = "" },
	};
	const struct document_table table = {
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_rate_rows,
		.ctx = rendering,
		.form = FORM_BARE,
	};

	document_table(&rendering->document, &table);
	document_prose(&rendering->document, "\n");
}

/* Which metrics have no column. */
static void put_left_out(struct rendering *rendering)
{
	const struct columns *columns = &rendering->annotation->columns;
	struct document *document = &rendering->document;

	if (rendering->cells.n_shown == columns->n_shown)
		return;
	document_prose(document, "No room for");
	for (size_t i = rendering->cells.n_shown; i < columns->n_shown; i++) {
		document_prose(document, " ");
		document_words(document, columns->metrics.all[columns->shown[i]].name);
	}
	document_prose(document,
		       ":\n--show=A,B chooses, --show-percs=no makes room, -o FILE has all.\n\n");
}

static void put_totals(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	struct document *document = &rendering->document;

	if (document_is_short(document)) {
		put_rates(rendering);
		return;
	}
	render_table(rendering, FORM_RULED, "", put_totals_row, rendering);
	document_prose(document, "\n");
	put_left_out(rendering);
	if (!annotation->options->brief && annotation->n_rates > 0)
		put_rates(rendering);
}

/* -- functions --------------------------------------------------------------------------- */

static void put_object(struct rendering *rendering, const struct annotation_names *names)
{
	if (!names->has_object)
		return;
	document_words(&rendering->document, " [");
	put_name(rendering, STYLE_PLAIN, names->object);
	document_words(&rendering->document, "]");
}

/* Calls of the function of an entry, or by it. */
static void put_links(struct rendering *rendering, const struct listing_link *links, size_t n,
		      uint32_t function, bool are_callers, const char *sign)
{
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);

	for (size_t i = 0; i < n; i++) {
		struct annotation_names names =
			annotation_names(rendering->annotation, links[i].function);

		render_fold(rendering, &names, rendering->cells.room, OF_LINK);
		render_begin_call(rendering, are_callers ? links[i].function : function,
				  are_callers ? function : links[i].function, links[i].costs);
		document_prose(document, "%s", sign);
		put_function(rendering, &names);
		if (!is_short)
			put_times(rendering, links[i].count);
		put_object(rendering, &names);
		if (is_short)
			put_times(rendering, links[i].count);
		render_recursion(rendering);
		document_end_cell(document);
	}
}

static void put_entry(struct rendering *rendering, const struct listing_entry *entry)
{
	const struct annotation *annotation = rendering->annotation;
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);
	bool is_tree = annotation->options->listing.tree != TREE_NONE;
	struct annotation_names names = annotation_names(annotation, entry->function);

	render_fold(rendering, &names, rendering->cells.room, is_tree ? OF_LINK : 0);
	if (is_tree)
		document_across(document, "%s", "");
	put_links(rendering, entry->callers, entry->n_callers, entry->function, true,
		  is_short ? "&lt; " : "< ");
	rendering->cells.is_inclusive = annotation->options->listing.inclusive;
	render_begin_row(rendering, entry->costs);
	rendering->cells.is_inclusive = false;
	document_prose(document, "%s", is_tree && !is_short ? "*  " : "");
	put_function(rendering, &names);
	put_object(rendering, &names);
	/* Beside inclusive costs it is of those that it keeps from being whole. */
	if (entry->cycle != 0 && (entry->is_partial || !annotation->options->listing.inclusive))
		document_prose(document, is_short ? " (cycle %" PRIu32 ")" : " <cycle %" PRIu32 ">",
			       entry->cycle);
	document_end_cell(document);
	put_links(rendering, entry->callees, entry->n_callees, entry->function, false,
		  is_short ? "&gt; " : ">   ");
}

/* People see them where they see inclusive costs; but all text has room for them. */
static void put_cycles(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct inclusive *inclusive = &annotation->inclusive;
	struct document *document = &rendering->document;
	bool is_shown = annotation->options->listing.inclusive && !document_is_short(document);

	if (!annotation->has_inclusive)
		return;
	rendering->cells.is_inclusive = true;
	for (size_t i = 0; i < inclusive->n_cycles; i++) {
		const uint64_t *costs = inclusive->cycle_costs + i * inclusive->n_events;

		if (is_shown) {
			render_begin_row(rendering, costs);
			document_prose(document, "<cycle %zu> as a whole", i + 1);
			document_end_cell(document);
		} else {
			make_room(rendering, costs);
		}
	}
	rendering->cells.is_inclusive = false;
}

static bool has_partial(const struct listing *listing)
{
	for (size_t i = 0; i < listing->n; i++)
		if (listing->entries[i].is_partial)
			return true;
	return false;
}

static void put_function_rows(struct document *document, void *ctx)
{
	struct rendering *rendering = ctx;
	const struct listing *listing = &rendering->annotation->listing;

	(void)document;
	for (size_t i = 0; i < listing->n; i++)
		put_entry(rendering, &listing->entries[i]);
	put_cycles(rendering);
}

static void put_listing(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct listing *listing = &annotation->listing;
	struct document *document = &rendering->document;
	bool is_inclusive = annotation->options->listing.inclusive;

	document_section(document, 2,
			 is_inclusive ? "Functions, with all that they call" : "Functions", NULL);
	render_table(rendering, FORM_RULED,
		     is_inclusive && !document_is_short(document) ? "file:function (inclusive)"
								  : "file:function",
		     put_function_rows, rendering);
	document_prose(document, "\n");
	if (has_partial(listing))
		document_prose(document,
			       "Functions marked with a cycle are shown without what they call "
			       "in it; all others with all that they call.\n\n");
	render_recursion_note(rendering);
	if (listing->n < listing->n_functions)
		document_prose(document, "%zu of %zu functions are shown.\n\n", listing->n,
			       listing->n_functions);
	if (annotation->lineless) {
		document_words(document, annotation->lineless);
		document_prose(document, ".\n\n");
	}
}

/* -- files and functions in each other --------------------------------------------------- */

static void put_outer(struct rendering *rendering, const struct nesting *nesting,
		      const struct nesting_outer *outer)
{
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);

	document_across(document, "%s", "");
	rendering->cells.sums = is_short ? NULL : outer->cumulative;
	costcells_begin_row(&rendering->cells, outer->costs);
	rendering->cells.sums = NULL;
	if (!is_short)
		document_prose(document, nesting->by_function ? "> " : "< ");
	put_name(rendering, STYLE_STRONG,
		 model_name(rendering->annotation->model,
			    nesting->by_function ? NAME_FUNCTION : NAME_FILE, outer->name));
	if (!is_short)
		document_prose(document, outer->n_inner > 0 ? ":" : ": all below the threshold");
	document_end_cell(document);
}

static void put_nesting_rows(struct document *document, void *ctx)
{
	const struct putting *putting = ctx;
	struct rendering *rendering = putting->rendering;
	const struct nesting *nesting = putting->nesting;
	enum name_kind kind = nesting->by_function ? NAME_FILE : NAME_FUNCTION;

	for (size_t i = 0; i < nesting->n; i++) {
		const struct nesting_outer *outer = &nesting->outer[i];

		put_outer(rendering, nesting, outer);
		for (size_t j = 0; j < outer->n_inner; j++) {
			render_begin_row(rendering, outer->inner[j].costs);
			document_prose(document, "%s",
				       document_is_short(document) ? "&nbsp;&nbsp;" : "    ");
			put_name(rendering, STYLE_PLAIN,
				 model_name(rendering->annotation->model, kind,
					    outer->inner[j].name));
			document_end_cell(document);
		}
	}
}

static void put_nesting(struct rendering *rendering, const struct nesting *nesting)
{
	struct putting putting = { .rendering = rendering, .nesting = nesting };

	document_section(&rendering->document, 2,
			 nesting->by_function ? "Functions by file" : "Files by function", NULL);
	render_table(rendering, FORM_RULED,
		     nesting->by_function ? "function:file" : "file:function", put_nesting_rows,
		     &putting);
	document_prose(&rendering->document, "\n");
}

/* -- sources ----------------------------------------------------------------------------- */

static void put_source_row(struct rendering *rendering, const struct annotated_row *row,
			   const struct annotated_file *file)
{
	struct document *document = &rendering->document;
	const struct annotated_line *line = row->line;

	switch (row->kind) {
	case ROW_GAP:
		document_across(document,
				"-- line %" PRIu64 " ----------------------------------------",
				row->number);
		return;
	case ROW_LINE:
		render_begin_row(rendering, line && line->has_costs ? line->costs : NULL);
		document_styled(document, STYLE_TABS, row->text, row->text_len);
		break;
	case ROW_CALL:
		render_begin_call(rendering, MODEL_NO_FUNCTION, row->call->callee,
				  row->call->costs);
		render_call(rendering, row->call, 0);
		break;
	case ROW_PAST_END:
		render_begin_row(rendering, line->costs);
		document_prose(document, "<bogus line %" PRIu64 ">", row->number);
		break;
	case ROW_LINELESS:
		document_across(document, "%s", "");
		render_begin_row(rendering, line->costs);
		document_prose(document, "<counts for unidentified lines in ");
		document_words(document, file->name);
		document_prose(document, ">");
		break;
	}
	document_end_cell(document);
}

static void put_source_rows(struct document *document, void *ctx)
{
	const struct putting *putting = ctx;
	struct annotated_walk walk;
	struct annotated_row row;

	(void)document;
	annotated_walk_init(&walk, &putting->rendering->annotation->annotated, putting->file);
	while (annotated_walk_next(&walk, &row))
		put_source_row(putting->rendering, &row, putting->file);
}

/* Of a short document, the title warns of what is stale. */
static void put_source_warnings(struct document *document, const struct annotated_file *file)
{
	if (file->is_stale) {
		document_prose(document, "%s-- WARNING: ", document_rule);
		document_words(document, file->text.path);
		document_prose(document,
			       " changed after the profile was made:\n"
			       "-- the lines may not be those that were executed.\n%s",
			       document_rule);
	}
	if (file->n_past_end > 0) {
		document_prose(document, "%s-- WARNING: %zu lines are past the end of ",
			       document_rule, file->n_past_end);
		document_words(document, file->text.path);
		document_prose(document,
			       ":\n-- the profile is of another version of it. Their counts follow "
			       "its last line, marked as bogus.\n%s",
			       document_rule);
	}
}

static void put_source(struct rendering *rendering, const struct annotated_file *file)
{
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);
	struct putting putting = { .rendering = rendering, .file = file };

	document_part(document, PART_TITLE);
	if (!is_short)
		document_prose(document, "%s-annotated source: ", file->is_named ? "User" : "Auto");
	document_words(document, file->name);
	if (!is_short && file->is_found && file->text.directory) {
		document_prose(document, " (");
		document_words(document, file->text.path);
		document_prose(document, ")");
	}
	if (is_short && file->is_stale)
		document_prose(document, " (changed after the profile was made)");
	document_part(document, PART_CONTENT);
	if (!file->is_known) {
		document_prose(document, "  No information has been collected for it.\n");
	} else {
		if (!is_short)
			put_source_warnings(document, file);
		render_table(rendering, FORM_LISTING, "", put_source_rows, &putting);
	}
	document_part(document, PART_END);
	document_prose(document, "%s", is_short ? "\n" : "");
}

/*
 * Files without text: that are not there, or, if is_refused, that may not be read; those that cost most
 * come first.  What nothing is known of has a part of its own in text.
 */
static void put_missing(struct rendering *rendering, bool is_refused)
{
	const struct annotated *annotated = &rendering->annotation->annotated;
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);
	const char **names = arena_alloc(&rendering->arena, (annotated->n + 1) * sizeof(*names), 8);
	size_t n = 0;

	if (!names) {
		document_fail(document);
		return;
	}
	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];

		if (!file->is_found && (is_short || file->is_known) &&
		    file->is_refused == is_refused)
			names[n++] = file->name;
	}
	if (n == 0)
		return;
	document_part(document, PART_TITLE);
	if (is_short)
		document_prose(document, "%zu files %s", n,
			       is_refused ? "not read as sources, see --include" : "not found");
	else
		document_prose(document, "The following files chosen for annotation %s:",
			       is_refused ? "are not read as sources, see --include"
					  : "could not be found");
	document_part(document, PART_CONTENT);
	for (size_t i = 0; i < n; i++) {
		document_prose(document, is_short ? "* " : "  ");
		document_words(document, names[i]);
		document_prose(document, "\n");
	}
	document_part(document, PART_END);
}

static void put_coverage_rows(struct document *document, void *ctx)
{
	struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;
	uint64_t *const *coverage = annotation->annotated.coverage;

	(void)document;
	for (size_t i = 0; i < N_COVERAGE; i++)
		if (i == COVERAGE_SHOWN || !is_empty(annotation, coverage[i]))
			costcells_row(&rendering->cells, coverage[i], coverage_words[i].text);
	if (annotation->totals.outside)
		costcells_row(&rendering->cells, annotation->totals.outside,
			      "not annotated: in the totals, but in no function");
}

static void put_coverage(struct rendering *rendering)
{
	render_table(rendering, FORM_RULED, "share of events", put_coverage_rows, rendering);
	document_prose(&rendering->document, "\n");
}

static void put_sources(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct annotated *annotated = &annotation->annotated;
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);

	document_section(document, 2, "Sources", NULL);
	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];

		if (file->is_known ? file->is_found : !is_short)
			put_source(rendering, file);
	}
	render_recursion_note(rendering);
	if (is_short)
		put_coverage(rendering);
	put_missing(rendering, false);
	put_missing(rendering, true);
	if (!is_short)
		put_coverage(rendering);
}

/* -- all of it --------------------------------------------------------------------------- */

static void put_head(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct model *model = annotation->model;
	const char *cmd = model->n_parts > 0 ? model->parts[0].header.cmd : NULL;
	struct document *document = &rendering->document;

	document_section(document, 1, cmd ? "Profile of " : "Profile", cmd);
	if (!document_is_short(document) && !annotation->options->brief)
		render_preamble(rendering);
	put_totals(rendering);
}

const struct render_sections render_prose = {
	.head = put_head,
	.listing = put_listing,
	.nesting = put_nesting,
	.layout = render_layout_prose,
	.objects = render_objects_prose,
	.types = render_types_prose,
	.code = render_code,
	.sources = put_sources,
};
