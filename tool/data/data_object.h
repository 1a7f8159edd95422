/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of data: what references are told apart by that miss.  One is all blocks that were allocated
 * by the same chain of calls, a variable, the stack of a function, a file in memory, the code of an
 * object file.
 *
 * What was missed is kept by row, a piece of the object: as many bytes from its beginning, or from
 * that of its element, if it is an array of elements whose size is known.  Rows are of 8 bytes, or of
 * a power of two as large as needed for DATA_ROWS of them.
 */
#ifndef TOOL_DATA_DATA_OBJECT_H
#define TOOL_DATA_DATA_OBJECT_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/common/text.h"
#include "tool/data/thread_blocks.h"
#include "tool/data/variables.h"

struct context;
struct site;
struct threads;

enum {
	DATA_ROWS = 512,
	DATA_MAX_CALLERS = 16,
};

/* In the order in which they are written. */
enum data_kind {
	DATA_HEAP,      /* blocks of an allocator */
	DATA_GLOBAL,    /* a variable of an object file, or those of it that have no name */
	DATA_STACK,     /* frames of a function */
	DATA_FILE,      /* a file that is mapped, without a name in it */
	DATA_ALLOCATOR, /* what an allocator keeps of its blocks, by the same calls */
	DATA_MAPPING,   /* memory that the same calls mapped, and that is in no block */
	DATA_MEMORY,    /* other memory */
	DATA_CODE,      /* instructions of an object file */
	N_DATA_KINDS,
};

/* Memory of which nothing is known but what has mapped it. */
enum memory_kind {
	MEMORY_OWN,
	MEMORY_SHARED,
	MEMORY_UNKNOWN, /* not mapped, as far as can be seen */
	N_MEMORY_KINDS,
};

/* What tells one object from another. */
struct data_key {
	enum data_kind kind;
	UInt n_sites; /* of DATA_HEAP, DATA_ALLOCATOR and DATA_MAPPING: the calls, innermost first */
	const struct site *sites[DATA_MAX_CALLERS]; /* likewise */
	const struct text *group;                   /* of others: the object file, or NULL */
	const struct text *name;                    /* likewise: the variable, function or file */
};

struct data_object {
	struct data_object *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord hash;
	struct data_key key;
	UInt number;       /* 0.. */
	ULong n_blocks;    /* that were allocated */
	SizeT least, most; /* bytes of these */
	SizeT element;     /* bytes of an element; 0: not an array, as far as is known */
	Bool is_irregular; /* its elements have several sizes */
	UInt row_shift;    /* log2 of the bytes of a row */
	UInt n_rows;
	ULong *rows; /* of each row, counts by column */
};

struct data_objects {
	VgHashTable *table;
	struct data_object **by_number;
	struct data_object *memory[N_MEMORY_KINDS]; /* NULL: not made yet */
	UInt n, room;
	UInt n_columns;
	struct variables variables;
	struct thread_blocks thread_blocks;
	struct text_table names; /* of objects, and what else a file of them names */
};

/* None; so many counts a row. */
void data_objects_init(struct data_objects *objects, UInt n_columns);

/* The object with that key, made if there is none. */
struct data_object *data_objects_find(struct data_objects *objects, const struct data_key *key);

/* The same, of an object without calls: by the object file or NULL, and its name. */
struct data_object *data_objects_named(struct data_objects *objects, enum data_kind kind,
				       const struct text *group, const struct text *name);

/* A block of it has been allocated; element: as in struct data_object, of this one. */
void data_object_note_block(struct data_object *object, SizeT size, SizeT element);

/* Counts of the row for a byte, so far from the beginning. */
ULong *data_object_row(const struct data_objects *objects, struct data_object *object,
		       SizeT offset);

/* The beginning of the piece that a byte is in, so far from that of the object or of its element. */
SizeT data_object_piece(const struct data_object *object, SizeT offset);

/* How many bytes from its beginning, or that of an element, a row begins. */
SizeT data_object_row_offset(const struct data_object *object, UInt row);

/* A name of these. */
const struct text *data_objects_name(struct data_objects *objects, const HChar *chars);

/* Sets all counts to zero. */
void data_objects_zero(struct data_objects *objects);

/* The object that data at an address is of, if it is in no block; the running thread has asked for it. */
struct data_object *data_objects_at(struct data_objects *objects, const struct threads *threads,
				    Addr address, struct data_extent *extent);

/* The code of a site's object file. */
struct data_object *data_objects_code(struct data_objects *objects, const struct site *site);

#endif
