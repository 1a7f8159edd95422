/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects of data with their misses, where in them and by whom, for people and for programs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/data/objects.h"
#include "profile/common/bytes.h"
#include "profile/common/heap.h"

enum {
	MOST_PIECES = 12, /* shown to people, of an object */
	MOST_USERS = 8,
	LEAST_SHARE = 100, /* what is shown of it has one of so many of its misses */
};

static const struct object_costs *objects_of(const struct rendering *rendering)
{
	return &rendering->annotation->objects;
}

static int128 cost_of(const struct rendering *rendering, const uint64_t *costs)
{
	const struct columns *columns = &rendering->annotation->columns;

	return metric_value(&columns->metrics.all[columns->keys[0].metric], costs,
			    columns->is_signed);
}

/* Whether an object has as much as options ask for of anything that is sorted by. */
static bool is_shown(const struct rendering *rendering, const struct object_row *row)
{
	const struct annotation *annotation = rendering->annotation;
	const struct columns *columns = &annotation->columns;

	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct metric *metric = &columns->metrics.all[columns->keys[i].metric];
		const int128 whole =
			metric_value(metric, annotation->totals.costs, columns->is_signed);
		const int128 cost = metric_value(metric, row->costs, columns->is_signed);

		if (cost > 0 && 100 * (double)cost >= columns->keys[0].threshold * (double)whole)
			return true;
	}
	return false;
}

/* The next object to show, from number i on, of which n are shown; objects->n if there is none. */
static size_t next_shown(const struct rendering *rendering, size_t i, size_t n)
{
	const struct object_costs *objects = objects_of(rendering);
	const size_t most = rendering->annotation->options->listing.most;

	if (most != 0 && n >= most)
		return objects->n;
	while (i < objects->n && !is_shown(rendering, &objects->rows[i]))
		i++;
	return i;
}

/* -- for people ------------------------------------------------------------------------------ */

/* "struct node[], make_node list.c:66 < main list.c:298, 4096 B" */
static void put_name(struct rendering *rendering, const struct object_row *row)
{
	struct document *document = &rendering->document;

	if (row->type) {
		document_words(document, row->type->name);
		document_prose(document, "%s, ", row->type->is_array ? "[]" : "");
	}
	document_styled(document, STYLE_PLAIN, row->name.text, row->name.len);
}

static void put_objects(struct document *document, void *ctx)
{
	struct rendering *rendering = ctx;
	size_t n = 0;

	for (size_t i = next_shown(rendering, 0, n); i < objects_of(rendering)->n;
	     i = next_shown(rendering, i + 1, ++n)) {
		const struct object_row *row = &objects_of(rendering)->rows[i];
		const struct annotation_names names =
			annotation_names(rendering->annotation, row->function);

		render_begin_row(rendering, row->costs);
		put_name(rendering, row);
		document_prose(document, "  ");
		document_styled(document, STYLE_PLAIN, names.object.text, names.object.len);
		document_end_cell(document);
	}
}

/* An object whose table is put. */
struct putting_object {
	struct rendering *rendering;
	const struct object_row *row;
};

static bool is_worth_a_row(const struct putting_object *putting, const uint64_t *costs)
{
	const int128 cost = cost_of(putting->rendering, costs);

	return cost > 0 && LEAST_SHARE * cost >= cost_of(putting->rendering, putting->row->costs);
}

/* A place in an object: a piece of it, or a member of its type. */
static size_t n_places(const struct object_row *row)
{
	return row->type && row->type->n_members > 0 ? row->type->n_members : row->n_pieces;
}

static const uint64_t *place_costs(const struct object_row *row, size_t i)
{
	return row->type && row->type->n_members > 0 ? row->type->members[i].costs
						     : row->pieces[i].costs;
}

/* Those of the most misses, in their order; at[] gets their numbers, of which there are *n. */
static void choose_places(const struct putting_object *putting, size_t at[MOST_PIECES], size_t *n)
{
	const struct object_row *row = putting->row;

	*n = 0;
	for (size_t i = 0; i < n_places(row); i++) {
		size_t least = 0;

		if (!is_worth_a_row(putting, place_costs(row, i)))
			continue;
		if (*n < MOST_PIECES) {
			at[(*n)++] = i;
			continue;
		}
		for (size_t k = 1; k < *n; k++)
			if (cost_of(putting->rendering, place_costs(row, at[k])) <
			    cost_of(putting->rendering, place_costs(row, at[least])))
				least = k;
		if (cost_of(putting->rendering, place_costs(row, at[least])) >=
		    cost_of(putting->rendering, place_costs(row, i)))
			continue;
		for (size_t k = least; k + 1 < *n; k++)
			at[k] = at[k + 1];
		at[*n - 1] = i;
	}
}

