/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self costs, with library costs charged to the code that calls libraries.  A call tree says for each chain of calls
 * which own function is the nearest above.  Without one, callers have shares (profile/analysis/owncode.h), which are made by one
 * metric; each event is dealt out by them.  Either way columns of all events add up to the totals.
 *
 * Python has shares of its own (profile/analysis/pythonshare.h): nearly all functions of an interpreter call each other, so that
 * they are one circle, and what is called from its outermost function would be charged with everything.  What is done while a module
 * is imported is charged to the import, functions of Python included: it says nothing about what the program does with them later.
 * Shares know only the import system's and package modules'.
 */
#include "cmds/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "profile/analysis/owncode.h"
#include "profile/analysis/pythonshare.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

enum { MOST_CALLERS = 8 }; /* of a function, that are listed */

/* Callers that have less of a function's cost are not listed. */
static const double least_part = 0.01;

/* What a function of a library costs for an own one. */
struct charge {
	uint32_t row, caller;
	double part; /* of the function's self cost, by the metric; until it is finished, that cost */
};

struct charges {
	const struct reportrows *rows;
	const struct metric *metric;
	bool (*is_own)(const struct model *model, uint32_t function);
	uint32_t import; /* the row of Python's imports, or MODEL_NO_FUNCTION */
	uint64_t *self;  /* by row, then event; owned */
	struct charge *all;
	size_t n, capacity;
	struct idtable by_pair;
	/*
	 * By row: the next one of a function that is one in the tree, which tells neither levels of recursion nor callers
	 * ("f'2", "f'main") apart.  Owned.
	 */
	uint32_t *next;
};

static uint64_t *self_of(const struct charges *charges, size_t row)
{
	return &charges->self[row * charges->rows->n_events];
}

static bool row_is_own(const struct charges *charges, size_t row)
{
	const struct reportrows_side *side = &charges->rows->sides[SIDE_MAIN];

	return charges->is_own(side->model, side->functions[row]);
}

/* Takes costs, by event, from a row and those after it, so far as they have them, and gives them to a caller. */
static void move(struct charges *charges, uint32_t row, uint32_t caller, const uint64_t *costs)
{
	uint64_t *to = self_of(charges, caller);

	for (size_t e = 0; e < charges->rows->n_events; e++) {
		uint64_t left = costs[e];

		for (uint32_t at = row; left > 0 && at != MODEL_NO_FUNCTION;
		     at = charges->next[at]) {
			uint64_t *from = self_of(charges, at);
			const uint64_t moved = left < from[e] ? left : from[e];

			from[e] -= moved;
			to[e] += moved;
			left -= moved;
		}
	}
}

static void add(struct charges *charges, uint32_t row, uint32_t caller, double part)
{
	const uint64_t key = (uint64_t)row << 32 | caller;
	uint32_t number = idtable_get(&charges->by_pair, key);

	if (number == IDTABLE_NONE) {
		number = (uint32_t)charges->n++;
		idtable_put(&charges->by_pair, key, number);
		charges->all = heap_grow(charges->all, &charges->capacity, charges->n,
					 sizeof(*charges->all));
		charges->all[number] = (struct charge){ row, caller, 0 };
	}
	charges->all[number].part += part;
}

/* -- by the call tree ------------------------------------------------------------------ */

/* Finds the numbers that the report's events have in a tree; false if it has not all of them. */
static bool find_events(const struct reportrows *rows, const struct pathtree *tree, size_t *events)
{
	const struct reportrows_side *side = &rows->sides[SIDE_MAIN];

	for (size_t e = 0; e < rows->n_events; e++) {
		events[e] = model_event(tree->model, side->model->events[side->events[e]].name);
		if (events[e] == tree->model->n_events)
			return false;
	}
	return true;
}

/* The first row of each function of a tree; the others follow by next. */
static uint32_t *find_rows(struct charges *charges, const struct model *tree)
{
	const struct reportrows_side *side = &charges->rows->sides[SIDE_MAIN];
	uint32_t *first = heap_zeroed(tree->n_functions + 1, sizeof(*first));

	for (uint32_t i = 0; i < tree->n_functions; i++)
		first[i] = reportrows_find(charges->rows, SIDE_MAIN, tree, i);
	for (uint32_t row = 0; row < charges->rows->n; row++) {
		const uint32_t base = pathtree_find(tree, side->model, side->functions[row]);

		if (base == MODEL_NO_FUNCTION || first[base] == row)
			continue;
		if (first[base] == MODEL_NO_FUNCTION) {
			first[base] = row;
			continue;
		}
		charges->next[row] = charges->next[first[base]];
		charges->next[first[base]] = row;
	}
	return first;
}

/* The self costs of a row and those after it, by the metric. */
static double whole_of(const struct charges *charges, uint32_t row)
{
	double whole = 0;

	for (; row != MODEL_NO_FUNCTION; row = charges->next[row])
		whole += (double)metric_value(
			charges->metric, reportrows_self(charges->rows, SIDE_MAIN, row), false);
	return whole;
}

