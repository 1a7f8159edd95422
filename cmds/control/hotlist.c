/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both states' functions are sorted by object and name, and those of one name added up.  Then
 * one pass subtracts the earlier ones.
 */
#include "cmds/control/hotlist.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

/* Functions in order, each name once. */
struct sorted {
	struct hotfunction *functions;
	size_t n;
};

static int compare(const struct hotfunction *left, const struct hotfunction *right)
{
	int order = strcmp(left->object, right->object);

	return order != 0 ? order : strcmp(left->name, right->name);
}

static int by_name(const void *a, const void *b)
{
	return compare(a, b);
}

static uint64_t *new_costs(struct arena *arena, size_t n_events)
{
	uint64_t *costs = arena_alloc(arena, (n_events + 1) * sizeof(*costs), sizeof(*costs));

	if (costs) {
		memset(costs, 0, n_events * sizeof(*costs));
		costs[n_events] = n_events;
	}
	return costs;
}

static void add(uint64_t *sums, const uint64_t *costs, size_t n_events)
{
	for (size_t i = 0; i < n_events; i++)
		sums[i] += costs[i];
}

static void join(struct sorted *sorted, size_t n_events)
{
	size_t n = 0;

	for (size_t i = 0; i < sorted->n; i++) {
		struct hotfunction *function = &sorted->functions[i];

		if (n > 0 && compare(&sorted->functions[n - 1], function) == 0)
			add(sorted->functions[n - 1].costs, function->costs, n_events);
		else
			sorted->functions[n++] = *function;
	}
	sorted->n = n;
}

/* The functions of a state, with costs of their own. */
static bool sort(struct arena *arena, struct sorted *sorted, const struct runstate *state)
{
	sorted->n = state->n_hottest;
	sorted->functions = calloc(sorted->n + 1, sizeof(*sorted->functions));
	for (size_t i = 0; sorted->functions && i < sorted->n; i++) {
		uint64_t *costs = new_costs(arena, state->n_events);

		if (!costs)
			return false;
		memcpy(costs, state->hottest[i].costs, state->n_events * sizeof(*costs));
		sorted->functions[i] = (struct hotfunction){ state->hottest[i].object,
							     state->hottest[i].name, costs };
	}
	if (!sorted->functions)
		return false;
	qsort(sorted->functions, sorted->n, sizeof(*sorted->functions), by_name);
	join(sorted, state->n_events);
	return true;
}

/* Counts only grow, unless they were set to zero: by a part, or as somebody wished. */
static bool has_shrunk(const struct sorted *before, const struct sorted *now, size_t n_events)
{
	size_t j = 0;

	for (size_t i = 0; i < before->n; i++) {
		while (j < now->n && compare(&now->functions[j], &before->functions[i]) < 0)
			j++;
		if (j == now->n || compare(&now->functions[j], &before->functions[i]) != 0)
			return true;
		for (size_t event = 0; event < n_events; event++)
			if (now->functions[j].costs[event] < before->functions[i].costs[event])
				return true;
	}
	return false;
}

static void subtract(struct sorted *now, const struct sorted *before, size_t n_events)
{
	size_t j = 0;

	for (size_t i = 0; i < before->n; i++) {
		while (compare(&now->functions[j], &before->functions[i]) != 0)
			j++;
		for (size_t event = 0; event < n_events; event++)
			now->functions[j].costs[event] -= before->functions[i].costs[event];
	}
}

static bool is_comparable(const struct runstate *before, const struct runstate *now)
{
	if (!before || before->part != now->part || before->n_events != now->n_events)
		return false;
	for (size_t i = 0; i < now->n_events; i++)
		if (strcmp(before->events[i], now->events[i]) != 0)
			return false;
	return true;
}

/* A function, with what it is sorted by in front. */
struct ranked {
	uint64_t key;
	struct hotfunction function;
};

static int by_cost(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->key != right->key)
		return left->key > right->key ? -1 : 1;
	return compare(&left->function, &right->function);
}

static bool has_cost(const struct hotfunction *function, size_t n_events)
{
	for (size_t i = 0; i < n_events; i++)
		if (function->costs[i] != 0)
			return true;
	return false;
}

static bool rank(struct hotlist *list, const struct sorted *now, size_t n_events, size_t sort_by)
{
	struct ranked *ranked = calloc(now->n + 1, sizeof(*ranked));
	bool fine;

	list->functions = calloc(now->n + 1, sizeof(*list->functions));
	fine = ranked && list->functions;
	for (size_t i = 0; fine && i < now->n; i++)
		if (has_cost(&now->functions[i], n_events)) {
			add(list->totals, now->functions[i].costs, n_events);
			ranked[list->n++] = (struct ranked){ now->functions[i].costs[sort_by],
							     now->functions[i] };
		}
	if (fine)
		qsort(ranked, list->n, sizeof(*ranked), by_cost);
	for (size_t i = 0; fine && i < list->n; i++)
		list->functions[i] = ranked[i].function;
	free(ranked);
	return fine;
}

bool hotlist_make(struct hotlist *list, const struct runstate *before, const struct runstate *now,
		  size_t sort_by)
{
	struct sorted old = { NULL, 0 }, new = { NULL, 0 };
	bool fine;

	*list = (struct hotlist){ .is_anew = !is_comparable(before, now) };
	arena_init(&list->arena, &heap_env);
	list->totals = new_costs(&list->arena, now->n_events);
	fine = list->totals && sort(&list->arena, &new, now) &&
	       (list->is_anew || sort(&list->arena, &old, before));
	if (fine && !list->is_anew) {
		list->is_anew = has_shrunk(&old, &new, now->n_events);
		if (!list->is_anew)
			subtract(&new, &old, now->n_events);
	}
	fine = fine && rank(list, &new, now->n_events, sort_by);
	free(old.functions);
	free(new.functions);
	return fine;
}

void hotlist_release(struct hotlist *list)
{
	free(list->functions);
	list->functions = NULL;
	arena_release(&list->arena);
}
