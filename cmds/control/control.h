/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind control: the processes that run under a tool, what they answer, and what is shown of it. */
#ifndef CMDS_CONTROL_CONTROL_H
#define CMDS_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include "cmds/cli/option.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"

/* Looks at and steers programs that run.  Returns an exit code. */
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

/* -- states (runstate.c) ---------------------------------------------------------------- */

/*
 * The state of a running target, as its monitor prints it: "status internal" of Callgrind
 * and costgrind, "status functions" of costgrind (tool/control/request.h).
 *
 * Lines are NAME: VALUES.  Lines of other names are skipped, so that a newer Valgrind
 * may say more; a line that is not of its form is an error.
 *
 * Costs are arrays of counts by event, n_events of them, followed by how many
 * the target reported; the others, at the end, are 0.
 */

enum { RUNSTATE_EVENTS = 64 }; /* at most */

/* A function on a stack, and its call of the next one. */
struct runframe {
	const char *function;
	uint64_t calls;        /* how often that call was made; of the innermost one 0 */
	const uint64_t *costs; /* what all of them have cost, by event; of the innermost one NULL */
};

struct runthread {
	unsigned number;
	uint64_t *totals;        /* by event */
	struct runframe *frames; /* the outermost first */
	size_t n_frames;
	size_t room, next; /* private: of frames, and the least number that the next one may have */
};

struct runfunction {
	const char *object, *name;
	const uint64_t *costs; /* its own, by event */
};

/* All that is pointed to is the arena's, but the arrays themselves. */
struct runstate {
	struct arena arena;
	bool instrumenting; /* if not, nothing else is known */
	/*
	 * What is collected of what runs: "on", "off" or "off in threads 2 3".  NULL: not reported, as
	 * Callgrind does.
	 */
	const char *collection;
	unsigned part; /* parts written so far */
	uint64_t executed_blocks, executed_calls;
	uint64_t blocks, calls, functions, contexts; /* distinct ones */
	const char *events[RUNSTATE_EVENTS];
	struct decimals decimals[RUNSTATE_EVENTS]; /* of their counts */
	size_t n_events;
	size_t n_recorded; /* the first of them; the others are derived */
	size_t main_event; /* that is shown first */
	uint64_t *totals; /* by event, of all threads, those that are over too; NULL: not reported */
	struct runthread *threads;
	size_t n_threads, threads_room;
	struct runfunction *hottest; /* only of "status functions" */
	size_t n_hottest, hottest_room;
};

/*
 * Reads it.  Returns NULL, or what is wrong, a static text to follow "answer: ".  Release the state in
 * either case.
 */
const char *runstate_read(struct runstate *state, const char *text, size_t len);
void runstate_release(struct runstate *state);

/* True if it was reported that something of what runs is not collected. */
bool runstate_drops(const struct runstate *state);

/* The number of an event, n_events if it is not recorded. */
size_t runstate_event(const struct runstate *state, const char *name, size_t len);

/* -- what is derived -------------------------------------------------------------------- */

/*
 * The state of a running target, with what is derived from its events (profile/analysis/metric.h) as events
 * of their own, after the recorded ones: annotate, report and diff know the same ones.
 */

/*
 * Adds them to a state that was just read, to all of its costs, and says which one the run is judged by.
 * What is below 0 is 0.  They are left out if there is no room for them all.  What a row of costs
 * did not report is 0 then.
 */
void derivedcosts_add(struct runstate *state);

/* -- between two looks ------------------------------------------------------------------ */

/*
 * What functions have cost between two looks at a running target, those first that cost
 * most.  Functions of one name in one object are one.
 */

struct hotfunction {
	const char *object, *name; /* the later state's */
	uint64_t *costs;
};

struct hotlist {
	struct arena arena;
	struct hotfunction *functions; /* those with any cost */
	size_t n;
	uint64_t *totals; /* their sum */
	/* The counts began anew: the costs are since the last part, not since the last look. */
	bool is_anew;
};

/*
 * Compares two states of one target; before may be NULL.  sort_by is the number of an
 * event; of functions of the same cost the name decides.  Both states must live on.
 */
void hotlist_make(struct hotlist *list, const struct runstate *before, const struct runstate *now,
		  size_t sort_by);
void hotlist_release(struct hotlist *list);

/* -- columns ---------------------------------------------------------------------------- */

/*
 * Columns of costs by the events of a running target, aligned: the rows are measured first,
 * then printed.
 */

