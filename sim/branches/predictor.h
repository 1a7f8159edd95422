/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branch predictors of a machine: directions (sim/branches/tage.h), targets of indirect jumps and calls
 * (sim/branches/ittage.h), return addresses (sim/branches/returns.h), and which branches the front end knows
 * (sim/branches/targetbuffer.h), in the layout that generated code works on.
 *
 * What is known of a branch instruction goes by its key, a hash of the object's name and the offset in it: so
 * nothing depends on where a library was loaded.  Code that belongs to no object goes by its address.
 *
 * Generated code may, in the place of predictor_branch() and predictor_jump(), do what their twins do, predictor_..._twin(),
 * and nothing else; likewise in the place of predictor_return() and predictor_call().  Tests run both against a naive model.
 * Branches of the exact model (is_exact) have no twin: each execution is predictor_branch().
 */
#ifndef SIM_BRANCHES_PREDICTOR_H
#define SIM_BRANCHES_PREDICTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branches/history.h"
#include "sim/branches/ittage.h"
#include "sim/branches/returns.h"
#include "sim/branches/tage.h"
#include "sim/branches/targetbuffer.h"

struct own_history;

/* A branch instruction: in memory of the caller's, as long as the predictor is there. */
struct branch_place {
	uint64_t key;
	/*
	 * The cell of a conditional branch that is plain (sim/branches/tage.h), by its outcome: 0 and 1; the latter is
	 * BRANCH_UNKNOWN, which no cell is, while the target buffer, or the first of two, does not know the branch.
	 */
	uint64_t plain[2];
	int64_t left;            /* as a conditional branch: executions until C has to look */
	struct jump_cell *jump;  /* as an indirect jump or call */
	struct own_history *own; /* the caller's, NULL at first */
	int8_t bias; /* as a conditional branch: what new cells say, or the exact model's base counter */
	uint8_t made;      /* likewise, of the exact model: bit t: an entry was made in table t */
	bool is_known_far; /* the target buffer, or the second of two, knows it */
};

enum {
	BRANCH_KNOWN = TAGE_CELL_DIRECTION,
	BRANCH_UNKNOWN = 1 << 16,
};

/* True if the target buffer, or the first of two, does not know it. */
static inline bool branch_is_unknown(const struct branch_place *place)
{
	return place->plain[1] != BRANCH_KNOWN;
}

struct predictor_config {
	const struct tage_size *tage;
	const struct ittage_size *ittage;
	bool is_exact;      /* conditional branches and jumps ask the tables without credit */
	unsigned n_returns; /* 1 to RETURNS_MAX_DEPTH */
	unsigned n_targets; /* 1 to TARGETBUFFER_MAX_ENTRIES */
	/*
	 * Of a first, smaller target buffer, by which those can be told that it does not know, but the other one does:
	 * 1 to TARGETBUFFER_MAX_ENTRIES; 0: there is none, or nobody asks.  It forgets what the other one forgets.
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

/* What became of a branch: bits. */
enum {
	PREDICTOR_WRONG = 1,   /* mispredicted */
	PREDICTOR_UNKNOWN = 2, /* it was taken, and the target buffer did not know it */
	PREDICTOR_FAR = 256,   /* it was taken, and only the second target buffer knew it */
};

/* Bytes of memory that a predictor takes. */
size_t predictor_size(const struct predictor_config *config);

/* A predictor in predictor_size() bytes of the caller's, aligned to 64, all zero. */
void predictor_init(struct predictor *predictor, const struct predictor_config *config);

enum { PREDICTOR_NEAR_BITS = 14 };

/*
 * The key of the branch at an offset in an object whose name has that hash (0: none; then it is an address): a hash, but for
 * the lowest PREDICTOR_NEAR_BITS, which are those of the offset, from bit 1 on, plus the hash of the object.  What has
 * no tags goes by these, as in processors: branches that are near each other have cells that are.
 */
uint64_t predictor_key(uint64_t object_hash, uint64_t offset);

/* The hash of len bytes of a name: of what is behind its last '/'. */
uint64_t predictor_object_hash(const char *name, size_t len);

/* Makes the place of a key; there is to be one of each. */
void predictor_add_place(struct predictor *predictor, struct branch_place *place, uint64_t key);

/* A conditional branch, complete. */
unsigned predictor_branch(struct predictor *predictor, struct branch_place *place, bool taken);

/* An indirect jump or call, complete. */
unsigned predictor_jump(struct predictor *predictor, struct branch_place *place, uint64_t target);

/* A return, complete. */
unsigned predictor_return(struct predictor *predictor, struct branch_place *place, uint64_t target);

/* A jump or call to a constant address, or whatever else is always taken: the target buffer sees it. */
unsigned predictor_take(struct predictor *predictor, struct branch_place *place);

/* A call puts the address behind it on the stack of return addresses; beside predictor_jump() or predictor_take(). */
static inline void predictor_call(struct predictor *predictor, uint64_t return_address)
{
	returns_call(&predictor->returns, return_address);
}

/* --- the paths of generated code --------------------------------------------- */

/*
 * What is called for an execution of a branch that is not plain: all of it but that left counts it before, and that
 * the history gets its outcome behind it.
 */
unsigned predictor_branch_slow(struct predictor *predictor, struct branch_place *place, bool taken);

/* The same of an indirect jump or call; place->jump->bits is what the history gets. */
unsigned predictor_jump_slow(struct predictor *predictor, struct branch_place *place,
			     uint64_t target);

/* The same of a return: the stack's top stays. */
unsigned predictor_return_slow(struct predictor *predictor, struct branch_place *place,
			       uint64_t target);

/* Whether an execution of a branch that has that cell, and which left has counted already, is plain (sim/branches/tage.h). */
static inline bool predictor_is_plain(const struct branch_place *place, uint16_t cell, bool taken)
{
	return place->left >= 0 && cell == taken;
}

/*
 * True if C is called for it: it is not plain, or it is taken and unknown.  left has at most TAGE_LEFT_BITS, so that one
 * comparison says both.
 */
static inline bool predictor_is_slow(const struct branch_place *place, uint16_t cell, bool taken)
{
	return place->left < (int64_t)((cell ^ place->plain[taken]) << TAGE_LEFT_BITS);
}

/* A conditional branch as generated code has it. */
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

/* An indirect jump or call as generated code has it. */
static inline unsigned predictor_jump_twin(struct predictor *predictor, struct branch_place *place,
					   uint64_t target)
{
	unsigned result = 0;

	if (place->jump->expected != target || branch_is_unknown(place))
		result = predictor_jump_slow(predictor, place, target);
	history_add(&predictor->history, place->jump->bits, JUMP_BITS);
	return result;
}

/* A return as generated code has it. */
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
