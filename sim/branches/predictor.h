/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branch predictors of a machine: directions (sim/branches/tage.h), targets of indirect jumps and calls
 * (sim/branches/ittage.h), return addresses, and the target buffer, in the layout that generated code works on.
 *
 * A branch instruction is known by its key, a hash of the object's name and the offset in the object, so that nothing depends on
 * where a library was loaded.  Code that belongs to no object is known by its address.
 *
 * In place of predictor_branch(), predictor_jump() and predictor_return(), generated code may do what the twins
 * (predictor_..._twin()) do, and nothing else; predictor_call() is its own twin.  Tests run both against a naive model.
 * Branches of the exact model (is_exact) have no twin: each execution is a predictor_branch().
 */
#ifndef SIM_BRANCHES_PREDICTOR_H
#define SIM_BRANCHES_PREDICTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branches/ittage.h"
#include "sim/branches/tage.h"

/* -- return addresses ------------------------------------------------------------------------ */

/*
 * The return address stack: a ring.  A call pushes its return address, over the oldest one if the ring is full.  A return is
 * predicted to go to the newest address, and pops it, right or wrong.  So returns are mispredicted beyond the depth of the
 * ring.  A popped place keeps its address (initially 0) and becomes the oldest: returns beyond all calls go round the ring.
 */
enum { RETURNS_MAX_DEPTH = 256 };

struct return_stack {
	uint64_t *top;          /* the newest */
	uint64_t *first, *last; /* places in use of the ring */
	uint64_t ring[RETURNS_MAX_DEPTH];
};

/* depth: 1 to RETURNS_MAX_DEPTH */
static inline void returns_init(struct return_stack *stack, unsigned depth)
{
	stack->first = stack->top = stack->ring;
	stack->last = stack->ring + depth - 1;
}

static inline void returns_call(struct return_stack *stack, uint64_t return_address)
{
	stack->top = stack->top == stack->last ? stack->first : stack->top + 1;
	*stack->top = return_address;
}

/* A return: after comparing its target with *stack->top. */
static inline void returns_pop(struct return_stack *stack)
{
	stack->top = stack->top == stack->first ? stack->last : stack->top - 1;
}

/* -- the target buffer ----------------------------------------------------------------------- */

/*
 * The branch target buffer: which jumps, calls, returns and taken branches the front end knows before it has decoded
 * them.  Its sets are filled first in, first out.  So a lookup changes nothing, and a known branch costs generated code a
 * test of one word.
 *
 * The number of ways is the largest of 8, 4, 2 and 1 that divides the number of entries; the set of a branch is its key modulo
 * the number of sets.
 *
 * Sizes of buffers are published (data/machines/), but no vendor documents their replacement policy.
 */
enum {
	TARGETBUFFER_MAX_WAYS = 8,
	TARGETBUFFER_MAX_ENTRIES = 1 << 20,
};

struct target_set {
	struct branch_place *ways[TARGETBUFFER_MAX_WAYS]; /* NULL: empty */
	uint64_t next;                                    /* the way that is filled next */
};

struct target_buffer {
	struct target_set *sets;
	unsigned n_sets, n_ways;
};

/* -- why a branch is mispredicted ------------------------------------------------------------- */

/*
 * How predictors dedicated to one branch would do: a two-bit counter, and a table of two-bit counters indexed by the last
 * OWN_BITS outcomes of the branch (the local history of Yeh and Patt, "Two-level adaptive training branch prediction",
 * MICRO 1991).  They tell why a branch is mispredicted.  A branch that the counter predicts is biased; one that its own
 * history predicts repeats itself; one that only the machine's predictor gets right depends on other branches.
 *
 * A history that is seen for the first time is predicted by the counter, and gets an entry that says the outcome weakly.
 * The table exists from the first misprediction of the counter on.
 */
enum {
	OWN_BITS = 12,
	OWN_TABLE = 1 << OWN_BITS, /* bytes */
};

struct own_history {
	uint8_t *table; /* by history: 0: not seen; else 1 + a counter.  NULL until the counter is wrong. */
	uint16_t history; /* outcomes, the newest in bit 0 */
	uint8_t counter;  /* 0 to 3, taken from 2 on */
};