static void charge_by_tree(struct charges *charges, const struct pathtree *tree,
			   const size_t *events)
{
	const struct reportrows *rows = charges->rows;
	const size_t n = tree->model->n_functions;
	uint32_t *row_of = find_rows(charges, tree->model), *owners;
	uint32_t import = MODEL_NO_FUNCTION;
	bool *owns = heap_zeroed(n + 1, sizeof(*owns));
	uint64_t costs[PROFILE_MAX_EVENTS] = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		owns[i] = row_of[i] != MODEL_NO_FUNCTION && row_is_own(charges, row_of[i]);
		if (owns[i] && row_of[i] == charges->import)
			import = i;
	}
	owners = pathtree_owners(tree, owns, import);
	for (uint32_t i = 0; i < tree->n; i++) {
		const uint32_t function = tree->nodes[i].function;
		const uint32_t row = function == PATHTREE_REST ? MODEL_NO_FUNCTION
							       : row_of[function];
		const uint32_t own = owners[i] == MODEL_NO_FUNCTION ? MODEL_NO_FUNCTION
								    : row_of[owners[i]];

		if (row == MODEL_NO_FUNCTION || own == MODEL_NO_FUNCTION || own == row)
			continue;
		for (size_t e = 0; e < rows->n_events; e++)
			costs[e] = pathtree_costs(tree, i)[events[e]];
		move(charges, row, own, costs);
		add(charges, row, own, (double)metric_value(charges->metric, costs, false));
	}
	for (size_t i = 0; i < charges->n; i++) {
		struct charge *charge = &charges->all[i];
		const double whole = whole_of(charges, charge->row);

		charge->part = whole > 0 ? charge->part / whole : 0;
	}
	free(row_of);
	free(owns);
	free(owners);
}

/* -- by shares ------------------------------------------------------------------------- */

static int charge_by_shares(struct charges *charges)
{
	const struct reportrows *rows = charges->rows;
	const struct reportrows_side *side = &rows->sides[SIDE_MAIN];
	struct owncode owncode;
	const int status =
		owncode_compute_by(&owncode, side->model, charges->metric, charges->is_own);

	for (uint32_t i = 0; !status && i < side->model->n_functions; i++) {
		const struct owncode_share *share = &owncode.shares[i];
		const uint32_t row = side->rows[i];
		uint64_t costs[OWNCODE_CALLERS][PROFILE_MAX_EVENTS];
		int128 of_callers[OWNCODE_CALLERS], others, nobody;

		for (size_t e = 0; e < rows->n_events && share->n > 0; e++) {
			owncode_split(share, (int128)reportrows_self(rows, SIDE_MAIN, row)[e],
				      of_callers, &others, &nobody);
			for (size_t k = 0; k < share->n; k++)
				costs[k][e] = (uint64_t)of_callers[k];
		}
		for (size_t k = 0; rows->n_events > 0 && k < share->n; k++) {
			const uint32_t caller = side->rows[share->callers[k].function];

			move(charges, row, caller, costs[k]);
			add(charges, row, caller, share->callers[k].part);
		}
	}
	owncode_release(&owncode);
	return status;
}

/*
 * Has an event add up to the whole.  What functions of Python are not charged with is left to functions of C, in proportion to
 * their shares in it.  Shares are estimates: if there is more or nobody to leave it to, imports differ by that, and then the rest.
 */
static void settle(struct charges *charges, size_t event)
{
	const size_t n = charges->rows->n;
	const size_t import = charges->import == MODEL_NO_FUNCTION ? 0 : charges->import;
	uint64_t whole = 0, of_python = 0, left = 0, rest;
	double shares = 0, before = 0;

	for (size_t row = 0; row < n; row++) {
		const uint64_t cost = self_of(charges, row)[event];

		whole += reportrows_self(charges->rows, SIDE_MAIN, row)[event];
		if (row_is_own(charges, row))
			of_python += cost;
		else
			shares += (double)cost;
	}
	rest = whole > of_python ? whole - of_python : 0;
	for (size_t row = 0; row < n; row++) {
		uint64_t *cost = &self_of(charges, row)[event];
		uint64_t until;

		if (row_is_own(charges, row))
			continue;
		before += (double)*cost;
		until = shares > 0 ? (uint64_t)((double)rest * (before / shares)) : 0;
		*cost = until - left;
		left = until;
	}
	if (of_python + left < whole)
		self_of(charges, import)[event] += whole - of_python - left;
	for (size_t i = 0, excess = of_python + left - whole; of_python + left > whole && i < n;
	     i++) {
		uint64_t *from = &self_of(charges, (import + i) % n)[event];
		const uint64_t taken = excess < *from ? excess : *from;

		*from -= taken;
		excess -= taken;
	}
}

