/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lists and sources are made from. */
#ifndef CMDS_LISTING_BASIS_H
#define CMDS_LISTING_BASIS_H

#include <stdint.h>

#include "cmds/listing/column.h"
#include "profile/analysis/self_costs.h"
#include "profile/common/arena.h"
#include "profile/model/model.h"

struct basis {
	const struct model *model;           /* finished */
	const struct self_costs *self_costs; /* of it */
	const struct columns *columns;
	const uint64_t *totals; /* by event: what percentages are of */
	struct arena *arena;    /* takes what is made */
};

#endif
