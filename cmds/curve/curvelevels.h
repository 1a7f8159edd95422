/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The levels of caches of all machines that are built in. */
#ifndef CMDS_CURVE_CURVELEVELS_H
#define CMDS_CURVE_CURVELEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CURVELEVELS_MOST = 128 };

struct curvelevel {
	const char *machine, *name; /* "zen4", "L2"; static */
	uint64_t size;              /* bytes */
};

/* Those of one machine follow on each other, the first level (of data) first. */
struct curvelevels {
	size_t n;
	struct curvelevel all[CURVELEVELS_MOST];
};

void curvelevels_init(struct curvelevels *levels);

/*
 * Of each machine the first level that has a size, or (holds is false) the last before it that has not, but
 * for the first level, which is too small for nearly all that a curve shows.  By size, then in order.
 */
void curvelevels_choose(const struct curvelevels *levels, uint64_t size, bool holds,
			struct curvelevels *chosen);

/* By size; of one size the order stays. */
void curvelevels_sort(struct curvelevels *levels);

#endif
