/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --generated-names=yes: code that a program generates gets the names that the program writes for perf,
 * as a perf map or jitdump files, and for GDB.
 *
 * Files are read when code without a symbol is translated, in memory where a program can generate code.
 * So code gets the name it has at that time, even if its memory is used again later, and programs
 * without such code never have a file read.
 *
 * Costs do not depend on it.
 */
#ifndef TOOL_GENERATED_GENERATED_H
#define TOOL_GENERATED_GENERATED_H

#include "pub_tool_basics.h"

#include "sim/basics.h"

/* To be called before code is translated; without it, the other functions do nothing. */
void generated_start(void);

/*
 * Called before the superblock at an address is translated: true if translated code has got another name
 * since the last call, and must be discarded.
 */
Bool generated_has_renamed(Addr address);

/* Takes the next range of such code; False if there is none left. */
Bool generated_take_renamed(struct address_range *range);

/* The program has opened a file. */
void generated_opened(Int fd);

/* In the child of a fork: code that the parent named keeps its names, but the parent's files are not read. */
void generated_fork(void);

/* Counting begins, after a time in which nothing was seen. */
void generated_resume(void);

/*
 * Called before a profile is written.  Functions that are named by their address, because the program
 * had not yet written their names when they were translated, get those names, unless their memory has
 * been used for something else since.
 */
void generated_name_late(void);

#endif
