/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --generated-names=yes: code that a program makes gets the names that the program writes for others: for
 * perf, as a perf map or jitdump files, and for GDB.
 *
 * Where code is translated that has no symbol, in memory that a program can make code in, files are
 * looked at for what has been added.  So code gets the names that it has then, even if its memory is
 * used again later, and programs without such code never have a file looked at.
 *
 * Costs do not depend on it.
 */
#ifndef TOOL_GENERATED_GENERATED_H
#define TOOL_GENERATED_GENERATED_H

#include "pub_tool_basics.h"

#include "sim/range.h"

/* To be called before code is translated, if it is wanted; what follows does nothing else. */
void generated_start(void);

/*
 * Before a superblock is translated at an address: whether any code that is translated has got another
 * name since, and is to be discarded.
 */
Bool generated_has_renamed(Addr address);

/* The next range of such code, which is taken care of then; False if there is none. */
Bool generated_take_renamed(struct address_range *range);

/* The program has opened a file. */
void generated_opened(Int fd);

/* In the child of a fork: what the parent has named keeps its names, but its files are not the child's. */
void generated_fork(void);

/* Counting begins, after a time in which nothing was seen. */
void generated_resume(void);

/*
 * Before a profile is written: functions that are called by their address, as the program had not yet
 * said their names when they were translated, get these, if their memory has not been used for
 * anything else since.
 */
void generated_name_late(void);

#endif
