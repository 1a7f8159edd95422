/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Talking to a target, by Valgrind's program vgdb.  That writes to the target's pipe; if the
 * target waits in the kernel, it makes it look there by ptrace().
 */
#ifndef CMDS_CONTROL_VGDB_H
#define CMDS_CONTROL_VGDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/control/target.h"

enum vgdb_end {
	VGDB_ANSWERED,
	VGDB_TIMED_OUT,
	VGDB_INTERRUPTED, /* by the listener, or by a signal */
	VGDB_LOST,        /* the target ended before it had answered */
	VGDB_REFUSED,     /* the target waits in the kernel, and vgdb may not use ptrace() */
	VGDB_FAILED,
};

/* What may end a wait for an answer. */
struct vgdb_listener {
	int fds[2];              /* looked at meanwhile, -1 = none */
	bool (*ends)(void *ctx); /* reads what has come there; true ends the wait */
	void *ctx;
};

struct vgdb {
	const char *program;
	unsigned seconds;                     /* to wait for an answer; 1 or more */
	const struct vgdb_listener *listener; /* borrowed; NULL = none */
};

/* What came of a question. */
struct vgdb_answer {
	char *text; /* what the target said; owned, with a NUL; NULL unless VGDB_ANSWERED */
	size_t len;
	char why[256]; /* what vgdb said, if it failed; may be empty */
};

/*
 * Finds vgdb: beside the valgrind that costgrind run would start, else in PATH.  size of
 * path is LAUNCH_PATH; false if it is nowhere.
 */
bool vgdb_find(char *path, size_t size);

/*
 * Has the target, which has no bar, do a command of its monitor, and waits for the answer.
 * Signals that end this process (SIGINT, SIGTERM, SIGHUP, SIGQUIT) end the request first, so
 * that the target is let go; if they are blocked, they are for the listener to see.  Release the
 * answer afterwards, however it ended.
 */
enum vgdb_end vgdb_ask(const struct vgdb *vgdb, const struct target *target, const char *command,
		       struct vgdb_answer *answer);

void vgdb_answer_release(struct vgdb_answer *answer);

/* Milliseconds since some moment that stays the same while the system runs. */
static inline int64_t monotonic_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
