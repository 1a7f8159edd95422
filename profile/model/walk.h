/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports what is in a finished model to a visitor: the way from a model to any format. */
#ifndef PROFILE_MODEL_WALK_H
#define PROFILE_MODEL_WALK_H

#include "profile/common/visitor.h"
#include "profile/model/model.h"

enum walk_order {
	WALK_AS_READ, /* functions by first appearance */
	/*
	 * By object, file and name, as texts, and what is in a function by the texts
	 * of files and callees: the same whatever the order in which files were read,
	 * and the order of the tool.
	 */
	WALK_BY_NAME,
};

struct walk_options {
	enum walk_order order;
	/*
	 * Reports one part even if the model keeps several apart: its summary and
	 * totals are the sums of theirs, all else of its header is the first one's.
	 * Without separate_parts, this is so anyway.
	 */
	bool one_part;
	bool makes_totals; /* reports totals even if the parts had none: the sums of the costs */
};

/*
 * Reports all of the model, the costs at a position before its calls, these before
 * its jumps.  Keys of names are the model's numbers.  negative() comes first if
 * counts are signed.  summary and totals are there if all parts had them (of the
 * latter, the sums of the costs are reported: they are what was read).
 * Options may be NULL.  Returns a status.
 */
int model_walk(const struct model *model, const struct walk_options *options,
	       const struct visitor *visitor);

/*
 * All functions by object, file and name, as texts: order[i] is the i-th.
 * n_functions numbers, the caller's to free.
 */
uint32_t *model_functions_by_name(const struct model *model);

#endif
