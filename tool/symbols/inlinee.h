/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inlinees: functions that the compiler put into others, as the debug
 * information describes them.  An instruction of f may come from b, which was
 * inlined at a line of a, which was inlined at a line of f; then "b there in a
 * there in f" is an inlinee, and its parent is "a there in f".
 *
 * Two calls of one function in one line of another are one inlinee: the core
 * has nothing to tell them apart by.
 */
#ifndef TOOL_SYMBOLS_INLINEE_H
#define TOOL_SYMBOLS_INLINEE_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/common/text.h"

/* What becomes of code that was inlined. */
enum inlined {
	INLINED_NO,    /* it is of the line that called it, in the function around it */
	INLINED_LINES, /* it is of its own lines, in the function around it */
	INLINED_CALLS, /* it is a function that was called */
};

enum {
	NOT_INLINED = 0, /* in place of an inlinee's number */
};

/* A file that instructions of an inlinee came from, and how many. */
struct inlinee_file {
	struct inlinee_file *next;
	const struct text *file;
	UInt n_seen;
};

/* Never freed. */
struct inlinee {
	struct inlinee *next; /* the hash table's */
	UWord key;
	const struct inlinee *parent; /* that it was inlined in; NULL: in the function itself */
	UInt body;                    /* the function's: tool/symbols/symbol.h */
	UInt number;                  /* 1.., in order of first appearance */
	const struct text *name;      /* as the source has it: no parameters, no class */
	const struct text *call_file; /* where it is called, in the parent; "???" if unknown */
	UInt call_line;
	struct inlinee_file *files;
};

/* What one instruction is part of: a function, and a place in it. */
struct inline_frame {
	const struct text *name;
	const struct text *file; /* "???": not known */
	UInt line;
};

struct inlinees {
	VgHashTable *table;
	struct inlinee **by_number; /* from 1 */
	UInt n;                     /* 1 + how many there are */
	UInt room;
	/* Of the instruction that was asked for last, the innermost first. */
	struct inline_frame *frames;
	UInt n_frames, room_for_frames;
	struct text_table *files, *names; /* borrowed */
};

/* The tables are those that names are to be interned in. */
void inlinees_init(struct inlinees *inlinees, struct text_table *files, struct text_table *names);

/* Has the core read what was inlined where.  To be called before it reads debug information. */
void inlinees_ask(void);

/*
 * Reads the frames of the instruction at an address of the running program.
 * Returns how many inlined functions it is in, 0 if none are known; the frame
 * of that number is then that of the function around them, as the others are
 * of these.  Frames hold until the next call.
 */
UInt inlinees_read(struct inlinees *inlinees, DiEpoch epoch, Addr address);

/* Puts other frames in their place, one by one after inlinees_begin(), the innermost first. */
void inlinees_begin(struct inlinees *inlinees);
void inlinees_add(struct inlinees *inlinees, const struct inline_frame *frame);

/*
 * The number of the innermost inlinee of the frames that were read last, more
 * than none, in a function of this body.
 */
UInt inlinees_find(struct inlinees *inlinees, UInt body);

/* By its number; NULL for NOT_INLINED. */
static inline const struct inlinee *inlinees_by_number(const struct inlinees *inlinees, UInt number)
{
	return number == NOT_INLINED ? NULL : inlinees->by_number[number];
}

/* The file that most of its instructions seem to come from, and of those the first by name (ranked before). */
const struct text *inlinee_file(const struct inlinee *inlinee);

#endif
