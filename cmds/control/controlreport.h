/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What costgrind control shows of guests: as text, or as JSON. */
#ifndef CMDS_CONTROL_CONTROLREPORT_H
#define CMDS_CONTROL_CONTROLREPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmds/control/guest.h"
#include "cmds/control/runstate.h"
#include "cmds/text/json.h"

/* What is shown of a guest's state. */
struct control_view {
	bool stat, totals, back;
	const char *events; /* "A,B": the columns; NULL = all */
};

/* A table of n guests, by their indexes. */
void control_list_text(FILE *out, const struct guests *guests, const size_t *chosen, size_t n);

/* The program and its arguments, with blanks between, control characters made visible. */
void control_print_words(FILE *out, const struct guest *guest);

/* A line that says that collection is off, which it is (runstate_drops()). */
void control_print_collection(FILE *out, const char *indent, const struct runstate *state);

/* What is shown of one guest. */
void control_view_text(FILE *out, const struct control_view *view, const struct guest *guest,
		       const struct runstate *state);

/*
 * The same as an object: of what is in a list, and unless state is NULL of what is shown.
 * why, if not NULL, is the reason why nothing is known.
 */
void control_view_json(struct json *json, const struct control_view *view,
		       const struct guest *guest, const struct runstate *state, const char *why);

#endif
