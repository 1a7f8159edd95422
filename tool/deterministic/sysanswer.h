/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel answers to questions about the machine, with
 * --deterministic=yes: the same on each.  Answers to system calls are given when the call is over
 * and has succeeded, but for sysanswer_setaffinity().
 */
#ifndef TOOL_DETERMINISTIC_SYSANSWER_H
#define TOOL_DETERMINISTIC_SYSANSWER_H

#include "pub_tool_basics.h"

/* What the machine is called, and which Linux it runs, as it says. */
#define SYSANSWER_NODE    "localhost"
#define SYSANSWER_RELEASE "5.10.0"
#define SYSANSWER_VERSION "#1 SMP"

enum {
	SYSANSWER_MEGABYTES = 4096, /* of memory */
	SYSANSWER_FREE_MEGABYTES = 2048,
};

void sysanswer_uname(ThreadId tid, const UWord *args, UWord result);
void sysanswer_sysinfo(ThreadId tid, const UWord *args, UWord result);
void sysanswer_getaffinity(ThreadId tid, const UWord *args, UWord result);
void sysanswer_getcpu(ThreadId tid, const UWord *args, UWord result);

/* It failed: all the same it succeeds if it asks for CPUs that the program has been shown. */
void sysanswer_setaffinity(ThreadId tid, const UWord *args);

/*
 * The auxiliary vector, which the kernel gives a program on its stack: before the program runs,
 * AT_RANDOM's bytes are fixed, AT_HWCAP and AT_HWCAP2 are the processor's; also in what
 * /proc/self/auxv will have.
 */
void auxvector_init(Bool random, Bool cpu);

#endif
