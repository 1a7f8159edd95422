/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data misses by size of cache, as a profile has them in the columns M64K to M256M: where they fall, and
 * from which size on next to none is left.
 *
 *	drop	a size that is missed less than the next smaller one by 10 % of what the smallest misses, or more
 *	knee	drops at sizes next to each other, as one: from the size before the first to the last
 *	fits	the smallest size of whose misses all but the cold ones are at most 5 % of what the smallest
 *		size misses.  Cold misses, of what was never touched before, are spared by no size.  Where
 *		they were not counted (D1cold), they are taken to be what the largest size misses; of that
 *		size itself none are.
 */
#ifndef CMDS_CURVE_MISSCURVE_H
#define CMDS_CURVE_MISSCURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/model/model.h"

enum {
	MISSCURVE_MOST = 32, /* sizes */
	MISSCURVE_DROP = 10, /* percent */
	MISSCURVE_LEFT = 5,  /* percent */
};

struct misscurve_point {
	uint64_t size; /* bytes */
	size_t event;  /* of the model */
	uint64_t misses;
};

/* Numbers of points. */
struct misscurve_knee {
	size_t before, at;
};

struct misscurve {
	size_t n; /* sizes that were recorded, ascending */
	struct misscurve_point points[MISSCURVE_MOST];
	uint64_t weight; /* lines that each one looked at stands for, in the least exact part; 1: exact, 0: not said */
	bool has_references, has_cold;
	uint64_t references; /* reads and writes */
	uint64_t cold;
	uint64_t most; /* misses of any size */
	size_t n_knees;
	struct misscurve_knee knees[MISSCURVE_MOST];
	size_t fits; /* a point, or n: no size that is known to */
};

enum { MISSCURVE_SIZE_TEXT = 32 };

/* "384 KiB", "1.25 MiB" */
void misscurve_size_text(char text[MISSCURVE_SIZE_TEXT], uint64_t size);

/* Finds the columns of a model, and of how many lines they are; returns how many there are.  Nothing else is filled. */
size_t misscurve_find(struct misscurve *curve, const struct model *model);

/* Fills in the rest by costs, one for each event of the model; there is a column at least. */
void misscurve_fill(struct misscurve *curve, const struct model *model, const uint64_t *costs);

#endif
