/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions, callers and callees there are, and their order. */
#define _GNU_SOURCE /* qsort_r() */
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/perl_form.h"
#include "profile/analysis/inclusive.h"
#include "profile/analysis/self_costs.h"
#include "profile/common/cost.h"

/* -- order --------------------------------------------------------------------------------- */

/* The most costly one first; in cg_annotate, of those below 0 too. */
static int compare_costs(const struct perl_form *perl, struct costs a, struct costs b)
{
	const struct script_form *form = perl->form;

	for (size_t i = 0; i < form->n_keys; i++) {
		size_t event = form->keys[i].event;
		int128 of_a = event < a.n_defined ? script_form_count(form, a.counts[event]) : -1;
		int128 of_b = event < b.n_defined ? script_form_count(form, b.counts[event]) : -1;

		if (!form->is_callgrind) {
			of_a = int128_magnitude(of_a);
			of_b = int128_magnitude(of_b);
		}
		if (of_a != of_b)
			return of_a > of_b ? -1 : 1;
	}
	return 0;
}

static int compare_listed(const void *a, const void *b, void *ctx)
{
	const struct listed *of_a = a, *of_b = b;
	int order = compare_costs(ctx, of_a->costs, of_b->costs);

	return order != 0 ? order : strcmp(of_a->name, of_b->name);
}

struct script_call_key perl_call_key(const struct perl_form *perl, uint32_t row)
{
	struct script_call_key key;

	script_key(&perl->form->sums->calls, row, &key, sizeof(key));
	return key;
}

/* Calls of, or by, one function together, the most costly first. */
static int compare_calls(const struct perl_form *perl, const uint32_t *a, const uint32_t *b,
			 bool by_callee)
{
	const struct script_table *calls = &perl->form->sums->calls;
	const struct script_call_key of_a = perl_call_key(perl, *a), of_b = perl_call_key(perl, *b);
	const uint32_t one = by_callee ? of_a.callee : of_a.caller;
	const uint32_t other = by_callee ? of_b.callee : of_b.caller;
	int order;

	if (one != other)
		return one < other ? -1 : 1;
	order = compare_costs(perl, perl_row(calls, *a), perl_row(calls, *b));
	return order != 0 ? order
			  : strcmp(perl->names[by_callee ? of_a.caller : of_a.callee],
				   perl->names[by_callee ? of_b.caller : of_b.callee]);
}

static int compare_by_callee(const void *a, const void *b, void *ctx)
{
	return compare_calls(ctx, a, b, true);
}

static int compare_by_caller(const void *a, const void *b, void *ctx)
{
	return compare_calls(ctx, a, b, false);
}

struct script_line_call_key perl_line_call_key(const struct perl_form *perl, uint32_t row)
{
	struct script_line_call_key key;

	script_key(&perl->form->sums->line_calls, row, &key, sizeof(key));
	return key;
}

static int compare_line_calls(const void *a, const void *b, void *ctx)
{
	const struct perl_form *perl = ctx;
	const struct script_table *calls = &perl->form->sums->line_calls;
	const uint32_t row_a = *(const uint32_t *)a, row_b = *(const uint32_t *)b;
	const struct script_line_call_key of_a = perl_line_call_key(perl, row_a);
	const struct script_line_call_key of_b = perl_line_call_key(perl, row_b);
	int order;

	if (of_a.file != of_b.file)
		return of_a.file < of_b.file ? -1 : 1;
	if (of_a.line != of_b.line)
		return of_a.line < of_b.line ? -1 : 1;
	order = compare_costs(perl, perl_row(calls, row_a), perl_row(calls, row_b));
	return order != 0 ? order : strcmp(perl->names[of_a.callee], perl->names[of_b.callee]);
}

/* -- what is listed ------------------------------------------------------------------------ */

static bool make_names(struct perl_form *perl)
{
	const struct script_sums *sums = perl->form->sums;
	size_t n = sums->pairs.keys.count;

	perl->names = arena_alloc(&perl->form->arena, (n + 1) * sizeof(*perl->names), 8);
	for (size_t i = 0; perl->names && i < n; i++) {
		const struct name file = script_pair_file(sums, (uint32_t)i);
		const struct name function = script_pair_function(sums, (uint32_t)i);
		size_t size = (size_t)file.len + function.len + 2;
		char *name = arena_alloc(&perl->form->arena, size, 1);

		if (!name)
			return false;
		snprintf(name, size, "%s:%s", file.text, function.text);
		perl->names[i] = name;
	}
	return perl->names != NULL;
}

bool perl_add(const struct perl_form *perl, uint64_t *sums, size_t *n_defined, struct costs costs)
{
	if (costs.n_defined > *n_defined)
		*n_defined = costs.n_defined;
	return row_add(sums, costs.counts, costs.n_defined, perl->form->sums->is_signed);
}

/*
 * What a function is called for is what it costs with all that it calls; what nobody calls has its
 * own costs and those of its calls.
 */
