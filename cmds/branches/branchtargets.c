/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/branches/branchtargets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "profile/common/heap.h"

/* One of the list's rows that has an address. */
struct placed_row {
	uint32_t object;
	uint64_t address;
	struct branch_row *row;
};

/* An execution of an indirect branch that is known, or many. */
struct arrival {
	size_t row;  /* of the list */
	uint64_t to; /* a function's name, or an address */
	uint64_t line;
	uint32_t file;
	bool is_call;
	uint64_t count;
};

struct target_search {
	struct branch_list *list;
	struct placed_row *placed; /* owned; by object, address */
	size_t n_placed;
	struct arrival *arrivals; /* owned */
	size_t n, capacity;
	bool has_conditional; /* jumps were collected */
};

/* -- rows by address ----------------------------------------------------------------------------- */

static int compare_placed(const void *a, const void *b)
{
	const struct placed_row *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

static bool place_rows(struct target_search *search)
{
	struct branch_list *list = search->list;

	search->placed = heap_zeroed(&heap_env, list->n + 1, sizeof(*search->placed));
	if (!search->placed)
		return false;
	for (size_t i = 0; i < list->n; i++) {
		struct branch_row *row = &list->rows[i];

		if (row->place->address != 0 && row->of != BRANCHES_RETURN)
			search->placed[search->n_placed++] = (struct placed_row){
				row->place->object,
				row->place->address,
				row,
			};
	}
	qsort(search->placed, search->n_placed, sizeof(*search->placed), compare_placed);
	return true;
}

static struct branch_row *find_row(const struct target_search *search, uint32_t function,
				   uint64_t address)
{
	const struct placed_row key = {
		.object = search->list->model->functions[function].object,
		.address = address,
	};
	const struct placed_row *found = address != 0
						 ? bsearch(&key, search->placed, search->n_placed,
							   sizeof(key), compare_placed)
						 : NULL;

	return found ? found->row : NULL;
}

/* -- what is recorded ------------------------------------------------------------------------------ */

static bool note_arrival(struct target_search *search, const struct branch_row *row,
			 struct arrival arrival)
{
	if (!heap_reserve(&heap_env, (void **)&search->arrivals, &search->capacity, search->n + 1,
			  sizeof(*search->arrivals)))
		return false;
	arrival.row = (size_t)(row - search->list->rows);
	search->arrivals[search->n++] = arrival;
	return true;
}

static int take_jump(struct target_search *search, uint32_t function, const struct model_jump *jump)
{
	struct branch_row *row = find_row(search, function, jump->at.instr);

	search->has_conditional |= jump->is_conditional && jump->at.instr != 0;
	if (!row)
		return PROFILE_OK;
	if (row->of == BRANCHES_CONDITIONAL && jump->is_conditional) {
		row->counts.is_backward |= jump->target.instr < row->place->address;
		if (!search->list->set.has[BRANCH_BCT] &&
		    !cost_add(&row->counts.taken, jump->followed, false))
			return PROFILE_RANGE;
		return PROFILE_OK;
	}
	if (row->of != BRANCHES_INDIRECT || jump->is_conditional)
		return PROFILE_OK;
	row->kind = BRANCH_INDIRECT_JUMP;
	return note_arrival(search, row,
			    (struct arrival){
				    .to = jump->target.instr,
				    .line = jump->target.line,
				    .file = jump->target_file,
				    .count = jump->followed,
			    })
		       ? PROFILE_OK
		       : PROFILE_NO_MEMORY;
}

static int take_call(struct target_search *search, uint32_t function, const struct model_call *call)
{
	struct branch_row *row = find_row(search, function, call->at.instr);
	const struct model *model = search->list->model;

	if (!row || row->of != BRANCHES_INDIRECT)
		return PROFILE_OK;
	row->kind = BRANCH_INDIRECT_CALL;
	return note_arrival(search, row,
			    (struct arrival){
				    .to = model->functions[call->callee].name,
				    .is_call = true,
				    .count = call->count,
			    })
		       ? PROFILE_OK
		       : PROFILE_NO_MEMORY;
}

static int take_function(struct target_search *search, uint32_t function)
{
	const struct model *model = search->list->model;
	struct model_cursor cursor;
	struct model_jump jump;
	struct model_call call;
	int status = PROFILE_OK;

	model_jumps(model, function, 0, &cursor);
	while (!status && model_next_jump(&cursor, &jump))
		status = take_jump(search, function, &jump);
	model_calls(model, function, 0, &cursor);
	while (!status && model_next_call(&cursor, &call))
		status = take_call(search, function, &call);
	return status;
}

/* -- what is given --------------------------------------------------------------------------------- */

static int compare_targets(const void *a, const void *b)
{
	const struct arrival *of_a = a, *of_b = b;

	if (of_a->row != of_b->row)
		return of_a->row < of_b->row ? -1 : 1;
	if (of_a->is_call != of_b->is_call)
		return (int)of_a->is_call - (int)of_b->is_call;
	return (of_a->to > of_b->to) - (of_a->to < of_b->to);
}

static int compare_arrivals(const void *a, const void *b)
{
	const struct arrival *of_a = a, *of_b = b;

	if (of_a->row != of_b->row)
		return of_a->row < of_b->row ? -1 : 1;
	if (of_a->count != of_b->count)
		return of_a->count > of_b->count ? -1 : 1;
	return compare_targets(a, b);
}

/* Makes one of those of one target; false if a sum is too large. */
static bool merge(struct target_search *search)
{
	size_t used = 0;

	if (search->n == 0)
		return true;
	qsort(search->arrivals, search->n, sizeof(*search->arrivals), compare_targets);
	for (size_t i = 0; i < search->n; i++) {
		const struct arrival *arrival = &search->arrivals[i];
		struct arrival *last = used > 0 ? &search->arrivals[used - 1] : NULL;

		if (!last || compare_targets(last, arrival) != 0)
			search->arrivals[used++] = *arrival;
		else if (!cost_add(&last->count, arrival->count, false))
			return false;
	}
	search->n = used;
	qsort(search->arrivals, search->n, sizeof(*search->arrivals), compare_arrivals);
	return true;
}

/* "f", "file.c:12", "0x1040"; NULL if memory ran out. */
static const char *name_target(struct branch_list *list, const struct arrival *arrival)
{
	char number[40];
	struct name name;
	int len;

	if (arrival->is_call) {
		name = model_name(list->model, NAME_FUNCTION, (uint32_t)arrival->to);
		return arena_copy(&list->arena, name.text, name.len);
	}
	len = snprintf(number, sizeof(number), "0x%" PRIx64, arrival->to);
	if (arrival->line != 0 && arrival->file != DICTIONARY_UNKNOWN) {
		char *text;
		int tail = snprintf(number, sizeof(number), ":%" PRIu64, arrival->line);

		name = model_name(list->model, NAME_FILE, arrival->file);
		text = arena_alloc(&list->arena, name.len + (size_t)tail + 1, 1);
		if (text)
			snprintf(text, name.len + (size_t)tail + 1, "%s%s", name.text, number);
		return text;
	}
	return arena_copy(&list->arena, number, (size_t)len);
}

static int give(struct target_search *search)
{
	struct branch_list *list = search->list;

	if (!merge(search))
		return PROFILE_RANGE;
	for (size_t i = 0; i < search->n; i++) {
		const struct arrival *arrival = &search->arrivals[i];
		struct branch_row *row = &list->rows[arrival->row];

		if (!cost_add(&row->n_arrived, arrival->count, false))
			return PROFILE_RANGE;
		if (row->n_first < BRANCH_MOST_TARGETS) {
			struct branch_target *target = &row->targets[row->n_first++];

			*target = (struct branch_target){
				.name = name_target(list, arrival),
				.count = arrival->count,
			};
			if (!target->name)
				return PROFILE_NO_MEMORY;
		}
		row->n_targets++;
	}
	return PROFILE_OK;
}

/* Of branches that were never taken there is no line. */
static void note_taken(struct branch_list *list)
{
	list->has_taken = true;
	for (size_t i = 0; i < list->n; i++) {
		struct branch_row *row = &list->rows[i];

		if (row->of == BRANCHES_CONDITIONAL && row->place->address != 0)
			row->counts.has_taken = row->counts.taken <= row->counts.executed;
	}
}

int branchtargets_find(struct branch_list *list)
{
	struct target_search search = { .list = list };
	int status = place_rows(&search) ? PROFILE_OK : PROFILE_NO_MEMORY;

	for (uint32_t i = 0; !status && i < list->model->n_functions; i++)
		status = take_function(&search, i);
	if (!status)
		status = give(&search);
	if (!status && !list->has_taken && search.has_conditional)
		note_taken(list);
	free(search.arrivals);
	free(search.placed);
	return status;
}
