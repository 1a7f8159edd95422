/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What guests are told and asked (cmds/control/vgdb.h): by what each tool understands, with
 * messages that say why something was not done.
 */
#ifndef CMDS_CONTROL_GUESTTALK_H
#define CMDS_CONTROL_GUESTTALK_H

#include <stdbool.h>

#include "cmds/control/guest.h"
#include "cmds/control/runstate.h"
#include "cmds/control/vgdb.h"

enum {
	TALK_TEXT = 512,
	TALK_HINT = 1000, /* bytes of a hint, at most */
};

struct talk {
	struct vgdb vgdb;
	enum vgdb_end end;    /* how the last request ended */
	char text[TALK_TEXT]; /* what was done, or why not: one line without a line feed */
};

/*
 * Each returns whether it was done; talk->text says what, or why not, and may be empty in
 * the first case.
 */

/* Asks for the state; is_watching: for self costs too, where the tool tells them. */
bool talk_state(struct talk *talk, const struct guest *guest, bool is_watching,
		struct runstate *state);

/* Writes a part; hint, which may be NULL, is for its header. */
bool talk_dump(struct talk *talk, const struct guest *guest, const char *hint);
bool talk_zero(struct talk *talk, const struct guest *guest);
/* Instrumentation; the text tells if collection is off all the same. */
bool talk_instrument(struct talk *talk, const struct guest *guest, bool on);

/* Collection: word is on, off or auto; the text tells what it is now. */
bool talk_collect(struct talk *talk, const struct guest *guest, const char *word);

/*
 * Has the profile written, and if it is, ends the process: costgrind's has its own name;
 * Callgrind's is one more part; Cachegrind writes none unless it ends by itself, so it is sent
 * SIGTERM.
 */
bool talk_kill(struct talk *talk, const struct guest *guest);

#endif
