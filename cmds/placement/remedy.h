/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do about a loop that touches too many fetch windows. */
#ifndef CMDS_PLACEMENT_REMEDY_H
#define CMDS_PLACEMENT_REMEDY_H

#include <stdbool.h>

#include "cmds/object/codeobject.h"
#include "cmds/placement/loops.h"
#include "profile/common/arena.h"

struct remedy {
	unsigned alignment;          /* of the loop, that is enough */
	unsigned function_alignment; /* of its function, if that is enough; 0 = it is not */
	const char *text;            /* one line, no full stop; the arena's */
};

/* What is known of a loop beside where it is. */
struct remedy_facts {
	const char *file;  /* its source's; NULL = not known */
	uint64_t executed; /* its first instruction, so often */
};

/* Finds it for a loop of an object.  False if memory ran out. */
bool remedy_find(struct remedy *remedy, const struct loop *loop, const struct remedy_facts *facts,
		 const struct code_object *object, struct arena *arena);

#endif
