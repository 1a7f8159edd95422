/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of a row's struct by what it cost (typelayout.h): its members, as the source has them. */
#ifndef CMDS_TYPES_TYPEADVICE_H
#define CMDS_TYPES_TYPEADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/types/typecosts.h"
#include "cmds/types/typelayout.h"
#include "profile/common/arena.h"

struct type_advice {
	struct type_layout layout;
	const char **
		names; /* by place in layout.members; those that share bytes, as bit fields do, are one */
	bool is_known; /* else it is no struct, or nothing is in it */
};

/* All memory is the arena's; false if it ran out. */
bool typeadvice_make(struct type_advice *advice, const struct type_costs *costs,
		     const struct type_row *row, struct arena *arena);

#endif
