/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all rooms know of the process that the tool is in.
 */
#ifndef TOOL_COMMON_SELF_H
#define TOOL_COMMON_SELF_H

#include "pub_tool_basics.h"

#include "tool/common/ending.h"

struct self {
	struct ending ending;
	Bool forked;   /* this process is a child that has not exec'ed */
	Bool executed; /* this program was executed by one that the tool ran, in its process */
	ULong at_fork; /* instructions that were executed before it was forked, inherited */
	Bool sealed;   /* under seccomp: its profile is written, and stays as it is */
	Bool expects_watcher; /* somebody at a terminal is to be told how to watch it, if it takes long */
};

extern struct self tool_self;

#endif
