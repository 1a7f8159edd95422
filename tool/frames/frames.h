/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loops of interpreters that a program has, each with its reader (tool/frames/reader.h), and what is
 * done when the frame of one becomes another one: functions are called and left
 * (tool/calls/calls.h).
 */
#ifndef TOOL_FRAMES_FRAMES_H
#define TOOL_FRAMES_FRAMES_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/frames/reader.h"

struct function;
struct source_location;
struct text;

/* Where the word of the loop's frame is: from what it is found. */
enum frame_base {
	BASE_UNKNOWN,
	BASE_THREAD, /* the state of the thread: hot->interpreter */
	BASE_SP,     /* the stack pointer, once the loop has its frame */
	BASE_FP,     /* the frame pointer */
};

struct frame_loop {
	const struct text *object; /* that it is in */
	UInt body;                 /* its function's (struct function) */
	const struct frame_reader *reader;
	struct reader_facts facts;
	enum frame_base base;
	Long place;                   /* of the word: bytes from there */
	Bool given_up;                /* it is not followed any more */
	Bool misses;                  /* functions that began were not seen: has been said */
	Bool has_called;              /* functions that it runs are known */
	const struct text *functions; /* object of the functions that it runs */
};

enum {
	MAX_LOOPS = 4,     /* objects with one, of a process */
	MAX_SWITCHES = 64, /* active; of more, the outermost are forgotten */
};

/* A thread that was in one interpreter has called a loop in the name of another one (a sub-interpreter, say). */
struct thread_switch {
	UInt thread;
	Addr from, to; /* states */
};

struct frame_loops {
	struct frame_loop loops[MAX_LOOPS];
	UInt n;
	/* The functions asked for last, and what came of it. */
	const struct function *asked;
	struct frame_loop *found;
	const struct function *asked_beside;
	struct frame_loop *found_beside;
	UInt refused[MAX_LOOPS]; /* bodies of loops that have no reader */
	UInt n_refused;
	VgHashTable *codes; /* struct frame_code by address */
	/* States of threads that were left for others in the midst of a loop, the last ones. */
	struct thread_switch switches[MAX_SWITCHES];
	UInt n_switches;
};

struct frames_options {
	Bool python; /* --python=yes */
};

struct frames_state {
	struct frames_options options;
	struct frame_loops loops;
};

extern struct frames_state tool_frames;

/* After the options are known; does nothing if none of them asks for functions that are interpreted. */
void frames_init(void);

/*
 * The loop that an instruction of a function, at an address, is of, or may be, since it is code without a
 * symbol in the loop's object; NULL if it is of none.  Says in a line if that is an interpreter of a version
 * that no reader is for.
 */
struct frame_loop *frames_loop_of(const struct function *function, Addr address);

/*
 * The loop whose word, in the state of a thread, code of a function, at an address, may change although it is none of a
 * file, like a just-in-time compiler's; NULL if there is none.
 */
struct frame_loop *frames_loop_beside(const struct function *function, Addr address);

/* Generated code: such code has changed it. */
VG_REGPARM(1) void frames_missed(struct frame_loop *loop);

/* Generated code: a loop begins, for a thread in this state. */
VG_REGPARM(2) void frames_entered(Addr state, struct frame_loop *loop);

/* The running thread is in the midst of a loop that it began before it was watched. */
void frames_found(struct frame_loop *loop);

/* Generated code: a loop has just stored at a word, which holds its frame. */
VG_REGPARM(2) void frames_changed(Addr word, struct frame_loop *loop);

/*
 * The process ends: says in a line if it ran nothing of what was asked for.  Where no interpreter ran at all,
 * that is said of the program that the user named, not of its children and what they execute.
 */
void frames_end(void);

/* --- stores of the loop (framewatch.c) -------------------------------------------------------- */

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
