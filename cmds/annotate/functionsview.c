/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of functions: with callers and callees, by file, and files by function. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "cmds/emit/visible.h"
#include "profile/analysis/owncode.h"

enum {
	OF_SIGN = 4, /* columns of what is before a name of a tree: ">   " */
	OF_RECURSION = sizeof(" <cycle 1>") + 1, /* and after it: " <recursive>", " <cycle 10>" */
	MOST_PLACE = 24,                         /* where a function is, next to its name */
	MOST_NAME = 80, /* of a longer name, the rest says less than it takes to read */
};

/* The i-th function of an entry: itself, then its callers, then its callees. */
static uint32_t entry_function(const struct listing_entry *entry, size_t i)
{
	if (i == 0)
		return entry->function;
	return i <= entry->n_callers ? entry->callers[i - 1].function
				     : entry->callees[i - 1 - entry->n_callers].function;
}

/* Columns of what is after the name of a caller or callee: " (1,234x) <recursive>". */
static size_t width_of_marks(struct rendering *rendering, const struct listing_entry *entry,
			     const struct listing_link *link, bool is_caller)
{
	char text[INT128_TEXT];

	int128_print(text, int128_of(link->count, rendering->annotation->model->is_signed), true);
	render_clip(rendering, is_caller ? link->function : entry->function,
		    is_caller ? entry->function : link->function, link->costs);
	return strlen(" (x)") + strlen(text) +
	       (rendering->recursive != MODEL_NO_FUNCTION ? OF_RECURSION : 0);
}

/* -- few columns ----------------------------------------------------------------------------- */

/*
 * "d.c:4", where it is hottest; a Python function, whose lines are not recorded, where it is defined.  Next to these, the file of a
 * C function.
 */
static const char *entry_place(struct rendering *rendering, uint32_t function)
{
	const struct annotation *annotation = rendering->annotation;
	const struct model *model = annotation->model;
	uint64_t line = 0;

	if (annotation->n_python > 0 && function == annotation->python_imports)
		return "";
	if (owncode_is_python(model, function))
		return python_place(model, function, annotation->n_python == 0, &rendering->arena);
	if (annotation->n_python == 0)
		line = function_line(annotation, function);
	return function_place(model, function, line, &rendering->arena);
}

/* Where a function is, leaving room for that many columns of marks. */
static const char *place_of(struct rendering *rendering, uint32_t function, size_t marks)
{
	const size_t most = rendering->room_of_place > MOST_PLACE + marks
				    ? MOST_PLACE
				    : rendering->room_of_place - marks;
	const char *place = rendering->places[function], *number;
	struct bytes text;

	if (!place)
		place = rendering->places[function] = entry_place(rendering, function);
	if (rendering->cells.room == 0 || visible_width(place, strlen(place)) <= most)
		return place;
	bytes_init(&text);
	/* The line's number stays. */
	number = strrchr(place, ':');
	if (number && strlen(number) + strlen("f...") <= most) {
		size_t cut = most - strlen(number) - strlen("...");

		/* Not within a character. */
		while (cut > 0 && ((unsigned char)place[cut] & 0xc0) == 0x80)
			cut--;
		bytes_add(&text, place, cut);
		bytes_add_text(&text, "...");
		bytes_add_text(&text, number);
	} else {
		shorttext_make(&text, place, strlen(place), most);
	}
	place = arena_copy(&rendering->arena, text.text, text.len);
	bytes_release(&text);
	return place;
}

static struct name name_of_function(const struct model *model, uint32_t function)
{
	return model_name(model, NAME_FUNCTION, model->functions[function].name);
}

/* The i-th caller or callee of an entry. */
static const struct listing_link *entry_link(const struct listing_entry *entry, size_t i)
{
	return i < entry->n_callers ? &entry->callers[i] : &entry->callees[i - entry->n_callers];
}

/*
 * Divides the columns between a function's name and where it is, with how often it is called: returns the width of the name,
 * and sets room_of_place.
 */
