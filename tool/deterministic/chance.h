/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random bytes of the kernel's and of the processor's, with
 * --deterministic=yes: all come from one sequence (tool/deterministic/randoms.h), in the order
 * in which the program asks.  A child of a fork has a sequence of its own.
 */
#ifndef TOOL_DETERMINISTIC_CHANCE_H
#define TOOL_DETERMINISTIC_CHANCE_H

#include "pub_tool_basics.h"

#include "tool/deterministic/randoms.h"

struct chance {
	struct randoms randoms;
	UInt n_children; /* forked so far */
};

void chance_init(struct chance *chance, UInt seed);

/* After a fork: the parent counts it, the child goes on with another sequence. */
void chance_fork_parent(struct chance *chance);
void chance_fork_child(struct chance *chance);

/* getrandom has given result bytes to args[0]. */
void chance_getrandom(ThreadId tid, const UWord *args, UWord result);

/* A device of random bytes was read: into the memory of read() or readv(). */
void chance_read(const UWord *args, UWord result);
void chance_readv(const UWord *args, UWord result);

#endif