/* Fields are private, but events and n. */
struct costcolumns {
	const struct runstate *state;   /* borrowed */
	size_t events[RUNSTATE_EVENTS]; /* numbers of those shown, in order */
	size_t n;
	size_t widths[RUNSTATE_EVENTS]; /* by event */
};

/*
 * Chooses the events that list names ("Ir,Dr"), or, if it is NULL, the one that is shown first
 * and all that are recorded.  Those that are not recorded are left out; a list that leaves nothing is as
 * NULL.  False if any was left out: missing, of size bytes, then says which is the first.
 */
bool costcolumns_init(struct costcolumns *columns, const struct runstate *state, const char *list,
		      char *missing, size_t size);

/* Makes room for a row; costs may be NULL. */
void costcolumns_measure(struct costcolumns *columns, const uint64_t *costs);

/*
 * Leaves out the last events, but not the first one, so that a row has width columns at most;
 * when all rows are measured.
 */
void costcolumns_fit(struct costcolumns *columns, size_t width);

/* Print names, or costs with commas, each followed by a blank; a dot is what was not reported. */
void costcolumns_names(const struct costcolumns *columns, FILE *out);
void costcolumns_row(const struct costcolumns *columns, FILE *out, const uint64_t *costs);

/* -- talking to a target (vgdb.c) ------------------------------------------------------- */

/*
 * What targets are sent and asked, by Valgrind's program vgdb, by what each tool understands, with
 * messages that say why something was not done.  vgdb writes to the target's pipe; if the
 * target waits in the kernel, it makes it look there by ptrace().
 */

/* How a request ended. */
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

enum {
	MONITOR_CLIENT_TEXT = 512,
	MONITOR_CLIENT_HINT = 1000, /* bytes of a hint, at most */
};

struct monitor_client {
	const char *program;                  /* vgdb_find() */
	unsigned seconds;                     /* to wait for an answer; 1 or more */
	const struct vgdb_listener *listener; /* borrowed; NULL = none */
	enum vgdb_end end;                    /* how the last request ended */
	char text[MONITOR_CLIENT_TEXT]; /* what was done, or why not: one line without a line feed */
};

/*
 * Finds vgdb: next to the valgrind that costgrind run would start, else in PATH.  size of
 * path is LAUNCH_PATH; false if it is nowhere.
 */
bool vgdb_find(char *path, size_t size);

/*
 * Each returns true if it was done; client->text says what, or why not, and may be empty in
 * the first case.  Signals that end this process (SIGINT, SIGTERM, SIGHUP, SIGQUIT) end the request first, so
 * that the target is let go; if they are blocked, they are for the listener to see.
 */

/* Asks for the state, with derived events; is_watching: for self costs too, where the tool reports them. */
bool monitor_client_state(struct monitor_client *client, const struct target *target,
			  bool is_watching, struct runstate *state);

/*
 * Gives an order:
 *
 *	dump HINT                   writes a part; the hint, which may be left out, is for its header
 *	zero                        sets all counts to zero
 *	instrumentation on|off      the text says so if collection is off all the same
 *	collection on|off|auto      the text says what it is now
 */
bool monitor_client_order(struct monitor_client *client, const struct target *target,
			  const char *order);

/*
 * Makes the tool write the profile, and if it does, ends the process: costgrind's has its own name;
 * Callgrind's is one more part; Cachegrind writes none unless it ends by itself, so it is sent
 * SIGTERM.
 */
bool monitor_client_kill(struct monitor_client *client, const struct target *target);

/* Milliseconds since some moment that stays the same while the system runs. */
static inline int64_t monotonic_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* -- what is shown (control.c) ---------------------------------------------------------- */

/* Prints the program and its arguments, with blanks between, control characters made visible. */
void control_print_words(FILE *out, const struct target *target);

enum {
	CONTROL_COLLECTION_TEXT = 4096,
	CONTROL_MISSING_TEXT = 256, /* of costcolumns_init() */
};

/* Says that collection is off, which it is (runstate_drops()). */
void control_describe_collection(char *text, size_t size, const struct runstate *state);

/* -- watching (watch.c) --------------------------------------------------------- */

/* Looking at a target again and again: what it costs now.  All is borrowed. */
struct watch {
	struct monitor_client *client;
	const struct target *target;
	double seconds;           /* between two looks */
	unsigned long long count; /* of looks; 0 = until the target ends */
	const char *events;       /* "A,B": the columns, sorted by the first; NULL = all */
};

/*
 * Shows them on standard output: on a terminal one in place of the other, until q is
 * pressed.  Returns an exit code, or dies of the signal that it was to end by.
 */
int watch_run(const struct watch *watch);

#endif
