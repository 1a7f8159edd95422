/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call tree (tool/calls/calltree.h) that the stacks of the program's threads make,
 * with --call-tree=yes.  Each thread is a root, below which are the bottoms of
 * its stack: where it began, and apart from these its signal handlers.  A
 * function is known by its number.
 *
 * Calls, whose costs are differences of running totals, are added when they are
 * over (thread.h).  Bottoms have been there since their totals were 0.
 */
#ifndef TOOL_CALLS_STACKTREE_H
#define TOOL_CALLS_STACKTREE_H

#include "pub_tool_basics.h"

#include "tool/calls/calltree.h"
#include "tool/counts/context.h"

struct activation;
struct hot;
struct thread;
struct threads;

/* The key of the root of all that was not collected; threads have lower numbers. */
static inline UInt stacktree_dropped(const struct calltree *tree)
{
	return tree->limits.max_roots;
}

/* A tree of so many nodes, with the first so many events. */
void stacktree_init(struct calltree *tree, UInt max_nodes, UInt n_kept);

/* The key of calls of a context; 0 if it is skipped code, which is part of its caller. */
static inline UInt stacktree_key(const struct context *context)
{
	return context->owner != NULL ? 0 : context->function->id + 1;
}

/* The function of a key other than CALLTREE_FOLDED, with or without CALLTREE_APART: its id. */
static inline UInt stacktree_function_id(UInt key)
{
	return (key & ~CALLTREE_APART) - 1;
}

/* The place of a call of this key from another place; the call is counted. */
static inline UInt stacktree_enter(struct calltree *tree, UInt from, UInt key)
{
	return key == 0 ? from | CALLTREE_NESTED : calltree_enter(tree, from, key);
}

/* The same if it needs no new node, otherwise CALLTREE_NOWHERE. */
static inline UInt stacktree_enter_again(struct calltree *tree, UInt from, UInt key)
{
	return key == 0 ? from | CALLTREE_NESTED : calltree_enter_again(tree, from, key);
}

/* Has the bottom on top of the stack, which has a context, begin, or go on as another function. */
void stacktree_start_bottom(struct calltree *tree, const struct thread *thread);
void stacktree_start_bottom_of(struct calltree *tree, const struct thread *thread,
			       struct activation *bottom);

/* The same of a bottom whose context has become its twin; it is not called by that. */
void stacktree_move_bottom(struct calltree *tree, const struct thread *thread,
			   struct activation *bottom);

/* Adds to a place what has been spent there; or takes it off again. */
void stacktree_add(struct calltree *tree, UInt place, const ULong *totals);
void stacktree_subtract(struct calltree *tree, UInt place, const ULong *totals);

/*
 * Adds what the bottoms have cost that are still there, and takes it off again:
 * between the two, after threads_update(), the tree has all that was spent.
 */
void stacktree_complete(struct threads *threads, struct hot *hot);
void stacktree_reopen(struct threads *threads, struct hot *hot);

/* Begins anew, with the calls that are active: each has been made once. */
void stacktree_zero(struct threads *threads);

#endif
