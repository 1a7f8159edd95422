/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Talking to a guest, by Valgrind's program vgdb.  That writes to the guest's pipe; if the
 * guest waits in the kernel, it makes it look there by ptrace().
 */
#ifndef CMDS_VGDB_H
#define CMDS_VGDB_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/guest.h"

enum vgdb_end {
	VGDB_ANSWERED,
	VGDB_TIMED_OUT,
	VGDB_INTERRUPTED, /* something can be read from the descriptor that was given */
	VGDB_LOST,        /* the guest ended before it had answered */
	VGDB_REFUSED,     /* the guest waits in the kernel, and vgdb may not use ptrace() */
	VGDB_FAILED,
};

struct vgdb {
	const char *program;
	unsigned seconds; /* to wait for an answer; 1 or more */
	int interrupt;    /* descriptor to look at meanwhile, -1 = none */
};

/* What came of a question. */
struct vgdb_answer {
	char *text; /* what the guest said; owned, with a NUL; NULL unless VGDB_ANSWERED */
	size_t len;
	char why[256]; /* what vgdb said, if it failed; may be empty */
};

/*
 * Finds vgdb: beside the valgrind that costgrind run would start, else in PATH.  size of
 * path is LAUNCH_PATH; false if it is nowhere.
 */
bool vgdb_find(char *path, size_t size);

/*
 * Has the guest, which has no bar, do a command of its monitor, and waits for the answer.
 * Release the answer afterwards, however it ended.
 */
enum vgdb_end vgdb_ask(const struct vgdb *vgdb, const struct guest *guest, const char *command,
		       struct vgdb_answer *answer);

void vgdb_answer_release(struct vgdb_answer *answer);

#endif
