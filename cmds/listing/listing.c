/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/listing/listing.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/listing/call_edges.h"
#include "profile/common/heap.h"

struct order {
	const struct model *model;
	const struct columns *columns;
};

int listing_compare_names(const struct model *model, uint32_t a, uint32_t b)
{
	const struct model_function *of_a = &model->functions[a], *of_b = &model->functions[b];
	int order = model_compare_names(model, NAME_FILE, of_a->file, of_b->file);

	if (order == 0)
		order = model_compare_names(model, NAME_FUNCTION, of_a->name, of_b->name);
	return order != 0 ? order
			  : model_compare_names(model, NAME_OBJECT, of_a->object, of_b->object);
}

static int compare_entries(const void *a, const void *b, void *ctx)
{
	const struct listing_entry *of_a = a, *of_b = b;
	const struct order *how = ctx;
	int order = columns_compare(how->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : listing_compare_names(how->model, of_a->function, of_b->function);
}

static int compare_links(const void *a, const void *b, void *ctx)
{
	const struct listing_link *of_a = a, *of_b = b;
	const struct order *how = ctx;
	int order = columns_compare(how->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : listing_compare_names(how->model, of_a->function, of_b->function);
}

/* Whether all keys that have a percentage have reached it. */
static bool is_covered(const struct columns *columns, const int128 *sums, const uint64_t *totals)
{
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct sort_key *key = &columns->keys[i];
		int128 total;

		if (!key->has_threshold)
			continue;
		total = int128_magnitude(metric_value(&columns->metrics.all[key->metric], totals,
						      columns->is_signed));
		if (100.0 * (double)sums[i] < key->threshold * (double)total ||
		    key->threshold >= 100)
			return false;
	}
	return true;
}

/*
 * How many of the sorted entries are needed.  Self costs add up; inclusive ones
 * do not, so of these each is looked at: what is left out is at most the rest of the
 * program.
 */
static size_t covering(const struct listing *listing, const struct columns *columns,
		       const uint64_t *totals, bool inclusive, int128 *sums)
{
	size_t n = 0;

	memset(sums, 0, columns->n_keys * sizeof(*sums));
	for (; n < listing->n && !is_covered(columns, sums, totals); n++) {
		for (size_t i = 0; i < columns->n_keys; i++) {
			const struct metric *metric =
				&columns->metrics.all[columns->keys[i].metric];
			int128 value = int128_magnitude(metric_value(
				metric, listing->entries[n].costs, columns->is_signed));

			if (!inclusive)
				sums[i] += value;
			else
				sums[i] = int128_magnitude(metric_value(metric, totals,
									columns->is_signed)) -
					  value;
		}
	}
	return n;
}

/* Calls of one function from another, to be listed with both. */
static int link_entries(struct listing *listing, const struct model *model,
			const struct columns *columns, enum listing_tree tree, struct arena *arena)
{
	struct order how = { model, columns };
	struct call_edge_list edges = { 0 };
	uint32_t *places = heap_zeroed(model->env, model->n_functions, sizeof(*places));
	int status = PROFILE_NO_MEMORY;

	if (!places)
		return status;
	for (size_t i = 0; i < listing->n; i++)
		places[listing->entries[i].function] = (uint32_t)i + 1;
	status = call_edges_collect(&edges, model, places, tree, arena);
	for (size_t i = 0; !status && i < listing->n; i++) {
		struct listing_entry *entry = &listing->entries[i];
		struct listing_link *callers = NULL, *callees = NULL;

		if (((tree & TREE_CALLERS) && !call_edges_of(&edges, entry->function, true,
							     &callers, &entry->n_callers, arena)) ||
		    ((tree & TREE_CALLEES) && !call_edges_of(&edges, entry->function, false,
							     &callees, &entry->n_callees, arena))) {
			status = PROFILE_NO_MEMORY;
			break;
		}
		if (callers)
			qsort_r(callers, entry->n_callers, sizeof(*callers), compare_links, &how);
		if (callees)
			qsort_r(callees, entry->n_callees, sizeof(*callees), compare_links, &how);
		entry->callers = callers;
		entry->callees = callees;
	}
	call_edges_release(&edges, model->env);
	model->env->release(model->env->ctx, places);
	return status;
}

static void add_entry(struct listing *listing, const struct basis *basis, double coverage,
		      const struct listing_entry *entry)
{
	if (coverage >= 0 || columns_reach(basis->columns, entry->costs, basis->totals))
		listing->entries[listing->n++] = *entry;
}

static bool list_functions(struct listing *listing, const struct basis *basis,
			   const struct inclusive *inclusive, const struct listing_options *options)
{
	const struct model *model = basis->model;

	listing->n_functions = model->n_functions;
	listing->entries =
		arena_alloc(basis->arena, (model->n_functions + 1) * sizeof(*listing->entries), 8);
	for (size_t i = 0; listing->entries && i < model->n_functions; i++) {
		bool is_inclusive = options->inclusive && inclusive;
		const struct listing_entry entry = {
			.function = (uint32_t)i,
			.cycle = inclusive ? inclusive->cycle[i] : 0,
			.costs = is_inclusive ? inclusive_of(inclusive, (uint32_t)i)
					      : basis->self_costs->self[i],
			.is_partial = is_inclusive && inclusive->cycle[i] != 0 &&
				      !inclusive->is_whole[i],
		};

		add_entry(listing, basis, options->coverage, &entry);
	}
	return listing->entries != NULL;
}

int listing_make(struct listing *listing, const struct basis *basis,
		 const struct inclusive *inclusive, const struct listing_options *options)
{
	struct order how = { basis->model, basis->columns };
	int128 *sums = arena_alloc(basis->arena, basis->columns->n_keys * sizeof(*sums), 16);

	*listing = (struct listing){ .n = 0 };
	if (!list_functions(listing, basis, inclusive, options) || !sums)
		return PROFILE_NO_MEMORY;
	qsort_r(listing->entries, listing->n, sizeof(*listing->entries), compare_entries, &how);
	if (options->coverage >= 0)
		listing->n =
			covering(listing, basis->columns, basis->totals, options->inclusive, sums);
	if (options->most > 0 && listing->n > options->most)
		listing->n = options->most;
	if (options->tree == TREE_NONE)
		return PROFILE_OK;
	return link_entries(listing, basis->model, basis->columns, options->tree, basis->arena);
}
