/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to profile/: cursors on one segment, before a function has only one of each part. */
#ifndef PROFILE_MODEL_CURSOR_H
#define PROFILE_MODEL_CURSOR_H

#include "profile/model/model.h"

/* The segment that a function has of a part, in a model that is finished; NULL if none. */
const struct model_segment *cursor_segment(const struct model *model, uint32_t function,
					   uint32_t part);

/* Each sets a cursor to a segment's lines, calls or jumps; segment may be NULL: none. */
void cursor_enter_lines(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment);
void cursor_enter_calls(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment);
void cursor_enter_jumps(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment);

#endif
