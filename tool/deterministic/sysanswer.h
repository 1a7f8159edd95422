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

/* -- files of /proc and /sys ----------------------------------------------- */

/*
 * Files of /proc and /sys that describe the machine, with --deterministic=yes.
 *
 * When the program has opened one of those that are known, whatever name it had
 * for it, its descriptor is made one of a file in memory that has the canonical
 * text.  Others are counted.
 */

/* A file was opened. */
void sysfile_opened(Int fd);

/*
 * A file that is not there, or may not be read: one that is known is opened
 * all the same, as on other machines.  name is the program's.
 */
void sysfile_missing(ThreadId tid, const HChar *name, UInt flags);

#endif
