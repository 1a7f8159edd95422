/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interpreter loops of a program, each with its reader (tool/frames/reader.h), and what happens
 * when the frame of one changes: functions are called and left (tool/calls/calls.h).
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

/* How the word with the loop's frame is found. */
enum frame_base {
	BASE_UNKNOWN,
	BASE_THREAD, /* from the state of the thread: hot->interpreter */
	BASE_SP,     /* from the stack pointer, once the loop has its frame */
	BASE_FP,     /* from the frame pointer */
};

struct frame_loop {
	const struct text *object; /* that the loop is in */
	UInt body;                 /* of its function (struct function) */
	const struct frame_reader *reader;
	struct reader_facts facts;
	enum frame_base base;
	Long place;                   /* of the word: bytes from the base */
	Bool given_up;                /* the loop is not followed any more */
	Bool misses;                  /* functions began unseen, which has been reported */
	Bool has_called;              /* some function that it runs is known */
	const struct text *functions; /* object of the functions that it runs */
};

enum {
	MAX_LOOPS = 4,     /* objects with a loop in a process */
	MAX_SWITCHES = 64, /* active at a time; if there are more, the outermost are forgotten */
};

/* A thread in one interpreter has called a loop of another one (a sub-interpreter, for example). */
struct thread_switch {
	UInt thread;
	Addr from, to; /* states */
};

struct frame_loops {
	struct frame_loop loops[MAX_LOOPS];
	UInt n;
	/* The functions asked for last, and the answers. */
	const struct function *asked;
	struct frame_loop *found;
	const struct function *asked_beside;
	struct frame_loop *found_beside;
	UInt refused[MAX_LOOPS]; /* bodies of loops without a reader */
	UInt n_refused;
	VgHashTable *codes; /* struct frame_code by address */
	/* Thread states that were left for others in the middle of a loop, the latest. */
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

/* Call it when the options are known; does nothing unless interpreted functions are asked for. */
void frames_init(void);

/*
 * The loop that an instruction of a function, at an address, belongs to, or may belong to, since it
 * is code without a symbol in the loop's object; or NULL. Prints a line if this is an interpreter
 * of an unknown version.
 */
struct frame_loop *frames_loop_of(const struct function *function, Addr address);

/*
 * The loop whose word, in the state of a thread, may be changed by code of a function, at an
 * address, that is in no file, as a just-in-time compiler's is; or NULL.
 */
struct frame_loop *frames_loop_beside(const struct function *function, Addr address);

/* Called by generated code: such code has changed the word. */
VG_REGPARM(1) void frames_missed(struct frame_loop *loop);

/* Called by generated code: a loop begins, for a thread in this state. */
VG_REGPARM(2) void frames_entered(Addr state, struct frame_loop *loop);

/* The running thread is in the middle of a loop that began before the thread was watched. */
void frames_found(struct frame_loop *loop);

/* Called by generated code: a loop has just stored to a word, which holds its frame. */
VG_REGPARM(2) void frames_changed(Addr word, struct frame_loop *loop);

/*
 * The process ends: prints a line if it ran none of the interpreters that were asked for. If no
 * interpreter ran at all, this is reported for the program that the user named, not for its
 * children and the programs that they execute.
 */
void frames_end(void);

/* --- stores of the loop (framewatch.c) -------------------------------------------------------- */

/* A store that generated code has to report to C once the whole instruction has been counted. */
struct frame_store {
	struct frame_loop *loop; /* NULL: there is no store */
	IRExpr *word;            /* the address of the word that holds the frame, an atom */
	Bool beside;             /* it is made by code outside of the loop */
	IRExpr *guard; /* one bit, an atom: the store was to the word; NULL: it certainly was */
};

/*
 * Looks at statement number at of a superblock, of an instruction at a place and address, after it
 * has been added to out. If it is such a store, fills in store, or adds it to the store there.
 */
void framewatch_look(const IRSB *sb, Int at, const struct source_location *place, Addr address,
		     IRSB *out, struct frame_store *store);

/* Emits the report of a store, if there is one, and clears it. */
void framewatch_emit(IRSB *out, struct frame_store *store);

#endif
