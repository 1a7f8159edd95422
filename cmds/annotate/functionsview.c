/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of functions: with callers and callees, by file, and files by function. */
#include <inttypes.h>

#include "cmds/annotate/annotate.h"
#include "cmds/emit/visible.h"

enum {
	OF_LINK = 12, /* columns of what is next to the name of a caller or callee */
};

/* -- few columns ----------------------------------------------------------------------------- */

/* How many columns a function's name has at most, so that where it is has a column, too. */
static size_t room_of_name(struct rendering *rendering)
{
	enum { MOST_PLACE = 20, GAP = 2, LEAST = 16 };
	const struct annotation *annotation = rendering->annotation;
	const struct listing *listing = &annotation->listing;
	size_t room = rendering->cells.room, place = 0;

	if (room == 0)
		return SIZE_MAX;
	if (annotation->options->listing.tree != TREE_NONE)
		place = MOST_PLACE;
	for (size_t i = 0; i < listing->n && place < MOST_PLACE; i++) {
		uint32_t function = listing->entries[i].function;
		const char *text = function_place(annotation->model, function,
						  function_line(annotation, function),
						  &rendering->arena);
		size_t width = visible_width(text, strlen(text));

		place = width > place ? width : place;
	}
	place = (place < MOST_PLACE ? place : MOST_PLACE) + GAP;
	return room > place + LEAST ? room - place : LEAST;
}

/* "main  d.c:4": a name that is short enough, and the words of the last column, which more may follow. */
static void put_name_and_place(struct rendering *rendering, const char *sign, uint32_t function)
{
	const struct model *model = rendering->annotation->model;
	struct document *document = &rendering->document;
	struct name name = model_name(model, NAME_FUNCTION, model->functions[function].name);
	struct bytes text, whole;

	bytes_init(&text);
	bytes_init(&whole);
	shortname_make(&text, name.text, name.len, rendering->room_of_name);
	bytes_add_text(&whole, sign);
	bytes_add(&whole, text.text, text.len);
	document_cell(document,
		      cell_text(arena_copy(&rendering->arena, whole.text, whole.len), whole.len));
	document_begin_words(document, cell_none);
	document_words(document, function_place(model, function,
						function_line(rendering->annotation, function),
						&rendering->arena));
	bytes_release(&text);
	bytes_release(&whole);
}

static void put_cycle_mark(struct document *document, const struct listing_entry *entry,
			   bool is_inclusive)
{
	/* Next to inclusive costs, a cycle matters only if it keeps them from being whole. */
	if (entry->cycle != 0 && (entry->is_partial || !is_inclusive))
		document_prose(document,
			       document_is_short(document) ? " (cycle %" PRIu32 ")"
							   : " <cycle %" PRIu32 ">",
			       entry->cycle);
}

/* -- callers and callees --------------------------------------------------------------------- */

/* Calls of the function of an entry, or by it. */
struct putting_links {
	struct rendering *rendering;
	const struct listing_link *links;
	uint32_t function;
	bool are_callers;
};

/* People see links as rows of the functions' table, programs in a table of their own. */
static void put_link(struct document *document, void *ctx, size_t i)
{
	const struct putting_links *putting = ctx;
	struct rendering *rendering = putting->rendering;
	const struct listing_link *link = &putting->links[i];
	bool is_short = document_is_short(document);
	struct annotation_names names = annotation_names(rendering->annotation, link->function);
	const char *sign = is_short ? "&lt; " : "< ";

	if (!putting->are_callers)
		sign = is_short ? "&gt; " : ">   ";
	if (document_is_prose(document) && rendering->annotation->is_few) {
		render_call_costs(rendering,
				  putting->are_callers ? link->function : putting->function,
				  putting->are_callers ? putting->function : link->function,
				  link->costs);
		put_name_and_place(rendering, sign, link->function);
		render_times(rendering, link->count);
		render_recursion(rendering);
		document_end_words(document);
		return;
	}
	render_fold(rendering, &names, rendering->cells.room, OF_LINK);
	render_call_costs(rendering, putting->are_callers ? link->function : putting->function,
			  putting->are_callers ? putting->function : link->function, link->costs);
	document_begin_words(document, render_name(names.function));
	document_prose(document, "%s", sign);
	render_function(rendering, &names);
	if (!is_short)
		render_times(rendering, link->count);
	render_object(rendering, &names);
	if (is_short)
		render_times(rendering, link->count);
	render_recursion(rendering);
	document_end_words(document);
	if (document_is_prose(document))
		return;
	render_places(rendering, &names);
	document_cell(document, render_count(rendering, link->count));
}

