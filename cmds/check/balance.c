/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/check/balance.h"

#include "profile/analysis/inclusive.h"
#include "profile/common/heap.h"

/* Functions in no circle are accounts by their numbers, circles are behind them. */
struct books {
	const struct model *model;
	struct inclusive inclusive;
	size_t n_accounts;
	uint64_t *charged; /* owned; n_events costs an account */
	bool *is_called;   /* owned */
};

static size_t account_of(const struct books *books, uint32_t function)
{
	uint32_t cycle = books->inclusive.cycle[function];

	return cycle ? books->model->n_functions + cycle - 1 : function;
}

static const uint64_t *spent_by(const struct books *books, size_t account)
{
	const struct inclusive *inclusive = &books->inclusive;

	if (account < inclusive->n_functions)
		return inclusive_of(inclusive, (uint32_t)account);
	return inclusive->cycle_costs + (account - inclusive->n_functions) * inclusive->n_events;
}

static bool charge(struct books *books, uint32_t caller, const struct model_call *call)
{
	size_t account = account_of(books, call->callee);
	size_t n_events = books->model->n_events;

	if (account == account_of(books, caller))
		return true;
	books->is_called[account] = true;
	for (size_t i = 0; i < n_events; i++)
		if (!cost_add(&books->charged[account * n_events + i], call->costs[i],
			      books->model->is_signed))
			return false;
	return true;
}

static bool charge_all(struct books *books)
{
	const struct model *model = books->model;

	for (uint32_t i = 0; i < model->n_functions; i++)
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			struct model_cursor cursor;
			struct model_call call;

			model_calls(model, i, part, &cursor);
			while (model_next_call(&cursor, &call))
				if (!charge(books, i, &call))
					return false;
		}
	return true;
}

/* Some function of an account. */
static uint32_t function_of(const struct books *books, size_t account)
{
	uint32_t i = 0;

	if (account < books->model->n_functions)
		return (uint32_t)account;
	while (account_of(books, i) != account)
		i++;
	return i;
}

static void compare(struct balance *balance, const struct books *books, size_t account)
{
	const uint64_t *spent = spent_by(books, account);
	const uint64_t *charged = books->charged + account * books->model->n_events;
	bool is_signed = books->model->is_signed;
	bool is_partly = false;

	for (size_t i = 0; i < books->model->n_events; i++) {
		is_partly |= cost_less(charged[i], spent[i], is_signed);
		if (!cost_less(spent[i], charged[i], is_signed))
			continue;
		if (balance->n_faults < BALANCE_MAX_FAULTS)
			balance->faults[balance->n_faults] =
				(struct balance_fault){ function_of(books, account), i, spent[i],
							charged[i] };
		balance->n_faults++;
		return;
	}
	balance->n_partly += is_partly;
}

static void compare_all(struct balance *balance, const struct books *books)
{
	for (size_t i = 0; i < books->n_accounts; i++) {
		/* A member of a circle has no account of its own. */
		if (i < books->model->n_functions && books->inclusive.cycle[i] > 0)
			continue;
		if (books->is_called[i])
			compare(balance, books, i);
		else
			balance->n_roots++;
	}
}

int balance_find(struct balance *balance, const struct model *model)
{
	struct books books = { .model = model };
	int status = inclusive_compute(&books.inclusive, model, NULL);

	*balance = (struct balance){ 0 };
	if (!status) {
		books.n_accounts = model->n_functions + books.inclusive.n_cycles;
		books.charged = heap_zeroed(model->env, books.n_accounts * model->n_events,
					    sizeof(*books.charged));
		books.is_called = heap_zeroed(model->env, books.n_accounts, sizeof(bool));
		if (!books.charged || !books.is_called)
			status = PROFILE_NO_MEMORY;
	}
	if (!status && !charge_all(&books))
		status = PROFILE_RANGE;
	if (!status)
		compare_all(balance, &books);
	model->env->release(model->env->ctx, books.charged);
	model->env->release(model->env->ctx, books.is_called);
	inclusive_release(&books.inclusive);
	return status;
}
