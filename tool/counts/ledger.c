/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/ledger.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum {
	ROOM_STEP = 8, /* counts; arrays grow by at least so many */
};

static UInt pool_add(struct slot_pool *pool, UInt n)
{
	UInt first = pool->n;

	for (UInt i = 0; i < pool->n_free; i++) {
		struct slot_range *range = &pool->free[i];

		if (range->n < n)
			continue;
		first = range->first;
		range->first += n;
		range->n -= n;
		if (range->n == 0)
			*range = pool->free[--pool->n_free];
		return first;
	}
	pool->n += n;
	return first;
}

/* Adds a range of free slots to one that it touches, if there is one. */
static Bool join(struct slot_pool *pool, UInt first, UInt n)
{
	for (UInt i = 0; i < pool->n_free; i++) {
		struct slot_range *range = &pool->free[i];

		if (range->first != first + n && range->first + range->n != first)
			continue;
		if (range->first > first)
			range->first = first;
		range->n += n;
		return True;
	}
	return False;
}

static void pool_remove(struct slot_pool *pool, UInt first, UInt n)
{
	if (join(pool, first, n))
		return;
	if (pool->n_free == pool->room) {
		pool->room = pool->room == 0 ? ROOM_STEP : pool->room * 2;
		pool->free = VG_(realloc)("costgrind.slots", pool->free,
					  pool->room * sizeof(pool->free[0]));
	}
	pool->free[pool->n_free++] = (struct slot_range){ first, n };
}

/* Makes room for n counts, with some to spare; what is new is 0. */
static ULong *make_room(ULong *counts, UInt *room, UInt n)
{
	UInt before = *room;

	if (n <= before)
		return counts;
	*room = n + n / 4 + ROOM_STEP;
	counts = VG_(realloc)("costgrind.counts", counts, *room * sizeof(*counts));
	VG_(memset)(counts + before, 0, (*room - before) * sizeof(*counts));
	return counts;
}

struct unit *unit_new(struct ledgers *ledgers, const struct function *function)
{
	struct unit *unit = VG_(perm_malloc)(sizeof(*unit), 8);

	*unit = (struct unit){ .number = ++ledgers->n_units, .function = function };
	return unit;
}

UInt unit_add_counts(struct unit *unit, UInt n)
{
	UInt first = pool_add(&unit->counts, n);

	for (struct ledger *ledger = unit->ledgers; ledger != NULL; ledger = ledger->next_of_unit)
		ledger->counts = make_room(ledger->counts, &ledger->n_counts, unit->counts.n);
	return first;
}

UInt unit_add_misses(struct unit *unit, UInt n)
{
	return pool_add(&unit->misses, n);
}

void unit_remove_counts(struct unit *unit, UInt first, UInt n)
{
	pool_remove(&unit->counts, first, n);
}

void unit_remove_misses(struct unit *unit, UInt first, UInt n)
{
	pool_remove(&unit->misses, first, n);
}

void ledgers_init(struct ledgers *ledgers)
{
	*ledgers = (struct ledgers){ .table = VG_(HT_construct)("costgrind.ledgers") };
}

static Word compare_ends(const void *a, const void *b)
{
	const struct ledger *left = a, *right = b;

	return left->context != right->context || left->unit != right->unit;
}

struct ledger *ledger_find(struct ledgers *ledgers, struct context *context, struct unit *unit)
{
	const struct ledger wanted = {
		.key = (Addr)context * 31 + (Addr)unit,
		.context = context,
		.unit = unit,
		.number = unit->number,
	};
	struct ledger *ledger = VG_(HT_gen_lookup)(ledgers->table, &wanted, compare_ends);

	if (ledger != NULL)
		return ledger;
	ledger = VG_(perm_malloc)(sizeof(*ledger), 8);
	*ledger = wanted;
	ledger->next_of_unit = unit->ledgers;
	ledger->counts = make_room(NULL, &ledger->n_counts, unit->counts.n);
	unit->ledgers = ledger;
	VG_(HT_add_node)(ledgers->table, ledger);
	return ledger;
}

void ledger_add_misses(struct ledger *ledger, UInt first, UInt n)
{
	UInt slot = first;

	if (first + n > ledger->n_misses)
		ledger->misses = make_room(ledger->misses, &ledger->n_misses, first + n);
	do
		ledger->misses[slot]++;
	while (++slot < first + n);
}

ULong ledger_take_misses(struct ledger *ledger, UInt slot)
{
	ULong count;

	if (slot >= ledger->n_misses)
		return 0;
	count = ledger->misses[slot];
	ledger->misses[slot] = 0;
	return count;
}
