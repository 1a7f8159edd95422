/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What processes do that would lose a profile: fork, exec, seccomp, setuid.
 */
#ifndef TOOL_PROCESS_PROCESS_H
#define TOOL_PROCESS_PROCESS_H

#include "pub_tool_basics.h"

struct process {
	UInt early_part; /* of the profile written before an exec that is under way, or 0 */
	Int handover;    /* a descriptor of what is said to the program executed, or -1: no exec */
};

extern struct process tool_process;

/* Registers the callbacks; in pre_clo_init. */
void process_init(void);

#endif
