/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Guests: processes that run under costgrind, Callgrind or Cachegrind, of whichever
 * Valgrind.  They are found in /proc, by the file that they execute and their
 * command line; what vgdb -l prints is not read, as it differs between
 * distributions, and lists pipes of processes that were killed.
 */
#ifndef CMDS_CONTROL_GUEST_H
#define CMDS_CONTROL_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum guest_tool {
	GUEST_COSTGRIND,
	GUEST_CALLGRIND,
	GUEST_CACHEGRIND,
};

/* Why nobody can talk to it. */
enum guest_bar {
	GUEST_OPEN,     /* one can */
	GUEST_FOREIGN,  /* it is another user's */
	GUEST_SILENT,   /* it was started with --vgdb=no */
	GUEST_APART,    /* in a namespace of pids of its own, by which vgdb would have to know it */
	GUEST_PIPELESS, /* its pipe is not where it should be */
};

/* Strings are owned. */
struct guest {
	pid_t pid;
	unsigned long long started; /* clock ticks since the system did; 0 = unknown */
	enum guest_tool tool;       /* by the name it was started as */
	bool is_ours;               /* it is costgrind, under whatever name */
	char state;                 /* as in /proc: R, S, D, T, t, Z; R if any thread runs */
	enum guest_bar bar;
	char *words; /* the program and its arguments, each with a NUL, words_len bytes in all */
	size_t words_len;
	char *prefix;      /* of the pipes, as for vgdb */
	char *user, *host; /* that the pipes are named after; NULL unless GUEST_OPEN */
};

struct guests {
	struct guest *guests; /* by pid */
	size_t n, room;
};

/*
 * Finds all guests.  prefix is that of their pipes, NULL = what each was started
 * with: --vgdb-prefix in its command line, COSTGRIND_OPTS or VALGRIND_OPTS, else vgdb-pipe in $TMPDIR or
 * /tmp.  False if /proc cannot be read or memory ran out; then errno says why.
 */
bool guests_find(struct guests *guests, const char *prefix);
void guests_release(struct guests *guests);

/* "costgrind", "callgrind", "cachegrind" */
const char *guest_tool_name(enum guest_tool tool);

/* "running", "waiting" and so on */
const char *guest_state_name(const struct guest *guest);

/* Whether its program's name ends in a text. */
bool guest_is_called(const struct guest *guest, const char *end);

/* Whether the process is still there; by its pid alone if it has no time of its start. */
bool guest_is_alive(const struct guest *guest);

/* Its state by now: as the field. */
char guest_state_now(const struct guest *guest);

/* Whether any of its threads is held by ptrace(). */
bool guest_is_traced(const struct guest *guest);

#endif