/* "at 56", "at 56  key", "(elsewhere)" */
static void put_place(struct document *document, const struct object_row *row, size_t i)
{
	const struct object_member *member;

	if (!row->type || row->type->n_members == 0) {
		document_prose(document, "at %" PRIu64, row->pieces[i].offset);
		return;
	}
	member = &row->type->members[i];
	if (member->size > 0)
		document_prose(document, "at %" PRIu64 "  ", member->offset);
	document_words(document, member->name[0] != '\0' ? member->name : "(anonymous)");
}

static void put_object_rows(struct document *document, void *ctx)
{
	const struct putting_object *putting = ctx;
	const struct object_row *row = putting->row;
	size_t at[MOST_PIECES], n;

	choose_places(putting, at, &n);
	for (size_t i = 0; i < n; i++) {
		render_begin_row(putting->rendering, place_costs(row, at[i]));
		put_place(document, row, at[i]);
		document_end_cell(document);
	}
	for (size_t i = 0; i < row->n_users && i < MOST_USERS; i++) {
		const struct listing_link *user = &row->users[i];
		const struct annotation_names names =
			annotation_names(putting->rendering->annotation, user->function);

		if (!is_worth_a_row(putting, user->costs))
			break;
		render_begin_row(putting->rendering, user->costs);
		document_prose(document, "by ");
		document_styled(document, STYLE_PLAIN, names.function.text, names.function.len);
		document_prose(document, "  ");
		document_styled(document, STYLE_PLAIN, names.file.text, names.file.len);
		document_end_cell(document);
	}
}

/* The bytes of a line of D1, as the profile has it; 0 if it does not say. */
static uint64_t line_size(const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *header = &model->parts[i].header;

		for (size_t desc = 0; desc < header->n_descs; desc++)
			if (strcmp(header->descs[desc].type, "D1 line") == 0)
				return strtoull(header->descs[desc].value, NULL, 10);
	}
	return 0;
}

/* The cost of an event by its name; 0 if there is none. */
static uint64_t cost_by_name(const struct model *model, const uint64_t *costs, const char *name)
{
	for (size_t i = 0; i < model->n_events; i++)
		if (strcmp(model->events[i].name, name) == 0)
			return costs[i];
	return 0;
}

/* How much was used of the lines that were brought in for an object, if that is known. */
static void put_uses(struct rendering *rendering, const struct object_row *row)
{
	const struct model *model = rendering->annotation->model;
	const struct annotation_names names =
		annotation_names(rendering->annotation, row->function);
	const uint64_t n = cost_by_name(model, row->costs, "Lines");
	const uint64_t lost = cost_by_name(model, row->costs, "SpLoss1");
	const uint64_t size = line_size(model);
	const char code[] = "[code]";
	char text[INT128_TEXT];

	/* Lines of code may have another size; and of what goes in a part, more may have come before it. */
	if (n == 0 || size == 0 || lost / n > size || lost > n * size ||
	    (names.object.len == sizeof(code) - 1 &&
	     memcmp(names.object.text, code, sizeof(code) - 1) == 0))
		return;
	int128_print(text, int128_of(n, model->is_signed), true);
	document_prose(&rendering->document,
		       "%s line%s of %" PRIu64
		       " bytes brought in, of which %.1f bytes%s were used.\n",
		       text, n == 1 ? "" : "s", size, (double)size - (double)lost / (double)n,
		       n == 1 ? "" : " each");
}

/* With what it is among: a library is one object of files, and another one of code. */
static void put_heading(struct rendering *rendering, const struct object_row *row)
{
	struct document *document = &rendering->document;
	const struct annotation_names names =
		annotation_names(rendering->annotation, row->function);
	struct bytes name;

	bytes_init(&name, &heap_env);
	bytes_add(&name, row->name.text, row->name.len);
	bytes_add_text(&name, "  ");
	bytes_add(&name, names.object.text, names.object.len);
	bytes_add_char(&name, '\0');
	document_section(document, 3, "Misses on ", name.failed ? row->name.text : name.text);
	bytes_release(&name);
	if (document_is_short(document))
		return;
	document_part(document, PART_TITLE);
	document_prose(document, "Misses on ");
	put_name(rendering, row);
	document_prose(document, "  ");
	document_styled(document, STYLE_PLAIN, names.object.text, names.object.len);
	document_part(document, PART_CONTENT);
}

static void put_object(struct rendering *rendering, const struct object_row *row)
{
	struct putting_object putting = { rendering, row };
	struct document *document = &rendering->document;
	const bool is_short = document_is_short(document);
	char title[80] = "at an offset in it, and by whom";

	put_heading(rendering, row);
	if (row->type && row->type->is_array)
		snprintf(title, sizeof(title), "at an offset in one of %" PRIu64 " B, and by whom",
			 row->type->size);
	render_table(rendering, FORM_RULED, title, put_object_rows, &putting);
	put_uses(rendering, row);
	if (!is_short)
		document_part(document, PART_END);
	document_prose(document, "\n");
}

