/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_CONTROL_CONTROL_H
#define CMDS_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include "cmds/cli/option.h"
#include "cmds/control/runstate.h"

/* costgrind control: looks at and steers programs that run.  Returns an exit code. */
int control_main(int argc, char **argv);

extern const struct option_rule control_options[];

/* -- targets (target.c) ----------------------------------------------------------------- */

/*
 * Targets: processes that run under costgrind, Callgrind or Cachegrind, of whichever
 * Valgrind.  They are found in /proc, by the file that they execute and their
 * command line; what vgdb -l prints is not read, as it differs between
 * distributions, and lists pipes of processes that were killed.
 */

enum target_tool {
	TARGET_COSTGRIND,
	TARGET_CALLGRIND,
	TARGET_CACHEGRIND,
};

/* Why nobody can talk to it. */
enum target_bar {
	TARGET_OPEN,    /* one can */
	TARGET_FOREIGN, /* it is another user's */
	TARGET_SILENT,  /* it was started with --vgdb=no */
	TARGET_APART,   /* in a namespace of pids of its own, by which vgdb would have to know it */
	TARGET_PIPELESS, /* its pipe is not where it should be */
};

/* Strings are owned. */
struct target {
	pid_t pid;
	unsigned long long started; /* clock ticks since the system did; 0 = unknown */
	enum target_tool tool;      /* by the name it was started as */
	bool is_ours;               /* it is costgrind, under whatever name */
	char state;                 /* as in /proc: R, S, D, T, t, Z; R if any thread runs */
	enum target_bar bar;
	char *words; /* the program and its arguments, each with a NUL, words_len bytes in all */
	size_t words_len;
	char *prefix;      /* of the pipes, as for vgdb */
	char *user, *host; /* that the pipes are named after; NULL unless TARGET_OPEN */
};

struct targets {
	struct target *targets; /* by pid */
	size_t n, room;
};

/*
 * Finds all targets.  prefix is their pipes', NULL = what each was started
 * with: --vgdb-prefix in its command line, COSTGRIND_OPTS or VALGRIND_OPTS, else vgdb-pipe in
 * $TMPDIR or /tmp.  False, with errno, if /proc cannot be read.
 */
bool targets_find(struct targets *targets, const char *prefix);
void targets_release(struct targets *targets);

/* "costgrind", "callgrind", "cachegrind" */
const char *target_tool_name(enum target_tool tool);

/* "running", "waiting" and so on */
const char *target_state_name(const struct target *target);

/* True if its program's name ends in a text. */
bool target_is_called(const struct target *target, const char *end);

/* True if the process is still there; by its pid alone if it has no time of its start. */
bool target_is_alive(const struct target *target);

/* Its state by now: as the field. */
char target_state_now(const struct target *target);

/* True if any of its threads is held by ptrace(). */
bool target_is_traced(const struct target *target);

/* -- talking to a target (vgdb.c) ------------------------------------------------------- */

/*
 * Talking to a target, by Valgrind's program vgdb.  That writes to the target's pipe; if the
 * target waits in the kernel, it makes it look there by ptrace().
 */

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
 * Finds vgdb: next to the valgrind that costgrind run would start, else in PATH.  size of
 * path is LAUNCH_PATH; false if it is nowhere.
 */
bool vgdb_find(char *path, size_t size);

/*
 * Makes the target, which has no bar, do a command of its monitor, and waits for the answer.
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

/*
 * What targets are sent and asked (cmds/control/vgdb.h): by what each tool understands, with
 * messages that say why something was not done.
 */

enum {
	MONITOR_CLIENT_TEXT = 512,
	MONITOR_CLIENT_HINT = 1000, /* bytes of a hint, at most */
};

struct monitor_client {
	struct vgdb vgdb;
	enum vgdb_end end;              /* how the last request ended */
	char text[MONITOR_CLIENT_TEXT]; /* what was done, or why not: one line without a line feed */
};

/*
 * Each returns true if it was done; client->text says what, or why not, and may be empty in
 * the first case.
 */

/* Asks for the state, with derived events; is_watching: for self costs too, where the tool reports them. */
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
 * Makes the tool write the profile, and if it does, ends the process: costgrind's has its own name;
 * Callgrind's is one more part; Cachegrind writes none unless it ends by itself, so it is sent
 * SIGTERM.
 */
bool monitor_client_kill(struct monitor_client *client, const struct target *target);

/* -- what is shown (control.c) ---------------------------------------------------------- */

/* Prints the program and its arguments, with blanks between, control characters made visible. */
void control_print_words(FILE *out, const struct target *target);

enum { CONTROL_COLLECTION_TEXT = 4096 };

/* Says that collection is off, which it is (runstate_drops()). */
void control_describe_collection(char *text, size_t size, const struct runstate *state);

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
