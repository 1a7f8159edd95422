/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types of data with their members and layout, for all formats.  People see what has a share of the costs,
 * and the rest in one row; a page gets what has a share, and who refers to it; other programs get all.
 */
#include <inttypes.h>
#include <string.h>

#include "cmds/emit/document.h"
#include "cmds/types/typecosts.h"

enum {
	NOTED_PART =
		10, /* code without debug information is noted if it has a tenth of the costs */
	MANY_MEMBERS = 24, /* rows; of a struct with more, those below the threshold are one */
	/* Of a page. */
	MOST_TYPES = 200, /* the others are one row */
	MOST_USES = 60,   /* of a type */
	USE_PART = 50,    /* a use has at least a fiftieth of the type's costs */
	MOST_COLD = 64,   /* members without any cost, of a type */
	DETAIL_PART = 4,  /* types need a quarter of the share that functions need */
};

/* What is listed, and the sum of the rest. */
struct listed {
	size_t *at; /* indices */
	size_t n, n_others;
	uint64_t *others;
};

/* A view at work. */
struct putting {
	const struct typeview *view;
	struct listed rows, members; /* members: of the row at work */
	const struct type_row *row;
	size_t uses[MOST_USES];
};

static int128 cost_of(const struct typeview *view, const uint64_t *costs)
{
	return metric_value(view->sort, costs, false);
}

static bool is_share(const struct metric *metric, const uint64_t *costs, const uint64_t *whole,
		     double n)
{
	const int128 cost = metric_value(metric, costs, false);

	return cost > 0 && (double)cost * n >= (double)metric_value(metric, whole, false);
}

/* For people: true if costs reach the threshold. */
static bool is_enough(const struct typeview *view, const uint64_t *costs)
{
	return cost_of(view, costs) > 0 &&
	       100.0 * (double)cost_of(view, costs) >=
		       view->threshold * (double)cost_of(view, view->totals);
}

/*
 * Of a page: true if costs are one in n of references, of a level's misses of data, or of what the profile is
 * judged by.
 */
static bool is_part(const struct typeview *view, const uint64_t *costs, const uint64_t *whole,
		    double n)
{
	static const char *const names[] = { "Drefs", "D1m", "L2dr", "L2dw", "DLm" };

	if (is_share(view->sort, costs, whole, n))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t number = metrics_find(view->metrics, names[i], strlen(names[i]));

		if (number < view->metrics->n &&
		    is_share(&view->metrics->all[number], costs, whole, n))
			return true;
	}
	return false;
}

/* Room for n indices. */
static struct listed begin_list(const struct typeview *view, size_t n)
{
	const size_t size = view->costs->model->n_events * sizeof(uint64_t);

	return (struct listed){
		.at = arena_alloc(view->arena, (n + 1) * sizeof(size_t), 8),
		.others = memset(arena_alloc(view->arena, size, 8), 0, size),
	};
}

/* Lists the item of an index, or adds its costs to the others. */
static void list(const struct typeview *view, struct listed *listed, size_t i, bool is_listed,
		 const uint64_t *costs)
{
	if (is_listed) {
		listed->at[listed->n++] = i;
		return;
	}
	for (size_t event = 0; event < view->costs->model->n_events; event++)
		listed->others[event] += costs[event];
	listed->n_others++;
}

/* -- members --------------------------------------------------------------------------------- */

/* The last one is of no member. */
static void list_members(struct document *document, struct putting *putting)
{
	const struct typeview *view = putting->view;
	const struct type_row *row = putting->row;
	struct listed *members = &putting->members;
	size_t n_cold = 0;

	*members = begin_list(view, row->n_members);
	for (size_t i = 0; i < row->n_members; i++) {
		const uint64_t *costs = row->members[i].costs;
		bool is_rest = i + 1 == row->n_members, is_cold = true, is_listed = true;

		for (size_t event = 0; event < view->costs->model->n_events; event++)
			is_cold &= costs[event] == 0;
		if (view->is_page)
			is_listed = !is_cold || (!is_rest && n_cold++ < MOST_COLD);
		else if (document_is_prose(document) && is_rest)
			is_listed = cost_of(view, costs) != 0;
		else if (document_is_prose(document))
			is_listed = row->n_members <= MANY_MEMBERS || is_enough(view, costs);
		if (is_listed || !is_rest)
			list(view, members, i, is_listed, costs);
	}
}

