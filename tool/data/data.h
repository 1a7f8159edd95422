/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On which data the program misses (--data=yes): an observer of misses
 * (tool/translate/missobserver.h), which finds for each the object that it is on, and adds it to what
 * that object, a piece of it, and the instruction on that object have missed.  A hit costs nothing.
 *
 * All events of misses of caches are columns, those of fetches too, so that their sums are those of
 * the profile.
 */
#ifndef TOOL_DATA_DATA_H
#define TOOL_DATA_DATA_H

#include "pub_tool_basics.h"

struct context;
struct data_object;
struct heap_block;
struct site;

/* What an instruction has missed on in one context. */
struct data_view {
	struct data_view *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct data_object *object;
	const struct site *site;
	const struct context *context;
	ULong n;        /* references */
	ULong counts[]; /* by column */
};

/* The object that an instruction has missed on last. */
struct data_cached {
	const struct site *site;
	const struct context *context;
	struct data_view *view;
	Addr start;                     /* of what is known to be the object's: */
	const struct heap_block *block; /* all of it, as long as its serial is this one; */
	ULong serial;
	UInt epoch; /* NULL: so much as the object's extent says, in this epoch of objects */
};

#endif
