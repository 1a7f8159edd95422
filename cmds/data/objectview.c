/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of data with their misses, where in them and by whom, for all formats.  People see the places and
 * users with most misses in one table; a page gets what has a share; other programs get all.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/data/objects.h"
#include "cmds/emit/document.h"
#include "cmds/emit/visible.h"
#include "profile/common/desc.h"
#include "profile/common/heap.h"

enum {
	LEAST_PART =
		100, /* places and users that are listed have at least a hundredth of the misses */
	/* For people, of an object. */
	MOST_PLACES = 12,
	MOST_USERS = 8,
	/* Of a page. */
	MOST_OBJECTS = 400, /* the others are one row for each kind */
	MOST_KINDS = 64,
	MOST_PAGE_PIECES = 128,
	MOST_PAGE_USERS = 24,
};

/* Indices of what is listed. */
struct chosen {
	size_t *at;
	size_t n;
};

/* A view at work. */
struct putting {
	const struct objectview *view;
	struct chosen rows;
	const struct object_row *row; /* at work; and what is listed of it */
	struct chosen members, pieces, users;
	struct kind_rest *rests;
	bool is_prose;
};

static int128 cost_by(const struct objectview *view, size_t key, const uint64_t *costs)
{
	const struct columns *columns = view->columns;

	return metric_value(&columns->metrics.all[columns->keys[key].metric], costs,
			    columns->is_signed);
}

static int128 cost_of(const struct objectview *view, const uint64_t *costs)
{
	return cost_by(view, 0, costs);
}

static struct name name_of(const struct objectview *view, enum name_kind kind, uint32_t function)
{
	const struct model_function *names = &view->model->functions[function];

	return model_name(view->model, kind,
			  kind == NAME_FUNCTION ? names->name
			  : kind == NAME_FILE   ? names->file
						: names->object);
}

static struct cell name_cell(struct name name)
{
	return cell_text(name.text, name.len);
}

static void put_name(struct document *document, struct name name)
{
	document_styled(document, STYLE_PLAIN, name.text, name.len);
}

/* Of a page: true if costs are one in n of a whole, of any event. */
static bool is_part(const struct objectview *view, const uint64_t *costs, const uint64_t *whole,
		    double n)
{
	for (size_t i = 0; i < view->model->n_events; i++)
		if (costs[i] > 0 && (double)costs[i] * n >= (double)whole[i])
			return true;
	return false;
}

/* For people: true if an object has as much as options ask for of anything that is sorted by. */
static bool is_enough(const struct objectview *view, const struct object_row *row)
{
	const struct columns *columns = view->columns;

	for (size_t i = 0; i < columns->n_keys; i++) {
		const int128 cost = cost_by(view, i, row->costs);
		const int128 whole = cost_by(view, i, view->totals);

		if (cost > 0 && 100 * (double)cost >= columns->keys[0].threshold * (double)whole)
			return true;
	}
	return false;
}

static bool has_members(const struct object_row *row)
{
	return row->type && row->type->n_members > 0;
}

/* -- where and by whom ------------------------------------------------------------------------ */

/* True if a place or user is worth a row. */
static bool is_worth_a_row(const struct putting *putting, const uint64_t *costs)
{
	const struct objectview *view = putting->view;
	const uint64_t *whole = putting->row->costs;

	if (view->is_page)
		return is_part(view, costs, whole, LEAST_PART);
	return !putting->is_prose || (cost_of(view, costs) > 0 &&
				      LEAST_PART * cost_of(view, costs) >= cost_of(view, whole));
}

static const uint64_t *member_costs(const struct object_row *row, size_t i)
{
	return row->type->members[i].costs;
}

static const uint64_t *piece_costs(const struct object_row *row, size_t i)
{
	return row->pieces[i].costs;
}

/* The ones among n that are worth a row, in their order; if more than `most` are, the most costly. */
static struct chosen choose(const struct putting *putting, size_t n, size_t most,
			    const uint64_t *(*costs)(const struct object_row *row, size_t i))
{
	const struct objectview *view = putting->view;
	const struct object_row *row = putting->row;
	struct chosen chosen = { arena_alloc(view->arena, (n + 1) * sizeof(size_t), 8), 0 };
	size_t *at = chosen.at;

	for (size_t i = 0; i < n; i++) {
		size_t least = 0;

		if (!is_worth_a_row(putting, costs(row, i)))
			continue;
		if (chosen.n < most) {
			at[chosen.n++] = i;
			continue;
		}
		for (size_t k = 1; k < most; k++)
			if (cost_of(view, costs(row, at[k])) < cost_of(view, costs(row, at[least])))
				least = k;
		if (cost_of(view, costs(row, at[least])) >= cost_of(view, costs(row, i)))
			continue;
		memmove(&at[least], &at[least + 1], (most - least - 1) * sizeof(*at));
		at[most - 1] = i;
	}
	return chosen;
}

