/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run cost in all: what its profile says, if that can be. */
#ifndef CMDS_ANNOTATE_PROGRAM_TOTALS_H
#define CMDS_ANNOTATE_PROGRAM_TOTALS_H

#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/model/model.h"

/* Where the totals come from. */
enum annotation_totals {
	TOTALS_SAID,       /* the files said them, in summary: or totals: */
	TOTALS_CALCULATED, /* they did not: sum of all costs */
	TOTALS_CORRECTED, /* what they said of some events cannot be: there, the sum of all costs */
};

/* Numbers of the model's events, the arena's. */
struct program_totals {
	const uint64_t *costs;
	enum annotation_totals kind;
	const uint64_t *outside; /* of the costs, what no function has; NULL = nothing */
};

/* Of a finished model.  Returns a status; PROFILE_RANGE if a sum is beyond 64 bits. */
int program_totals_make(struct program_totals *totals, const struct model *model,
			struct arena *arena);

/* Warns, by the command's name, if they were corrected. */
void program_totals_warn(const struct program_totals *totals, const char *command);

#endif
