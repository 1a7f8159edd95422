/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/data/objects.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/object/codeobject.h"
#include "cmds/listing/listing.h"
#include "profile/common/bytes.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

/* -- names -------------------------------------------------------------------------------------- */

bool variablename_is_of_calls(struct name group)
{
	static const char *const groups[] = { "[heap]", "[allocators]", "[mappings]" };

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (group.len == strlen(groups[i]) && memcmp(group.text, groups[i], group.len) == 0)
			return true;
	return false;
}

bool variablename_add(struct bytes *text, struct name name, struct name group)
{
	const char *end = memchr(name.text, ' ', name.len);
	size_t len = end ? (size_t)(end - name.text) : name.len;
	char *symbol, *plain;
	bool is_mangled;

	if (len < 2 || memcmp(name.text, "_Z", 2) != 0 || variablename_is_of_calls(group))
		return false;
	symbol = strndup(name.text, len);
	plain = symbol ? demangle(symbol) : NULL;
	is_mangled = plain != NULL;
	if (is_mangled) {
		bytes_add_text(text, plain);
		bytes_add(text, name.text + len, name.len - len);
	}
	free(symbol);
	free(plain);
	return is_mangled;
}

static bool is_called(struct name name, const char *text)
{
	return name.len == strlen(text) && memcmp(name.text, text, name.len) == 0;
}

/* False if memory ran out. */
static bool rename_object(struct objectview *view, struct place *place)
{
	if (!is_called(place->file, OBJECTCOSTS_FILE))
		return true;
	view->text.len = 0;
	if (variablename_is_of_calls(place->object))
		objectname_add_chain(&view->text, place->function.text, place->function.len);
	else if (!variablename_add(&view->text, place->function, place->object))
		return true;
	if (view->text.failed)
		return false;
	place->function = (struct name){ view->text.text, view->text.len, NAME_NO_KEY };
	return true;
}

static int view_place(void *ctx, const struct place *place)
{
	struct objectview *view = ctx;
	struct place other = *place;

	return rename_object(view, &other) ? visitor_place(view->filter.to, &other)
					   : PROFILE_NO_MEMORY;
}

static int view_call(void *ctx, const struct call *call)
{
	struct objectview *view = ctx;
	struct call other = *call;

	return rename_object(view, &other.callee) ? visitor_call(view->filter.to, &other)
						  : PROFILE_NO_MEMORY;
}

void objectview_init(struct objectview *view)
{
	*view = (struct objectview){ 0 };
	bytes_init(&view->text, &heap_env);
}

void objectview_release(struct objectview *view)
{
	bytes_release(&view->text);
}

const struct visitor *objectview_to(struct objectview *view, const struct visitor *to)
{
	static const struct visitor changes = { .place = view_place, .call = view_call };

	visitor_filter_init(&view->filter, to, &changes);
	return &view->filter.visitor;
}

/* -- costs -------------------------------------------------------------------------------------- */

static bool is_object(const struct model *model, uint32_t function)
{
	const struct name file = model_name(model, NAME_FILE, model->functions[function].file);

	return file.len == strlen(OBJECTCOSTS_FILE) &&
	       memcmp(file.text, OBJECTCOSTS_FILE, file.len) == 0;
}

bool objectcosts_are_in(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_functions; i++)
		if (is_object(model, i))
			return true;
	return false;
}

static bool is_data_profile(const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++)
		for (size_t desc = 0; desc < model->parts[i].header.n_descs; desc++)
			if (strcmp(model->parts[i].header.descs[desc].type, "Data of") == 0)
				return true;
	return false;
}

const char *objectcosts_missing(const struct model *model)
{
	if (objectcosts_are_in(model))
		return NULL;
	if (is_data_profile(model))
		return "expected misses on objects of data, found none: nothing was collected";
	return "expected a profile with objects of data, which --data=yes records";
}

/* What the order of objects depends on; qsort() knows no context. */
struct sorted_row {
	struct object_row row;
	const struct basis *basis;
};

static int compare_rows(const void *a, const void *b)
{
	const struct sorted_row *left = a, *right = b;
	const struct basis *basis = left->basis;
	int order = columns_compare(basis->columns, left->row.costs, right->row.costs);

	return order != 0 ? order
			  : listing_compare_names(basis->model, left->row.function,
						  right->row.function);
}

