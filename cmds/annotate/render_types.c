/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of data and members of structs with their costs, for people and for programs. */
#include <inttypes.h>
#include <stdio.h>

#include "cmds/annotate/render.h"
#include "cmds/types/typecosts.h"

enum {
	NOTED_PART =
		10, /* code without debug information is said to be so if it has one of so many */
	MANY_MEMBERS = 24, /* rows; of a struct with more, those below the threshold are one */
};

/* A row whose members are put. */
struct putting_type {
	struct rendering *rendering;
	const struct type_row *row;
};

static const struct type_costs *types_of(const struct rendering *rendering)
{
	return &rendering->annotation->types;
}

static int128 cost_of(const struct rendering *rendering, const uint64_t *costs)
{
	const struct columns *columns = &rendering->annotation->columns;

	return metric_value(&columns->metrics.all[columns->keys[0].metric], costs, false);
}

/* Whether costs are as much of what is sorted by as options ask for. */
static bool is_enough(const struct rendering *rendering, const uint64_t *costs)
{
	const struct annotation *annotation = rendering->annotation;
	int128 whole = cost_of(rendering, annotation->totals.costs);
	int128 cost = cost_of(rendering, costs);

	return cost > 0 &&
	       100.0 * (double)cost >= annotation->options->choice.threshold * (double)whole;
}

static bool is_shown(const struct rendering *rendering, const struct type_row *row)
{
	return row->kind != ROW_TYPE || is_enough(rendering, row->costs);
}

/* Types that are shown, of which there are at most as many as asked for. */
static size_t shown_types(const struct rendering *rendering)
{
	const struct type_costs *types = types_of(rendering);
	size_t most = rendering->annotation->options->listing.most, n = 0;

	while (n < types->n && types->rows[n].kind == ROW_TYPE && (most == 0 || n < most) &&
	       is_shown(rendering, &types->rows[n]))
		n++;
	return n;
}

/* -- for people ------------------------------------------------------------------------------ */

static void put_type(struct rendering *rendering, const struct type_row *row)
{
	struct document *document = &rendering->document;

	render_begin_row(rendering, row->costs);
	document_words(document, row->name);
	if (row->type && row->type->size > 0)
		document_prose(document, "  (%" PRIu64 " B)", row->type->size);
	document_end_cell(document);
}

static void put_types(struct document *document, void *ctx)
{
	struct rendering *rendering = ctx;
	const struct type_costs *types = types_of(rendering);
	size_t n_shown = shown_types(rendering), n_types = n_shown;
	size_t n_events = types->model->n_events;
	uint64_t *rest = arena_alloc(&rendering->arena, (n_events + 1) * sizeof(*rest), 8);

	if (!rest) {
		document_fail(document);
		return;
	}
	for (size_t event = 0; event < n_events; event++)
		rest[event] = 0;
	for (size_t i = 0; i < n_shown; i++)
		put_type(rendering, &types->rows[i]);
	/* What a whole profile adds up to does so here: totals were summed before. */
	for (; n_types < types->n && types->rows[n_types].kind == ROW_TYPE; n_types++)
		for (size_t event = 0; event < n_events; event++)
			rest[event] += types->rows[n_types].costs[event];
	if (n_types > n_shown) {
		render_begin_row(rendering, rest);
		document_prose(document, "(%zu other type%s)", n_types - n_shown,
			       n_types - n_shown == 1 ? "" : "s");
		document_end_cell(document);
	}
	for (size_t i = n_types; i < types->n; i++) {
		render_begin_row(rendering, types->rows[i].costs);
		document_prose(document, "(%s)", types->rows[i].name);
		document_end_cell(document);
	}
}

static void put_member(struct rendering *rendering, const struct type_member *member, bool is_rest)
{
	struct document *document = &rendering->document;

	render_begin_row(rendering, member->costs);
	if (is_rest)
		document_prose(document, "%6s %5s  ", "", "");
	else
		document_prose(document, "%6" PRIu64 " %5" PRIu64 "  ", member->offset,
			       member->size);
	document_words(document, member->name[0] != '\0' ? member->name : "(anonymous)");
	document_end_cell(document);
}

