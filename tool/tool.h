/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the tool: all of it, in one struct.  Generated code and the
 * core's callbacks have no argument to carry it, so it is one global; the
 * modules get the parts that they need as arguments.
 */
#ifndef TOOL_TOOL_H
#define TOOL_TOOL_H

#include "pub_tool_basics.h"

#include "sim/branch.h"
#include "sim/hierarchy.h"
#include "tool/event.h"
#include "tool/options.h"
#include "tool/output.h"
#include "tool/process.h"
#include "tool/site.h"
#include "tool/symbol.h"

struct tool {
	struct options options;
	struct event_set events;

	/* The machine simulated; geometry and hierarchy only with --cache-sim=yes. */
	struct hierarchy_geometry geometry;
	struct hierarchy hierarchy;
	struct direction_predictor directions;
	struct target_predictor targets;
	UInt min_line_size; /* bytes; sizes of helpers' references are cut to it */

	ULong n_blocks; /* superblocks entered so far in this process */
	struct symbols symbols;
	struct sites sites;
	struct output output;
	struct process process;
};

extern struct tool tool;

#endif