static void charge_python_by_shares(struct charges *charges)
{
	const struct reportrows *rows = charges->rows;
	const struct reportrows_side *side = &rows->sides[SIDE_MAIN];
	uint64_t *costs = pythonshare_compute(side->model, charges->metric);

	memset(charges->self, 0, rows->n * rows->n_events * sizeof(*charges->self));
	for (size_t row = 0; row < rows->n; row++) {
		const uint32_t function = side->functions[row];
		const bool is_import = charges->import != MODEL_NO_FUNCTION &&
				       pythonshare_is_import(side->model, function);
		uint64_t *to = self_of(charges, is_import ? charges->import : row);

		for (size_t e = 0; e < rows->n_events; e++)
			to[e] += costs[function * side->model->n_events + side->events[e]];
	}
	for (size_t e = 0; e < rows->n_events; e++)
		settle(charges, e);
	free(costs);
}

/* -- the data -------------------------------------------------------------------------- */

static int compare_charges(const void *a, const void *b)
{
	const struct charge *of_a = a, *of_b = b;

	if (of_a->row != of_b->row)
		return of_a->row < of_b->row ? -1 : 1;
	if (of_a->part != of_b->part)
		return of_a->part > of_b->part ? -1 : 1;
	return (of_a->caller > of_b->caller) - (of_a->caller < of_b->caller);
}

/* Leaves those that are listed, by function, the largest part first. */
static void choose(struct charges *charges)
{
	size_t n = 0, of_row = 0;

	if (charges->n > 0)
		qsort(charges->all, charges->n, sizeof(*charges->all), compare_charges);
	for (size_t i = 0; i < charges->n; i++) {
		const struct charge charge = charges->all[i];

		of_row = i > 0 && charges->all[i - 1].row == charge.row ? of_row + 1 : 0;
		if (of_row < MOST_CALLERS && charge.part >= least_part &&
		    charges->rows->is_detailed[charge.row])
			charges->all[n++] = charge;
	}
	charges->n = n;
}

static uint64_t cost_at(const void *ctx, size_t row, size_t event)
{
	return self_of(ctx, row)[event];
}

static uint64_t own_at(const void *ctx, size_t row, size_t column)
{
	(void)column;
	return row_is_own(ctx, row);
}

static void write(struct charges *charges, bool is_python, bool is_exact, struct json *json)
{
	const struct reporttable is_own = { own_at, charges, charges->rows->n, false };
	const struct reporttable costs = { cost_at, charges, charges->rows->n, false };

	choose(charges);
	json_object(json, "charges", true);
	json_string(json, "to", is_python ? "python" : "own");
	json_bool(json, "exact", is_exact);
	if (charges->import == MODEL_NO_FUNCTION)
		json_null(json, "imports");
	else
		json_count(json, "imports", charges->import);
	reporttable_column(&is_own, "is_own", 0, json);
	reporttable_costs(&costs, "self", charges->rows->n_events, json);
	json_array(json, "function", true);
	for (size_t i = 0; i < charges->n; i++)
		json_count(json, NULL, charges->all[i].row);
	json_close(json);
	json_array(json, "caller", true);
	for (size_t i = 0; i < charges->n; i++)
		json_count(json, NULL, charges->all[i].caller);
	json_close(json);
	json_array(json, "part", true);
	for (size_t i = 0; i < charges->n; i++)
		json_number(json, NULL, charges->all[i].part, 4);
	json_close(json);
	json_close(json);
}

int reportcharges_write(const struct reportrows *rows, const struct pathtree *tree,
			const struct metric *metric, struct json *json)
{
	const struct model *model = rows->sides[SIDE_MAIN].model;
	struct charges charges = { .rows = rows, .metric = metric };
	size_t events[PROFILE_MAX_EVENTS] = { 0 };
	bool is_python = false, is_exact = false;
	int status = PROFILE_OK;

	/* Of a difference, and of what two profiles differ in, nothing is charged. */
	if (model->is_signed || reportrows_sides(rows) > 1)
		return PROFILE_OK;
	for (uint32_t i = 0; i < model->n_functions && !is_python; i++)
		is_python = owncode_is_python(model, i);
	charges.is_own = is_python ? owncode_is_python : owncode_is_own;
	charges.import = is_python ? owncode_python_import(model) : MODEL_NO_FUNCTION;
	if (charges.import != MODEL_NO_FUNCTION)
		charges.import = rows->sides[SIDE_MAIN].rows[charges.import];
	charges.self = heap_zeroed(rows->n + 1, (rows->n_events + 1) * sizeof(*charges.self));
	for (size_t row = 0; row < rows->n; row++)
		memcpy(self_of(&charges, row), reportrows_self(rows, SIDE_MAIN, row),
		       rows->n_events * sizeof(*charges.self));
	charges.next = heap_alloc((rows->n + 1) * sizeof(*charges.next));
	memset(charges.next, 0xff, (rows->n + 1) * sizeof(*charges.next)); /* MODEL_NO_FUNCTION */
	idtable_init(&charges.by_pair);
	is_exact = tree && tree->is_exact && find_events(rows, tree, events);
	if (is_exact)
		charge_by_tree(&charges, tree, events);
	else if (is_python)
		charge_python_by_shares(&charges);
	else
		status = charge_by_shares(&charges);
	if (charges.n > 0 || (is_python && !is_exact))
		write(&charges, is_python, is_exact, json);
	idtable_release(&charges.by_pair);
	free(charges.all);
	free(charges.next);
	free(charges.self);
	return status;
}
