/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocators: functions that give blocks of memory out and take them back, seen when they are entered
 * and when they have returned (tool/calls/callhook.h).  None of them is replaced, so the program does
 * what it does without.
 *
 * Known by their names are those of C, as glibc, jemalloc, tcmalloc and mimalloc have them, and
 * operators new and delete of C++; --alloc-fn names others.  Of those that call each other the
 * outermost counts.
 */
#ifndef TOOL_DATA_ALLOCATORS_H
#define TOOL_DATA_ALLOCATORS_H

#include "pub_tool_basics.h"

struct data_object;

/* What an allocator's arguments and its result are. */
enum allocator_kind {
	ALLOCATOR_NONE,           /* it is none */
	ALLOCATOR_SIZE,           /* size argument 0: malloc, new */
	ALLOCATOR_CALLOC,         /* number, size of each */
	ALLOCATOR_REALLOC,        /* block, size */
	ALLOCATOR_REALLOCARRAY,   /* block, number, size of each */
	ALLOCATOR_ALIGNED,        /* alignment, size */
	ALLOCATOR_POSIX_MEMALIGN, /* where the block's address goes, alignment, size */
	ALLOCATOR_FREE,           /* block: free, delete */
	ALLOCATOR_RULE,           /* as --alloc-fn has it, and those that follow, by its number */
};

/* --alloc-fn=<pattern>:size=<argument>: argument 1 is the first. */
struct allocator_rule {
	const HChar *pattern; /* of the function's name (tool/common/pattern.h) */
	UInt size_argument;   /* 1..6 */
};

enum { ALLOCATORS_MAX_RULES = 16 };

struct allocator_rules {
	struct allocator_rule rules[ALLOCATORS_MAX_RULES];
	UInt n;
};

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
	ALLOCATORS_KNOWN = 64,      /* functions whose kind is known, a power of two */
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
	struct {
		const void *function;
		UInt kind;
	} known[ALLOCATORS_KNOWN];
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

/*
 * Reads "<pattern>:size=<argument>" into a rule; the text is borrowed for good.  Returns what was
 * expected instead, or NULL.
 */
const HChar *allocator_rule_read(struct allocator_rule *rule, const HChar *text);

/* The program says that it gave a block out, or took one back: MALLOCLIKE_BLOCK and the like. */
void allocators_give(Addr block, SizeT size);
void allocators_take(Addr block);

#endif
