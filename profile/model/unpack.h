/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to profile/: the way of a packed segment back into a block, to be sorted once more. */
#ifndef PROFILE_MODEL_UNPACK_H
#define PROFILE_MODEL_UNPACK_H

#include "profile/model/block.h"
#include "profile/model/pack.h"

/* What to have in place of the numbers in a segment, by number; NULL: the numbers. */
struct unpack_ranks {
	const uint32_t *files, *functions, *names;
};

/* Adds what a segment (NULL: nothing) of a function has to a block.  Returns a status. */
int unpack_segment(struct block *block, const struct model *model,
		   const struct model_function *function, const struct model_segment *segment,
		   const struct unpack_ranks *ranks);

#endif
