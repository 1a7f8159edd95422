/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/counters.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum {
	ROOM_STEP = 8, /* counts: arrays grow by at least this many */
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

/* Adds free slots to a free range that they touch; False if there is none. */
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

/* Makes room for n counts, with some to spare; new ones are 0. */
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

struct unit *unit_new(struct counter_sets *counter_sets, const struct function *function)
{
	struct unit *unit = VG_(perm_malloc)(sizeof(*unit), 8);

	*unit = (struct unit){ .number = ++counter_sets->n_units, .function = function };
	return unit;
}

UInt unit_add_counts(struct unit *unit, UInt n)
{
	UInt first = pool_add(&unit->counts, n);

	for (struct counter_set *counters = unit->counter_sets; counters != NULL;
	     counters = counters->next_of_unit)
		counters->counts = make_room(counters->counts, &counters->n_counts, unit->counts.n);
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

void counter_sets_init(struct counter_sets *counter_sets)
{
	*counter_sets =
		(struct counter_sets){ .table = VG_(HT_construct)("costgrind.counter_sets") };
}

static Word compare_ends(const void *a, const void *b)
{
	const struct counter_set *left = a, *right = b;

	return left->context != right->context || left->unit != right->unit;
}

struct counter_set *counter_set_find(struct counter_sets *counter_sets, struct context *context,
				     struct unit *unit)
{
	const struct counter_set wanted = {
		.key = (Addr)context * 31 + (Addr)unit,
		.context = context,
		.unit = unit,
		.number = unit->number,
	};
	struct counter_set *counters =
		VG_(HT_gen_lookup)(counter_sets->table, &wanted, compare_ends);

	if (counters != NULL)
		return counters;
	counters = VG_(perm_malloc)(sizeof(*counters), 8);
	*counters = wanted;
	counters->next_of_unit = unit->counter_sets;
	counters->counts = make_room(NULL, &counters->n_counts, unit->counts.n);
	unit->counter_sets = counters;
	VG_(HT_add_node)(counter_sets->table, counters);
	return counters;
}

void counter_set_grow_misses(struct counter_set *counters, UInt n)
{
	counters->misses = make_room(counters->misses, &counters->n_misses, n);
}

ULong counter_set_take_misses(struct counter_set *counters, UInt slot)
{
	ULong count;

	if (slot >= counters->n_misses)
		return 0;
	count = counters->misses[slot];
	counters->misses[slot] = 0;
	return count;
}
