/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose costs a curve is drawn of: the program's, a function's, or a line's. */
#ifndef CMDS_CURVE_CURVESCOPE_H
#define CMDS_CURVE_CURVESCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/model/model.h"

enum curvescope_kind {
	SCOPE_PROGRAM,
	SCOPE_FUNCTION,
	SCOPE_LINE,
};

struct curvescope {
	enum curvescope_kind kind;
	const char *word;  /* as it was given, FUNCTION or FILE:LINE; borrowed */
	size_t file_len;   /* of a line: bytes of FILE in it */
	uint64_t line;     /* likewise */
	bool is_inclusive; /* of a function, with all that it calls */
	const char *name;  /* of the function, or FILE:LINE, as the profile has it; the arena's */
	const char *file;  /* that the function is in; NULL = several, not known, or no function */
};

/* What a word, or NULL, asks for. */
void curvescope_init(struct curvescope *scope, const char *word, bool is_inclusive);

/*
 * Finds it in a finished model, with lines if a line is wanted, and adds up its costs, one for each event.
 *
 * A function is one whose name is the word, else the only one that the word is a part of.  Of several
 * functions of a name, costs are added up, but not inclusive ones.  FILE is a file's name, or its last components.
 * Returns an exit code, after a message by the command's name if it is not EXIT_FINE.
 */
int curvescope_add(struct curvescope *scope, const char *command, const struct model *model,
		   uint64_t *costs, struct arena *arena);

#endif
