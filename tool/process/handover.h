/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program says to the one that it executes in its place, if that is profiled too:
 * the pid stays the same, and so would the names of files.
 */
#ifndef TOOL_PROCESS_HANDOVER_H
#define TOOL_PROCESS_HANDOVER_H

#include "pub_tool_basics.h"

enum {
	HANDOVER_PATH_SIZE = 4096, /* bytes of a path with its NUL */
};

struct handover {
	UInt n_parts;                   /* numbers behind the file's name that are used up */
	Bool instrumenting;             /* when it ended */
	HChar path[HANDOVER_PATH_SIZE]; /* of the profile; empty: not said */
};

/*
 * At the start: what the program before this one in this process said.  If there was none,
 * or what there is makes no sense, all is 0: instrumentation is off.
 */
void handover_take(struct handover *handover);

/*
 * Before exec: a file in memory that says it; path may be too long, and is left out then.
 * Returns its descriptor, to be closed if exec fails, or -1.
 */
Int handover_give(UInt n_parts, Bool instrumenting, const HChar *path);

#endif