enum {
	OWN_COUNTER_WRONG = 1,
	OWN_HISTORY_WRONG = 2,
};

/* The counter says "not taken", weakly. */
static inline void own_history_init(struct own_history *own)
{
	*own = (struct own_history){ .counter = 1 };
}

/* True if the caller must provide the table before this outcome: OWN_TABLE bytes, all zero. */
static inline bool own_history_needs_table(const struct own_history *own, bool taken)
{
	return own->table == 0 && (own->counter >= 2) != taken;
}

static inline uint8_t own_history_step(uint8_t counter, bool taken)
{
	if (taken)
		return counter < 3 ? (uint8_t)(counter + 1) : counter;
	return counter > 0 ? (uint8_t)(counter - 1) : counter;
}

/* Predicts, then learns an outcome.  Returns what was wrong: bits OWN_..._WRONG. */
static inline unsigned own_history_predict(struct own_history *own, bool taken)
{
	const bool by_counter = own->counter >= 2;
	bool by_history = by_counter;

	if (own->table != 0) {
		uint8_t *entry = &own->table[own->history];
		const uint8_t known = *entry == 0 ? (taken ? 1 : 2) : (uint8_t)(*entry - 1);

		if (*entry != 0)
			by_history = known >= 2;
		*entry = (uint8_t)(own_history_step(known, taken) + 1);
	}
	own->counter = own_history_step(own->counter, taken);
	own->history = (uint16_t)((own->history << 1 | taken) & (OWN_TABLE - 1));
	return (by_counter != taken ? OWN_COUNTER_WRONG : 0U) |
	       (by_history != taken ? OWN_HISTORY_WRONG : 0U);
}

/* -- the whole -------------------------------------------------------------------------------- */

/* A branch instruction.  Owned by the caller, who keeps it as long as the predictor. */
struct branch_place {
	uint64_t key;
	/*
	 * The cell of a plain conditional branch (sim/branches/tage.h), by its outcome: 0 and 1.  The latter is
	 * BRANCH_UNKNOWN, which no cell is, while the (first) target buffer does not know the branch.
	 */
	uint64_t plain[2];
	int64_t left;            /* conditional branches: executions until C has to look */
	struct jump_cell *jump;  /* indirect jumps and calls */
	struct own_history *own; /* set and owned by the caller; initially NULL */
	int8_t bias; /* conditional branches: the direction of new cells, or the exact model's base counter */
	uint8_t made; /* conditional branches of the exact model: bit t: an entry was made in table t */
	bool is_known_far; /* the (second) target buffer knows it */
};

enum {
	BRANCH_KNOWN = TAGE_CELL_DIRECTION,
	BRANCH_UNKNOWN = 1 << 16,
};

/* True if the (first) target buffer does not know it. */
static inline bool branch_is_unknown(const struct branch_place *place)
{
	return place->plain[1] != BRANCH_KNOWN;
}

struct predictor_config {
	const struct tage_size *tage;
	const struct ittage_size *ittage;
	bool is_exact;      /* the exact model: tables are always asked */
	unsigned n_returns; /* 1 to RETURNS_MAX_DEPTH */
	unsigned n_targets; /* 1 to TARGETBUFFER_MAX_ENTRIES */
	/*
	 * Entries of a first, smaller target buffer, 1 to TARGETBUFFER_MAX_ENTRIES; 0: there is none, or its misses
	 * (PREDICTOR_FAR) do not matter.  It forgets what the second one forgets.
	 */
	unsigned n_near_targets;
};

struct predictor {
	struct branch_history history;
	struct return_stack returns;
	struct tage tage;
	struct ittage ittage;
	struct target_buffer targets, near_targets;
	bool has_near_targets;
	bool is_exact;
};

/* The result of a branch: bits. */
enum {
	PREDICTOR_WRONG = 1,   /* mispredicted */
	PREDICTOR_UNKNOWN = 2, /* taken, and the target buffer did not know it */
	PREDICTOR_FAR = 256,   /* taken, and only the second target buffer knew it */
};

/* Bytes of memory that a predictor needs. */
size_t predictor_size(const struct predictor_config *config);