static void put_member(struct document *document, void *ctx, size_t i)
{
	const struct putting *putting = ctx;
	const size_t at = putting->members.at[i];
	const struct type_member *member = &putting->row->members[at];
	const bool is_rest = at + 1 == putting->row->n_members, is_repeated = member->stride > 0;

	document_costs(document, member->costs);
	document_cell(document, cell_count(at));
	document_begin_words(document, cell_string(member->name));
	if (is_rest)
		document_prose(document, "%6s %5s  ", "", "");
	else
		document_prose(document, "%6" PRIu64 " %5" PRIu64 "  ", member->offset,
			       member->size);
	document_words(document, member->name[0] != '\0' ? member->name : "(anonymous)");
	document_end_words(document);
	document_cell(document, cell_string(putting->row->name));
	document_cell(document, is_rest ? cell_none : cell_count(member->offset));
	document_cell(document, is_rest ? cell_none : cell_count(member->size));
	document_cell(document, is_repeated ? cell_count(member->stride) : cell_none);
	document_cell(document, is_repeated ? cell_count(typemember_copies(member)) : cell_none);
}

static void put_other_members(struct document *document, void *ctx)
{
	const struct listed *members = &((struct putting *)ctx)->members;

	if (members->n_others == 0)
		return;
	document_costs(document, members->others);
	document_cell(document, cell_none);
	document_begin_words(document, cell_none);
	document_prose(document, "%6s %5s  (%zu other member%s)", "", "", members->n_others,
		       members->n_others == 1 ? "" : "s");
	document_end_words(document);
}

static void put_members(struct document *document, struct putting *putting)
{
	static const struct document_column columns[] = {
		{ .key = "number", .is_for_page = true },
		{ .title = "offset  size  member",
		  .key = "member",
		  .field = "text",
		  .is_left = true },
		{ .field = "function" },
		{ .key = "offset", .field = "address" },
		{ .key = "size", .field = "bytes" },
		{ .key = "stride", .is_for_page = true },
		{ .key = "copies", .is_for_page = true },
		{ .key = "counts", .is_counts = true },
	};

	list_members(document, putting);
	document_view(document, &(struct document_view){
					.table = { .key = "members",
						   .record = "member",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]),
						   .form = FORM_RULED },
					.n_rows = putting->members.n,
					.put_row = put_member,
					.put_rest = put_other_members,
					.ctx = putting,
				});
	if (putting->view->is_page)
		document_value(document, "cold", cell_count(putting->members.n_others));
}

/* -- layouts --------------------------------------------------------------------------------- */

/* "left, right, key, ...": people see hot members and what fills their lines, if the struct begins with a line. */
static void put_order(struct document *document, const struct type_layout *layout)
{
	bool is_cut = false;
	uint64_t end = 0;

	for (size_t i = 0; i < layout->n; i++) {
		const struct layout_member *member = &layout->members[i];

		if (member->is_hot && member->new_offset + member->size > end)
			end = member->new_offset + member->size;
	}
	end = (end + LAYOUT_LINE - 1) / LAYOUT_LINE * LAYOUT_LINE;
	document_list(document, "better", true);
	for (size_t i = 0; i < layout->n; i++) {
		const struct layout_member *member = &layout->members[layout->order[i]];

		document_value(document, NULL, cell_string(member->name));
		if (is_cut)
			continue;
		is_cut = member->new_offset >= end;
		document_prose(document, "%s", i > 0 || is_cut ? ", " : "");
		if (is_cut)
			document_prose(document, "...");
		else
			document_words(document, member->name);
	}
	document_close(document);
}

static void put_place(struct document *document, void *ctx, size_t i)
{
	const struct layout_member *member = &((const struct type_layout *)ctx)->members[i];

	document_cell(document, cell_string(member->name));
	document_cell(document, cell_count(member->offset));
	document_cell(document, cell_count(member->size));
	document_cell(document, cell_count(member->new_offset));
	document_cell(document, cell_count(member->hole));
	document_cell(document, cell_bool(member->is_hot));
}

