/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What processes do that would lose a profile: fork, exec, seccomp, setuid, more threads than
 * Valgrind has room for.
 */
#ifndef TOOL_PROCESS_PROCESS_H
#define TOOL_PROCESS_PROCESS_H

#include "pub_tool_basics.h"

enum {
	HANDOVER_PATH_SIZE = 4096, /* bytes of a path with its NUL */
	HANDOVER_NAME_SIZE = 256,  /* bytes of a program's name for itself */
};

/* Of the exec that is under way. */
struct renamed_exec {
	Bool is_renamed; /* the program's register has name, not what was given */
	HChar *name;     /* a page of the program's, unmapped if exec fails; NULL: it shall fail */
	ULong given;
	UInt offset; /* of that register, in the guest's state */
	Int image;   /* a descriptor of what is executed, to be closed by that; or 0 */
	HChar argv0[HANDOVER_NAME_SIZE]; /* of the program executed; empty: none, or it has no room */
};

struct process {
	struct renamed_exec exec;
	UInt early_part; /* of the profile written before an exec that is under way, or 0 */
	Int handover;    /* a descriptor of what is said to the program executed, or -1: no exec */
	void (*finish)(const HChar *trigger); /* ends the run, except for the process itself */
};

extern struct process tool_process;

/*
 * Registers the callbacks; in pre_clo_init.  finish writes the profile and says what is said at the
 * end, for a run that ends before the program does; trigger is why, for the profile.
 */
void process_init(void (*finish)(const HChar *trigger));

/*
 * At the end, when the profile is written: says if children executed programs that were not profiled and
 * left no profile of their own.
 */
void process_report_unprofiled(void);

/* -- the program before this one ------------------------------------------- */

/*
 * What a program says to the one that it executes in its place, if that is profiled too:
 * the pid stays the same, and so would the names of files.
 */
struct handover {
	UInt n_parts;       /* numbers behind the file's name that are used up */
	Bool instrumenting; /* when it ended */
	Int image; /* descriptor by which this one was found, or 0: by its name; closed when taken */
	HChar argv0[HANDOVER_NAME_SIZE]; /* what argv[0] was to be; empty: the name it was found by */
	HChar path[HANDOVER_PATH_SIZE]; /* of the profile; empty: not said */
};

/*
 * At the start: what the program before this one in this process said.  If there was none,
 * or what there is makes no sense, all is 0: instrumentation is off.  Returns whether there was one.
 */
Bool handover_take(struct handover *handover);

#endif
