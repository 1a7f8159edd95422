/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to profile/: cursors on one segment, before a function has only one of each part; and
 * the way of a segment back into a buffer, to be sorted once more.
 */
#ifndef PROFILE_MODEL_CURSOR_H
#define PROFILE_MODEL_CURSOR_H

#include "profile/model/cost_buffer.h"
#include "profile/model/model.h"

/* The segment that a function has of a part, in a model that is finished; NULL if none. */
const struct model_segment *cursor_segment(const struct model *model, uint32_t function,
					   uint32_t part);

/* What to have in place of the numbers in a segment, by number; NULL: the numbers. */
struct unpack_ranks {
	const uint32_t *files, *functions, *names;
};

/* Adds what a segment (NULL: nothing) of a function has to a buffer.  Returns a status. */
int unpack_segment(struct cost_buffer *buffer, const struct model *model,
		   const struct model_function *function, const struct model_segment *segment,
		   const struct unpack_ranks *ranks);

#endif
