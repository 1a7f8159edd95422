/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs, calls and jumps of the instructions in stretches of code: of all functions of the
 * profile that have code there, whatever their callers and levels of recursion, and
 * inlined ones.
 */
#ifndef CMDS_CODE_CODEWORK_H
#define CMDS_CODE_CODEWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/code/callwork.h"
#include "cmds/code/codechoice.h"
#include "cmds/listing/listing.h"

struct code_jump {
	uint64_t target;
	uint64_t followed, executed; /* equal if it is not conditional */
	bool is_conditional;
	bool is_recorded; /* in the profile; else all that is known is where it goes to */
};

/* An instruction of which something is recorded. */
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
