/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stable runs, whose counts depend on nothing but program, arguments, input and files: all else that
 * a process inherits is made the same in each run.  And costgrind stable, which finds what the counts
 * of a program depend on all the same.
 */
#ifndef CMDS_STABLE_STABLE_H
#define CMDS_STABLE_STABLE_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "cmds/cli/launch.h"
#include "cmds/cli/option.h"

/* -- the command (stable.c) ------------------------------------------------------------ */

extern const struct option_rule stable_options[];

int stable_main(int argc, char **argv);

/* What counts may depend on; a run changes one of these in a stable run, to see if they do. */
enum cause {
	CAUSE_RUN, /* nothing was changed: something that no run has under control */
	CAUSE_STACK,
	CAUSE_ENVIRONMENT,
	CAUSE_HEAP,
	CAUSE_LOAD,
	CAUSE_TIME,
	CAUSE_CLOCK,
	CAUSE_PID,
	CAUSE_THREADS,
	CAUSE_RANDOM,
	N_CAUSES,
};

/* A word of a list "A,B", and what it means: for --causes and --keep, tables, completion. */
struct stable_word {
	const char *word, *text;
};

extern const struct stable_word stable_causes[N_CAUSES]; /* text: what was changed */

/* -- stable runs (stablerun.c) ---------------------------------------------------------- */

/*
 * What a stable run makes the same in all runs, and the words by which a user says
 * that something stays as it is.
 */
enum stable_item {
	STABLE_ITEM_ADDRESSES,   /* randomisation of addresses */
	STABLE_ITEM_CACHES,      /* that are simulated */
	STABLE_ITEM_CPU,         /* one processor */
	STABLE_ITEM_CWD,         /* path of the current directory */
	STABLE_ITEM_DESCRIPTORS, /* those beyond 2 */
	STABLE_ITEM_ENVIRONMENT,
	STABLE_ITEM_HOST, /* its name */
	STABLE_ITEM_INPUT,
	STABLE_ITEM_LIMITS,
	STABLE_ITEM_MACHINE, /* what the tool makes the same: --deterministic=yes */
	STABLE_ITEM_OUTPUT,  /* kind of standard output and error */
	STABLE_ITEM_PID,
	STABLE_ITEM_PROGRAM, /* its path */
	STABLE_ITEM_SIGNALS,
	STABLE_ITEM_THREADS, /* their turns */
	STABLE_ITEM_UMASK,
	STABLE_ITEM_USER,
	N_STABLE_ITEMS,
};

extern const struct stable_word stable_items[N_STABLE_ITEMS]; /* text: what is done about it */

/* Adds the words of a list "A,B" to a set of bits; false if one is not among the n words. */
bool stable_words_add(unsigned *set, const char *list, const struct stable_word *words, size_t n);

/* What stays as it is: by --keep and --keep-env. */
struct stable_keep {
	unsigned items; /* bits of enum stable_item */
	const char *
		*vars; /* lists of variables, with room for all words of the command line; owned */
	size_t n_vars;
	const char *option; /* the last one that was given, or --print; NULL = none */
};

static inline bool stable_keeps(const struct stable_keep *keep, enum stable_item item)
{
	return (keep->items >> item & 1) != 0;
}

/* For set() of these options, of a context that begins with a struct stable_keep. */
const char *stable_set_keep(void *ctx, const char *value);
const char *stable_set_keep_env(void *ctx, const char *value);

/* What --keep does, for help. */
extern const char stable_keep_help[];

/* Adds a phrase to a text in a buffer of size bytes, with a comma if it is not the first. */
void stable_note(char *lost, size_t size, const char *phrase);

/* The program's pid, unless it is shifted: the first process of its namespace looks after it. */
enum { STABLERUN_PID = 2 };

/* What is not as it always is, to see what depends on it. */
struct stablerun_shift {
	size_t stack;           /* bytes that the environment is longer */
	bool other_environment; /* other texts in it, of the same lengths */
	pid_t pid;              /* of the program; 0 = the first free one */
	const char *option;     /* one more for Valgrind; NULL = none */
};

struct stablerun {
	const char *command; /* for messages */
	const struct runwords *words;
	const struct stable_keep *keep;
	bool print;           /* say what would be done, and do not run */
	bool quiet;           /* do not say what cannot be done here */
	const char *out_file; /* where the profile goes; NULL = as the words say */
	struct stablerun_shift shift;
};

/*
 * Runs the program and ends as it ends: by the same signal, or returns its exit status; or an
 * exit code after a message.  127 = there is no such program.
 */
int stablerun(const struct stablerun *run);

/* -- processes of a command (trials.c) --------------------------------------------------- */

/* One of them. */
struct trial_process {
	pid_t pid;    /* 0 = has ended */
	int status;   /* as of waitpid() */
	size_t place; /* among those that went on when it began, from 0 */
	struct rusage usage;
};

/*
 * Processes that a command starts, several at a time, and a temporary folder for what they write.  Each is in a
 * process group of its own.
 */
struct trials {
	const char *command;       /* for messages */
	char folder[LAUNCH_PATH];  /* "" = there is none yet */
	int input;                 /* what all of them read, from its beginning; -1 = /dev/null */
	struct trial_process *all; /* owned */
	size_t n, capacity;
	size_t place;     /* of the one that begins */
	int first_cpu;    /* the processor of the first place; -1 = not known */
	int interrupted;  /* by which signal; 0 = not */
	sigset_t signals; /* that are waited for */
	sigset_t mask;    /* as it was before */
};