static void put_links(struct rendering *rendering, const struct listing_entry *entry,
		      bool are_callers)
{
	static const struct document_column columns[] = {
		FUNCTION_COLUMNS(NULL),
		{ .key = "calls", .field = "calls" },
		COUNTS_COLUMN,
	};
	struct document *document = &rendering->document;
	struct putting_links putting = {
		.rendering = rendering,
		.links = are_callers ? entry->callers : entry->callees,
		.function = entry->function,
		.are_callers = are_callers,
	};
	const struct document_view view = {
		.table = { .key = are_callers ? "callers" : "callees",
			   .record = are_callers ? "caller" : "callee",
			   COLUMNS(columns) },
		.n_rows = are_callers ? entry->n_callers : entry->n_callees,
		.put_row = put_link,
		.ctx = &putting,
	};

	if (!document_is_prose(document))
		document_view(document, &view);
	else
		for (size_t i = 0; i < view.n_rows; i++)
			put_link(document, &putting, i);
}

/* -- functions ------------------------------------------------------------------------------- */

static void put_function(struct document *document, void *ctx, size_t i)
{
	struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;
	const struct listing_entry *entry = &annotation->listing.entries[i];
	const struct listing_options *options = &annotation->options->listing;
	bool is_short = document_is_short(document), is_prose = document_is_prose(document);
	bool is_tree = options->tree != TREE_NONE;
	struct annotation_names names = annotation_names(annotation, entry->function);

	render_fold(rendering, &names, rendering->cells.room, is_tree ? OF_LINK : 0);
	if (is_tree)
		document_across(document, "%s", "");
	if (is_prose)
		put_links(rendering, entry, true);
	rendering->cells.is_inclusive = options->inclusive;
	document_costs(document, entry->costs);
	document_begin_words(document, render_name(names.function));
	document_prose(document, "%s", is_tree && !is_short ? "*  " : "");
	render_function(rendering, &names);
	render_object(rendering, &names);
	put_cycle_mark(document, entry, options->inclusive);
	document_end_words(document);
	render_places(rendering, &names);
	document_cell(document, entry->cycle ? cell_count(entry->cycle) : cell_none);
	document_cell(document, entry->is_partial ? cell_bool(true) : cell_none);
	document_cell(document, costcells_shares(&rendering->cells, 0, entry->costs));
	rendering->cells.is_inclusive = false;
	if (is_prose)
		put_links(rendering, entry, false);
}

/* The same with few columns, for people. */
static void put_function_briefly(struct document *document, void *ctx, size_t i)
{
	struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;
	const struct listing_entry *entry = &annotation->listing.entries[i];
	const struct listing_options *options = &annotation->options->listing;
	struct costcells *cells = &rendering->cells;
	bool is_tree = options->tree != TREE_NONE;

	if (is_tree)
		document_across(document, "%s", "");
	put_links(rendering, entry, true);
	cells->is_inclusive = options->inclusive;
	cells->self = annotation->self_costs.self[entry->function];
	if (annotation->has_bounds)
		cells->inclusive = inclusive_of(&annotation->inclusive, entry->function);
	cells->is_chase = annotation->chases && annotation->chases[i];
	document_costs(document, entry->costs);
	cells->self = cells->inclusive = NULL;
	cells->is_chase = false;
	put_name_and_place(rendering, is_tree ? "*  " : "", entry->function);
	put_cycle_mark(document, entry, options->inclusive);
	document_end_words(document);
	cells->is_inclusive = false;
	put_links(rendering, entry, false);
}

static void put_function_links(struct document *document, void *ctx, size_t i)
{
	struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;
	const struct listing_entry *entry = &annotation->listing.entries[i];
	enum listing_tree tree = annotation->options->listing.tree;

	if (document_is_prose(document))
		return;
	if (tree & TREE_CALLERS)
		put_links(rendering, entry, true);
	if (tree & TREE_CALLEES)
		put_links(rendering, entry, false);
}

static const uint64_t *cycle_costs(const struct inclusive *inclusive, size_t i)
{
	return inclusive->cycle_costs + i * inclusive->n_events;
}

