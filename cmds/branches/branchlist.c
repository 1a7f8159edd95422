/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are chosen by what was counted; only what is shown is looked up in objects and sources. */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/branches/branchlist.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/branches/branchtargets.h"
#include "cmds/branches/branchtexts.h"
#include "profile/common/heap.h"

/* -- which ones ---------------------------------------------------------------------------------- */

/* What a row is chosen by. */
static uint64_t weight(const struct branch_list *list, const struct branch_row *row)
{
	return list->options->sort == BRANCH_SORT_EXECUTED ? row->counts.executed
							   : row->counts.missed;
}

/* <0, 0, >0: the order of rates of misprediction, the higher first. */
static int compare_rates(const struct branch_counts *a, const struct branch_counts *b)
{
	int128 of_a = (int128)a->missed * b->executed, of_b = (int128)b->missed * a->executed;

	return (of_a < of_b) - (of_a > of_b);
}

static int compare_counts(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int compare_places(const struct model *model, const struct branch_row *a,
			  const struct branch_row *b)
{
	int order = model_compare_names(model, NAME_OBJECT, a->place->object, b->place->object);

	if (order == 0)
		order = compare_counts(b->place->address, a->place->address);
	if (order == 0)
		order = model_compare_names(model, NAME_FILE, a->place->file, b->place->file);
	if (order == 0)
		order = compare_counts(b->place->line, a->place->line);
	return order != 0 ? order : (int)a->of - (int)b->of;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct branch_row *of_a = a, *of_b = b;
	const struct branch_list *list = ctx;
	int order = 0;

	if (list->options->sort == BRANCH_SORT_RATE)
		order = compare_rates(&of_a->counts, &of_b->counts);
	if (order == 0)
		order = compare_counts(weight(list, of_a), weight(list, of_b));
	return order != 0 ? order : compare_places(list->model, of_a, of_b);
}

static bool is_worth_it(const struct branch_list *list, const struct branch_row *row, double total)
{
	uint64_t value = weight(list, row);

	return value > 0 && (double)value * 100 >= list->options->threshold * total;
}

static struct branch_counts counts_of(const struct branch_list *list,
				      const struct branch_place *place, enum branch_class of)
{
	const bool *has = list->set.has;
	struct branch_counts counts = {
		.executed = branch_executed(place, of),
		.missed = branch_missed(place, of),
	};

	/* Several branches of a line may go several ways. */
	if (of != BRANCHES_CONDITIONAL || place->address == 0)
		return counts;
	counts.has_taken = has[BRANCH_BCT];
	counts.taken = place->counts[BRANCH_BCT];
	counts.has_detail = list->has_detail;
	counts.by_counter = place->counts[BRANCH_BCB];
	counts.by_history = place->counts[BRANCH_BCH];
	return counts;
}

static int choose(struct branch_list *list)
{
	const bool by_executed = list->options->sort == BRANCH_SORT_EXECUTED;
	const double total = (double)branchset_total(&list->set, !by_executed);
	size_t n = 0;

	list->rows = arena_alloc(&list->arena,
				 (list->set.n * N_BRANCH_CLASSES + 1) * sizeof(*list->rows), 8);
	if (!list->rows)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < list->set.n; i++) {
		for (int of = 0; of < N_BRANCH_CLASSES; of++) {
			const struct branch_place *place = &list->set.places[i];
			struct branch_row *row = &list->rows[n];

			if (branch_executed(place, of) == 0)
				continue;
			*row = (struct branch_row){
				.place = place,
				.of = of,
				.counts = counts_of(list, place, of),
			};
			if (is_worth_it(list, row, total)) {
				n++;
				continue;
			}
			list->n_left++;
			list->left_missed += row->counts.missed;
		}
	}
	qsort_r(list->rows, n, sizeof(*list->rows), compare_rows, list);
	list->n = list->options->most > 0 && n > list->options->most ? list->options->most : n;
	for (size_t i = list->n; i < n; i++) {
		list->n_left++;
		list->left_missed += list->rows[i].counts.missed;
	}
	return PROFILE_OK;
}

/* -- what is said of them ------------------------------------------------------------------------- */

static enum branch_kind kind_of(const struct branch_row *row)
{
	if (row->of == BRANCHES_RETURN)
		return BRANCH_RETURN;
	/* By what branchtargets_find() and branchtexts_make() have seen. */
	if (row->of == BRANCHES_INDIRECT)
		return row->kind != BRANCH_UNSORTED ? row->kind : BRANCH_INDIRECT;
	return branchkind_find(&row->counts);
}

static void sort_out(struct branch_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct branch_row *row = &list->rows[i];

		row->kind = kind_of(row);
		row->is_hard = row->of == BRANCHES_CONDITIONAL && row->place->address != 0 &&
			       branchkind_is_hard(row->counts.executed, row->counts.missed,
						  list->set.instructions);
		list->has_lines_only |= row->place->address == 0;
	}
}

int branchlist_make(struct branch_list *list, const struct model *model,
		    const struct branchlist_options *options)
{
	int status;

	*list = (struct branch_list){
		.model = model,
		.options = options,
		.objects = {
			.options = &options->objects,
			.syntax = options->syntax,
			.oldest = options->oldest,
		},
	};
	arena_init(&list->arena, &heap_env);
	status = branchset_make(&list->set, model);
	if (status)
		return status;
	list->has_taken = list->set.has[BRANCH_BCT];
	list->has_detail = list->has_taken && list->set.has[BRANCH_BCB] &&
			   list->set.has[BRANCH_BCH];
	if (!code_objects_init(&list->objects, model))
		return PROFILE_NO_MEMORY;
	status = choose(list);
	if (!status)
		status = branchtargets_find(list);
	if (!status)
		status = branchtexts_make(list);
	if (!status)
		sort_out(list);
	return status;
}

void branchlist_release(struct branch_list *list)
{
	if (list->objects.model)
		code_objects_release(&list->objects);
	branchset_release(&list->set);
	arena_release(&list->arena);
}

const char *branchlist_wrong(const struct branch_row *row)
{
	return row->code ? row->code->wrong : NULL;
}
