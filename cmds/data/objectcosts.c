/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of data objects, of their pieces and of the code that uses them; their names. */
#define _GNU_SOURCE /* qsort_r() */
#include <stdlib.h>
#include <string.h>

#include "cmds/data/objects.h"
#include "cmds/emit/document.h"
#include "cmds/listing/listing.h"
#include "cmds/object/codeobject.h"
#include "profile/common/desc.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

static bool is_called(struct name name, const char *text)
{
	return name.len == strlen(text) && memcmp(name.text, text, name.len) == 0;
}

/* -- names ----------------------------------------------------------------------------------- */

/* True if objects of a group are named by calls, not as variables are. */
static bool is_of_calls(struct name group)
{
	return is_called(group, "[heap]") || is_called(group, "[allocators]") ||
	       is_called(group, "[mappings]");
}

/*
 * Appends the name of a variable as in its source, "app::C::members", if an object of a group "[heap]" or of a
 * file has a mangled name; false if not.  In a data profile, Valgrind has demangled functions, but variables
 * have their symbols: "_ZN3app1C7membersE", "_ZL8counters (thread-local)".
 */
static bool add_variable(struct bytes *text, struct name name, struct name group)
{
	char *symbol, *plain;
	const char *end;
	size_t len;

	if (name.len < 2 || memcmp(name.text, "_Z", 2) != 0 || is_of_calls(group))
		return false;
	end = memchr(name.text, ' ', name.len);
	len = end ? (size_t)(end - name.text) : name.len;
	symbol = heap_copy_part(name.text, len);
	plain = demangle(symbol);
	free(symbol);
	if (!plain)
		return false;
	bytes_add_text(text, plain);
	bytes_add(text, name.text + len, name.len - len);
	free(plain);
	return true;
}

static void rename_object(struct object_names *names, struct place *place)
{
	if (!is_called(place->file, OBJECTCOSTS_FILE))
		return;
	names->text.len = 0;
	if (is_of_calls(place->object))
		objectname_add_chain(&names->text, place->function.text, place->function.len);
	else if (!add_variable(&names->text, place->function, place->object))
		return;
	place->function = (struct name){ names->text.text, names->text.len, NAME_NO_KEY };
}

static int rename_place(void *ctx, const struct place *place)
{
	struct object_names *names = ctx;
	struct place other = *place;

	rename_object(names, &other);
	return visitor_place(names->filter.to, &other);
}

static int rename_callee(void *ctx, const struct call *call)
{
	struct object_names *names = ctx;
	struct call other = *call;

	rename_object(names, &other.callee);
	return visitor_call(names->filter.to, &other);
}

void objectnames_init(struct object_names *names)
{
	*names = (struct object_names){ 0 };
	bytes_init(&names->text);
}

void objectnames_release(struct object_names *names)
{
	bytes_release(&names->text);
}

const struct visitor *objectnames_to(struct object_names *names, const struct visitor *to)
{
	static const struct visitor changes = { .place = rename_place, .call = rename_callee };

	visitor_filter_init(&names->filter, to, &changes);
	return &names->filter.visitor;
}

/* -- objects --------------------------------------------------------------------------------- */

static bool is_object(const struct model *model, uint32_t function)
{
	return is_called(model_name(model, NAME_FILE, model->functions[function].file),
			 OBJECTCOSTS_FILE);
}

bool objectcosts_are_in(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_functions; i++)
		if (is_object(model, i))
			return true;
	return false;
}

const char *objectcosts_missing(const struct model *model)
{
	if (objectcosts_are_in(model))
		return NULL;
	for (size_t i = 0; i < model->n_parts; i++)
		if (part_desc_of(&model->parts[i].header, "Data of"))
			return "expected misses on objects of data, found none: nothing was collected";
	return "expected a profile with objects of data, which --data=yes records";
}

static int compare(const struct basis *basis, const uint64_t *costs, uint32_t function,
		   const uint64_t *other_costs, uint32_t other)
{
	int order = columns_compare(basis->columns, costs, other_costs);

	return order != 0 ? order : listing_compare_names(basis->model, function, other);
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct object_row *left = a, *right = b;

	return compare(ctx, left->costs, left->function, right->costs, right->function);
}

static int compare_links(const void *a, const void *b, void *ctx)
{
	const struct listing_link *left = a, *right = b;

	return compare(ctx, left->costs, left->function, right->costs, right->function);
}

static void find_pieces(struct object_row *row, const struct basis *basis)
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
	model_lines(model, row->function, 0, &cursor);
	for (n = 0; model_next_line(&cursor, &line); n++) {
		uint64_t *costs = row_new(basis->arena, model->n_events);

		memcpy(costs, line.costs, model->n_events * sizeof(*costs));
		pieces[n] = (struct object_piece){ .offset = line.at.line, .costs = costs };
	}
	row->pieces = pieces;
	row->n_pieces = n;
}

static void find_name(struct object_row *row, const struct basis *basis)
{
	const struct model_function *function = &basis->model->functions[row->function];
	struct bytes plain;

	row->name = model_name(basis->model, NAME_FUNCTION, function->name);
	bytes_init(&plain);
	if (add_variable(&plain, row->name,
			 model_name(basis->model, NAME_OBJECT, function->object)))
		row->name = (struct name){ arena_copy(basis->arena, plain.text, plain.len),
					   plain.len, NAME_NO_KEY };
	bytes_release(&plain);
}

int objectcosts_make(struct object_costs *costs, const struct basis *basis)
{
	const struct model *model = basis->model;
	size_t most = model->n_functions + 1, n = 0;
	uint32_t *wanted = arena_alloc(basis->arena, most * sizeof(*wanted), 4);
	struct object_row *rows = arena_alloc(basis->arena, most * sizeof(*rows), 8);
	void *ctx = document_view_ctx(basis);
	struct call_edge_list edges;
	int status;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		wanted[i] = is_object(model, i);
		if (wanted[i])
			rows[n++] = (struct object_row){ .function = i };
	}
	status = call_edges_collect(&edges, model, wanted, TREE_CALLERS, basis->arena);
	for (size_t i = 0; i < n && !status; i++) {
		struct object_row *row = &rows[i];
		struct listing_link *users;

		row->costs = basis->self_costs->self[row->function];
		find_name(row, basis);
		find_pieces(row, basis);
		users = call_edges_of(&edges, row->function, true, &row->n_users, basis->arena);
		qsort_r(users, row->n_users, sizeof(*users), compare_links, ctx);
		row->users = users;
	}
	call_edges_release(&edges);
	if (!status)
		qsort_r(rows, n, sizeof(*rows), compare_rows, ctx);
	costs->rows = rows;
	costs->n = n;
	return status;
}
