/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathers calls by where they are made, a line or an instruction: added up by callee, those
 * that cost most first.
 */
#ifndef CMDS_CODE_CALLWORK_H
#define CMDS_CODE_CALLWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/listing/column.h"
#include "profile/common/arena.h"
#include "profile/model/model.h"

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

/*
 * Adds a call that is made at a line or address in a place: of a file, or a stretch of code.
 * Returns a status.
 */
int callwork_add(struct callwork *work, size_t place, uint64_t at, const struct model_call *call);

/* Makes one of the calls of one function from one point.  Returns a status. */
int callwork_merge(struct callwork *work);

/*
 * Gives the calls of a point, in the arena; after merging, and by ascending place, then point, each
 * point that has calls once.  False if memory ran out; *calls and *n stay if there are none.
 */
bool callwork_give(struct callwork *work, size_t place, uint64_t at,
		   const struct annotated_call **calls, size_t *n);

#endif
