/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What targets are sent and asked (cmds/control/vgdb.h): by what each tool understands, with
 * messages that say why something was not done.
 */
#ifndef CMDS_CONTROL_MONITOR_CLIENT_H
#define CMDS_CONTROL_MONITOR_CLIENT_H

#include <stdbool.h>

#include "cmds/control/runstate.h"
#include "cmds/control/target.h"
#include "cmds/control/vgdb.h"

enum {
	MONITOR_CLIENT_TEXT = 512,
	MONITOR_CLIENT_HINT = 1000, /* bytes of a hint, at most */
};

struct monitor_client {
	struct vgdb vgdb;
	bool derives;                   /* states have derived events, too (derivedcosts.h) */
	enum vgdb_end end;              /* how the last request ended */
	char text[MONITOR_CLIENT_TEXT]; /* what was done, or why not: one line without a line feed */
};

/*
 * Each returns whether it was done; talk->text says what, or why not, and may be empty in
 * the first case.
 */

/* Asks for the state; is_watching: for self costs too, where the tool reports them. */
bool monitor_client_state(struct monitor_client *client, const struct target *target,
			  bool is_watching, struct runstate *state);

/* Writes a part; hint, which may be NULL, is for its header. */
bool monitor_client_dump(struct monitor_client *client, const struct target *target,
			 const char *hint);
bool monitor_client_zero(struct monitor_client *client, const struct target *target);
/* Instrumentation; the text says so if collection is off all the same. */
bool monitor_client_instrument(struct monitor_client *client, const struct target *target, bool on);

/* Collection: word is on, off or auto; the text says what it is now. */
bool monitor_client_collect(struct monitor_client *client, const struct target *target,
			    const char *word);

/*
 * Has the profile written, and if it is, ends the process: costgrind's has its own name;
 * Callgrind's is one more part; Cachegrind writes none unless it ends by itself, so it is sent
 * SIGTERM.
 */
bool monitor_client_kill(struct monitor_client *client, const struct target *target);

#endif
