/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions of a profile that a hot loop can be of: by address, whatever functions, callers and levels of
 * recursion have them, inlined ones too.
 *
 * A loop of LOOP_MOST_BYTES lies in one or two blocks of as many bytes, so one of the two has half of its
 * cost.  Kept are these blocks and their neighbours, which are little code, however large the program is.
 */
#ifndef CMDS_PLACEMENT_HOTCODE_H
#define CMDS_PLACEMENT_HOTCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/metric.h"
#include "profile/common/int128.h"
#include "profile/model/model.h"

enum { HOT_LEAST = 2 }; /* percent of all, of a loop that is hot */

struct hot_instruction {
	uint32_t object, function; /* the first one of the profile that has it */
	uint32_t file;
	uint64_t address, line; /* line 0 = not known */
	uint64_t executed;      /* Ir */
	uint64_t taken;         /* Bct, if it was recorded */
	int128 cost;
	/* Of jumps that were recorded; in a conditional one all that were executed. */
	uint64_t target, followed, passed;
	enum { JUMP_NONE, JUMP_ALWAYS, JUMP_CONDITIONAL, JUMP_SEVERAL } jump; /* several targets */
};

/* Fields are for reading.  {0} may be released. */
struct hot_code {
	struct hot_instruction *instructions; /* owned; by object, then address */
	size_t n, capacity;
	int128 whole;   /* cost of the run */
	bool has_jumps; /* in the profile */
	bool has_taken; /* Bct is an event of it */
};

/*
 * Gathers them of a finished model with instructions and the event Ir, whose counts are not signed, by what they cost
 * of a metric of the model's.  Returns a status.  To be released in any case.
 */
int hotcode_make(struct hot_code *code, const struct model *model, const struct metric *metric);
void hotcode_release(struct hot_code *code);

/* Whether a cost is that of a hot loop. */
static inline bool hotcode_is_hot(const struct hot_code *code, int128 cost)
{
	return cost > 0 && cost * 100 >= code->whole * HOT_LEAST;
}

/* The first instruction at an address of an object or behind it; n if there is none. */
size_t hotcode_find(const struct hot_code *code, uint32_t object, uint64_t address);

/* The instruction at an address; NULL if it is not there. */
const struct hot_instruction *hotcode_at(const struct hot_code *code, uint32_t object,
					 uint64_t address);

#endif
