/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branch target buffer: which jumps, calls, returns and taken branches the front end knows of before it has
 * decoded them.  Sets of up to 8 ways, filled in turn (first in, first out): so what it knows does not change while it
 * knows it, and a branch that is known costs generated code a look at one word.
 *
 * Of 8, 4, 2 and 1 ways it has the most that divide the number of entries; the set of a branch is its key modulo the number
 * of sets.
 *
 * No maker says what buffers replace by; their sizes are published (data/machines/).
 */
#ifndef SIM_BRANCHES_TARGETBUFFER_H
#define SIM_BRANCHES_TARGETBUFFER_H

#include <stddef.h>
#include <stdint.h>

struct branch_place;

enum {
	TARGETBUFFER_MAX_WAYS = 8,
	TARGETBUFFER_MAX_ENTRIES = 1 << 20,
};

struct target_set {
	struct branch_place *ways[TARGETBUFFER_MAX_WAYS]; /* NULL is an empty one */
	uint64_t next;                                    /* the way that is filled next */
};

struct target_buffer {
	struct target_set *sets;
	unsigned n_sets, n_ways;
};

/* Bytes of memory for a buffer of so many entries, 1 to TARGETBUFFER_MAX_ENTRIES. */
size_t targetbuffer_memory(unsigned n_entries);

/* memory: targetbuffer_memory() bytes of the caller's, all zero. */
void targetbuffer_init(struct target_buffer *buffer, unsigned n_entries, void *memory);

/* A place that it does not know is taken: it knows it from now on, and forgets what it returns, which may be NULL. */
struct branch_place *targetbuffer_take(struct target_buffer *buffer, struct branch_place *place);

/* It knows a place no more, if it did. */
void targetbuffer_forget(struct target_buffer *buffer, const struct branch_place *place);

#endif
