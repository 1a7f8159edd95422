/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/code/callwork.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/listing/listing.h"
#include "profile/common/heap.h"

struct callwork_call {
	size_t place;
	uint64_t at;
	uint32_t callee;
	uint64_t count;
	uint64_t *costs;
};

void callwork_release(struct callwork *work)
{
	const struct env *env = work->model->env;

	env->release(env->ctx, work->calls);
}

int callwork_add(struct callwork *work, size_t place, uint64_t at, const struct model_call *call)
{
	const struct model *model = work->model;
	uint64_t *row = row_new(work->arena, model->n_events);

	if (!row || !heap_reserve(model->env, (void **)&work->calls, &work->capacity, work->n + 1,
				  sizeof(*work->calls)))
		return PROFILE_NO_MEMORY;
	memcpy(row, call->costs, model->n_events * sizeof(*row));
	work->calls[work->n++] =
		(struct callwork_call){ place, at, call->callee, call->count, row };
	return PROFILE_OK;
}

static int compare_calls(const void *a, const void *b)
{
	const struct callwork_call *of_a = a, *of_b = b;

	if (of_a->place != of_b->place)
		return of_a->place < of_b->place ? -1 : 1;
	if (of_a->at != of_b->at)
		return of_a->at < of_b->at ? -1 : 1;
	return (of_a->callee > of_b->callee) - (of_a->callee < of_b->callee);
}

static int compare_costs(const void *a, const void *b, void *ctx)
{
	const struct annotated_call *of_a = a, *of_b = b;
	const struct callwork *work = ctx;
	int order = columns_compare(work->columns, of_a->costs, of_b->costs);

	return order != 0 ? order : listing_compare_names(work->model, of_a->callee, of_b->callee);
}

int callwork_merge(struct callwork *work)
{
	const struct model *model = work->model;
	size_t used = 0;

	if (work->n > 0)
		qsort(work->calls, work->n, sizeof(*work->calls), compare_calls);
	for (size_t i = 0; i < work->n; i++) {
		const struct callwork_call *call = &work->calls[i];
		struct callwork_call *last = used > 0 ? &work->calls[used - 1] : NULL;

		if (!last || compare_calls(last, call) != 0) {
			work->calls[used++] = *call;
			continue;
		}
		if (!cost_add(&last->count, call->count, model->is_signed))
			return PROFILE_RANGE;
		row_add_nested(last->costs, call->costs, model->n_events, model->is_signed);
	}
	work->n = used;
	return PROFILE_OK;
}

bool callwork_give(struct callwork *work, size_t place, uint64_t at,
		   const struct annotated_call **calls, size_t *n_calls)
{
	const struct callwork_call *from = work->calls + work->next;
	struct annotated_call *copies;
	size_t n = 0;

	while (work->next + n < work->n && from[n].place == place && from[n].at == at)
		n++;
	work->next += n;
	if (n == 0)
		return true;
	copies = arena_alloc(work->arena, n * sizeof(*copies), 8);
	if (!copies)
		return false;
	for (size_t i = 0; i < n; i++)
		copies[i] = (struct annotated_call){ from[i].callee, from[i].count, from[i].costs };
	qsort_r(copies, n, sizeof(*copies), compare_costs, work);
	*calls = copies;
	*n_calls = n;
	return true;
}
