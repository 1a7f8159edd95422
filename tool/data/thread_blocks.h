/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Thread-local variables: which one an address is of, in the static block that each thread has below its
 * thread pointer (x86-64: what FS points to).  A variable of all threads is one object.
 *
 * Where the program's part of that block is, the ABI says.  Those of libraries are where words of their
 * data say, which the dynamic linker has filled in; of a library without such a word, and before they
 * are filled in, it is not known.  What a thread gets later (dlopen()) is in blocks of the heap.
 */
#ifndef TOOL_DATA_THREAD_BLOCKS_H
#define TOOL_DATA_THREAD_BLOCKS_H

#include "pub_tool_basics.h"

struct data_object;
struct data_objects;
struct threads;
struct variables_file;

/* The part that an object file has of the blocks of threads. */
struct thread_block {
	const struct variables_file *file;
	ULong distance; /* from the thread pointer down to its beginning */
	struct data_object **
		objects; /* by number of its variable, then that of what has no name; NULL: not met yet */
};

enum {
	THREAD_BLOCKS_MAX = 64,
};

/* All zero is the beginning. */
struct thread_blocks {
	UInt epoch;     /* of Valgrind's object files, that the parts are of */
	UInt n_asked;   /* addresses since then */
	UInt n_looked;  /* of these, when parts were looked for last */
	UInt n_unknown; /* files whose part was not found then */
	UInt n;
	struct thread_block parts[THREAD_BLOCKS_MAX];
	ULong longest;  /* distance of any */
	Addr *pointers; /* of all threads, in order; NULL: not looked for yet */
	UInt n_pointers;
	UInt n_changes; /* of struct threads, when they were looked for */
};

/*
 * The thread-local variable that an address is of, in a thread's block, or the thread's description that
 * lies behind it; NULL: of none.
 */
struct data_object *thread_blocks_at(struct data_objects *objects, ThreadId thread, Addr address,
				     Addr *origin);

/* The same, in the block of any thread that there is. */
struct data_object *thread_blocks_at_any(struct data_objects *objects,
					 const struct threads *threads, Addr address, Addr *origin);

#endif
