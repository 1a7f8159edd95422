/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets: processes that run under costgrind, Callgrind or Cachegrind, of whichever
 * Valgrind.  They are found in /proc, by the file that they execute and their
 * command line; what vgdb -l prints is not read, as it differs between
 * distributions, and lists pipes of processes that were killed.
 */
#ifndef CMDS_CONTROL_TARGET_H
#define CMDS_CONTROL_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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
 * Finds all targets.  prefix is that of their pipes, NULL = what each was started
 * with: --vgdb-prefix in its command line, COSTGRIND_OPTS or VALGRIND_OPTS, else vgdb-pipe in
 * $TMPDIR or /tmp.  False if /proc cannot be read or memory ran out; then errno says why.
 */
bool targets_find(struct targets *targets, const char *prefix);
void targets_release(struct targets *targets);

/* "costgrind", "callgrind", "cachegrind" */
const char *target_tool_name(enum target_tool tool);

/* "running", "waiting" and so on */
const char *target_state_name(const struct target *target);

/* Whether its program's name ends in a text. */
bool target_is_called(const struct target *target, const char *end);

/* Whether the process is still there; by its pid alone if it has no time of its start. */
bool target_is_alive(const struct target *target);

/* Its state by now: as the field. */
char target_state_now(const struct target *target);

/* Whether any of its threads is held by ptrace(). */
bool target_is_traced(const struct target *target);

#endif
