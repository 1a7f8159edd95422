/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What costgrind control shows of targets, as parts of a document. */
#ifndef CMDS_CONTROL_CONTROLREPORT_H
#define CMDS_CONTROL_CONTROLREPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmds/control/runstate.h"
#include "cmds/control/target.h"
#include "cmds/emit/document.h"

/* What is shown of a target's state. */
struct control_view {
	bool stat, totals, back;
	const char *events; /* "A,B": the columns; NULL = all */
};

/* For people: a table of n targets, by their indexes. */
void control_put_list(struct document *document, const struct targets *targets,
		      const size_t *chosen, size_t n);

/*
 * One target: for programs an object of what is in a list, and for both, unless state is NULL, what
 * is shown of its state.  why, if not NULL, is the reason why nothing is known.
 */
void control_put_guest(struct document *document, const struct control_view *view,
		       const struct target *target, const struct runstate *state, const char *why);

/* Prints the program and its arguments, with blanks between, control characters made visible. */
void control_print_words(FILE *out, const struct target *target);

enum { CONTROL_COLLECTION_TEXT = 4096 };

/* Says that collection is off, which it is (runstate_drops()). */
void control_describe_collection(char *text, size_t size, const struct runstate *state);

#endif
