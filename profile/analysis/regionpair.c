/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/regionpair.h"

#include <stdlib.h>
#include <string.h>

#include "profile/analysis/inclusive.h"
#include "profile/common/cost.h"

bool regionpairs_are_in(const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++)
		if (model->parts[i].header.n_regions > 0)
			return true;
	return false;
}

/* A region as a side; events are numbers of the model's events, NULL = all of them. */
static struct region_side make_side(const struct part_region *region, const size_t *events,
				    size_t n_events, struct arena *arena)
{
	uint64_t *costs = row_new(arena, n_events);

	for (size_t i = 0; i < n_events; i++) {
		const size_t event = events ? events[i] : i;

		if (event < region->n_costs)
			costs[i] = region->costs[event];
	}
	return (struct region_side){
		.times = region->times,
		.threads = region->threads,
		.is_there = true,
		.is_open = region->is_open,
		.costs = costs,
	};
}

static int compare_names(const void *left, const void *right)
{
	const struct part_region *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

static const struct part_region **sorted(const struct regions *regions, struct arena *arena)
{
	const struct part_region **all =
		arena_alloc(arena, (regions->n + 1) * sizeof(void *), sizeof(void *));

	for (size_t i = 0; i < regions->n; i++)
		all[i] = &regions->all[i];
	qsort(all, regions->n, sizeof(void *), compare_names);
	return all;
}

/* difference NULL: there are no old_regions, and events are the model's. */
static void make_pairs(struct region_pairs *pairs, const struct regions *old_regions,
		       const struct regions *new_regions, const struct difference *difference,
		       size_t n_events, struct arena *arena)
{
	const struct part_region **by_name = sorted(old_regions, arena);
	const struct region_side none = { .costs = row_new(arena, n_events) };
	bool *is_paired = arena_alloc(arena, old_regions->n + 1, 1);

	memset(is_paired, 0, old_regions->n + 1);
	pairs->all =
		arena_alloc(arena, (old_regions->n + new_regions->n + 1) * sizeof(*pairs->all), 8);
	for (size_t i = 0; i < new_regions->n; i++) {
		const struct part_region *region = &new_regions->all[i];
		const struct part_region **old =
			bsearch(&region, by_name, old_regions->n, sizeof(void *), compare_names);

		if (old)
			is_paired[*old - old_regions->all] = true;
		pairs->all[pairs->n++] = (struct region_pair){
			.name = arena_copy(arena, region->name, strlen(region->name)),
			.old_side = old ? make_side(*old,
						    difference ? difference->old_events : NULL,
						    n_events, arena)
					: none,
			.new_side = make_side(region, difference ? difference->new_events : NULL,
					      n_events, arena),
		};
	}
	for (size_t i = 0; i < old_regions->n; i++) {
		const struct part_region *region = &old_regions->all[i];

		if (!is_paired[i])
			pairs->all[pairs->n++] = (struct region_pair){
				.name = arena_copy(arena, region->name, strlen(region->name)),
				.old_side =
					make_side(region, difference->old_events, n_events, arena),
				.new_side = none,
			};
	}
}

int regionpairs_of_model(struct region_pairs *pairs, const struct model *model, struct arena *arena)
{
	struct regions none, regions;
	int status;

	*pairs = (struct region_pairs){ .n = 0 };
	regions_init(&none);
	regions_init(&regions);
	status = model_regions(model, &regions);
	if (!status)
		make_pairs(pairs, &none, &regions, NULL, model->n_events, arena);
	regions_release(&regions);
	return status;
}

int regionpairs_of_difference(struct region_pairs *pairs, const struct difference *difference,
			      struct arena *arena)
{
	struct regions old_regions, new_regions;
	int status;

	*pairs = (struct region_pairs){ .n = 0 };
	regions_init(&old_regions);
	regions_init(&new_regions);
	status = model_regions(difference->old_model, &old_regions);
	if (!status)
		status = model_regions(difference->new_model, &new_regions);
	if (!status)
		make_pairs(pairs, &old_regions, &new_regions, difference, difference->n_events,
			   arena);
	for (size_t i = 0; i < pairs->n && !status && difference->scale; i++) {
		uint64_t *costs = row_new(arena, difference->n_events);

		for (size_t event = 0; event < difference->n_events && !status; event++) {
			costs[event] = pairs->all[i].new_side.costs[event];
			if (!cost_scale(&costs[event], false, difference->scale->to,
					difference->scale->from))
				status = PROFILE_RANGE;
		}
		pairs->all[i].new_side.costs = costs;
	}
	regions_release(&old_regions);
	regions_release(&new_regions);
	return status;
}
