/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which object a reference that missed is on, at which offset, and what its instruction has missed on
 * that object.  Most instructions miss on the object that they missed on last: what is known of that is
 * kept by instruction, with the piece of memory that it is known of.
 */
#ifndef TOOL_DATA_LOOKUP_H
#define TOOL_DATA_LOOKUP_H

#include "pub_tool_basics.h"

struct context;
struct data_object;
struct heap_block;
struct miss;
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

/*
 * The object that an instruction has missed on last, as code or as data.  It has a line of the host's
 * cache.
 */
struct data_cached {
	const struct site *site;
	const struct context *context;
	struct data_view *view;
	Addr start; /* from here on so many bytes are known to be the object's: */
	SizeT size;
	Addr origin;                    /* that offsets are from; 0: all are 0 */
	const struct heap_block *block; /* as long as the block's serial is this one; */
	ULong serial;                   /* NULL: in this epoch of objects */
} __attribute__((aligned(64)));

/* A block that holds an address of a line of 64 bytes, by the line: as long as its serial is this one. */
struct data_recent {
	const struct heap_block *block;
	ULong serial;
};

/* Where a miss is. */
struct data_at {
	struct data_view *view;
	SizeT offset; /* bytes from the beginning of the object */
};

/* The miss's instruction and context, by which it is counted: those of the caller, of skipped code. */
struct data_user {
	const struct site *site;
	const struct context *context;
};

struct data_user data_user_of(const struct miss *miss);

/* Where a miss is, of a context that is not dropped. */
struct data_at data_look_up(const struct miss *miss, const struct data_user *user);

/* Forgets what misses there were; views remain. */
void data_views_zero(void);

#endif
