/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of code that the program generates, as it writes them for profilers and debuggers: the
 * state of this room, and what the user wants of it.
 */
#ifndef TOOL_GENERATED_STATE_H
#define TOOL_GENERATED_STATE_H

#include "pub_tool_basics.h"

#include "sim/range.h"
#include "tool/generated/dumpfiles.h"
#include "tool/generated/growingfile.h"
#include "tool/generated/objectlist.h"

enum {
	MAX_RENAMED = 64,
};

/* Translated code that has got another name, to be discarded; the last range may be larger than that. */
struct renamed {
	UInt n;
	struct address_range ranges[MAX_RENAMED];
};

struct generated_state {
	Bool is_on;
	ULong started;   /* seconds since 1970: the process */
	Bool has_missed; /* registrations, while nothing was counted */
	UInt n_names;    /* that were read */
	UInt n_lines;    /* that were kept of what is registered with debuggers */
	struct renamed renamed;
	struct growingfile map; /* its perf map; no path: by the number of the process */
	Bool map_is_long_line; /* what is read next is in the middle of a line, to be passed over */
	struct dumpfiles dumps;       /* its jitdump files */
	struct objectlist registered; /* with debuggers */
};

extern struct generated_state tool_generated;

#endif