static int make_inclusive(struct perl_form *perl, bool *is_called)
{
	const struct script_table *calls = &perl->form->sums->calls;
	const size_t n_events = perl->form->sums->n_events;

	for (size_t i = 0; i < calls->keys.count; i++)
		is_called[perl_call_key(perl, (uint32_t)i).callee] = true;
	for (size_t i = 0; i < perl->n_functions; i++) {
		struct listed *listed = &perl->functions[i];
		uint64_t *sums = row_new(&perl->form->arena, n_events);

		if (!sums)
			return PROFILE_NO_MEMORY;
		if (is_called[i])
			listed->costs.n_defined = 0;
		else
			memcpy(sums, listed->costs.counts, n_events * sizeof(*sums));
		listed->costs.counts = listed->inclusive = sums;
	}
	for (size_t i = 0; i < calls->keys.count; i++) {
		const struct script_call_key key = perl_call_key(perl, (uint32_t)i);
		struct listed *callee = &perl->functions[key.callee];
		struct listed *caller = &perl->functions[key.caller];
		const struct costs costs = perl_row(calls, (uint32_t)i);

		if (!perl_add(perl, callee->inclusive, &callee->costs.n_defined, costs))
			return PROFILE_RANGE;
		if (!is_called[key.caller] &&
		    !perl_add(perl, caller->inclusive, &caller->costs.n_defined, costs))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

static bool calls_itself(const struct model *model, uint32_t function)
{
	struct model_cursor cursor;
	struct model_call call;

	model_calls(model, function, 0, &cursor);
	while (model_next_call(&cursor, &call))
		if (call.callee == function)
			return true;
	return false;
}

/* The row of functions by which the sums know one of the model's; DICTIONARY_NONE = by none. */
static uint32_t pair_of(const struct perl_form *perl, uint32_t function)
{
	const struct model *model = perl->form->model;
	const struct model_function *names = &model->functions[function];

	return script_find_pair(perl->form->sums, model_name(model, NAME_FILE, names->file),
				model_name(model, NAME_FUNCTION, names->name));
}

/* Calls within recursion would count several times: such functions cost what the model says. */
static int mend_recursion(struct perl_form *perl, const struct inclusive *inclusive,
			  bool *is_mended)
{
	const struct model *model = perl->form->model;
	const struct script_sums *sums = perl->form->sums;

	for (size_t i = 0; i < model->n_functions; i++) {
		uint32_t pair;

		if (inclusive->cycle[i] == 0 && !calls_itself(model, (uint32_t)i))
			continue;
		pair = pair_of(perl, (uint32_t)i);
		if (pair == DICTIONARY_NONE || is_mended[pair])
			continue;
		is_mended[pair] = true;
		memset(perl->functions[pair].inclusive, 0, sums->n_events * sizeof(uint64_t));
	}
	for (size_t i = 0; i < model->n_functions; i++) {
		uint32_t pair = pair_of(perl, (uint32_t)i);

		for (size_t j = 0;
		     pair != DICTIONARY_NONE && is_mended[pair] && j < model->n_events; j++) {
			size_t event = script_event(sums, model->events[j].name,
						    strlen(model->events[j].name));
			uint64_t *counts = perl->functions[pair].inclusive;

			if (event < sums->n_events &&
			    !cost_add(&counts[event], inclusive_of(inclusive, (uint32_t)i)[j],
				      sums->is_signed))
				return PROFILE_RANGE;
		}
	}
	return PROFILE_OK;
}

static int add_calls(struct perl_form *perl)
{
	struct inclusive inclusive;
	size_t n = perl->n_functions;
	bool *is_called = arena_alloc(&perl->form->arena, n + 1, 1);
	bool *is_mended = arena_alloc(&perl->form->arena, n + 1, 1);
	int status;

	if (!is_called || !is_mended)
		return PROFILE_NO_MEMORY;
	memset(is_called, 0, n + 1);
	memset(is_mended, 0, n + 1);
	status = make_inclusive(perl, is_called);
	if (status)
		return status;
	status = inclusive_compute(&inclusive, perl->form->model, NULL);
	if (!status)
		status = mend_recursion(perl, &inclusive, is_mended);
	inclusive_release(&inclusive);
	return status;
}

static int make_functions(struct perl_form *perl)
{
	struct script_sums *sums = perl->form->sums;
	size_t n = sums->pairs.keys.count, used = 0;
	int status = PROFILE_OK;

	perl->functions = arena_alloc(&perl->form->arena, (n + 1) * sizeof(*perl->functions), 8);
	if (!perl->functions || !make_names(perl))
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		perl->functions[i] = (struct listed){
			.pair = (uint32_t)i,
			.name = perl->names[i],
			.costs = perl_row(&sums->pairs, (uint32_t)i),
		};
	perl->n_functions = n;
	if (perl->form->inclusive)
		status = add_calls(perl);
	/* What is only called has no costs of its own. */
	for (size_t i = 0; i < n; i++)
		if (perl->form->inclusive || sums->by_pair[i].has_code)
			perl->functions[used++] = perl->functions[i];
	perl->n_functions = used;
	qsort_r(perl->functions, used, sizeof(*perl->functions), compare_listed, perl);
	return status;
}

int perl_functions_make(struct perl_form *perl)
{
	struct script_form *form = perl->form;
	struct script_sums *sums = form->sums;
	int status = make_functions(perl);

	if (status)
		return status;
	perl->callers = script_form_sort(form, sums->calls.keys.count, compare_by_callee, perl);
	perl->callees = script_form_sort(form, sums->calls.keys.count, compare_by_caller, perl);
	perl->line_calls =
		script_form_sort(form, sums->line_calls.keys.count, compare_line_calls, perl);
	perl->reaches = arena_alloc(&form->arena, sums->files.count + 1, 1);
	perl->annotated = row_new(&form->arena, sums->n_events);
	if (!perl->callers || !perl->callees || !perl->line_calls || !perl->reaches ||
	    !perl->annotated || !script_form_sort_lines(form, &perl->lines))
		return PROFILE_NO_MEMORY;
	memset(perl->reaches, 0, sums->files.count + 1);
	return PROFILE_OK;
}
