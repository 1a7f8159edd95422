/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/listing/nesting.h"

#include <stdlib.h>
#include <string.h>

/* What functions of one name cost in a source file. */
struct nesting_piece {
	uint32_t outer, inner; /* numbers of names: file and function, or the reverse */
	const uint64_t *costs;
};

struct nesting_order {
	const struct model *model;
	const struct columns *columns;
	enum name_kind outer, inner;
};

static int compare_pieces(const void *a, const void *b)
{
	const struct nesting_piece *of_a = a, *of_b = b;

	if (of_a->outer != of_b->outer)
		return of_a->outer < of_b->outer ? -1 : 1;
	return (of_a->inner > of_b->inner) - (of_a->inner < of_b->inner);
}

static int compare_outer(const void *a, const void *b, void *ctx)
{
	const struct nesting_outer *of_a = a, *of_b = b;
	const struct nesting_order *how = ctx;
	int order = columns_compare(how->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : model_compare_names(how->model, how->outer, of_a->name, of_b->name);
}

static int compare_inner(const void *a, const void *b, void *ctx)
{
	const struct nesting_inner *of_a = a, *of_b = b;
	const struct nesting_order *how = ctx;
	int order = columns_compare(how->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : model_compare_names(how->model, how->inner, of_a->name, of_b->name);
}

/* All pieces, sorted by outer and inner, an array of the arena's; returns a status. */
static int make_pieces(struct nesting_piece **result, size_t *n, const struct basis *basis,
		       bool by_function)
{
	const struct model *model = basis->model;
	const struct self_costs *self_costs = basis->self_costs;
	struct arena *arena = basis->arena;
	struct nesting_piece *pieces =
		arena_alloc(arena, (self_costs->n_pairs + 1) * sizeof(*pieces), 8);
	uint64_t *sum = NULL; /* of the last piece, if it is one of several */
	size_t used = 0;

	if (!pieces)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < self_costs->n_pairs; i++) {
		const struct self_costs_pair *pair = &self_costs->pairs[i];
		uint32_t name = model->functions[pair->function].name;

		pieces[i] = (struct nesting_piece){
			.outer = by_function ? name : pair->file,
			.inner = by_function ? pair->file : name,
			.costs = pair->costs,
		};
	}
	qsort(pieces, self_costs->n_pairs, sizeof(*pieces), compare_pieces);
	for (size_t i = 0; i < self_costs->n_pairs; i++) {
		if (used == 0 || compare_pieces(&pieces[used - 1], &pieces[i]) != 0) {
			pieces[used++] = pieces[i];
			sum = NULL;
			continue;
		}
		if (!sum) {
			sum = row_new(arena, model->n_events);
			if (!sum)
				return PROFILE_NO_MEMORY;
			memcpy(sum, pieces[used - 1].costs, model->n_events * sizeof(*sum));
			pieces[used - 1].costs = sum;
		}
		if (!row_add(sum, pieces[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	*result = pieces;
	*n = used;
	return PROFILE_OK;
}

/* An outer one of n pieces; *shown says whether it reaches the threshold. */
static int make_outer(struct nesting_outer *outer, const struct nesting_piece *pieces, size_t n,
		      struct nesting_order *how, const struct basis *basis, bool *shown)
{
	const struct model *model = basis->model;
	const uint64_t *totals = basis->totals;
	struct arena *arena = basis->arena;
	uint64_t *sum = row_new(arena, model->n_events);

	if (!sum)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		if (!row_add(sum, pieces[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	*outer = (struct nesting_outer){ .name = pieces[0].outer, .costs = sum };
	*shown = columns_reach(how->columns, sum, totals);
	if (!*shown)
		return PROFILE_OK;
	outer->inner = arena_alloc(arena, n * sizeof(*outer->inner), 8);
	if (!outer->inner)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		if (columns_reach(how->columns, pieces[i].costs, totals))
			outer->inner[outer->n_inner++] =
				(struct nesting_inner){ pieces[i].inner, pieces[i].costs };
	outer->n_hidden = n - outer->n_inner;
	qsort_r(outer->inner, outer->n_inner, sizeof(*outer->inner), compare_inner, how);
	return PROFILE_OK;
}

static int add_cumulative(struct nesting *nesting, const struct model *model, struct arena *arena)
{
	const uint64_t *last = NULL;

	for (size_t i = 0; i < nesting->n; i++) {
		uint64_t *sum = row_new(arena, model->n_events);

		if (!sum)
			return PROFILE_NO_MEMORY;
		if (last)
			memcpy(sum, last, model->n_events * sizeof(*sum));
		if (!row_add(sum, nesting->outer[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
		nesting->outer[i].cumulative = last = sum;
	}
	return PROFILE_OK;
}

int nesting_make(struct nesting *nesting, const struct basis *basis, bool by_function)
{
	const struct model *model = basis->model;
	struct arena *arena = basis->arena;
	struct nesting_order how = {
		.model = model,
		.columns = basis->columns,
		.outer = by_function ? NAME_FUNCTION : NAME_FILE,
		.inner = by_function ? NAME_FILE : NAME_FUNCTION,
	};
	struct nesting_piece *pieces = NULL;
	size_t n = 0, end;
	int status = make_pieces(&pieces, &n, basis, by_function);

	*nesting = (struct nesting){ .by_function = by_function };
	if (status)
		return status;
	nesting->outer = arena_alloc(arena, (n + 1) * sizeof(*nesting->outer), 8);
	if (!nesting->outer)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < n; i = end) {
		bool shown;

		for (end = i + 1; end < n && pieces[end].outer == pieces[i].outer; end++)
			;
		status = make_outer(&nesting->outer[nesting->n], pieces + i, end - i, &how, basis,
				    &shown);
		if (status)
			return status;
		nesting->n += shown;
	}
	qsort_r(nesting->outer, nesting->n, sizeof(*nesting->outer), compare_outer, &how);
	return add_cumulative(nesting, model, arena);
}
