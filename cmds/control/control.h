/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_CONTROL_CONTROL_H
#define CMDS_CONTROL_CONTROL_H

#include "cmds/cli/option.h"
#include "cmds/control/monitor_client.h"
#include "cmds/control/target.h"

/* costgrind control: looks at and steers programs that run.  Returns an exit code. */
int control_main(int argc, char **argv);

extern const struct option_rule control_options[];

/* -- watching (watch.c) --------------------------------------------------------- */

/* Looking at a target again and again: what it costs now.  All is borrowed. */
struct watch {
	const char *command; /* for messages */
	struct monitor_client *client;
	const struct target *target;
	double seconds;           /* between two looks */
	unsigned long long count; /* of looks; 0 = until the target ends */
	const char *events;       /* "A,B": the columns, sorted by the first; NULL = all */
};

/*
 * Shows them on standard output: on a terminal one in the place of the other, until q is
 * pressed.  Returns an exit code, or dies of the signal that it was to end by.
 */
int watch_run(struct watch *watch);

#endif