static void put_layout(struct document *document, const struct putting *putting)
{
	static const struct document_column columns[] = {
		{ .key = "name" },       { .key = "offset" }, { .key = "size" },
		{ .key = "new_offset" }, { .key = "hole" },   { .key = "hot" },
	};
	const struct typeview *view = putting->view;
	const char *between = "";
	struct type_layout layout;
	double lines, new_lines; /* averages over all places */

	if (!typelayout_of_row(&layout, view->costs, putting->row, view->arena) ||
	    (layout.lines == 0 && (view->is_page || document_is_prose(document))))
		return;
	lines = (double)layout.lines / LAYOUT_PLACES;
	new_lines = (double)layout.new_lines / LAYOUT_PLACES;
	document_object(document, "layout", false);
	document_value(document, "holes", cell_count(layout.holes));
	/* "- hot: left, right, key; lines that these touch: 1.25" */
	document_prose(document, "- hot: ");
	document_list(document, "hot", true);
	for (size_t i = 0; i < layout.n; i++) {
		const struct layout_member *member = &layout.members[i];

		if (!member->is_hot)
			continue;
		document_value(document, NULL, cell_string(member->name));
		document_prose(document, "%s", between);
		document_words(document, member->name);
		between = ", ";
	}
	document_close(document);
	document_value(document, "lines", cell_number(lines, 2));
	document_prose(document, "; lines that these touch: %.2f\n", lines);
	if (layout.holes > 0) {
		document_prose(document, "- holes: %" PRIu64 " B, after", layout.holes);
		between = " ";
		for (size_t i = 0; i < layout.n; i++) {
			if (layout.members[i].hole == 0)
				continue;
			document_prose(document, "%s", between);
			document_words(document, layout.members[i].name);
			document_prose(document, " (%" PRIu64 ")", layout.members[i].hole);
			between = ", ";
		}
		document_prose(document, "\n");
	}
	if (layout.is_worthwhile) {
		document_prose(document, "- better: ");
		put_order(document, &layout);
		document_value(document, "better_size", cell_count(layout.new_size));
		document_value(document, "better_lines", cell_number(new_lines, 2));
		document_prose(document, "; %" PRIu64 " B, lines: %.2f\n", layout.new_size,
			       new_lines);
	}
	if (view->is_page) /* for drawings: where members are and could be */
		document_view(document,
			      &(struct document_view){
				      .table = { .key = "members",
						 .columns = columns,
						 .n = sizeof(columns) / sizeof(columns[0]) },
				      .n_rows = layout.n,
				      .put_row = put_place,
				      .ctx = &layout,
			      });
	document_close(document);
}

/* -- uses ------------------------------------------------------------------------------------ */

static void put_use(struct document *document, void *ctx, size_t i)
{
	const struct putting *putting = ctx;
	const struct typeview *view = putting->view;
	const struct type_use *use = &view->costs->uses[putting->uses[i]];

	document_costs(document, use->costs);
	document_cell(document, document_function_number(document, use->function));
	document_cell(document, cell_count(use->member));
}

/* Who refers to a type: those that have a share, the most costly ones. */
static void put_uses(struct document *document, struct putting *putting)
{
	static const struct document_column columns[] = {
		{ .key = "function" },
		{ .key = "member" },
		{ .key = "counts", .is_counts = true },
	};
	const struct typeview *view = putting->view;
	const struct type_costs *types = view->costs;
	size_t *at = putting->uses, n = 0;

	for (size_t i = 0; i < types->n_uses; i++) {
		const struct type_use *use = &types->uses[i];
		size_t least = 0;

		if (&types->rows[use->row] != putting->row ||
		    !is_part(view, use->costs, putting->row->costs, USE_PART))
			continue;
		if (n < MOST_USES) {
			at[n++] = i;
			continue;
		}
		for (size_t k = 1; k < n; k++)
			if (cost_of(view, types->uses[at[k]].costs) <
			    cost_of(view, types->uses[at[least]].costs))
				least = k;
		if (cost_of(view, types->uses[at[least]].costs) < cost_of(view, use->costs))
			at[least] = i;
	}
	document_view(document, &(struct document_view){
					.table = { .key = "uses",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]) },
					.n_rows = n,
					.put_row = put_use,
					.ctx = putting,
				});
}

/* -- types ----------------------------------------------------------------------------------- */

static void put_details(struct document *document, void *ctx, size_t i)
{
	struct putting *putting = ctx;
	const struct type_row *row = &putting->view->costs->rows[putting->rows.at[i]];
	const bool is_short = document_is_short(document);

	putting->row = row;
	if (row->n_members > 0) {
		document_section(document, 3, "Members of ", row->name);
		if (!is_short) {
			document_part(document, PART_TITLE);
			document_prose(document, "Members of ");
			document_words(document, row->name);
			document_prose(document, ": %" PRIu64 " B, %" PRIu64 " line%s of %d B",
				       row->type->size,
				       (row->type->size + LAYOUT_LINE - 1) / LAYOUT_LINE,
				       row->type->size <= LAYOUT_LINE ? "" : "s", LAYOUT_LINE);
			document_part(document, PART_CONTENT);
		}
		put_members(document, putting);
		document_prose(document, "\n");
		put_layout(document, putting);
		if (!is_short)
			document_part(document, PART_END);
		document_prose(document, "\n");
	}
	if (putting->view->is_page && row->kind != ROW_NO_DATA)
		put_uses(document, putting);
}

