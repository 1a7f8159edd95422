/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a profile's "desc:" lines say of what its costs are of (docs/FORMAT.md): how many of the
 * instructions that were executed are in it, how the program ended, which programs were executed
 * without being profiled, and how often it asked for a time that is a count of instructions.
 */
#ifndef TOOL_OUTPUT_OUTCOME_H
#define TOOL_OUTPUT_OUTCOME_H

#include "pub_tool_basics.h"

#include "tool/output/machinedescs.h"

/*
 * Gives each line of a file.  thread: whose file it is, or 0 for all; collected: the
 * instructions that are in it.  of_process: with numbers that are of the whole process, which one file of
 * a part has, so that they are right when the files of threads are added up.
 */
void outcome_tell(UInt thread, ULong collected, Bool of_process, machinedescs_taker *take,
		  void *ctx);

/* -- programs that are not profiled ------------------------------------------ */

/*
 * The first process lists what its children, and theirs, execute unprofiled: they share a file in
 * memory, to which each child appends.  A program executed in a process's own place is on the list
 * of that process.
 */
enum {
	UNPROFILED_NAME = 200, /* bytes of a program's path that are noted, with the NUL */
};

struct unprofiled {
	Int file;                       /* a descriptor, or -1: no child was made */
	Word began;                     /* bytes of the file that are of parts before this one */
	HChar current[UNPROFILED_NAME]; /* what this process is about to execute; "": nothing */
};

void unprofiled_init(struct unprofiled *list);

/* Before a fork: the processes share a list from now on. */
void unprofiled_fork(struct unprofiled *list);

/*
 * This process is about to execute a program, unprofiled; the name is copied.  has_profile: the
 * process writes a profile of its own.
 */
void unprofiled_add(struct unprofiled *list, const HChar *name, Bool has_profile);

/* It was not executed, after all. */
void unprofiled_remove(struct unprofiled *list);

/* All costs are zero from now on: profiles list what is executed after this. */
void unprofiled_zero(struct unprofiled *list);

/* Copies the name of the first program that a child without a profile executed; NULL: there is none. */
const HChar *unprofiled_first(const struct unprofiled *list, HChar name[UNPROFILED_NAME]);

#endif
