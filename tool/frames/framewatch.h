/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which stores of the loop of an interpreter (tool/frames/reader.h) change the frame that it runs.
 *
 * If the word is in a local variable of the loop, stores there have an address that is a
 * constant away from the stack pointer, or from the frame pointer.  Which constant that is shows
 * where the loop begins: it leaves the address of the variable with its thread, at a place that
 * the reader knows.  So all is known when code is translated, and no other store pays for it.
 *
 * If it is in the state of the thread, which the loop has in whatever register or variable it likes, stores
 * that may go there are those with the word's place as displacement, from an address that is neither on the stack nor
 * computed with an index.  These are compared with the state of the thread that runs, which is the loop's argument; also
 * in code that is in no file, to say so if a compiler's changes the frame.
 */
#ifndef TOOL_FRAMES_FRAMEWATCH_H
#define TOOL_FRAMES_FRAMEWATCH_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

struct frame_loop;
struct source_location;

/* A store that was made, of which C is to be told when all of the instruction has been counted. */
struct frame_store {
	struct frame_loop *loop; /* NULL: there is none */
	IRExpr *word;            /* an atom: the address of the word that holds the frame */
	Bool beside;             /* it is made by code that is none of the loop */
	IRExpr *guard; /* likewise, of one bit: whether it was stored there; NULL: it was */
};

/*
 * Looks at statement number at of a superblock, of an instruction at a place, after it has
 * been added to out; address is the instruction's.  Fills in store if it is one, or adds it to the one there.
 */
void framewatch_look(const IRSB *sb, Int at, const struct source_location *place, Addr address,
		     IRSB *out, struct frame_store *store);

/* Tells C of a store, if there is one, which is none any more. */
void framewatch_emit(IRSB *out, struct frame_store *store);

#endif