static size_t divide_room(struct rendering *rendering)
{
	enum { GAP = 2, LEAST = 24, LEAST_NAME = 16, LEAST_PLACE = 12 };
	const struct annotation *annotation = rendering->annotation;
	const struct listing *listing = &annotation->listing;
	const size_t signs = annotation->options->listing.tree != TREE_NONE ? OF_SIGN : 0;
	const size_t room = rendering->cells.room;
	size_t longest = 0, most_marks = 0, longest_name = 0, used, least;

	rendering->room_of_place = SIZE_MAX;
	if (room == 0)
		return SIZE_MAX;
	for (size_t i = 0; i < listing->n; i++) {
		const struct listing_entry *entry = &listing->entries[i];
		const char *place = place_of(rendering, entry->function, 0);
		size_t width = visible_width(place, strlen(place));

		longest = width > longest ? width : longest;
		width = name_of_function(annotation->model, entry->function).len;
		longest_name = width > longest_name ? width : longest_name;
		for (size_t k = 0; k < entry->n_callers + entry->n_callees; k++) {
			const struct listing_link *link = entry_link(entry, k);
			size_t marks = width_of_marks(rendering, entry, link, k < entry->n_callers);

			place = place_of(rendering, link->function, 0);
			width = visible_width(place, strlen(place)) + marks;
			longest = width > longest ? width : longest;
			most_marks = marks > most_marks ? marks : most_marks;
		}
	}
	used = most_marks + LEAST_PLACE > MOST_PLACE ? most_marks + LEAST_PLACE : MOST_PLACE;
	used = longest < used ? longest : used;
	/* A name that has to be cut is worth more than the end of a file's. */
	least = longest_name < LEAST ? longest_name : LEAST;
	if (used + GAP + signs + least > room) {
		const size_t left = room > GAP + signs + least ? room - GAP - signs - least : 0;

		used = left > most_marks + LEAST_PLACE ? left : most_marks + LEAST_PLACE;
		used = longest < used ? longest : used;
	}
	rendering->room_of_place = used;
	used += GAP + signs;
	used = room > used + LEAST_NAME ? room - used : LEAST_NAME;
	return used < MOST_NAME ? used : MOST_NAME;
}

/* Shortens the names of all functions in the list, so that they have room and differ. */
static void shorten_names(struct rendering *rendering, size_t room)
{
	const struct model *model = rendering->annotation->model;
	const struct listing *listing = &rendering->annotation->listing;
	const size_t n_names = model->names[NAME_FUNCTION].count;
	struct name *short_names = heap_zeroed(n_names, sizeof(*short_names));
	struct shortname *names = heap_alloc(n_names * sizeof(*names));
	uint32_t *keys = heap_alloc(n_names * sizeof(*keys));
	size_t n = 0;

	for (size_t i = 0; i < listing->n; i++) {
		const struct listing_entry *entry = &listing->entries[i];

		for (size_t k = 0; k <= entry->n_callers + entry->n_callees; k++) {
			const struct name name =
				model_name(model, NAME_FUNCTION,
					   model->functions[entry_function(entry, k)].name);

			if (short_names[name.key].text)
				continue;
			short_names[name.key] = name;
			keys[n] = name.key;
			names[n++] = (struct shortname){
				.name = name.text,
				.len = name.len,
				.room = room,
			};
		}
	}
	shortnames_make(names, n, &rendering->arena);
	for (size_t i = 0; i < n; i++)
		short_names[keys[i]] = (struct name){ names[i].text, names[i].text_len, keys[i] };
	free(names);
	free(keys);
	rendering->short_names = short_names;
}

