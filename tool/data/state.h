/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which data the program misses on (--data=yes): the state of this room, its options, and what its files share.
 *
 * For each miss, data.c finds the object and offset that it is on; data_object.c keeps the objects; variables.c knows
 * variables by address, and allocators.c blocks of memory.
 */
#ifndef TOOL_DATA_STATE_H
#define TOOL_DATA_STATE_H

#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_hashtable.h"

#include "tool/common/event.h"
#include "tool/common/text.h"
#include "tool/data/elf_data.h"
#include "tool/data/heap_map.h"
#include "tool/simulate/missobserver.h"
#include "tool/symbols/symbol.h"

struct context;
struct data_object;
struct data_objects;
struct site;
struct threads;

/* --- variables (variables.c) ----------------------------------------------------------------
 *
 * Variables of object files.  Global ones are at fixed addresses.  Their names are Valgrind's, which reads debug files, too;
 * how far a variable goes, and where there is none, is found once and kept as a range, so that not every address of
 * it needs to be looked up.
 *
 * Thread-local ones are in the static block that each thread has below its thread pointer (on x86-64, FS); a variable of all
 * threads is one object.  The ABI says where the program's part of that block is.  Parts of libraries are where words of
 * their data say, which the dynamic linker fills in.  Before that, and for a library without such a word, the place is
 * unknown.  What a thread gets later (dlopen()) is in blocks of the heap.
 */

/* What is known around an address: size bytes from start on are of one object. */
struct data_extent {
	Addr start;
	SizeT size;  /* 0: nothing is known */
	Addr origin; /* where the variable begins, from which offsets count; 0: unknown */
};

struct data_range {
	struct data_extent extent;
	struct data_object *object;
};

/* An object file, read when data of it was first asked for. */
struct variables_file {
	struct variables_file *next;
	const struct text *path;
	PtrdiffT bias;   /* from addresses in the file to those in memory */
	Bool is_program; /* it was executed */
	Bool is_read;    /* False: data is empty */
	struct elf_data data;
};

/* All zero at first. */
struct variables {
	UInt epoch;                /* of Valgrind's object files, when the ranges were made */
	struct data_range *ranges; /* by address */
	UInt n, room;
	struct variables_file *files;
};

/* The part of an object file in the blocks of threads. */
struct thread_block {
	const struct variables_file *file;
	ULong distance; /* from the thread pointer down to its beginning */
	/* By number of its variable, then the object of what has no name; NULL: not met yet. */
	struct data_object **objects;
};

enum {
	THREAD_BLOCKS_MAX = 64,
};

/* All zero at first. */
struct thread_blocks {
	UInt epoch;     /* of Valgrind's object files, when the parts were found */
	UInt n_asked;   /* addresses since then */
	UInt n_looked;  /* n_asked when parts were last looked for */
	UInt n_unknown; /* files whose part was not found then */
	UInt n;
	struct thread_block parts[THREAD_BLOCKS_MAX];
	ULong longest;  /* distance of any */
	Addr *pointers; /* thread pointers of all threads, in order; NULL: not found yet */
	UInt n_pointers;
	UInt n_changes; /* of struct threads, when they were found */
};

/*
 * The variable at an address, or the object of variables without a name, or of the file there; NULL, and *extent
 * unchanged, if the address is in no object file.
 */
struct data_object *variables_at(Addr address, struct data_extent *extent);

/*
 * The thread-local variable at an address in a thread's block, or the thread's description, which follows the block;
 * NULL: neither.
 */
struct data_object *thread_blocks_at(ThreadId thread, Addr address, Addr *origin);

/* The same in the block of any thread. */
struct data_object *thread_blocks_at_any(const struct threads *threads, Addr address, Addr *origin);

/* --- objects (data_object.c) ----------------------------------------------------------------
 *
 * An object is all blocks that the same chain of calls has allocated, a variable, the stack of a function, a mapped file, or
 * the code of an object file.
 *
 * Misses are kept by row: a piece of the object, counted from its beginning or, if it is an array of elements of known
 * size, from the beginning of the element.  Rows have 8 bytes, or the power of two that is needed to do with DATA_ROWS of
 * them.
 */

enum {
	DATA_ROWS = 512,
	DATA_MAX_CALLERS = 16,
};

/* In the order in which they are written. */
enum data_kind {
	DATA_HEAP,      /* blocks of an allocator */
	DATA_GLOBAL,    /* a variable of an object file, or its variables without a name */
	DATA_STACK,     /* frames of a function */
	DATA_FILE,      /* a mapped file, where it has no names */
	DATA_ALLOCATOR, /* what an allocator keeps of its blocks, by the same calls */
	DATA_MAPPING,   /* memory that the same calls mapped, and that is in no block */
	DATA_MEMORY,    /* other memory */
	DATA_CODE,      /* instructions of an object file */
	N_DATA_KINDS,
};

/* Memory where only the mapping is known. */
enum memory_kind {
	MEMORY_OWN,
	MEMORY_SHARED,
	MEMORY_UNKNOWN, /* not mapped, as far as can be seen */
	N_MEMORY_KINDS,
};

