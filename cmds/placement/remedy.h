/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do about a loop that touches too many fetch windows. */
#ifndef CMDS_PLACEMENT_REMEDY_H
#define CMDS_PLACEMENT_REMEDY_H

#include <stdbool.h>

#include "cmds/code/codeobject.h"
#include "cmds/placement/loops.h"
#include "profile/common/arena.h"

struct remedy {
	unsigned alignment;          /* of the loop, that is enough */
	unsigned function_alignment; /* of its function, if that is enough; 0 = it is not */
	const char *text;            /* one line, no full stop; the arena's */
};

/*
 * Finds it for a loop of an object, in a source file of this name (NULL = not known).  False if memory ran
 * out.
 */
bool remedy_find(struct remedy *remedy, const struct loop *loop, const char *file,
		 const struct code_object *object, struct arena *arena);

#endif