static void choose_all(struct putting *putting)
{
	const struct objectview *view = putting->view;
	const struct object_row *row = putting->row;
	size_t n_members = has_members(row) ? row->type->n_members : 0;
	size_t n_pieces = putting->is_prose && n_members > 0 ? 0 : row->n_pieces;
	size_t most = putting->is_prose ? MOST_USERS
		      : view->is_page   ? MOST_PAGE_USERS
					: row->n_users;

	putting->members = (struct chosen){ NULL, 0 };
	if (n_members > 0 && view->is_page) {
		/* All of them: each has a part of the misses. */
		putting->members.at = arena_alloc(view->arena, n_members * sizeof(size_t), 8);
		for (size_t i = 0; i < n_members; i++)
			putting->members.at[putting->members.n++] = i;
	} else if (n_members > 0) {
		putting->members = choose(putting, n_members,
					  putting->is_prose ? MOST_PLACES : n_members,
					  member_costs);
	}
	putting->pieces = choose(putting, n_pieces,
				 putting->is_prose ? MOST_PLACES
				 : view->is_page   ? MOST_PAGE_PIECES
						   : n_pieces,
				 piece_costs);
	putting->users.at = arena_alloc(view->arena, (row->n_users + 1) * sizeof(size_t), 8);
	putting->users.n = 0;
	for (size_t i = 0; i < row->n_users && i < most; i++)
		if (is_worth_a_row(putting, row->users[i].costs))
			putting->users.at[putting->users.n++] = i;
		else if (putting->is_prose)
			break;
}

/* "main  list.c": where lines have a width, the file without its folder, to leave room for both. */
static void put_user_name(struct document *document, const struct objectview *view,
			  uint32_t function)
{
	struct name name = name_of(view, NAME_FUNCTION, function);
	struct name file = name_of(view, NAME_FILE, function);
	const size_t width = document_width(document);
	struct bytes text;

	bytes_init(&text);
	shortname_make(&text, name.text, name.len, width > 0 ? width / 3 : name.len + 8);
	document_styled(document, STYLE_PLAIN, text.text, text.len);
	bytes_release(&text);
	document_prose(document, "  ");
	for (size_t i = file.len; width > 0 && i > 0; i--)
		if (file.text[i - 1] == '/' && i < file.len) {
			file.text += i;
			file.len -= i;
			break;
		}
	put_name(document, file);
}

/* "by main  list.c", below places. */
static void put_user_words(struct document *document, void *ctx)
{
	const struct putting *putting = ctx;
	const struct objectview *view = putting->view;

	for (size_t i = 0; i < putting->users.n; i++) {
		const struct listing_link *user = &putting->row->users[putting->users.at[i]];

		document_costs(document, user->costs);
		document_begin_words(document, cell_none);
		document_prose(document, "by ");
		put_user_name(document, view, user->function);
		document_end_words(document);
	}
}

/* "at 56  key", "(elsewhere)" */
static void put_member(struct document *document, void *ctx, size_t i)
{
	const struct putting *putting = ctx;
	const struct object_type *type = putting->row->type;
	const struct object_member *member = &type->members[putting->members.at[i]];
	const bool is_placed = member->size > 0;

	document_costs(document, member->costs);
	document_begin_words(document, cell_string(member->name));
	if (is_placed)
		document_prose(document, "at %" PRIu64 "  ", member->offset);
	document_words(document, member->name[0] != '\0' ? member->name : "(anonymous)");
	document_end_words(document);
	document_cell(document, cell_string(type->name));
	document_cell(document, is_placed ? cell_count(member->offset) : cell_none);
	document_cell(document, is_placed ? cell_count(member->size) : cell_none);
}

static void put_members(struct document *document, struct putting *putting, const char *title)
{
	const struct document_column columns[] = {
		{ .title = title, .key = "member", .field = "text", .is_left = true },
		{ .field = "function" },
		{ .key = "offset", .field = "address" },
		{ .key = "size", .field = "bytes" },
		{ .key = "costs", .is_counts = true },
	};

	document_view(document, &(struct document_view){
					.table = { .key = "members",
						   .record = "member",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]),
						   .form = FORM_RULED },
					.n_rows = putting->members.n,
					.put_row = put_member,
					.put_rest = put_user_words,
					.ctx = putting,
				});
}

static void put_piece(struct document *document, void *ctx, size_t i)
{
	const struct putting *putting = ctx;
	const struct object_piece *piece = &putting->row->pieces[putting->pieces.at[i]];

	document_costs(document, piece->costs);
	document_begin_words(document, cell_count(piece->offset));
	document_prose(document, "at %" PRIu64, piece->offset);
	document_end_words(document);
}

