/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frame readers: what is needed to distinguish the functions that an interpreter runs. Each
 * interpreter has a reader; what depends on a version or build are its facts.
 *
 * An interpreter works like this: one function, the loop, runs functions of the program, and its
 * first argument is the address of its thread's state. A word holds the address of the running
 * function's frame, and the loop goes from one frame to another by storing there, without a call.
 * The word is in the thread's state, or in a local variable of the loop, a record, whose address is
 * left in the thread's state.
 */
#ifndef TOOL_FRAMES_READER_H
#define TOOL_FRAMES_READER_H

#include "pub_tool_basics.h"

#include "tool/frames/layout.h"

struct elf_image;

enum {
	CODE_IDENTITY_WORDS = 6,
	READER_WHY_SIZE = 160, /* bytes, with the NUL */
};

/*
 * What distinguishes code at an address from other code that was there before: equal contents have
 * equal identities.
 */
struct code_identity {
	UWord words[CODE_IDENTITY_WORDS];
};

/* What is read from the interpreter's file and data once they are there. */
struct reader_facts {
	Addr loop;      /* the loop's first instruction */
	Addr runtime;   /* the state that all threads share; 0: not known */
	Addr code_type; /* the type of code objects */
	struct python_layout layout;
};

/* A function in its source; the caller frees both texts. */
struct code_source {
	HChar *name, *file;
	UInt line; /* first line; 0 = unknown */
};

struct frame_reader {
	const HChar *object; /* that is given for its functions: "[python]" */
	const HChar *loop;   /* symbol of the loop */
	const HChar *
		pieces; /* prefix of symbols in builds whose loop is in pieces, which are not supported */
	/*
	 * True if this file has a version that the reader is for; fills in facts. If not, fills in
	 * why, as it goes on after "FILE is ".
	 */
	Bool (*recognise)(const struct elf_image *image, struct reader_facts *facts,
			  HChar why[READER_WHY_SIZE]);
	/* The state of the running thread; 0 if it cannot be determined. */
	Addr (*thread)(const struct reader_facts *facts);
	/* Where the word of a thread in the interpreter is; 0 if that cannot be determined. */
	Addr (*word)(const struct reader_facts *facts, Addr thread);
	/* True if the next call, of or within a loop, is refused: calls are too deep. */
	Bool (*refuses_loop)(const struct reader_facts *facts, Addr thread);
	Bool (*refuses_call)(const struct reader_facts *facts, Addr thread);
	/*
	 * The function's frame for a frame in a word, which may be a stub between two; 0 if it
	 * represents the loop itself.
	 */
	Addr (*function_frame)(const struct reader_facts *facts, Addr frame);
	/*
	 * True if the function of a frame that has become the loop's is called: a frame may be made
	 * only to be suspended at once.
	 */
	Bool (*begins)(const struct reader_facts *facts, Addr frame);
	/*
	 * The frame, of any kind, that a frame which is active or has just ended returns to; 0 if
	 * that cannot be determined.
	 */
	Addr (*previous)(const struct reader_facts *facts, Addr frame);
	/* The code of a frame; 0 if it cannot be determined. */
	Addr (*code)(const struct reader_facts *facts, Addr frame);
	/* Identifies code. */
	void (*identify)(const struct reader_facts *facts, Addr code,
			 struct code_identity *identity);
	/* Describes code; False if that is not possible, and then there is nothing to free. */
	Bool (*describe)(const struct reader_facts *facts, Addr code, struct code_source *source);
};

extern const struct frame_reader cpython;

#endif
