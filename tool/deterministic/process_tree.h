/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes that are profiled together, with --deterministic=yes: time goes on
 * from one to the next.  A program that is started by exec begins when the one
 * before it ended, and with its random numbers; a process that waits for a child
 * waits until the child's time.
 *
 * A child that is not profiled has no such time: what waiting for it really took
 * passes in whole seconds, so that short ones make no difference, and a program that
 * waits for a moment by starting "sleep" again and again gets there.
 */
#ifndef TOOL_DETERMINISTIC_PROCESS_TREE_H
#define TOOL_DETERMINISTIC_PROCESS_TREE_H

#include "pub_tool_basics.h"

struct process_tree {
	Int notes;    /* a file in memory that all have, or -1 */
	ULong waited; /* ns, really, for children that are not profiled; less than a second */
};

/* Goes on where the program before left off, if there was one; after the clock is set. */
void process_tree_init(struct process_tree *process_tree);

/*
 * This process is about to become another program, that will be profiled, or
 * will not; that has failed; or it ends.
 */
void process_tree_exec(const struct process_tree *process_tree, Bool is_traced);
void process_tree_exec_failed(const struct process_tree *process_tree);
void process_tree_exit(const struct process_tree *process_tree);

/* A child has ended, or stopped, for which was waited for so long, really. */
void process_tree_waited(struct process_tree *process_tree, Int pid, ULong ns);

#endif
