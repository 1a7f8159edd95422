/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branch predictors of a run: Cachegrind's (sim/machinelayout.h), or a machine's
 * (sim/branches/predictor.h), which are here; and the calls of C for its branches.
 */
#ifndef TOOL_SIMULATE_BRANCHING_H
#define TOOL_SIMULATE_BRANCHING_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/branches/predictor.h"
#include "tool/counts/block.h"

struct hot_memory;
struct site;

/* What --branch-model asks for. */
enum branch_model {
	BRANCH_MODEL_OF_MACHINE,
	BRANCH_MODEL_CACHEGRIND,
	BRANCH_MODEL_TAGE, /* as large as the machine's */
	BRANCH_MODEL_TAGE_8K,
	BRANCH_MODEL_TAGE_64K,
	BRANCH_MODEL_EXACT, /* TAGE, as large as the machine's, asked for each branch */
};

enum {
	BRANCHING_TEXT = 160, /* bytes of the text about the predictor */
};

/* What is simulated. */
struct branching_config {
	struct predictor_config predictor; /* predictor.tage is NULL: Cachegrind's, or none */
	const HChar *machine;              /* whose it is, for users; or NULL */
	HChar text[BRANCHING_TEXT]; /* for the profile's header: "TAGE of 8 KB, 32 returns, 8192 targets" */
	Bool has_detail; /* --branch-detail: each conditional branch is looked at by itself, too */
	Bool is_traced;  /* --trace-branches */
};

struct branching {
	struct branching_config config;
	struct predictor *predictor; /* of core 0; NULL: Cachegrind's, or none */
	struct predictor *running;   /* of the core that runs (tool/simulate/threadcores.h) */
	VgHashTable *places;         /* of branches, by key */
	struct hot_memory *memory;
	struct kept_places *kept; /* by branching_keep(), or NULL */
};

/* Makes the predictor, if config, which is filled, has one. */
void branching_init(struct branching *branching, struct hot_memory *memory);

/*
 * Parts of machinestate_clear(), _keep() and _restore() (tool/simulate/machinestate.h), if there is a predictor: its places, and, of
 * the first, itself.  Its own memory is noted there.  The last two not with --branch-detail.
 */
void branching_clear(struct branching *branching);
void branching_keep(struct branching *branching);
void branching_restore(struct branching *branching);

/* The place of a site's instruction, core 0's: the same one for the same key. */
struct branch_place *branching_place(struct branching *branching, const struct site *site);

/* Calls add() for all places. */
void branching_each_place(const struct branching *branching,
			  void (*add)(void *to, struct branch_place *place), void *to);

/*
 * What became of a branch: bits, 1 << enum branch_slot.  Those of the predictor are the first ones
 * (sim/branches/predictor.h).
 */

/* On the running core: an execution of a conditional branch; of an indirect jump or call; of a return; of what is always taken. */
UInt branching_branch(struct branching *branching, struct branch_place *place, Bool taken);
UInt branching_jump(struct branching *branching, struct branch_place *place, Addr target);
UInt branching_return(struct branching *branching, struct branch_place *place, Addr target);
UInt branching_take(struct branching *branching, struct branch_place *place);

/* A call: the return address goes on the stack. */
void branching_call(struct branching *branching, Addr return_address);

/* -- calls of generated code, which count; which is a charge (tool/counts/block.h) ----- */

/* A conditional branch, complete. */
VG_REGPARM(3) void branching_emitted_branch(UWord which, UWord taken, struct branch_place *place);
/* The same of the exact model: the address of the place, plus 1 if the branch is taken. */
VG_REGPARM(2) void branching_emitted_branch_exact(UWord which, UWord place_and_taken);

/* An indirect jump or call; a return. */
VG_REGPARM(3) void branching_emitted_jump(UWord which, Addr target, struct branch_place *place);
VG_REGPARM(3) void branching_emitted_return(UWord which, Addr target, struct branch_place *place);

/* Something is always taken. */
VG_REGPARM(2) void branching_emitted_take(UWord which, struct branch_place *place);

/* A call. */
VG_REGPARM(1) void branching_emitted_call(Addr return_address);

/*
 * Slow paths (predictor_..._slow() of sim/branches/predictor.h).  Generated code sets up their arguments before it knows whether
 * it calls them, so there are few, as in tool/simulate/miss_path.h.  index is the charge's in the block that hot->block names;
 * where it is below MISS_PATHS, there is a function of its own.
 */
struct branch_paths {
	/* The element of the place's plain that is for the outcome. */
	VG_REGPARM(2) void (*branch)(const uint64_t *plain, UWord index);
	VG_REGPARM(2) void (*take)(struct branch_place *place, UWord index);
	VG_REGPARM(3) void (*jump)(struct branch_place *place, Addr target, UWord index);
	VG_REGPARM(3) void (*ret)(struct branch_place *place, Addr target, UWord index);
	VG_REGPARM(1) void (*const *branch_of)(const uint64_t *plain);
	VG_REGPARM(1) void (*const *take_of)(struct branch_place *place);
};

extern const struct branch_paths branch_paths;

#endif
