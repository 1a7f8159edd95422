/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs, calls and jumps of the instructions in stretches of code, and which stretches are wanted: of all functions of the
 * profile that have code there, whatever their callers and levels of recursion, and inlined ones.
 */
#ifndef CMDS_CODE_CODEWORK_H
#define CMDS_CODE_CODEWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/listing/listing.h"
#include "cmds/object/codeobject.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* -- which code ------------------------------------------------------------------ */

/* What is wanted of an object: sorted by start, each once. */
struct code_wish {
	uint32_t object;
	struct code_stretch stretch;
	bool is_named; /* by the user: whatever it costs */
};

/* Arrays are the struct's. */
struct code_choice {
	struct code_wish *wishes; /* by object, then start */
	size_t n, capacity;
	uint64_t *unplaced; /* the arena's: costs of the functions chosen that have no address */
};

/*
 * Adds what a word of the user's means; *found says if it is anything:
 *
 *	NAME        functions of that name; of several files, with any parameters, callers and
 *	            level of recursion; * matches any characters, ? one
 *	0xADDRESS   the function there, in each object that has costs there; OBJECT:0xADDRESS,
 *	            an object called by its name or its last components
 *	FILE:LINE   the functions that have code of this line, FILE called the same way
 *
 * Returns a status.
 */
int code_choice_add(struct code_choice *choice, const struct basis *basis,
		    struct code_objects *objects, const char *word, bool *found);

/* Adds a function of the model; returns a status. */
int code_choice_add_function(struct code_choice *choice, const struct basis *basis,
			     struct code_objects *objects, uint32_t function);

/* Sorts what was added.  code_choice_release() may be called at any time, of one that was {0}. */
void code_choice_finish(struct code_choice *choice);
void code_choice_release(struct code_choice *choice);

/* The wish that an address of an object is in, or NULL. */
const struct code_wish *code_choice_find(const struct code_choice *choice, uint32_t object,
					 uint64_t address);

/* -- calls ------------------------------------------------------------------------ */

/* By where they are made, a line or an instruction: added up by callee, those that cost most first. */

/* Calls of one function from one line. */
struct annotated_call {
	uint32_t callee;
	uint64_t count;
	const uint64_t *costs; /* inclusive */
};

struct callwork_call;

/* Set the first three, the rest is 0 and private. */
struct callwork {
	const struct model *model;
	const struct columns *columns;
	struct arena *arena; /* of what is given */
	struct callwork_call *calls;
	size_t n, capacity;
	size_t next; /* to be given */
};

void callwork_release(struct callwork *work);

/* Adds a call that is made at a line or address in a place: of a file, or a stretch of code. */
void callwork_add(struct callwork *work, size_t place, uint64_t at, const struct model_call *call);

/* Makes one of the calls of one function from one point.  Returns a status. */
int callwork_merge(struct callwork *work);

/*
 * Gives the calls of a point, in the arena; after merging, and by ascending place, then point, each
 * point that has calls once.  *calls and *n stay if there are none.
 */
void callwork_give(struct callwork *work, size_t place, uint64_t at,
		   const struct annotated_call **calls, size_t *n);

/* -- costs of instructions -------------------------------------------------------- */

struct code_jump {
	uint64_t target;
	uint64_t followed, executed; /* equal if it is not conditional */
	bool is_conditional;
	bool is_recorded; /* in the profile; else all that is known is where it goes to */
};

/* An instruction that something is recorded for. */
struct code_record {
	uint64_t address;
	const uint64_t *costs; /* zeros, if there are only calls or jumps */
	bool has_costs;
	uint32_t file;                      /* of the profile */
	uint64_t line;                      /* 0 = not known */
	const struct annotated_call *calls; /* those that cost most first */
	size_t n_calls;
	const struct code_jump *jumps; /* by target */
	size_t n_jumps;
};

/* Of one wish. */
struct code_records {
	struct code_record *records; /* by address */
	size_t n;
	const uint64_t *costs; /* their sum */
};

/*
 * Fills lists[i] of the choice's wish i, for a choice that is finished; memory is the basis's
 * arena's.  Returns a status.
 */
int codework_gather(struct code_records *lists, const struct code_choice *choice,
		    const struct basis *basis);

#endif