/* title NULL = not for people. */
static void put_pieces(struct document *document, struct putting *putting, const char *title)
{
	const struct document_column columns[] = {
		{ .title = title, .key = "offset", .field = "line", .is_left = true },
		{ .key = "costs", .is_counts = true },
	};

	document_view(document, &(struct document_view){
					.table = { .key = "pieces",
						   .record = "piece",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]),
						   .form = FORM_RULED },
					.n_rows = putting->pieces.n,
					.put_row = put_piece,
					.put_rest = put_user_words,
					.ctx = putting,
				});
}

static void put_user(struct document *document, void *ctx, size_t i)
{
	const struct putting *putting = ctx;
	const struct objectview *view = putting->view;
	const struct listing_link *user = &putting->row->users[putting->users.at[i]];

	document_costs(document, user->costs);
	document_cell(document, name_cell(name_of(view, NAME_FUNCTION, user->function)));
	document_cell(document, name_cell(name_of(view, NAME_FILE, user->function)));
	document_cell(document, document_function_number(document, user->function));
	document_cell(document, cell_count(user->count));
}

static void put_users(struct document *document, struct putting *putting)
{
	static const struct document_column columns[] = {
		{ .key = "function", .field = "function" },
		{ .key = "file", .field = "file", .is_not_for_page = true },
		{ .key = "number", .is_for_page = true },
		{ .key = "count", .field = "calls" },
		{ .key = "costs", .is_counts = true },
	};

	document_view(document, &(struct document_view){
					.table = { .key = "users",
						   .record = "user",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]) },
					.n_rows = putting->users.n,
					.put_row = put_user,
					.ctx = putting,
				});
}

/* -- objects ---------------------------------------------------------------------------------- */

/* "struct node[], make_node list.c:66 < main list.c:298, 4096 B  [heap]" */
static void put_object_name(struct document *document, const struct objectview *view,
			    const struct object_row *row)
{
	if (row->type) {
		document_words(document, row->type->name);
		document_prose(document, "%s, ", row->type->is_array ? "[]" : "");
	}
	put_name(document, row->name);
	document_prose(document, "  ");
	put_name(document, name_of(view, NAME_OBJECT, row->function));
}

/* The bytes of a line of D1; 0 if the profile does not say. */
static uint64_t line_size(const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const char *said = part_desc_of(&model->parts[i].header, "D1 line");

		if (said)
			return strtoull(said, NULL, 10);
	}
	return 0;
}

/* The cost of an event; 0 if it was not recorded. */
static uint64_t cost_by_name(const struct model *model, const uint64_t *costs, const char *name)
{
	const size_t event = model_event(model, name);

	return event < model->n_events ? costs[event] : 0;
}

/* How much was used of the lines that came into D1 for an object, if that is known. */
static void put_uses(struct document *document, const struct objectview *view,
		     const struct object_row *row)
{
	const struct model *model = view->model;
	const struct name kind = name_of(view, NAME_OBJECT, row->function);
	const uint64_t n = cost_by_name(model, row->costs, "Lines");
	const uint64_t lost = cost_by_name(model, row->costs, "SpLoss1");
	const uint64_t size = line_size(model);
	const char code[] = "[code]";
	char text[INT128_TEXT];

	/* Lines of code may have another size; and of a part, lines may have come before it. */
	if (n == 0 || size == 0 || lost / n > size || lost > n * size ||
	    (kind.len == sizeof(code) - 1 && memcmp(kind.text, code, sizeof(code) - 1) == 0))
		return;
	int128_print(text, int128_of(n, model->is_signed), true);
	document_prose(document,
		       "%s line%s of %" PRIu64
		       " bytes brought in, of which %.1f bytes%s were used.\n",
		       text, n == 1 ? "" : "s", size, (double)size - (double)lost / (double)n,
		       n == 1 ? "" : " each");
}

static void put_details(struct document *document, void *ctx, size_t i)
{
	struct putting *putting = ctx;
	const struct objectview *view = putting->view;
	const struct object_row *row = &view->objects->rows[putting->rows.at[i]];
	const struct name kind = name_of(view, NAME_OBJECT, row->function);
	/* With its kind: a library is one object of files, and another one of code. */
	char *name = heap_print("%.*s  %.*s", (int)row->name.len, row->name.text, (int)kind.len,
				kind.text);
	char title[80] = "at an offset in it, and by whom";
	const bool is_short = document_is_short(document);

	putting->row = row;
	choose_all(putting);
	document_section(document, 3, "Misses on ", name);
	free(name);
	if (!is_short) {
		document_part(document, PART_TITLE);
		document_prose(document, "Misses on ");
		put_object_name(document, view, row);
		document_part(document, PART_CONTENT);
	}
	if (row->type && row->type->is_array)
		snprintf(title, sizeof(title), "at an offset in one of %" PRIu64 " B, and by whom",
			 row->type->size);
	if (has_members(row))
		put_members(document, putting, title);
	put_pieces(document, putting, has_members(row) ? NULL : title);
	put_users(document, putting);
	put_uses(document, view, row);
	if (!is_short)
		document_part(document, PART_END);
	document_prose(document, "\n");
}