void render_objects_prose(struct rendering *rendering)
{
	const struct object_costs *objects = objects_of(rendering);
	struct document *document = &rendering->document;
	size_t n = 0;

	document_section(document, 2, "Objects of data", NULL);
	render_table(rendering, FORM_RULED, "object", put_objects, rendering);
	document_prose(document, "\n");
	for (size_t i = next_shown(rendering, 0, n); i < objects->n;
	     i = next_shown(rendering, i + 1, ++n))
		put_object(rendering, &objects->rows[i]);
	if (n < objects->n)
		document_prose(document, "%zu of %zu objects are shown.\n\n", n, objects->n);
}

/* -- for programs ---------------------------------------------------------------------------- */

static void put_piece_rows(struct rendering *rendering, const struct object_row *row)
{
	static const struct document_column columns[] = {
		{ .key = "offset", .field = "line" },
		{ .key = "costs", .is_counts = true },
	};
	static const struct document_table table = {
		.key = "pieces",
		.record = "piece",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	struct document *document = &rendering->document;

	document_begin_rows(document, &table);
	for (size_t i = 0; i < row->n_pieces; i++) {
		document_cell(document, cell_count(row->pieces[i].offset));
		document_cell(document, render_counts(rendering, 1, row->pieces[i].costs));
	}
	document_end_rows(document);
}

static void put_member_rows(struct rendering *rendering, const struct object_type *type)
{
	static const struct document_column columns[] = {
		{ .key = "member", .field = "text" },    { .field = "function" },
		{ .key = "offset", .field = "address" }, { .key = "size", .field = "bytes" },
		{ .key = "costs", .is_counts = true },
	};
	static const struct document_table table = {
		.key = "members",
		.record = "member",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	struct document *document = &rendering->document;

	document_begin_rows(document, &table);
	for (size_t i = 0; i < type->n_members; i++) {
		const struct object_member *member = &type->members[i];
		bool is_placed = member->size > 0;

		document_cell(document, cell_string(member->name));
		document_cell(document, cell_string(type->name));
		document_cell(document, is_placed ? cell_count(member->offset) : cell_none);
		document_cell(document, is_placed ? cell_count(member->size) : cell_none);
		document_cell(document, render_counts(rendering, 1, member->costs));
	}
	document_end_rows(document);
}

static struct cell name_cell(const struct name *name)
{
	return cell_text(name->text, name->len);
}

static void put_user_rows(struct rendering *rendering, const struct object_row *row)
{
	static const struct document_column columns[] = {
		{ .key = "function", .field = "function" },
		{ .key = "file", .field = "file" },
		{ .key = "count", .field = "calls" },
		{ .key = "costs", .is_counts = true },
	};
	static const struct document_table table = {
		.key = "users",
		.record = "user",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	struct document *document = &rendering->document;

	document_begin_rows(document, &table);
	for (size_t i = 0; i < row->n_users; i++) {
		const struct annotation_names names =
			annotation_names(rendering->annotation, row->users[i].function);

		document_cell(document, name_cell(&names.function));
		document_cell(document, name_cell(&names.file));
		document_cell(document, cell_count(row->users[i].count));
		document_cell(document, render_counts(rendering, 1, row->users[i].costs));
	}
	document_end_rows(document);
}

void render_objects_data(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .key = "name", .field = "function" },
		{ .key = "kind", .field = "object" },
		{ .key = "type", .field = "text" },
		{ .key = "size", .field = "bytes" },
		{ .key = "is_array" },
		{ .key = "costs", .is_counts = true },
	};
	static const struct document_table table = {
		.key = "objects",
		.record = "object",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.is_open = true,
		.is_indented = true,
	};
	const struct object_costs *objects = objects_of(rendering);
	struct document *document = &rendering->document;

	document_begin_rows(document, &table);
	for (size_t i = 0; i < objects->n; i++) {
		const struct object_row *row = &objects->rows[i];
		const struct object_type *type = row->type;
		const struct annotation_names names =
			annotation_names(rendering->annotation, row->function);

		document_cell(document, name_cell(&row->name));
		document_cell(document, name_cell(&names.object));
		document_cell(document, type ? cell_string(type->name) : cell_none);
		document_cell(document, type ? cell_count(type->size) : cell_none);
		document_cell(document, type ? cell_bool(type->is_array) : cell_none);
		document_cell(document, render_counts(rendering, 0, row->costs));
		if (type && type->n_members > 0)
			put_member_rows(rendering, type);
		put_piece_rows(rendering, row);
		put_user_rows(rendering, row);
		document_end_row(document);
	}
	document_end_rows(document);
}
