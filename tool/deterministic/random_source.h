/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random bytes of the kernel's and of the processor's, with
 * --deterministic=yes: all come from one sequence (tool/deterministic/splitmix.h), in the order
 * in which the program asks.  A child of a fork has a sequence of its own.
 */
#ifndef TOOL_DETERMINISTIC_RANDOM_SOURCE_H
#define TOOL_DETERMINISTIC_RANDOM_SOURCE_H

#include "pub_tool_basics.h"

#include "tool/deterministic/splitmix.h"

struct random_source {
	struct splitmix splitmix;
	UInt n_children; /* forked so far */
};

void random_source_init(struct random_source *random_source, UInt seed);

/* After a fork: the parent counts it, the child goes on with another sequence. */
void random_source_fork_parent(struct random_source *random_source);
void random_source_fork_child(struct random_source *random_source);

/* getrandom has given result bytes to args[0]. */
void random_source_getrandom(ThreadId tid, const UWord *args, UWord result);

/* A device of random bytes was read: into the memory of read() or readv(). */
void random_source_read(const UWord *args, UWord result);
void random_source_readv(const UWord *args, UWord result);

#endif