static void put_object(struct document *document, void *ctx, size_t i)
{
	const struct putting *putting = ctx;
	const struct objectview *view = putting->view;
	const struct object_row *row = &view->objects->rows[putting->rows.at[i]];
	const struct object_type *type = row->type;

	document_costs(document, row->costs);
	document_begin_words(document, name_cell(row->name));
	put_object_name(document, view, row);
	document_end_words(document);
	document_cell(document, name_cell(name_of(view, NAME_OBJECT, row->function)));
	document_cell(document, type ? cell_string(type->name) : cell_none);
	document_cell(document, type ? cell_count(type->size) : cell_none);
	document_cell(document, type ? cell_bool(type->is_array) : cell_none);
}

static void put_notes(struct document *document, void *ctx)
{
	(void)ctx;
	document_prose(document, "\n");
}

/* Objects of a kind that are not listed. */
struct kind_rest {
	uint32_t kind; /* its name in the model */
	size_t n;
	uint64_t *costs;
};

static void put_rest(struct document *document, void *ctx, size_t i)
{
	const struct putting *putting = ctx;
	const struct kind_rest *rest = &putting->rests[i];

	document_costs(document, rest->costs);
	document_cell(document,
		      name_cell(model_name(putting->view->model, NAME_OBJECT, rest->kind)));
	document_cell(document, cell_count(rest->n));
}

/* Of a page: what is not listed, a row for each kind. */
static void put_rests(struct document *document, struct putting *putting)
{
	static const struct document_column columns[] = {
		{ .key = "kind" },
		{ .key = "objects" },
		{ .key = "costs", .is_counts = true },
	};
	const struct objectview *view = putting->view;
	const struct model *model = view->model;
	struct kind_rest rests[MOST_KINDS];
	size_t n = 0, listed = 0;

	for (size_t i = 0; i < view->objects->n; i++) {
		const struct object_row *row = &view->objects->rows[i];
		uint32_t kind = model->functions[row->function].object;
		size_t at = 0;

		if (listed < putting->rows.n && putting->rows.at[listed] == i) {
			listed++;
			continue;
		}
		while (at < n && rests[at].kind != kind)
			at++;
		if (at == MOST_KINDS)
			at--;
		else if (at == n)
			rests[n++] = (struct kind_rest){ kind, 0,
							 row_new(view->arena, model->n_events) };
		for (size_t event = 0; event < model->n_events; event++)
			rests[at].costs[event] += row->costs[event];
		rests[at].n++;
	}
	putting->rests = rests;
	document_view(document, &(struct document_view){
					.table = { .key = "rests",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]) },
					.n_rows = n,
					.put_row = put_rest,
					.ctx = putting,
				});
}

void objectview_put(struct document *document, const struct objectview *view)
{
	static const struct document_column columns[] = {
		{ .title = "object", .key = "name", .field = "function", .is_left = true },
		{ .key = "kind", .field = "object" },
		{ .key = "type", .field = "text" },
		{ .key = "size", .field = "bytes" },
		{ .key = "is_array" },
		{ .key = "costs", .is_counts = true },
	};
	struct putting putting = { .view = view, .is_prose = document_is_prose(document) };
	const struct object_costs *objects = view->objects;
	const double detail = view->detail > 0 ? view->detail : 1e-9;
	const size_t most = view->is_page                        ? MOST_OBJECTS
			    : putting.is_prose && view->most > 0 ? view->most
								 : objects->n;

	putting.rows.at = arena_alloc(view->arena, (objects->n + 1) * sizeof(size_t), 8);
	for (size_t i = 0; i < objects->n && putting.rows.n < most; i++) {
		const struct object_row *row = &objects->rows[i];

		if (view->is_page ? is_part(view, row->costs, view->totals, 100 / detail)
				  : !putting.is_prose || is_enough(view, row))
			putting.rows.at[putting.rows.n++] = i;
	}
	document_section(document, 2, "Objects of data", NULL);
	document_view(document, &(struct document_view){
					.table = { .key = view->is_page ? "rows" : "objects",
						   .record = "object",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]),
						   .form = FORM_RULED,
						   .is_indented = true },
					.n_rows = putting.rows.n,
					.put_row = put_object,
					.put_notes = put_notes,
					.put_details = put_details,
					.ctx = &putting,
				});
	if (putting.rows.n < objects->n)
		document_prose(document, "%zu of %zu objects are shown.\n\n", putting.rows.n,
			       objects->n);
	if (view->is_page)
		put_rests(document, &putting);
}
