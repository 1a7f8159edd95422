/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocators: functions that give blocks of memory out and take them back, seen when they are entered
 * and when they have returned (tool/calls/callhook.h).  None of them is replaced, so the program does
 * what it does without.
 *
 * Which they are: tool/alloc/allocator_kind.h.  Of those that call each other the outermost counts.
 */
#ifndef TOOL_DATA_ALLOCATORS_H
#define TOOL_DATA_ALLOCATORS_H

#include "pub_tool_basics.h"

struct data_object;

/* The call of an allocator that a thread is in. */
struct allocation {
	Addr sp; /* of its call; 0: none */
	const void *handler;
	struct data_object *object;
	struct data_object *own; /* what the allocator keeps, once that was asked for */
	ULong old_serial;        /* of the block that realloc() was given; 0: none */
};

enum {
	ALLOCATORS_TOLD = 8,
	ALLOCATORS_CHAIN_BITS = 10, /* log2 of the chains of calls whose object is known */
};

/* An allocator that was called, for the closing lines. */
struct allocator_seen {
	const HChar *name;
	ULong n; /* blocks */
};

struct allocators {
	struct allocation *running; /* by number of thread */
	UInt n_running;             /* room */
	struct data_object *chains[1 << ALLOCATORS_CHAIN_BITS];
	struct allocator_seen seen[ALLOCATORS_TOLD]; /* those that were called first */
	UInt n_seen;
	Bool has_layers; /* blocks may lie in others, since requests or rules gave some */
};

/* Has them seen from now on: before code is translated. */
void allocators_start(void);

/*
 * What the allocator that the running thread is in keeps of its blocks, or a block that it is making; NULL: it is
 * in none.
 */
struct data_object *allocators_running(void);

/* The program says that it gave a block out, or took one back: MALLOCLIKE_BLOCK and the like. */
void allocators_give(Addr block, SizeT size);
void allocators_take(Addr block);

#endif