/*
 * Makes the folder and takes standard input.  Until trials_release() no signal ends this process
 * (the processes and the folder would be left over): trials_wait() says that one has come.  Returns
 * an exit code, having printed a message; release it in any case.
 */
int trials_init(struct trials *trials, const char *command);

/* Removes everything; ends this process if a signal has come. */
void trials_release(struct trials *trials);

/*
 * As fork(), with a message if that failed.  The number of the process is trials->n before; once all have ended,
 * trials->n may be set to 0, to begin anew.
 */
pid_t trials_fork(struct trials *trials);

/*
 * In the process: it reads the input, and writes to these descriptors in place of 1 and 2; -1 = /dev/null.
 * False, with errno, if that failed.
 */
bool trials_redirect(const struct trials *trials, int out, int err);

/*
 * In the process: it keeps to one of the processors that it may use, another one than the running ones of its kind, as
 * far as there are enough.
 */
void trials_take_processor(const struct trials *trials);

/* Waits until at most n of them go on; false if a signal came, and none goes on then. */
bool trials_wait(struct trials *trials, size_t n);

/* -- a sandbox (sandbox.c) -------------------------------------------------------------- */

/*
 * A private view of the file system and of processes, by Linux's namespaces: everything
 * is where it was, and /costgrind has the current directory, the program and
 * Valgrind's files under paths that are always the same.  The program's pid is always the
 * same, too.  Nothing of it can be seen from outside, and nothing is left of it.
 *
 * An ordinary user needs a user namespace for that, in which the user is number 0
 * and has no more rights than outside.
 */

#define SANDBOX_FOLDER  LAUNCH_STABLE_FOLDER
#define SANDBOX_WORK    SANDBOX_FOLDER "/work"
#define SANDBOX_PROGRAM SANDBOX_FOLDER "/bin/program"
#define SANDBOX_TREE    SANDBOX_FOLDER "/tree"
#define SANDBOX_LIBRARY SANDBOX_FOLDER "/lib"

/* What went wrong; passed through a pipe, so it has no pointers. */
struct trouble {
	char what[96]; /* "mount /proc" */
	int error;     /* errno */
};

struct sandbox {
	bool has_user;   /* a user namespace */
	bool keeps_user; /* ... in which the user has the number that it has outside */
	bool has_files;  /* a view of the file system */
	bool has_pids;
	bool has_host;
	pid_t first_pid;     /* of the program; 0 = the first free one */
	const char *work;    /* folder to be SANDBOX_WORK; NULL = none; all paths are absolute */
	const char *program; /* file to be SANDBOX_PROGRAM, or folder, SANDBOX_TREE; or NULL */
	bool program_is_file;
	const char *library; /* folder to be SANDBOX_LIBRARY, or NULL */
};

/*
 * As fork(), into the namespaces.  With pids, the child is their first process: when it ends,
 * all of them do.
 */
pid_t sandbox_fork(const struct sandbox *sandbox);

/*
 * In the child: builds the view.  False if something is not allowed here; the child then
 * is of no use.  uid and gid are the user's outside.
 */
bool sandbox_build(const struct sandbox *sandbox, uid_t uid, gid_t gid, struct trouble *trouble);

/* True if one with all but another first pid can be built here; else trouble says why not. */
bool sandbox_is_allowed(struct trouble *trouble);

/* -- standard streams (relay.c) --------------------------------------------------------- */

/*
 * Standard streams of a program that are of the same kind wherever the user's
 * lead: a library writes line by line to a terminal and in blocks to anything else, and
 * takes another way for a device.
 */

enum {
	RELAY_STREAMS = 2,
	RELAY_POLLS = RELAY_STREAMS,
};

struct relay_stream {
	int from; /* end of a pipe to read from; -1 = at its end */
	int to;
	char *data; /* owned; what is not yet written */
	size_t begin, end;
};

/* Passes on what the program writes.  Fields are private. */
struct relay {
	struct relay_stream streams[RELAY_STREAMS];
	int ends[RELAY_STREAMS]; /* for the program, as its 1 and 2 */
};

/*
 * Makes pipes: one if standard output and error are one file, so that the order stays.
 * Returns 0, or an errno; release it in any case.
 */
int relay_init(struct relay *relay);
void relay_release(struct relay *relay);

/* In the program's process: puts the pipes into the place of its 1 and 2. */
bool relay_connect(const struct relay *relay);
/* In the other one: drops those ends. */
void relay_part(struct relay *relay);

/* What to wait for, RELAY_POLLS entries, some of them -1; and what came of it. */
void relay_prepare(const struct relay *relay, struct pollfd *polls);
void relay_move(struct relay *relay, const struct pollfd *polls);

/* Passes on what is in the pipes now; true if they are at their ends. */
bool relay_drain(struct relay *relay);

/* Passes on until all pipes are at their ends. */
void relay_finish(struct relay *relay);

/*
 * A descriptor of what standard input is to be: a file with all that a pipe or socket holds
 * until its end, /dev/null for a terminal, and otherwise itself.  *is_open says
 * that it is a pipe from which nothing came for a while, which is left as it is.
 * Returns -1 with errno on failure.
 */
int relay_input(bool *is_open);

#endif
