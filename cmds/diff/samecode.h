/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions that mean the same code in both profiles of a difference: a visitor that takes
 * off of positions what code that was built again does not share, so that a subtraction
 * meets at what is left.
 *
 * Addresses are the same code where both have the object in the same build, by its build-id.
 * Elsewhere lines are, of a function in a source file, if the first line that has a cost is
 * the same in both, and the last one is too.  If either is another one, lines were added or
 * removed, or all have moved: the function's costs and calls are then of one line, the first
 * that NEW has.  (Lines between that moved and came to no other end cannot be told.)
 */
#ifndef CMDS_DIFF_SAMECODE_H
#define CMDS_DIFF_SAMECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/difference.h"
#include "profile/common/visitor.h"

struct samecode_extent; /* the lines of a function in one source file, on both sides */

/* Fields are private, but filter.visitor; not to be moved. */
struct samecode {
	struct visitor_filter filter;
	const struct difference *difference;
	bool is_new;                     /* which model is walked */
	bool has_addresses;              /* some object is the same build in both */
	uint32_t objects[2];             /* the numbers in OLD and NEW that were compared last */
	bool is_same_build;              /* what came out */
	uint32_t function;               /* at work, of the model that is walked */
	bool keeps_addresses;            /* of it */
	struct samecode_extent *extents; /* of it, owned */
	size_t n_extents, capacity;
	const struct samecode_extent *extent; /* of the source at work; NULL = positions stay */
	struct part part;
};

/*
 * For a walk of the difference's NEW model, or its OLD one; all but jumps, which are left out, is
 * forwarded to `to` (borrowed).  Positions of parts become what is left: lines, and addresses if
 * any are the same code; other addresses are 0.  OLD's calls have a count of 0, so that sums have
 * NEW's, and no call has a target.  Memory is the difference's env's.
 */
void samecode_init(struct samecode *same, const struct difference *difference, bool is_new,
		   const struct visitor *to);
void samecode_release(struct samecode *same);

#endif