/* The last row is of no member. */
static void put_members(struct document *document, void *ctx)
{
	const struct putting_type *putting = ctx;
	struct rendering *rendering = putting->rendering;
	const struct type_row *row = putting->row;
	size_t n_events = types_of(rendering)->model->n_events, n_others = 0;
	uint64_t *others = arena_alloc(&rendering->arena, (n_events + 1) * sizeof(*others), 8);

	if (!others) {
		document_fail(document);
		return;
	}
	for (size_t event = 0; event < n_events; event++)
		others[event] = 0;
	for (size_t i = 0; i < row->n_members; i++) {
		const struct type_member *member = &row->members[i];
		bool is_rest = i + 1 == row->n_members;

		if (is_rest ? cost_of(rendering, member->costs) != 0
			    : row->n_members <= MANY_MEMBERS ||
				      is_enough(rendering, member->costs)) {
			put_member(rendering, member, is_rest);
		} else if (!is_rest) {
			for (size_t event = 0; event < n_events; event++)
				others[event] += member->costs[event];
			n_others++;
		}
	}
	if (n_others > 0) {
		render_begin_row(rendering, others);
		document_prose(document, "%6s %5s  (%zu other member%s)", "", "", n_others,
			       n_others == 1 ? "" : "s");
		document_end_cell(document);
	}
}

/* "left, right, key" */
static void put_hot(struct document *document, const struct type_advice *advice)
{
	const struct type_layout *layout = &advice->layout;
	const char *between = "";

	for (size_t i = 0; i < layout->n; i++) {
		if (!layout->members[i].is_hot)
			continue;
		document_prose(document, "%s", between);
		document_words(document, advice->names[i]);
		between = ", ";
	}
}

/* Where in the order proposed the last line ends that has a hot member in it, if the struct begins with a line. */
static uint64_t end_of_hot(const struct type_layout *layout)
{
	uint64_t end = 0;

	for (size_t i = 0; i < layout->n; i++) {
		const struct layout_member *member = &layout->members[i];

		if (member->is_hot && member->new_offset + member->size > end)
			end = member->new_offset + member->size;
	}
	return (end + LAYOUT_LINE - 1) / LAYOUT_LINE * LAYOUT_LINE;
}

/* "left, right, key, ...": in the order proposed, hot members and what fills their lines. */
static void put_order(struct document *document, const struct type_advice *advice)
{
	const struct type_layout *layout = &advice->layout;
	uint64_t end = end_of_hot(layout);

	for (size_t i = 0; i < layout->n; i++) {
		size_t at = layout->order[i];

		if (layout->members[at].new_offset >= end) {
			document_prose(document, ", ...");
			return;
		}
		document_prose(document, "%s", i > 0 ? ", " : "");
		document_words(document, advice->names[at]);
	}
}

static void put_holes(struct document *document, const struct type_advice *advice)
{
	const struct type_layout *layout = &advice->layout;
	const char *between = " ";

	if (layout->holes == 0)
		return;
	document_prose(document, "- holes: %" PRIu64 " B, behind", layout->holes);
	for (size_t i = 0; i < layout->n; i++) {
		if (layout->members[i].hole == 0)
			continue;
		document_prose(document, "%s", between);
		document_words(document, advice->names[i]);
		document_prose(document, " (%" PRIu64 ")", layout->members[i].hole);
		between = ", ";
	}
	document_prose(document, "\n");
}

/* Lines of all places, as an average of one. */
static double mean_lines(uint64_t lines)
{
	return (double)lines / LAYOUT_PLACES;
}

static void put_advice(struct document *document, const struct type_advice *advice)
{
	const struct type_layout *layout = &advice->layout;

	document_prose(document, "- hot: ");
	put_hot(document, advice);
	document_prose(document, "; lines that these touch: %.2f\n", mean_lines(layout->lines));
	put_holes(document, advice);
	if (!layout->is_worthwhile)
		return;
	document_prose(document, "- better: ");
	put_order(document, advice);
	document_prose(document, "; %" PRIu64 " B, lines: %.2f\n", layout->new_size,
		       mean_lines(layout->new_lines));
}

static void put_struct(struct rendering *rendering, const struct type_row *row)
{
	struct document *document = &rendering->document;
	struct putting_type putting = { .rendering = rendering, .row = row };
	bool is_short = document_is_short(document);
	struct type_advice advice;

	if (!typeadvice_make(&advice, types_of(rendering), row, &rendering->arena)) {
		document_fail(document);
		return;
	}
	document_section(document, 3, "Members of ", row->name);
	if (!is_short) {
		document_part(document, PART_TITLE);
		document_prose(document, "Members of ");
		document_words(document, row->name);
		document_prose(document, ": %" PRIu64 " B, %" PRIu64 " line%s of %d B",
			       row->type->size, (row->type->size + LAYOUT_LINE - 1) / LAYOUT_LINE,
			       row->type->size <= LAYOUT_LINE ? "" : "s", LAYOUT_LINE);
		document_part(document, PART_CONTENT);
	}
	render_table(rendering, FORM_RULED, "offset  size  member", put_members, &putting);
	document_prose(document, "\n");
	if (advice.is_known && advice.layout.lines > 0)
		put_advice(document, &advice);
	if (!is_short)
		document_part(document, PART_END);
	document_prose(document, "\n");
}

