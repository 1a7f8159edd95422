/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live counters.
 *
 * A *unit* is code whose counters are in one array: a function's, or some of an object's code
 * without symbols. It hands out *slots*, small numbers, to the blocks translated from it. A
 * *counter set* holds the counters of one unit in one context: an array in which each slot has its
 * place. Generated code finds the current array by one word, hot->counts, so that code is
 * translated once however many contexts it runs in.
 */
#ifndef TOOL_COUNTS_COUNTERS_H
#define TOOL_COUNTS_COUNTERS_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/basics.h"

struct context;
struct function;
struct counter_set;

/* Numbers 0 .. n-1; some may be free again. */
struct slot_pool {
	UInt n;
	UInt n_free, room;
	struct slot_range {
		UInt first, n;
	} * free;
};

/* Entries in a table of computed jumps: addresses, indexed by their lowest bits. */
enum { UNIT_TARGETS = 1024 };

struct unit {
	UInt number;                     /* 1.. */
	const struct function *function; /* code without symbols: its section of its object */
	struct slot_pool counts;         /* incremented by generated code */
	struct slot_pool misses; /* counted by C, made when needed: most code never misses */
	struct counter_set *counter_sets;
	/*
	 * Targets of computed jumps that need not be reported (tool/counts/block.h): UNIT_TARGETS
	 * of them, in hot memory; NULL: the unit has no computed jumps.
	 */
	Addr *targets;
};

struct counter_set {
	struct counter_set *next; /* the hash table's */
	UWord key;
	struct counter_set *next_of_unit;
	struct context *context;
	struct unit *unit;
	ULong number;  /* of the unit */
	ULong *counts; /* one for each slot of unit->counts; NULL if it has none */
	ULong *misses; /* for slots of unit->misses below n_misses; the others are 0 */
	UInt n_counts, n_misses;
};

struct counter_sets {
	VgHashTable *table;
	UInt n_units;
};

void counter_sets_init(struct counter_sets *counter_sets);

/* A new unit; never freed. */
struct unit *unit_new(struct counter_sets *counter_sets, const struct function *function);

/*
 * Returns the first of n (1 or more) new slots in a row, whose counts are 0 in every counter set.
 * May move the counts of counter sets: call it only while no generated code runs, and load
 * hot->counts again.
 */
UInt unit_add_counts(struct unit *unit, UInt n);

/* The same for slots of misses; moves nothing. */
UInt unit_add_misses(struct unit *unit, UInt n);

/* Frees slots; their counts must be 0 in every counter set. */
void unit_remove_counts(struct unit *unit, UInt first, UInt n);
void unit_remove_misses(struct unit *unit, UInt first, UInt n);

/* The counter set of a unit in a context, made if there is none; never freed. */
struct counter_set *counter_set_find(struct counter_sets *counter_sets, struct context *context,
				     struct unit *unit);

/* Makes room for slots of misses below n. */
void counter_set_grow_misses(struct counter_set *counters, UInt n);

/* Adds 1 to the counts of n (1 or more) slots of misses, from first on. */
static inline void counter_set_add_misses(struct counter_set *counters, UInt first, UInt n)
{
	if (__builtin_expect(first + n > counters->n_misses, 0))
		counter_set_grow_misses(counters, first + n);
	for (UInt slot = first; slot < first + n; slot++)
		counters->misses[slot]++;
}

/* Prefetches a slot of misses on the host, as it will probably be added to. Changes nothing. */
static ALWAYS_INLINED void counter_set_prepare(const struct counter_set *counters, UInt slot)
{
	if (slot < counters->n_misses)
		__builtin_prefetch(&counters->misses[slot], 1);
}

/* Adds a waiting time to one slot of misses. */
static inline void counter_set_add_wait(struct counter_set *counters, UInt slot, ULong amount)
{
	if (__builtin_expect(slot + 1 > counters->n_misses, 0))
		counter_set_grow_misses(counters, slot + 1);
	counters->misses[slot] += amount;
}

/* Returns a slot of misses and sets it to 0. */
ULong counter_set_take_misses(struct counter_set *counters, UInt slot);

#endif
