/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frame readers: what is to be known of an interpreter to tell apart the functions that it runs.
 * One version of one interpreter is one reader; all of what is particular to it stands there, as
 * a table of facts.
 *
 * An interpreter is taken to be like this: one function, the loop, runs functions of the program's; it
 * keeps the address of the frame of the one that runs in a word of a local variable of its own, a
 * record, whose address it leaves with its thread; and it may go from one frame to another by storing
 * there, without a call.
 */
#ifndef TOOL_FRAMES_READER_H
#define TOOL_FRAMES_READER_H

#include "pub_tool_basics.h"

struct elf_image;

enum {
	CODE_IDENTITY_WORDS = 6,
};

/* What code that is at one address is told apart by from other code that was there before: equal contents have equal ones. */
struct code_identity {
	UWord words[CODE_IDENTITY_WORDS];
};

/* What is read off the interpreter's own data once it is there. */
struct reader_facts {
	Addr runtime;   /* its state that all threads share; 0: not known */
	Addr code_type; /* what says of an object that it is code */
};

/* A function as its source has it; both texts are the caller's to free. */
struct code_source {
	HChar *name, *file;
	UInt line; /* its first; 0 = unknown */
};

struct frame_reader {
	const HChar *language; /* "Python 3.11" */
	const HChar *object;   /* that its functions are said to be in: "[python]" */
	const HChar *loop;     /* symbol of the loop */
	/* Bytes: in a thread where the address of the loop's record is, and in that where the frame is. */
	UInt record, current;
	/* Whether this file has the version that the reader is for; fills in facts. */
	Bool (*recognise)(const struct elf_image *image, struct reader_facts *facts);
	/* Where the word of the thread is that runs in the interpreter now; 0 if none does, or that is not to be made out. */
	Addr (*word)(const struct reader_facts *facts);
	/*
	 * Whether a frame that has become the one of the loop, by a store at word, begins or is resumed, so that its
	 * function is called: one may only be made to be put by, or fail before.
	 */
	Bool (*begins)(const struct reader_facts *facts, Addr frame, Addr word);
	/* The frame that a frame, which is active or has just ended, returns to; 0 if it is not to be made out. */
	Addr (*previous)(Addr frame);
	/* The code of a frame; 0 if it is not to be made out. */
	Addr (*code)(const struct reader_facts *facts, Addr frame);
	/* What identifies it. */
	void (*identify)(Addr code, struct code_identity *identity);
	/* What it is; False if it is not to be made out, and then nothing is to be freed. */
	Bool (*describe)(Addr code, struct code_source *source);
};

#endif