/* Makes a predictor in predictor_size() bytes of the caller's, aligned to 64, all zero. */
void predictor_init(struct predictor *predictor, const struct predictor_config *config);

enum { PREDICTOR_NEAR_BITS = 14 };

/*
 * The key of the branch at an offset in an object whose name has this hash (0: no object, and offset is an address).  It is a
 * hash, except for the lowest PREDICTOR_NEAR_BITS: these are bits of the offset, from bit 1 on, plus the object's hash.  Tables
 * without tags are indexed by them, so that neighboring branches have neighboring cells, as in processors.
 */
uint64_t predictor_key(uint64_t object_hash, uint64_t offset);

/* The hash of a name of len bytes: of what follows its last '/'. */
uint64_t predictor_object_hash(const char *name, size_t len);

/* Initializes the place of a key; there may be only one for each key. */
void predictor_add_place(struct predictor *predictor, struct branch_place *place, uint64_t key);

/* A conditional branch, complete. */
unsigned predictor_branch(struct predictor *predictor, struct branch_place *place, bool taken);

/* An indirect jump or call, complete. */
unsigned predictor_jump(struct predictor *predictor, struct branch_place *place, uint64_t target);

/* A return, complete. */
unsigned predictor_return(struct predictor *predictor, struct branch_place *place, uint64_t target);

/* A jump or call to a constant address, or anything else that is always taken: only the target buffer sees it. */
unsigned predictor_take(struct predictor *predictor, struct branch_place *place);

/* A call pushes its return address, in addition to predictor_jump() or predictor_take(). */
static inline void predictor_call(struct predictor *predictor, uint64_t return_address)
{
	returns_call(&predictor->returns, return_address);
}

/* -- the paths of generated code ---------------------------------------------- */

/*
 * All of an execution that is not plain, except that the caller has counted it in left before, and adds its outcome to the
 * history afterwards.
 */
unsigned predictor_branch_slow(struct predictor *predictor, struct branch_place *place, bool taken);

/* The same for an indirect jump or call; the caller adds place->jump->bits to the history. */
unsigned predictor_jump_slow(struct predictor *predictor, struct branch_place *place,
			     uint64_t target);

/* The same for a return; the caller pops the stack afterwards. */
unsigned predictor_return_slow(struct predictor *predictor, struct branch_place *place,
			       uint64_t target);

/* True if an execution is plain (sim/branches/tage.h).  cell: the branch's; left has counted the execution already. */
static inline bool predictor_is_plain(const struct branch_place *place, uint16_t cell, bool taken)
{
	return place->left >= 0 && cell == taken;
}

/*
 * True if C must be called: it is not plain, or it is taken and unknown.  left has at most TAGE_LEFT_BITS, so one comparison
 * covers both.
 */
static inline bool predictor_is_slow(const struct branch_place *place, uint16_t cell, bool taken)
{
	return place->left < (int64_t)((cell ^ place->plain[taken]) << TAGE_LEFT_BITS);
}

/* A conditional branch in generated code. */
static inline unsigned predictor_branch_twin(struct predictor *predictor,
					     struct branch_place *place, bool taken)
{
	const uint16_t *cell = tage_cell(&predictor->tage, &predictor->history, place->key);
	unsigned result = 0;

	place->left--;
	if (predictor_is_slow(place, *cell, taken))
		result = predictor_branch_slow(predictor, place, taken);
	history_add(&predictor->history, taken, 1);
	return result;
}

/* An indirect jump or call in generated code. */
static inline unsigned predictor_jump_twin(struct predictor *predictor, struct branch_place *place,
					   uint64_t target)
{
	unsigned result = 0;

	if (place->jump->expected != target || branch_is_unknown(place))
		result = predictor_jump_slow(predictor, place, target);
	history_add(&predictor->history, place->jump->bits, JUMP_BITS);
	return result;
}

/* A return in generated code. */
static inline unsigned predictor_return_twin(struct predictor *predictor,
					     struct branch_place *place, uint64_t target)
{
	unsigned result = 0;

	if (*predictor->returns.top != target || branch_is_unknown(place))
		result = predictor_return_slow(predictor, place, target);
	returns_pop(&predictor->returns);
	return result;
}

#endif
