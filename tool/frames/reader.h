/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frame readers: what is to be known of an interpreter to tell apart the functions that it runs.
 * One interpreter is one reader; what is particular to a version or build are its facts.
 *
 * An interpreter is taken to be like this: one function, the loop, runs functions of the program's, and its
 * first argument is the address of the state of its thread. It keeps the address of the frame of the one that runs
 * in a word, and it may go from one frame to another by storing there, without a call. The word is in the thread's state, or in
 * a local variable of the loop's, a record, whose address it leaves in that.
 */
#ifndef TOOL_FRAMES_READER_H
#define TOOL_FRAMES_READER_H

#include "pub_tool_basics.h"

#include "tool/frames/layout.h"

struct elf_image;

enum {
	CODE_IDENTITY_WORDS = 6,
	READER_WHY_SIZE = 160, /* bytes, with the end */
};

/* What code that is at one address is told apart by from other code that was there before: equal contents have equal ones. */
struct code_identity {
	UWord words[CODE_IDENTITY_WORDS];
};

/* What is read off the interpreter's own file and data once they are there. */
struct reader_facts {
	Addr loop;      /* the loop's first instruction */
	Addr runtime;   /* its state that all threads share; 0: not known */
	Addr code_type; /* what says of an object that it is code */
	struct python_layout layout;
};

/* A function as its source has it; both texts are the caller's to free. */
struct code_source {
	HChar *name, *file;
	UInt line; /* its first; 0 = unknown */
};

struct frame_reader {
	const HChar *object; /* that its functions are said to be in: "[python]" */
	const HChar *loop;   /* symbol of the loop */
	const HChar *
		pieces; /* how symbols begin that a build has whose loop is in pieces, which is not known */
	/*
	 * Whether this file has a version that the reader is for, and fills in facts; if it does not, why, as
	 * goes on after "FILE is ".
	 */
	Bool (*recognise)(const struct elf_image *image, struct reader_facts *facts,
			  HChar why[READER_WHY_SIZE]);
	/* The state of the thread that runs, by the interpreter's data; 0 if it is not to be made out. */
	Addr (*thread)(const struct reader_facts *facts);
	/* Where the word of a thread is that runs in the interpreter; 0 if that is not to be made out. */
	Addr (*word)(const struct reader_facts *facts, Addr thread);
	/* Whether the thread is so deep in calls that the next one, of a loop or within it, is refused. */
	Bool (*refuses_loop)(const struct reader_facts *facts, Addr thread);
	Bool (*refuses_call)(const struct reader_facts *facts, Addr thread);
	/*
	 * The frame of a function that one which stands in a word is, or belongs to, since it is a stub between two; 0 if it
	 * stands for the loop itself.
	 */
	Addr (*function_frame)(const struct reader_facts *facts, Addr frame);
	/* Whether the function of a frame, which has become that of the loop, is called: one may only be made to be put by. */
	Bool (*begins)(const struct reader_facts *facts, Addr frame);
	/* The frame, of any kind, that a frame, which is active or has just ended, returns to; 0 if it is not to be made out. */
	Addr (*previous)(const struct reader_facts *facts, Addr frame);
	/* The code of a frame; 0 if it is not to be made out. */
	Addr (*code)(const struct reader_facts *facts, Addr frame);
	/* What identifies it. */
	void (*identify)(const struct reader_facts *facts, Addr code,
			 struct code_identity *identity);
	/* What it is; False if it is not to be made out, and then nothing is to be freed. */
	Bool (*describe)(const struct reader_facts *facts, Addr code, struct code_source *source);
};

extern const struct frame_reader cpython;

#endif
