/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which stores of the loop of an interpreter (tool/frames/reader.h) change the frame that it runs.
 *
 * The word is in a local variable of the loop, so that stores there have an address that is a
 * constant away from the stack pointer, or from the frame pointer.  Which constant that is shows
 * where the loop begins: it leaves the address of the variable with its thread, at a place that
 * the reader knows.  So all is known when code is translated, and no other store pays for it.
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
};

/*
 * Looks at statement number at of a superblock, of an instruction at a place, after it has
 * been added to out; address is the instruction's.  Fills in store if it is one.
 */
void framewatch_look(const IRSB *sb, Int at, const struct source_location *place, Addr address,
		     IRSB *out, struct frame_store *store);

/* Tells C of a store, if there is one, which is none any more. */
void framewatch_emit(IRSB *out, struct frame_store *store);

#endif
