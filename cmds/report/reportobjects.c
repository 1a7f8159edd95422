/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reportviews.h"

#include "cmds/data/objects.h"
#include "cmds/listing/column.h"
#include "cmds/report/report.h"
#include "profile/analysis/self_costs.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"

enum {
	MOST_OBJECTS = 400, /* the others are one row for each kind */
	MOST_KINDS = 64,
	MOST_PIECES = 128,
	MOST_USERS = 24,
	LEAST_SHARE =
		100, /* a piece, or user, has one of so many of the object's misses of a kind */
};

struct objects_writing {
	const struct reportrows *rows;
	const struct model *model; /* the data profile */
	struct json *json;
	struct columns columns;
	struct object_costs objects;
	struct object_types types;
	struct self_costs self_costs;
	uint64_t totals[PROFILE_MAX_EVENTS];
	double least; /* objects with one of so many of all misses of a kind are listed */
	struct arena arena;
};

static void write_costs(struct objects_writing *writing, const char *key, const uint64_t *costs)
{
	json_array(writing->json, key, true);
	for (size_t i = 0; i < writing->model->n_events; i++)
		json_count(writing->json, NULL, costs[i]);
	json_close(writing->json);
}

/* Whether costs are a part of a whole, of one event at least: one of n. */
static bool is_part(const struct objects_writing *writing, const uint64_t *costs,
		    const uint64_t *whole, double n)
{
	for (size_t i = 0; i < writing->model->n_events; i++)
		if (costs[i] > 0 && (double)costs[i] * n >= (double)whole[i])
			return true;
	return false;
}

static struct name kind_of(const struct objects_writing *writing, const struct object_row *row)
{
	return model_name(writing->model, NAME_OBJECT,
			  writing->model->functions[row->function].object);
}

static int128 cost_of(const struct objects_writing *writing, const uint64_t *costs)
{
	const struct columns *columns = &writing->columns;

	return metric_value(&columns->metrics.all[columns->keys[0].metric], costs, false);
}

/* Numbers of the pieces that have a share in it, by offset; of more than MOST_PIECES those that cost most. */
static size_t choose_pieces(const struct objects_writing *writing, const struct object_row *row,
			    size_t at[MOST_PIECES])
{
	size_t n = 0;

	for (size_t i = 0; i < row->n_pieces; i++) {
		size_t least = 0;

		if (!is_part(writing, row->pieces[i].costs, row->costs, LEAST_SHARE))
			continue;
		if (n < MOST_PIECES) {
			at[n++] = i;
			continue;
		}
		for (size_t k = 1; k < n; k++)
			if (cost_of(writing, row->pieces[at[k]].costs) <
			    cost_of(writing, row->pieces[at[least]].costs))
				least = k;
		if (cost_of(writing, row->pieces[at[least]].costs) >=
		    cost_of(writing, row->pieces[i].costs))
			continue;
		for (size_t k = least; k + 1 < n; k++)
			at[k] = at[k + 1];
		at[n - 1] = i;
	}
	return n;
}

static void write_pieces(struct objects_writing *writing, const struct object_row *row)
{
	size_t at[MOST_PIECES], n = choose_pieces(writing, row, at);

	json_array(writing->json, "pieces", true);
	for (size_t i = 0; i < n; i++) {
		json_object(writing->json, NULL, true);
		json_count(writing->json, "offset", row->pieces[at[i]].offset);
		write_costs(writing, "costs", row->pieces[at[i]].costs);
		json_close(writing->json);
	}
	json_close(writing->json);
}

/* The functions that missed on it, which the report has unless they cost nothing there. */
static void write_users(struct objects_writing *writing, const struct object_row *row)
{
	struct json *json = writing->json;

	json_array(json, "users", true);
	for (size_t i = 0; i < row->n_users && i < MOST_USERS; i++) {
		const struct listing_link *user = &row->users[i];
		const struct model_function *function = &writing->model->functions[user->function];
		const struct name name = model_name(writing->model, NAME_FUNCTION, function->name);
		uint32_t found;

		if (!is_part(writing, user->costs, row->costs, LEAST_SHARE))
			continue;
		found = reportrows_find(writing->rows, SIDE_MAIN, writing->model, user->function);
		json_object(json, NULL, true);
		if (found != MODEL_NO_FUNCTION)
			json_count(json, "function", found);
		else
			json_null(json, "function");
		json_text(json, "name", name.text, name.len);
		json_count(json, "references", user->count);
		write_costs(writing, "costs", user->costs);
		json_close(json);
	}
	json_close(json);
}