static int compare_links(const struct basis *basis, const struct listing_link *left,
			 const struct listing_link *right)
{
	int order = columns_compare(basis->columns, left->costs, right->costs);

	return order != 0 ? order
			  : listing_compare_names(basis->model, left->function, right->function);
}

/* They are few. */
static void sort_links(const struct basis *basis, struct listing_link *links, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct listing_link link = links[i];
		size_t at = i;

		for (; at > 0 && compare_links(basis, &links[at - 1], &link) > 0; at--)
			links[at] = links[at - 1];
		links[at] = link;
	}
}

/* The pieces of an object; false if memory ran out. */
static bool find_pieces(struct object_row *row, const struct basis *basis)
{
	const struct model *model = basis->model;
	struct object_piece *pieces;
	struct model_cursor cursor;
	struct model_line line;
	size_t n = 0;

	model_lines(model, row->function, 0, &cursor);
	while (model_next_line(&cursor, &line))
		n++;
	pieces = arena_alloc(basis->arena, (n + 1) * sizeof(*pieces), 8);
	if (!pieces)
		return false;
	model_lines(model, row->function, 0, &cursor);
	for (n = 0; model_next_line(&cursor, &line); n++) {
		uint64_t *costs = row_new(basis->arena, model->n_events);

		if (!costs)
			return false;
		memcpy(costs, line.costs, model->n_events * sizeof(*costs));
		pieces[n] = (struct object_piece){ .offset = line.at.line, .costs = costs };
	}
	row->pieces = pieces;
	row->n_pieces = n;
	return true;
}

/* False if memory ran out. */
static bool find_name(struct object_row *row, const struct basis *basis)
{
	const struct model_function *function = &basis->model->functions[row->function];
	struct bytes plain;
	bool is_fine = true;

	row->name = model_name(basis->model, NAME_FUNCTION, function->name);
	bytes_init(&plain, &heap_env);
	if (variablename_add(&plain, row->name,
			     model_name(basis->model, NAME_OBJECT, function->object))) {
		char *text = plain.failed ? NULL : arena_copy(basis->arena, plain.text, plain.len);

		is_fine = text != NULL;
		row->name = (struct name){ text, text ? plain.len : 0, NAME_NO_KEY };
	}
	bytes_release(&plain);
	return is_fine;
}

static bool find_row(struct object_row *row, const struct basis *basis,
		     const struct call_edge_list *edges)
{
	struct listing_link *users;

	row->costs = basis->self_costs->self[row->function];
	if (!find_name(row, basis) || !find_pieces(row, basis))
		return false;
	users = call_edges_of(edges, row->function, true, &row->n_users, basis->arena);
	sort_links(basis, users, row->n_users);
	row->users = users;
	return true;
}

static int find_rows(struct sorted_row *rows, size_t n, const struct basis *basis,
		     const uint32_t *wanted)
{
	struct call_edge_list edges;
	int status = call_edges_collect(&edges, basis->model, wanted, TREE_CALLERS, basis->arena);

	for (size_t i = 0; i < n && !status; i++)
		if (!find_row(&rows[i].row, basis, &edges))
			status = PROFILE_NO_MEMORY;
	call_edges_release(&edges);
	if (!status)
		qsort(rows, n, sizeof(*rows), compare_rows);
	return status;
}

int objectcosts_make(struct object_costs *costs, const struct basis *basis)
{
	const struct model *model = basis->model;
	uint32_t *wanted = arena_alloc(basis->arena, (model->n_functions + 1) * sizeof(*wanted), 4);
	struct sorted_row *rows;
	size_t n = 0;
	int status;

	*costs = (struct object_costs){ NULL, 0 };
	rows = arena_alloc(basis->arena, (model->n_functions + 1) * sizeof(*rows), 8);
	costs->rows = arena_alloc(basis->arena, (model->n_functions + 1) * sizeof(*costs->rows), 8);
	if (!wanted || !rows || !costs->rows)
		return PROFILE_NO_MEMORY;
	for (uint32_t i = 0; i < model->n_functions; i++) {
		wanted[i] = is_object(model, i);
		if (wanted[i])
			rows[n++] = (struct sorted_row){ { .function = i }, basis };
	}
	status = find_rows(rows, n, basis, wanted);
	for (size_t i = 0; i < n; i++)
		costs->rows[i] = rows[i].row;
	costs->n = n;
	return status;
}
