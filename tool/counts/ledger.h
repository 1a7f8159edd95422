/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where live counters stand.
 *
 * A *unit* is code whose counters lie together: a function's, or some of an
 * object's code without symbols.  It hands out *slots*, small numbers, to the
 * blocks translated from it.  A *ledger* holds the counters of one unit in
 * one context: an array in which each slot has its place.  Generated code
 * finds the array of the moment by one word, hot->counts, so that code is
 * translated once however many contexts it runs in.
 */
#ifndef TOOL_COUNTS_LEDGER_H
#define TOOL_COUNTS_LEDGER_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct context;
struct function;
struct ledger;

/* Numbers 0 .. n-1, of which some were given back. */
struct slot_pool {
	UInt n;
	UInt n_free, room;
	struct slot_range {
		UInt first, n;
	} * free;
};

struct unit {
	UInt number;                     /* 1.. */
	const struct function *function; /* code without symbols: its section of its object */
	struct slot_pool counts;         /* bumped by generated code */
	struct slot_pool misses;         /* counted by C, at need: most code never misses */
	struct ledger *ledgers;
};

struct ledger {
	struct ledger *next; /* the hash table's */
	UWord key;
	struct ledger *next_of_unit;
	struct context *context;
	struct unit *unit;
	ULong number;  /* of the unit */
	ULong *counts; /* one a slot of unit->counts; NULL without any */
	ULong *misses; /* of unit->misses those below n_misses; the others are 0 */
	UInt n_counts, n_misses;
};

struct ledgers {
	VgHashTable *table;
	UInt n_units;
};

void ledgers_init(struct ledgers *ledgers);

/* A new unit; never freed. */
struct unit *unit_new(struct ledgers *ledgers, const struct function *function);

/*
 * Gives n (1 or more) slots in a row, of which the first is returned.  Their
 * counts are 0 in every ledger.  May move the counts of ledgers: only while
 * no generated code runs, and hot->counts is to be loaded again.
 */
UInt unit_add_counts(struct unit *unit, UInt n);

/* The same for slots of misses; nothing moves. */
UInt unit_add_misses(struct unit *unit, UInt n);

/* Gives slots back; their counts must be 0 in every ledger. */
void unit_remove_counts(struct unit *unit, UInt first, UInt n);
void unit_remove_misses(struct unit *unit, UInt first, UInt n);

/* The ledger of a unit in a context, made if there is none; never freed. */
struct ledger *ledger_find(struct ledgers *ledgers, struct context *context, struct unit *unit);

/* Adds 1 to the counts of n (1 or more) slots of misses, from first on. */
void ledger_add_misses(struct ledger *ledger, UInt first, UInt n);

/* Takes what a slot of misses has and leaves 0. */
ULong ledger_take_misses(struct ledger *ledger, UInt slot);

#endif
