/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shortcuts: how control went to a call before, to go there again without a
 * search.  A list of them stands with the block that control left; or, if that
 * is skipped code, which is entered from many places, with its context.
 *
 * A shortcut leads from a context to a function entered at an address, at a
 * level of recursion.  As most places call one function in one context, the
 * first of the list nearly always is the one: where it is, generated code says, so that
 * nothing has to be loaded to find it.  Of places with many (the loop of
 * an interpreter calls hundreds of functions through a pointer), the list has
 * the last few that were new; others are in a table, each in the only slot where
 * it is looked for, until another one takes it.
 */
#ifndef TOOL_CALLS_SHORTCUT_H
#define TOOL_CALLS_SHORTCUT_H

#include "pub_tool_basics.h"

#include "tool/calls/callstack.h"
#include "tool/calls/thread.h"
#include "tool/common/pool.h"

struct shortcut {
	struct shortcut *next; /* in the list */
	struct shortcut *list; /* its first one, that of now or of before it came into the table */
	UWord key;             /* of the target: shortcut_key() */
	struct context *context; /* of the frame on top before; NULL: this is a list without any */
	ULong generation;        /* of the blocks; another one: the target may be other code */
	/*
	 * Calls of the function on the stack for its level of recursion: at
	 * least so many, and at most as many more.
	 */
	UInt min_active, more_active;
	Bool entry;                   /* the target is the first instruction of its function */
	Bool nameless;                /* it has no symbols, as stubs have none */
	struct activation activation; /* that it makes */
};

enum {
	SHORTCUT_LIST = 4,      /* of a list */
	SHORTCUT_SLOT_BITS = 12 /* of the number of a slot */
};

struct shortcut_table {
	struct shortcut *slots[1 << SHORTCUT_SLOT_BITS];
	struct pool pool; /* two lines of the host's cache each */
};

void shortcuts_init(struct shortcut_table *table);

/* A list without shortcuts. */
struct shortcut *shortcuts_new(struct shortcut_table *table);

/*
 * Puts a shortcut first in a list, in place of the one with the same ends if there
 * is one; if there are many, the oldest goes to the table.  It is copied.
 */
void shortcuts_keep(struct shortcut_table *table, struct shortcut *list,
		    const struct shortcut *shortcut);

/* Frees a list of a block, with what of it is in the table; does nothing if it is NULL. */
void shortcuts_free(struct shortcut_table *table, struct shortcut *list);

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

/* Whether a passage of its kind, with this stack pointer, makes its frame again. */
static inline Bool shortcut_pushes(const struct shortcut *shortcut, const struct callstack *stack,
				   enum frame_kind kind, Addr sp)
{
	return callstack_pushes_again(stack, &shortcut->activation.frame, kind, sp, shortcut->entry,
				      shortcut->nameless);
}

/* Where in the table a shortcut is, if it is there. */
static inline UWord shortcut_slot(const struct shortcut *list, UWord key,
				  const struct context *context)
{
	/* The upper bits of a product with the golden ratio: Knuth, TAOCP 3, 6.4. */
	const UWord golden = 0x9e3779b97f4a7c15;

	return ((key ^ (UWord)list << 16 ^ (UWord)context << 32) * golden) >>
	       (64 - SHORTCUT_SLOT_BITS);
}

/* Whether it has a key, from the frame on top as things stand. */
static inline Bool shortcut_leads(const struct shortcut *shortcut, const struct thread *thread,
				  UWord key)
{
	return shortcut->key == key && shortcut->context == thread_top(thread)->context &&
	       shortcut_fits(shortcut, thread->active);
}

/* The shortcut of a list, which may be NULL, with a key, from the frame on top as things stand, or NULL. */
static inline const struct shortcut *shortcuts_find(const struct shortcut_table *table,
						    const struct shortcut *list,
						    const struct thread *thread, UWord key,
						    ULong generation)
{
	const struct shortcut *at = list;

	if (list == NULL)
		return NULL;
	while (at != NULL && !shortcut_leads(at, thread, key))
		at = at->next;
	if (at == NULL) {
		at = table->slots[shortcut_slot(list, key, thread_top(thread)->context)];
		if (at == NULL || at->list != list || !shortcut_leads(at, thread, key))
			return NULL;
	}
	return at->generation == generation ? at : NULL;
}

#endif
