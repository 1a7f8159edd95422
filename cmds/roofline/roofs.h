/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofs of a machine: what one core of it does at most in a cycle (lines "roof" of its text), and what that makes of a function. */
#ifndef CMDS_ROOFLINE_ROOFS_H
#define CMDS_ROOFLINE_ROOFS_H

#include <stdbool.h>

#include "cmds/roofline/traffic.h"
#include "profile/model/model.h"
#include "sim/machines/machinefile.h"

struct roofs {
	char machine[MACHINEFILE_NAME_SIZE]; /* its name; empty: there is none, and no roof */
	double peak[N_TRAFFIC_KINDS];        /* operations a cycle; 0 = not known */
	double bytes[N_TRAFFIC_PLACES];      /* bytes a cycle; 0 = not known */
};

/* What a function is bound by. */
enum roof_bound {
	BOUND_BY_NOTHING, /* no roof is known */
	BOUND_BY_OPERATIONS,
	BOUND_BY_PLACE, /* and those behind it: enum traffic_place */
};

void roofs_init(struct roofs *roofs); /* without a machine */
void roofs_of(struct roofs *roofs, const struct machinefile *machine);

/*
 * Those of the built-in machine that a profile was made for ("desc: Machine:"); none if it says none, or another
 * one.  False if memory ran out.
 */
bool roofs_of_profile(struct roofs *roofs, const struct model *model);

/*
 * The most operations in a cycle that a row's mix of precisions and its bytes leave, and what bounds it; 0 if no
 * roof is known.  What is moved and computed may overlap: the slowest of them decides.
 */
double roofs_attainable(const struct roofs *roofs, const struct traffic *traffic,
			const struct traffic_row *row, int *bound);

#endif