static void put_type(struct document *document, void *ctx, size_t i)
{
	const struct putting *putting = ctx;
	const struct type_row *row = &putting->view->costs->rows[putting->rows.at[i]];

	document_costs(document, row->costs);
	document_begin_words(document, cell_string(row->name));
	document_words(document, row->name);
	if (row->type && row->type->size > 0)
		document_prose(document, "  (%" PRIu64 " B)", row->type->size);
	document_end_words(document);
	document_cell(document, cell_string(typecosts_kind_word(row->kind)));
	document_cell(document, row->type ? cell_count(row->type->size) : cell_none);
}

/* All rows add up to the totals. */
static void put_other_types(struct document *document, void *ctx)
{
	const struct putting *putting = ctx;
	const struct type_costs *types = putting->view->costs;
	const struct listed *rows = &putting->rows;

	if (rows->n_others > 0) {
		document_costs(document, rows->others);
		document_begin_words(document, cell_none);
		document_prose(document, "(%zu other type%s)", rows->n_others,
			       rows->n_others == 1 ? "" : "s");
		document_end_words(document);
	}
	for (size_t i = rows->n + rows->n_others; i < types->n; i++) {
		document_costs(document, types->rows[i].costs);
		document_begin_words(document, cell_none);
		document_prose(document, "(%s)", types->rows[i].name);
		document_end_words(document);
	}
}

/* What helps, if much is code without debug information. */
static void put_notes(struct document *document, void *ctx)
{
	const struct typeview *view = ((const struct putting *)ctx)->view;
	const int128 whole = cost_of(view, view->totals);

	document_prose(document, "\n");
	for (size_t i = 0; i < view->costs->n; i++) {
		const struct type_row *row = &view->costs->rows[i];
		const int128 cost = cost_of(view, row->costs);

		if (row->kind == ROW_UNDEBUGGED && whole > 0 && cost * NOTED_PART >= whole)
			document_prose(
				document,
				"%.0f %% is of code without debug information: compile with "
				"-g (-g1 has no types, and .dwo files of -gsplit-dwarf are not "
				"read), or name the folder that has it by --debug-dir.\n\n",
				100 * (double)cost / (double)whole);
	}
}

static void list_types(const struct document *document, struct putting *putting)
{
	const struct typeview *view = putting->view;
	const struct type_costs *types = view->costs;
	const double detail = view->is_page ? view->threshold * DETAIL_PART : 0;
	const double part = 100 / (detail > 0 ? detail : 1e-9);
	size_t n_types = 0;

	putting->rows = begin_list(view, types->n);
	for (size_t i = 0; i < types->n; i++) {
		const struct type_row *row = &types->rows[i];
		bool is_type = row->kind == ROW_TYPE, is_listed = true;

		if (view->is_page)
			is_listed = !is_type || (n_types < MOST_TYPES &&
						 is_part(view, row->costs, view->totals, part));
		else if (document_is_prose(document) && !is_type)
			return; /* types come first */
		else if (document_is_prose(document))
			is_listed = n_types == i && (view->most == 0 || i < view->most) &&
				    is_enough(view, row->costs);
		n_types += is_listed && is_type;
		list(view, &putting->rows, i, is_listed, row->costs);
	}
}

void typeview_put(struct document *document, const struct typeview *view)
{
	static const struct document_column columns[] = {
		{ .title = "type", .key = "type", .field = "text", .is_left = true },
		{ .key = "kind", .field = "function" },
		{ .key = "size", .field = "bytes" },
		{ .key = "counts", .is_counts = true },
	};
	struct putting putting = { .view = view };

	list_types(document, &putting);
	document_section(document, 2, "Types of data", NULL);
	if (view->is_page)
		document_value(document, "line", cell_count(LAYOUT_LINE));
	document_view(document, &(struct document_view){
					.table = { .key = view->is_page ? "rows" : "types",
						   .record = "type",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]),
						   .form = FORM_RULED,
						   .is_indented = true },
					.n_rows = putting.rows.n,
					.put_row = put_type,
					.put_rest = put_other_types,
					.put_notes = put_notes,
					.put_details = put_details,
					.ctx = &putting,
				});
	if (view->is_page) {
		document_value(document, "left", cell_count(putting.rows.n_others));
		document_costs_value(document, "rest", putting.rows.others);
	}
}
