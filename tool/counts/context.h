/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts: what distinguishes costs, apart from the place in the code. A context is a function at
 * a level of recursion, called through a chain of callers as long as the options ask for, in a
 * thread if they ask for that. Each is written as a function of its own: f, f'2, f'caller.
 *
 * Skipped code (--skip-plt, --fn-skip) runs in a context that is *owned*: its costs belong to the
 * instruction in another context that called it.
 *
 * What runs while nothing is collected runs in contexts that are *dropped*: they have costs like
 * all others, but are not written.
 */
#ifndef TOOL_COUNTS_CONTEXT_H
#define TOOL_COUNTS_CONTEXT_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/symbols/symbol.h"

struct site;

/* Never freed. */
struct context {
	struct context *next; /* the hash table's */
	UWord key;
	struct function *function;
	struct context *owner;      /* NULL except for skipped code */
	struct site *owner_site;    /* the call in owner, or NULL */
	struct shortcut *shortcuts; /* of skipped code: the ways out of it */
	UInt id;                    /* 0.., in order of first appearance */
	UInt rank;                  /* set by contexts_rank(), as is the name: f, f'2, f'caller */
	UInt name_len;
	const HChar *name;
	ULong n_skipped; /* instructions of skipped code that are in the owner's cell */
	UInt thread;     /* 0 if threads are not separated */
	UInt level;      /* of recursion, 1..; of skipped code 0 */
	Bool dropped;
	struct context *
		twin; /* the context that only differs in being dropped or not; NULL: not made yet */
	UInt n_callers;
	const struct function *callers[]; /* the nearest first */
};

struct contexts {
	VgHashTable *table;
	UInt n;
};

void contexts_init(struct contexts *contexts);

/* Notes how many instructions were executed in a context, if it is skipped. */
static inline void context_skip(struct context *context, ULong n_instructions)
{
	if (context->owner != NULL)
		context->n_skipped += n_instructions;
}

/* Sets to zero what contexts count: of one thread, or of all if thread is 0. */
void contexts_zero(struct contexts *contexts, UInt thread);

/* The description of a context. */
struct context_spec {
	struct function *function;
	struct context *owner;
	struct site *owner_site;
	UInt thread, level;
	Bool dropped; /* as owner is, if there is one */
	UInt n_callers;
	const struct function *const *callers; /* borrowed */
};

struct context *contexts_find(struct contexts *contexts, const struct context_spec *spec);

/* The context that differs from this one in being dropped or not, as does its owner. */
struct context *contexts_twin(struct contexts *contexts, struct context *context);

/* The same if it exists, else NULL: for code that must not change anything. */
struct context *contexts_known_twin(struct contexts *contexts, struct context *context);

/*
 * Names all contexts and ranks them for writing: by thread, function (call symbols_rank() before),
 * callers and level.
 */
void contexts_rank(struct contexts *contexts);

/* The names of functions have changed: contexts_rank() will name all contexts again. */
void contexts_forget_names(struct contexts *contexts);

#endif