/* For people, who see cycles next to inclusive costs; but all text has room for them. */
static void put_cycle_rows(struct document *document, void *ctx)
{
	struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;
	const struct inclusive *inclusive = &annotation->inclusive;
	bool is_shown = annotation->options->listing.inclusive && !document_is_short(document);

	rendering->cells.is_inclusive = true;
	for (size_t i = 0; annotation->has_inclusive && i < inclusive->n_cycles; i++) {
		document_costs(document, cycle_costs(inclusive, i));
		if (is_shown) {
			if (annotation->is_few)
				document_cell(document, cell_none);
			document_begin_words(document, cell_none);
			document_prose(document, "<cycle %zu> as a whole", i + 1);
			document_end_words(document);
		} else {
			document_drop_row(document);
		}
	}
	rendering->cells.is_inclusive = false;
}

/* For people, below the list. */
static void put_notes(struct document *document, void *ctx)
{
	struct rendering *rendering = ctx;
	const struct annotation *annotation = rendering->annotation;
	const struct listing *listing = &annotation->listing;
	bool has_partial = false;

	for (size_t i = 0; i < listing->n; i++)
		has_partial |= listing->entries[i].is_partial;
	document_prose(document, "\n");
	if (has_partial)
		document_prose(document,
			       "Functions marked with a cycle are shown without what they call "
			       "in it; all others with all that they call.\n\n");
	render_recursion_note(rendering);
	if (listing->n < listing->n_functions && !annotation->options->is_run)
		document_prose(document, "%zu of %zu functions are shown.\n\n", listing->n,
			       listing->n_functions);
	if (annotation->lineless && !annotation->options->is_run) {
		document_words(document, annotation->lineless);
		document_prose(document, ".\n\n");
	}
	if (annotation->python) {
		document_words(document, annotation->python);
		document_prose(document, ".\n\n");
	}
}

static void put_briefly(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .title = "function", .is_left = true },
		{ .title = "", .is_left = true },
		{ .is_counts = true },
	};

	const struct annotation *annotation = rendering->annotation;

	for (size_t i = 0; annotation->chases && i < annotation->listing.n; i++)
		rendering->cells.is_chase |= annotation->chases[i];
	costcells_use(&rendering->cells, COSTS_OF_FUNCTIONS, annotation->has_bounds);
	rendering->cells.is_chase = false;
	rendering->room_of_name = room_of_name(rendering);
	document_view(&rendering->document,
		      &(const struct document_view){
			      .table = { COLUMNS(columns), .form = FORM_PLAIN },
			      .n_rows = rendering->annotation->listing.n,
			      .put_row = put_function_briefly,
			      .put_rest = put_cycle_rows,
			      .put_notes = put_notes,
			      .ctx = rendering,
		      });
}

void functions_view(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct listing_options *options = &annotation->options->listing;
	struct document *document = &rendering->document;
	bool is_titled_inclusive = options->inclusive && !document_is_short(document);
	const struct document_column columns[] = {
		FUNCTION_COLUMNS(is_titled_inclusive ? "file:function (inclusive)"
						     : "file:function"),
		{ .key = "cycle" },
		{ .key = "partial" },
		COUNTS_COLUMN,
		{ .key = "percents" },
	};
	const struct document_view view = {
		.table = { .key = "functions",
			   .record = "function",
			   COLUMNS(columns),
			   .is_indented = options->tree != TREE_NONE,
			   .form = FORM_RULED },
		.n_rows = annotation->listing.n,
		.put_row = put_function,
		.put_rest = put_cycle_rows,
		.put_notes = put_notes,
		.put_details = put_function_links,
		.ctx = rendering,
	};

	if (document_is_prose(document) && annotation->is_few) {
		put_briefly(rendering);
		return;
	}
	document_section(document, 2,
			 options->inclusive ? "Functions, with all that they call" : "Functions",
			 NULL);
	document_value(document, "n_functions",
		       cell_count((int128)annotation->listing.n_functions));
	document_view(document, &view);
	if (!annotation->has_inclusive)
		return;
	document_list(document, "cycles", false);
	rendering->cells.is_inclusive = true;
	for (size_t i = 0; i < annotation->inclusive.n_cycles; i++)
		document_value(document, NULL,
			       costcells_counts(&rendering->cells, 0,
						cycle_costs(&annotation->inclusive, i)));
	rendering->cells.is_inclusive = false;
	document_close(document);
}

