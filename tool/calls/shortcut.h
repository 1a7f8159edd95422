/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shortcuts: how control went to a call before, to go there again without a
 * search.  A list of them stands with the block that control left; or, if that
 * is skipped code, which is entered from many places, with its context.
 *
 * A shortcut leads from a context to a function entered at an address, at a
 * level of recursion.  As most places call one function in one context, the
 * first of the list nearly always is the one.
 */
#ifndef TOOL_CALLS_SHORTCUT_H
#define TOOL_CALLS_SHORTCUT_H

#include "pub_tool_basics.h"

#include "tool/calls/callstack.h"
#include "tool/calls/thread.h"

struct shortcut {
	struct shortcut *next;
	UWord key;               /* of the target: shortcut_key() */
	struct context *context; /* of the frame on top before */
	ULong generation;        /* of the blocks; another one: the target may be other code */
	/*
	 * Calls of the function on the stack for its level of recursion: at
	 * least so many, and at most as many more.
	 */
	UInt min_active, more_active;
	Bool entry;                   /* the target is the first instruction of its function */
	struct activation activation; /* that it makes */
};

/*
 * Adds a shortcut to a list, in place of the one with the same ends if there
 * is one, or of the oldest if there are many.  It is copied.
 */
void shortcuts_keep(struct shortcut **list, const struct shortcut *shortcut);

/* Frees a list. */
void shortcuts_free(struct shortcut **list);

/* Calls and jumps (kind) to one address are not the same. */
static inline UWord shortcut_key(enum frame_kind kind, Addr target)
{
	return kind == FRAME_CALL ? target : ~target;
}

/* Whether it leads to the level of recursion that the function has now. */
static inline Bool shortcut_fits(const struct shortcut *shortcut, const UInt *active)
{
	UInt n = active[shortcut->activation.active];

	return n - shortcut->min_active <= shortcut->more_active;
}

/* The shortcut with a key, from the frame on top as things stand, or NULL. */
static inline const struct shortcut *shortcuts_find(const struct shortcut *list,
						    const struct thread *thread, UWord key,
						    ULong generation)
{
	const struct context *context = thread_top(thread)->context;

	for (; list != NULL; list = list->next)
		if (list->key == key && list->context == context &&
		    shortcut_fits(list, thread->active))
			return list->generation == generation ? list : NULL;
	return NULL;
}

#endif