/* What distinguishes objects. */
struct data_key {
	enum data_kind kind;
	/* DATA_HEAP, DATA_ALLOCATOR and DATA_MAPPING: the calls, innermost first. */
	UInt n_sites;
	const struct site *sites[DATA_MAX_CALLERS];
	/* Others: the object file, or NULL; the variable, function or file. */
	const struct text *group;
	const struct text *name;
};

struct data_object {
	struct data_object *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord hash;
	struct data_key key;
	UInt number;       /* 0.. */
	ULong n_blocks;    /* allocated so far */
	SizeT least, most; /* bytes of a block */
	SizeT element;     /* bytes of an element; 0: not an array, as far as is known */
	Bool is_irregular; /* elements have several sizes */
	UInt row_shift;    /* log2 of the bytes of a row */
	UInt n_rows;
	ULong *rows; /* for each row, counts by column */
};

struct data_objects {
	VgHashTable *table;
	struct data_object **by_number;
	struct data_object *memory[N_MEMORY_KINDS]; /* NULL: not made yet */
	UInt n, room;
	UInt n_columns;
	struct variables variables;
	struct thread_blocks thread_blocks;
	struct text_table names; /* of objects, and other names in a file of data */
};

/* No objects; rows have n_columns counts. */
void data_objects_init(UInt n_columns);

/* The object with that key, made if there is none. */
struct data_object *data_objects_find(const struct data_key *key);

/* The same for an object without calls: by the object file or NULL, and its name. */
struct data_object *data_objects_named(enum data_kind kind, const struct text *group,
				       const struct text *name);

/* A block of it has been allocated; element as in struct data_object, for this block. */
void data_object_note_block(struct data_object *object, SizeT size, SizeT element);

/* The counts of the row that has the byte at an offset. */
ULong *data_object_row(struct data_object *object, SizeT offset);

/* The offset of the row that has the byte at an offset, in the object or its element. */
SizeT data_object_piece(const struct data_object *object, SizeT offset);

/* The offset of a row. */
SizeT data_object_row_offset(const struct data_object *object, UInt row);

/* A text in names. */
const struct text *data_objects_name(const HChar *chars);

/* Sets all counts to zero. */
void data_objects_zero(void);

/*
 * The object of an address that is data in no block, for the running thread; *extent, all zero at first, becomes what
 * is known around it.
 */
struct data_object *data_objects_at(const struct threads *threads, Addr address,
				    struct data_extent *extent);

/* The code of a site's object file. */
struct data_object *data_objects_code(const struct site *site);

/* --- blocks of memory (allocators.c) --------------------------------------------------------
 *
 * Allocators are seen when they are entered and when they have returned (tool/alloc/state.h).  None is replaced, so the
 * program does what it does without the tool.  If allocators call each other, the outermost counts.
 */

/* The call of an allocator that a thread is in. */
struct allocation {
	Addr sp; /* of its call; 0: none */
	const void *handler;
	struct data_object *object;
	struct data_object *own; /* the allocator's own data, once that was asked for */
	ULong old_serial;        /* of the block that realloc() was given; 0: none */
};

enum {
	ALLOCATORS_TOLD = 8,
	ALLOCATORS_CHAIN_BITS = 10, /* log2 of the chains of calls whose object is cached */
};

/* An allocator that was called, for the closing lines. */
struct allocator_seen {
	const HChar *name;
	ULong n; /* blocks */
};

struct allocators {
	struct allocation *running; /* by number of thread */
	UInt n_running;             /* room */
	struct data_object *chains[1 << ALLOCATORS_CHAIN_BITS];
	struct allocator_seen seen[ALLOCATORS_TOLD]; /* those that were called first */
	UInt n_seen;
	Bool has_layers; /* blocks may be in other blocks, since requests or rules gave some */
};

/* Follows blocks from now on; call it before code is translated. */
void allocators_start(void);

/*
 * If the running thread is in an allocator: the object of what that keeps of its blocks, or of a block that it is
 * making.  Else NULL.
 */
struct data_object *allocators_running(void);

/* The program says that it gave a block out, or took one back: MALLOCLIKE_BLOCK and the like. */
void allocators_give(Addr block, SizeT size);
void allocators_take(Addr block);

/* --- misses (data.c) --------------------------------------------------------------------- */

/* The column of lines in files of data; a profile has no such event. */
#define LINE_USES_EVENT      "Lines"
#define LINE_USES_EVENT_NAME "Lines brought into L1"

/* What an instruction has missed on an object, in one context. */
struct data_view {
	struct data_view *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct data_object *object;
	const struct site *site;
	const struct context *context;
	ULong n;        /* references */
	ULong counts[]; /* by column */
};

/* The object that an instruction last missed on, as code or as data.  It has a line of the host's cache. */
struct data_cached {
	const struct site *site;
	const struct context *context;
	struct data_view *view;
	Addr start; /* size bytes from here on are known to be the object's, */
	SizeT size;
	Addr origin;                    /* offsets are from here; 0: all are 0 */
	const struct heap_block *block; /* as long as the block's serial is this one or, */
	ULong serial;                   /* if block is NULL, in this epoch of objects */
} __attribute__((aligned(64)));

