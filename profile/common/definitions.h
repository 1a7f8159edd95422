/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a profile still says of its events when some of its columns are left out.  A formula that
 * names one of them would silently mean something else: readers take for 0 what is not there.
 */
#ifndef PROFILE_COMMON_DEFINITIONS_H
#define PROFILE_COMMON_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/visitor.h"
#include "writer/env.h"

/* Columns as they are, and as they will be; all is borrowed. */
struct definitions_columns {
	const char *const *before; /* names, as formulas have them */
	const bool *stays;         /* of each: formulas may still name it */
	size_t n_before;
	const char *const *after;
	size_t n_after;
};

/* Fields are for reading. */
struct definitions {
	struct part_event *all; /* owned; texts are those that were given */
	size_t n;
	size_t n_lost; /* formulas that were dropped, but those of columns */
};

/*
 * Keeps, of n definitions, formulas of what stays and long names of columns; a formula of a
 * formula that was dropped is dropped too.  False if memory ran out.  To be released in any case,
 * before more are kept.
 */
bool definitions_keep(struct definitions *definitions, const struct env *env,
		      const struct part_event *from, size_t n,
		      const struct definitions_columns *columns);
void definitions_release(struct definitions *definitions, const struct env *env);

#endif
