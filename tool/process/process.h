/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Actions of processes that would lose a profile: fork, exec, seccomp, setuid, more threads than
 * Valgrind has room for.
 */
#ifndef TOOL_PROCESS_PROCESS_H
#define TOOL_PROCESS_PROCESS_H

#include "pub_tool_basics.h"

enum {
	HANDOVER_PATH_SIZE = 4096, /* bytes of a path with its NUL */
	HANDOVER_NAME_SIZE = 256,  /* bytes of a program's name for itself */
};

/* The exec that is under way. */
struct renamed_exec {
	Bool is_renamed; /* the program's register holds name instead of given */
	HChar *name; /* a page of the program's, unmapped if exec fails; NULL: exec is to fail */
	ULong given;
	UInt offset; /* of that register in the guest's state */
	Int image;   /* a descriptor of the executed file, which the new program closes; or 0 */
	HChar argv0[HANDOVER_NAME_SIZE]; /* of the executed program; empty: none, or it does not fit */
};

struct process {
	struct renamed_exec exec;
	UInt early_part; /* the part written before the exec that is under way, or 0 */
	Int handover;    /* the descriptor of the message to the executed program; -1: no exec */
	void (*finish)(const HChar *trigger); /* ends the run, except for the process itself */
};

extern struct process tool_process;

/*
 * Registers the callbacks; call it in pre_clo_init. finish writes the profile and the last messages
 * of a run that ends before the program does; trigger is the reason, for the profile.
 */
void process_init(void (*finish)(const HChar *trigger));

/*
 * Called at the end, when the profile is written: says if children executed programs that were not
 * profiled and left no profile of their own.
 */
void process_report_unprofiled(void);

/* -- the program before this one ------------------------------------------- */

/*
 * The message of a program to the one that it executes in its place, if that is profiled too: the
 * pid stays the same, and so would the names of files.
 */
struct handover {
	UInt n_parts;       /* numbers of parts after the file's name that are used up */
	Bool instrumenting; /* was on when it ended */
	Int image; /* descriptor by which this program was found, closed when taken; 0: it was found by its name */
	HChar argv0[HANDOVER_NAME_SIZE]; /* what argv[0] is to be; empty: the name by which it was found */
	HChar path[HANDOVER_PATH_SIZE]; /* of the profile; empty: not known */
};

/*
 * Called at the start: fills in the message of the program before this one in this process, and
 * returns True. Without a message, or with one that makes no sense, returns False and everything is
 * 0: instrumentation is off.
 */
Bool handover_take(struct handover *handover);

#endif