/* A block that holds an address in a line of 64 bytes, as long as its serial is this one. */
struct data_recent {
	const struct heap_block *block;
	ULong serial;
};

enum {
	DATA_CACHED = 4096,    /* instructions whose last object is known, half of them as code */
	DATA_VIEW_BITS = 11,   /* log2 of the views that are found at once */
	DATA_RECENT_BITS = 15, /* log2 of the lines for which a block is known */
};

/* --- sharing (sharing.c) ------------------------------------------------------------------ */

struct used_line;

/* Bytes of a line, as bits. */
struct byte_use {
	ULong read, written;
};

/* One of two places that fight over a line: what its threads have done to it. */
struct sharing_side {
	const struct site *site;
	const struct context *context;
	ULong threads; /* their numbers modulo 64, as bits */
	struct byte_use use;
	UInt width; /* bytes that one thread uses, at most */
};

/* Two places that fight over a line of an object; sides in the order of their addresses. */
struct sharing_pair {
	struct sharing_pair *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct data_object *object;
	PtrdiffT line; /* where the line begins, in bytes from the object's beginning */
	struct sharing_side sides[2];
	/* By enum sharing_kind: */
	ULong n[N_SHARING_KINDS];         /* transfers */
	ULong n_at_once[N_SHARING_KINDS]; /* references */
};

struct sharing {
	Bool is_on;
	VgHashTable *lines; /* struct used_line */
	VgHashTable *pairs;
	struct used_line **recent; /* some of the lines, by a hash */
	ULong *clocks; /* by number of thread: when it began, less its instructions then */
	UInt n_clocks; /* room */
	ULong n_noted; /* references */
};

/* Notes references from now on; what generated code calls must already be chosen. */
void sharing_start(void);

/* Forgets what was counted, but not who used which line. */
void sharing_zero(void);

/* The process is a fork's child: nobody has used any line. */
void sharing_fork(void);

/* A block of memory is given out: nobody has used its lines. */
void sharing_forget(Addr start, SizeT size);

/* The running thread is about to create a thread of that number. */
void sharing_create_thread(UInt child);

/* The object at an address of data, and how many bytes from its beginning. */
struct data_object *data_object_at(Addr address, PtrdiffT *offset);

/* The object that a reference to data is on, and how many bytes from its beginning. */
struct data_object *data_object_of(const struct miss *reference, PtrdiffT *offset);

/* Counts a transfer on that object, and for the instruction. */
void data_note_transfer(const struct miss *reference, enum sharing_kind kind);

/* --- locks (locks.c) ---------------------------------------------------------------------- */

enum lock_kind { LOCK_MUTEX, LOCK_RWLOCK, LOCK_SPIN, N_LOCK_KINDS };

/* A place that takes a lock. */
struct lock_site {
	Addr return_address;
	struct source_location place;
	ULong n, held, longest; /* as of the lock */
};

/* A thread that has the lock. */
struct lock_hold {
	UInt thread, depth, site;
	Bool reads;
	ULong began,
		charged; /* instructions of the thread when it took the lock, and that were counted */
};

struct lock {
	struct lock *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;         /* its address */
	struct lock *older;
	enum lock_kind kind;
	struct data_object *object; /* at first */
	PtrdiffT offset;
	ULong n;             /* times that it was taken */
	ULong n_changes;     /* among these, by another thread than before */
	ULong n_taken;       /* times that it was wanted while another thread had it */
	ULong held, longest; /* instructions that ran in threads that had it, and in one hold */
	UInt last_thread;    /* that took it; 0: none */
	UInt n_holds, n_sites;
	struct lock_hold *holds;
	struct lock_site *sites;
};

struct locks {
	VgHashTable *by_address; /* not those that were destroyed */
	struct lock *last;       /* the latest of all */
};

/* Follows locks from now on; call it before code is translated. */
void locks_start(void);

/* Counts what has run so far in threads that have locks. */
void locks_settle(void);

/* See sharing_zero() and the like. */
void locks_zero(void);
void locks_fork(void);
void locks_create_thread(UInt child);

struct data_options {
	UInt callers; /* of an allocation that distinguish blocks: 1..DATA_MAX_CALLERS */
};

struct data_state {
	struct data_options options;
	Bool is_on;
	struct event_set events;   /* the profile's events that are columns */
	UChar column_of[N_EVENTS]; /* their columns */
	UInt n_columns;            /* including, as the last one, lines if uses_lines */
	Bool uses_lines;
	struct heap_map heap;
	struct heap_map mappings; /* anonymous ones */
	struct allocators allocators;
	struct data_objects objects;
	struct sharing sharing;
	struct locks locks;
	VgHashTable *views;
	VgHashTable *line_owners;
	struct data_view *recent_views[1 << DATA_VIEW_BITS];
	struct data_recent recent[1 << DATA_RECENT_BITS];
	struct data_cached cached[DATA_CACHED];
};

extern struct data_state tool_data;

#endif