/* -- files and functions in each other ------------------------------------------------------- */

struct putting_nesting {
	struct rendering *rendering;
	const struct nesting *nesting;
	const struct nesting_outer *outer; /* whose inner ones are put */
};

static struct name name_of(const struct putting_nesting *putting, bool is_outer, uint32_t name)
{
	return model_name(putting->rendering->annotation->model,
			  putting->nesting->by_function == is_outer ? NAME_FUNCTION : NAME_FILE,
			  name);
}

/* People see inner ones as rows of the same table, programs in a table of their own. */
static void put_inner(struct document *document, void *ctx, size_t i)
{
	const struct putting_nesting *putting = ctx;
	const struct nesting_inner *inner = &putting->outer->inner[i];
	const struct name name = name_of(putting, false, inner->name);

	document_costs(document, inner->costs);
	document_begin_words(document, render_name(name));
	document_prose(document, "%s", document_is_short(document) ? "&nbsp;&nbsp;" : "    ");
	document_styled(document, STYLE_PLAIN, name.text, name.len);
	document_end_words(document);
	if (!document_is_prose(document))
		document_cell(document, render_name(name_of(putting, true, putting->outer->name)));
}

static void put_outer(struct document *document, void *ctx, size_t i)
{
	struct putting_nesting *putting = ctx;
	const struct nesting_outer *outer = &putting->nesting->outer[i];
	struct costcells *cells = &putting->rendering->cells;
	const struct name name = name_of(putting, true, outer->name);
	bool is_short = document_is_short(document);

	document_across(document, "%s", "");
	cells->sums = is_short ? NULL : outer->cumulative;
	document_costs(document, outer->costs);
	cells->sums = NULL;
	document_begin_words(document, render_name(name));
	if (!is_short)
		document_prose(document, putting->nesting->by_function ? "> " : "< ");
	document_styled(document, STYLE_STRONG, name.text, name.len);
	if (!is_short)
		document_prose(document, outer->n_inner > 0 ? ":" : ": all below the threshold");
	document_end_words(document);
	document_cell(document, costcells_shares(cells, 0, outer->costs));
	document_cell(document, costcells_shares(cells, 1, outer->cumulative));
	document_cell(document, cell_count((int128)outer->n_hidden));
	putting->outer = outer;
	for (size_t j = 0; document_is_prose(document) && j < outer->n_inner; j++)
		put_inner(document, putting, j);
}

static void put_inner_rows(struct document *document, void *ctx, size_t i)
{
	struct putting_nesting *putting = ctx;
	bool by_function = putting->nesting->by_function;
	const char *outer_field = by_function ? "function" : "file";
	const char *inner_field = by_function ? "file" : "function";
	const struct document_column columns[] = {
		{ .key = inner_field, .field = inner_field },
		{ .field = outer_field },
		COUNTS_COLUMN,
	};
	const struct document_view view = {
		.table = { .key = by_function ? "files" : "functions",
			   .record = by_function ? "function:file" : "file:function",
			   COLUMNS(columns) },
		.n_rows = putting->nesting->outer[i].n_inner,
		.put_row = put_inner,
		.ctx = putting,
	};

	putting->outer = &putting->nesting->outer[i];
	if (!document_is_prose(document))
		document_view(document, &view);
}

void nesting_view(struct rendering *rendering, const struct nesting *nesting)
{
	struct putting_nesting putting = { .rendering = rendering, .nesting = nesting };
	bool by_function = nesting->by_function;
	const char *field = by_function ? "function" : "file";
	const struct document_column columns[] = {
		{ .title = by_function ? "function:file" : "file:function",
		  .key = field,
		  .field = field,
		  .is_left = true },
		COUNTS_COLUMN,
		{ .key = "percents" },
		{ .key = "cumulative_percents" },
		{ .key = "hidden" },
	};
	const struct document_view view = {
		.table = { .key = by_function ? "function_file" : "file_function",
			   .record = by_function ? "function:file" : "file:function",
			   COLUMNS(columns),
			   .is_indented = true,
			   .form = FORM_RULED },
		.n_rows = nesting->n,
		.put_row = put_outer,
		.put_details = put_inner_rows,
		.ctx = &putting,
	};

	document_section(&rendering->document, 2,
			 by_function ? "Functions by file" : "Files by function", NULL);
	document_view(&rendering->document, &view);
	document_prose(&rendering->document, "\n");
}
