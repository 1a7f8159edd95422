/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocators that the program calls: which functions they are, what their arguments and results mean, and how much
 * they allocate.  The state of this room, and its options.
 *
 * Known by name are the allocators of C, as glibc, jemalloc, tcmalloc and mimalloc name them, and operators new and
 * delete of C++; --alloc-fn names others.
 */
#ifndef TOOL_ALLOC_STATE_H
#define TOOL_ALLOC_STATE_H

#include "pub_tool_basics.h"

struct call_hook;
struct function;
struct hooked_call;

/* What an allocator's arguments and its result are. */
enum allocator_kind {
	ALLOCATOR_NONE,           /* no allocator */
	ALLOCATOR_SIZE,           /* size: malloc, new */
	ALLOCATOR_CALLOC,         /* number, size of each */
	ALLOCATOR_REALLOC,        /* block, size */
	ALLOCATOR_REALLOCARRAY,   /* block, number, size of each */
	ALLOCATOR_ALIGNED,        /* alignment, size */
	ALLOCATOR_POSIX_MEMALIGN, /* where to store the block's address, alignment, size */
	ALLOCATOR_FREE,           /* block: free, delete */
	ALLOCATOR_RULE,           /* this and higher values: rule 0, 1... of --alloc-fn */
};

/* --alloc-fn=<pattern>:size=<argument> */
struct allocator_rule {
	const HChar *option;  /* the whole option, borrowed for good; NULL once a hook has it */
	const HChar *pattern; /* of the function's name (tool/common/pattern.h) */
	UInt size_argument;   /* 1..6; 1 is the first */
};

enum { ALLOCATORS_MAX_RULES = 16 };

struct allocator_rules {
	struct allocator_rule rules[ALLOCATORS_MAX_RULES];
	UInt n;
};

struct alloc_options {
	struct allocator_rules rules;
};

enum {
	ALLOCATORS_KNOWN = 64, /* a power of two */
};

struct alloc_state {
	struct alloc_options options;
	/* Functions whose kind was asked for, hashed. */
	struct {
		const struct function *function;
		UInt kind;
	} known[ALLOCATORS_KNOWN];
};

extern struct alloc_state tool_alloc;

/*
 * Reads "<pattern>:size=<argument>" into a rule; the text is borrowed for good.  Returns NULL, or what was
 * expected instead.
 */
const HChar *allocator_rule_read(struct allocator_rule *rule, const HChar *text);

/* Has a hook called for all allocators; call it before code is translated.  The hook is borrowed for good. */
void allocators_hook(const struct call_hook *hook);

/* An enum allocator_kind, or ALLOCATOR_RULE + the number of a rule. */
UInt allocator_kind(const struct function *function);

/*
 * The number of elements and the bytes of each that a call asks for; 0 of 0 if it does not allocate.  The
 * product may not fit in a word; then the call fails.
 */
struct allocator_request {
	SizeT n, size;
};

struct allocator_request allocator_request(UInt kind, const struct hooked_call *call);

/* The block that a call has returned, or 0 if it failed.  kind is one that allocates. */
Addr allocator_block(UInt kind, const struct hooked_call *call, UWord result);

/* The block that a call was given to free or to move, or 0. */
Addr allocator_old_block(UInt kind, const struct hooked_call *call);

/*
 * True if a call that returned result has freed the block that it was given: not if realloc() failed.  realloc() of 0
 * bytes frees it, and may return none.
 */
Bool allocator_has_freed(UInt kind, const struct hooked_call *call, UWord result);

/*
 * Counts how much the program allocates (--collect-alloc=yes): allocCount, allocSize and freeCount, costs of the
 * allocator that was called, and so of the calls that led to it.  Call it before code is translated.
 *
 * If allocators call each other the outermost counts: operator new, not the malloc() in it.  A block counts when its
 * allocator returns, with the bytes that were asked for; nothing counts if the allocator fails, or is left by longjmp()
 * or an exception.  A block is freed when it is passed to free() or its like, unless it is a null pointer.  realloc()
 * frees the old block, if any, and allocates another, wherever that is; of 0 bytes, it only frees.
 */
void alloc_count_start(void);

#endif