/* What helps, if much is of code without debug information. */
static void put_note(struct rendering *rendering)
{
	const struct type_costs *types = types_of(rendering);
	int128 whole = cost_of(rendering, rendering->annotation->totals.costs);

	for (size_t i = 0; i < types->n; i++) {
		const struct type_row *row = &types->rows[i];
		int128 cost = cost_of(rendering, row->costs);

		if (row->kind == ROW_UNDEBUGGED && whole > 0 && cost * NOTED_PART >= whole)
			document_prose(&rendering->document,
				       "%.0f %% is of code without debug information: compile with "
				       "-g (-g1 has no types), or name the folder that has it by "
				       "--debug-dir.\n\n",
				       100 * (double)cost / (double)whole);
	}
}

void render_types_prose(struct rendering *rendering)
{
	const struct type_costs *types = types_of(rendering);
	struct document *document = &rendering->document;

	document_section(document, 2, "Types of data", NULL);
	render_table(rendering, FORM_RULED, "type", put_types, rendering);
	document_prose(document, "\n");
	put_note(rendering);
	for (size_t i = 0; i < shown_types(rendering); i++)
		if (types->rows[i].n_members > 0)
			put_struct(rendering, &types->rows[i]);
}

/* -- for programs ---------------------------------------------------------------------------- */

static void put_member_rows(struct rendering *rendering, const struct type_row *row)
{
	static const struct document_column columns[] = {
		{ .key = "member", .field = "text" },    { .field = "function" },
		{ .key = "offset", .field = "address" }, { .key = "size", .field = "bytes" },
		{ .key = "counts", .is_counts = true },
	};
	static const struct document_table table = {
		.key = "members",
		.record = "member",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	struct document *document = &rendering->document;

	document_begin_rows(document, &table);
	for (size_t i = 0; i < row->n_members; i++) {
		const struct type_member *member = &row->members[i];
		bool is_rest = i + 1 == row->n_members;

		document_cell(document, cell_string(member->name));
		document_cell(document, cell_string(row->name));
		document_cell(document, is_rest ? cell_none : cell_count(member->offset));
		document_cell(document, is_rest ? cell_none : cell_count(member->size));
		document_cell(document, render_counts(rendering, 0, member->costs));
	}
	document_end_rows(document);
}

/* "hot": [...], "order": [...]: names of members. */
static void put_list(struct document *document, const char *key, const struct type_advice *advice,
		     bool is_order)
{
	const struct type_layout *layout = &advice->layout;

	document_list(document, key, true);
	for (size_t i = 0; i < layout->n; i++) {
		size_t at = is_order ? layout->order[i] : i;

		if (is_order || layout->members[at].is_hot)
			document_value(document, NULL, cell_string(advice->names[at]));
	}
	document_close(document);
}

static void put_layout(struct rendering *rendering, const struct type_row *row)
{
	struct document *document = &rendering->document;
	struct type_advice advice;

	if (!typeadvice_make(&advice, types_of(rendering), row, &rendering->arena)) {
		document_fail(document);
		return;
	}
	if (!advice.is_known)
		return;
	document_object(document, "layout", false);
	document_value(document, "holes", cell_count(advice.layout.holes));
	put_list(document, "hot", &advice, false);
	document_value(document, "lines", cell_number(mean_lines(advice.layout.lines), 2));
	if (advice.layout.is_worthwhile) {
		put_list(document, "better", &advice, true);
		document_value(document, "better_size", cell_count(advice.layout.new_size));
		document_value(document, "better_lines",
			       cell_number(mean_lines(advice.layout.new_lines), 2));
	}
	document_close(document);
}

void render_types_data(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .key = "type", .field = "text" },
		{ .key = "kind", .field = "function" },
		{ .key = "size", .field = "bytes" },
		{ .key = "counts", .is_counts = true },
	};
	static const struct document_table table = {
		.key = "types",
		.record = "type",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.is_open = true,
		.is_indented = true,
	};
	const struct type_costs *types = types_of(rendering);
	struct document *document = &rendering->document;

	document_begin_rows(document, &table);
	for (size_t i = 0; i < types->n; i++) {
		const struct type_row *row = &types->rows[i];

		document_cell(document, cell_string(row->name));
		document_cell(document, cell_string(typecosts_kind_word(row->kind)));
		document_cell(document, row->type ? cell_count(row->type->size) : cell_none);
		document_cell(document, render_counts(rendering, 0, row->costs));
		if (row->n_members > 0) {
			put_member_rows(rendering, row);
			put_layout(rendering, row);
		}
		document_end_row(document);
	}
	document_end_rows(document);
}
