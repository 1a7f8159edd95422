/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at a guest again and again: what it costs now. */
#ifndef CMDS_CONTROL_WATCH_H
#define CMDS_CONTROL_WATCH_H

#include "cmds/control/guest.h"
#include "cmds/control/guesttalk.h"

/* All is borrowed. */
struct watch {
	const char *command; /* for messages */
	struct talk *talk;
	const struct guest *guest;
	double seconds;           /* between two looks */
	unsigned long long count; /* of looks; 0 = until the guest ends */
	const char *events;       /* "A,B": the columns, sorted by the first; NULL = all */
};

/*
 * Shows them on standard output: on a terminal one in the place of the other, until q is
 * pressed.  Returns an exit code, or dies of the signal that it was to end by.
 */
int watch_run(struct watch *watch);

#endif
