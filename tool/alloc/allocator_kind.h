/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which functions are allocators, and what their arguments and results mean.
 *
 * Known by their names are those of C, as glibc, jemalloc, tcmalloc and mimalloc have them, and
 * operators new and delete of C++; --alloc-fn names others.
 */
#ifndef TOOL_ALLOC_ALLOCATOR_KIND_H
#define TOOL_ALLOC_ALLOCATOR_KIND_H

#include "pub_tool_basics.h"

struct call_hook;
struct function;
struct hooked_call;

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
	const HChar *option; /* all that the user wrote, borrowed for good; NULL once a hook has it */
	const HChar *pattern; /* of the function's name (tool/common/pattern.h) */
	UInt size_argument;   /* 1..6 */
};

enum { ALLOCATORS_MAX_RULES = 16 };

struct allocator_rules {
	struct allocator_rule rules[ALLOCATORS_MAX_RULES];
	UInt n;
};

enum {
	ALLOCATORS_KNOWN = 64, /* functions whose kind is known, a power of two */
};

struct known_allocators {
	struct {
		const void *function;
		UInt kind;
	} known[ALLOCATORS_KNOWN];
};

/* Has a hook called for all of them, from now on: before code is translated.  It is borrowed for good. */
void allocators_hook(const struct call_hook *hook);

/* An enum allocator_kind, or ALLOCATOR_RULE and the number of the rule. */
UInt allocator_kind(const struct function *function);

/*
 * What a call of a function of that kind asks for, which is none that frees: how many elements of how many
 * bytes.  The product may be too large for a word, and then the call fails.
 */
struct allocator_request {
	SizeT n, size;
};

struct allocator_request allocator_request(UInt kind, const struct hooked_call *call);

/*
 * The block that a call has given out, which returned result; 0 if it has given none, as when it
 * failed.  kind is none that frees.
 */
Addr allocator_block(UInt kind, const struct hooked_call *call, UWord result);

/* The block that a call was given to free or to move; 0 if it was given none. */
Addr allocator_old_block(UInt kind, const struct hooked_call *call);

/*
 * Whether a call that has returned result has freed the block that it was given: not a realloc() that
 * failed.  Of 0 bytes, realloc() frees it and may give none back.
 */
Bool allocator_has_freed(UInt kind, const struct hooked_call *call, UWord result);

/*
 * Reads "<pattern>:size=<argument>" into a rule; the text is borrowed for good.  Returns what was
 * expected instead, or NULL.
 */
const HChar *allocator_rule_read(struct allocator_rule *rule, const HChar *text);

#endif