/* "main  d.c:4": a name that is short enough, and the words of the last column, which that many columns of marks may follow. */
static void put_name_and_place(struct rendering *rendering, const char *sign, uint32_t function,
			       size_t marks)
{
	const struct model *model = rendering->annotation->model;
	struct document *document = &rendering->document;
	struct name name = rendering->short_names[model->functions[function].name];
	struct bytes whole;

	if (rendering->annotation->n_python > 0 &&
	    function == rendering->annotation->python_imports)
		name = (struct name){ "imports", strlen("imports"), 0 };
	bytes_init(&whole);
	bytes_add_text(&whole, sign);
	bytes_add(&whole, name.text, name.len);
	document_cell(document,
		      cell_text(arena_copy(&rendering->arena, whole.text, whole.len), whole.len));
	document_begin_words(document, cell_none);
	document_words(document, place_of(rendering, function, marks));
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
	const struct listing_entry *entry;
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
	const size_t marks = width_of_marks(rendering, putting->entry, link, putting->are_callers);

	if (!putting->are_callers)
		sign = is_short ? "&gt; " : ">   ";
	if (document_is_prose(document) && rendering->annotation->is_few) {
		render_call_costs(rendering,
				  putting->are_callers ? link->function : putting->entry->function,
				  putting->are_callers ? putting->entry->function : link->function,
				  link->costs);
		put_name_and_place(rendering, sign, link->function, marks);
		render_times(rendering, link->count);
		render_recursion(rendering);
		document_end_words(document);
		return;
	}
	render_fold(rendering, &names, rendering->cells.room, strlen(sign) + marks);
	render_call_costs(rendering,
			  putting->are_callers ? link->function : putting->entry->function,
			  putting->are_callers ? putting->entry->function : link->function,
			  link->costs);
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
		.entry = entry,
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

	render_fold(rendering, &names, rendering->cells.room,
		    (is_tree ? OF_SIGN : 0) + (entry->cycle != 0 ? OF_RECURSION : 0));
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
	const bool is_tree = options->tree != TREE_NONE;

	if (is_tree)
		document_across(document, "%s", "");
	if (annotation->n_python > 0 && i == annotation->n_python)
		document_across(document, "in C, most of it part of the above:");
	put_links(rendering, entry, true);
	cells->is_inclusive = options->inclusive;
	cells->self = i < annotation->n_python ? entry->costs
					       : annotation->self_costs.self[entry->function];
	if (annotation->has_bounds)
		cells->inclusive = inclusive_of(&annotation->inclusive, entry->function);
	cells->is_chase = annotation->chases && annotation->chases[i];
	document_costs(document, entry->costs);
	cells->self = cells->inclusive = NULL;
	cells->is_chase = false;
	put_name_and_place(rendering, is_tree ? "*  " : "", entry->function, 0);
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
	if (annotation->options->verbose && rendering->cells.has_mostly)
		document_prose(
			document,
			"mostly: core is its width and ports, dependencies are waits for results, "
			"speculation is mispredicted branches, L2, L3 and DRAM are the memory "
			"waited for, string ops are rep movsb and the like.\n\n");
	if (listing->n < listing->n_functions && !annotation->options->is_run)
		document_prose(document, "%zu of %zu functions are shown.\n\n", listing->n,
			       listing->n_functions);
	if (annotation->lineless && !annotation->options->is_run) {
		document_words(document, annotation->lineless);
		document_prose(document, ".\n\n");
	}
	if (annotation->symbols) {
		document_words(document, annotation->symbols);
		document_prose(document, ".\n\n");
	}
	if (annotation->python) {
		document_words(document, annotation->python);
		document_prose(document, ".\n\n");
	}
}

static void put_briefly(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const bool is_python = annotation->n_python > 0;
	const struct document_column columns[] = {
		{ .title = is_python ? "function, with its C" : "function", .is_left = true },
		{ .title = is_python ? "defined at" : "hottest line", .is_left = true },
		{ .is_counts = true },
	};

	for (size_t i = 0; annotation->chases && i < annotation->listing.n; i++)
		rendering->cells.is_chase |= annotation->chases[i];
	costcells_use(&rendering->cells, COSTS_OF_FUNCTIONS, annotation->has_bounds);
	rendering->cells.is_chase = false;
	rendering->places = heap_zeroed(annotation->model->n_functions, sizeof(*rendering->places));
	shorten_names(rendering, divide_room(rendering));
	document_view(&rendering->document,
		      &(const struct document_view){
			      .table = { COLUMNS(columns), .form = FORM_PLAIN },
			      .n_rows = rendering->annotation->listing.n,
			      .put_row = put_function_briefly,
			      .put_rest = put_cycle_rows,
			      .put_notes = put_notes,
			      .ctx = rendering,
		      });
	free(rendering->short_names);
	free(rendering->places);
	rendering->short_names = NULL;
	rendering->places = NULL;
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