/* Nothing at all where the type is not known. */
static void write_type(struct objects_writing *writing, const struct object_type *type)
{
	struct json *json = writing->json;

	if (!type)
		return;
	json_object(json, "type", true);
	json_string(json, "name", type->name);
	json_count(json, "size", type->size);
	json_bool(json, "is_array", type->is_array);
	json_array(json, "members", true);
	for (size_t i = 0; i < type->n_members; i++) {
		const struct object_member *member = &type->members[i];

		json_object(json, NULL, true);
		json_string(json, "name", member->name);
		json_count(json, "offset", member->offset);
		json_count(json, "size", member->size);
		write_costs(writing, "costs", member->costs);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}

static void write_object(struct objects_writing *writing, const struct object_row *row)
{
	const struct name kind = kind_of(writing, row);

	json_object(writing->json, NULL, true);
	json_text(writing->json, "name", row->name.text, row->name.len);
	json_text(writing->json, "kind", kind.text, kind.len);
	write_costs(writing, "costs", row->costs);
	write_type(writing, row->type);
	write_pieces(writing, row);
	write_users(writing, row);
	json_close(writing->json);
}

/* Objects of a kind that are not listed. */
struct kind_rest {
	uint32_t kind; /* its name in the model */
	size_t n;
	uint64_t *costs;
};

static struct kind_rest *rest_of(struct objects_writing *writing, struct kind_rest *rests,
				 size_t *n, uint32_t kind)
{
	size_t i = 0;

	while (i < *n && rests[i].kind != kind)
		i++;
	if (i < *n)
		return &rests[i];
	if (*n == MOST_KINDS)
		return &rests[MOST_KINDS - 1];
	rests[i] =
		(struct kind_rest){ kind, 0, row_new(&writing->arena, writing->model->n_events) };
	(*n)++;
	return rests[i].costs ? &rests[i] : NULL;
}

static int write_rests(struct objects_writing *writing, const bool *is_listed)
{
	const struct model *model = writing->model;
	struct kind_rest rests[MOST_KINDS];
	size_t n = 0;

	for (size_t i = 0; i < writing->objects.n; i++) {
		const struct object_row *row = &writing->objects.rows[i];
		struct kind_rest *rest;

		if (is_listed[i])
			continue;
		rest = rest_of(writing, rests, &n, model->functions[row->function].object);
		if (!rest)
			return PROFILE_NO_MEMORY;
		if (!row_add(rest->costs, row->costs, model->n_events, false))
			return PROFILE_RANGE;
		rest->n++;
	}
	json_array(writing->json, "rests", true);
	for (size_t i = 0; i < n; i++) {
		const struct name kind = model_name(model, NAME_OBJECT, rests[i].kind);

		json_object(writing->json, NULL, true);
		json_text(writing->json, "kind", kind.text, kind.len);
		json_count(writing->json, "objects", rests[i].n);
		write_costs(writing, "costs", rests[i].costs);
		json_close(writing->json);
	}
	json_close(writing->json);
	return PROFILE_OK;
}

static void write_head(struct objects_writing *writing)
{
	const struct model_event *events[PROFILE_MAX_EVENTS];

	for (size_t i = 0; i < writing->model->n_events; i++)
		events[i] = &writing->model->events[i];
	reportevents_write(events, &writing->columns.metrics, writing->columns.keys[0].metric,
			   writing->json);
	write_costs(writing, "totals", writing->totals);
}

static int write_objects(struct objects_writing *writing)
{
	const struct object_costs *objects = &writing->objects;
	bool *is_listed = arena_alloc(&writing->arena, objects->n + 1, 1);
	size_t n_listed = 0;
	int status;

	if (!is_listed)
		return PROFILE_NO_MEMORY;
	json_object(writing->json, "data_objects", true);
	write_head(writing);
	json_array(writing->json, "rows", true);
	for (size_t i = 0; i < objects->n; i++) {
		is_listed[i] = n_listed < MOST_OBJECTS && is_part(writing, objects->rows[i].costs,
								  writing->totals, writing->least);
		n_listed += is_listed[i];
		if (is_listed[i])
			write_object(writing, &objects->rows[i]);
	}
	json_close(writing->json);
	status = write_rests(writing, is_listed);
	json_close(writing->json);
	return status;
}

static int make(struct objects_writing *writing, const struct column_choice *choice,
		const struct typecosts_options *options)
{
	const struct basis basis = {
		.model = writing->model,
		.self_costs = &writing->self_costs,
		.columns = &writing->columns,
		.totals = writing->totals,
		.arena = &writing->arena,
	};
	int status;

	if (!model_totals(writing->model, writing->totals))
		return PROFILE_RANGE;
	/* Nothing is asked for by name: what it lacks is memory. */
	if (columns_init(&writing->columns, writing->model, choice, &writing->arena))
		return PROFILE_NO_MEMORY;
	status = self_costs_compute(&writing->self_costs, writing->model, &writing->arena);
	if (!status)
		status = objectcosts_make(&writing->objects, &basis);
	return status ? status
		      : objecttypes_make(&writing->types, &writing->objects, writing->model,
					 options);
}

int reportobjects_write(const struct report_input *input, const struct reportrows *rows,
			struct json *json)
{
	struct objects_writing writing = {
		.rows = rows,
		.model = input->data,
		.json = json,
		.least = 100 / (input->detail > 0 ? input->detail : 1e-9),
	};
	const struct column_choice choice = { .estimate = input->estimate };
	const struct typecosts_options options = {
		.objects = input->objects,
		.oldest = input->oldest,
	};
	int status;

	if (!input->data || !objectcosts_are_in(input->data))
		return PROFILE_OK;
	arena_init(&writing.arena, &heap_env);
	status = make(&writing, &choice, &options);
	if (!status && writing.objects.n > 0)
		status = write_objects(&writing);
	objecttypes_release(&writing.types);
	self_costs_release(&writing.self_costs);
	arena_release(&writing.arena);
	return status;
}
