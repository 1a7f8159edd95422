/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hot words: the state of the running thread that generated code reads and writes, and the costs of
 * that thread so far. They are in hot memory (tool/common/hot_memory.h).
 */
#ifndef TOOL_COUNTS_HOT_H
#define TOOL_COUNTS_HOT_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

struct arc;
struct context;
struct counter_set;
struct site;

/* Values of hot->unit that are not the number of the unit that runs: what has just happened. */
enum unit_mark {
	UNIT_NONE = 0,            /* a jump, or nothing */
	UNIT_CALL = 0x7ffffffe,   /* a call instruction */
	UNIT_RETURN = 0x7fffffff, /* a return instruction */
};

/* In hot->block: the block ran to its end, and the core is next. */
static const ULong BLOCK_DONE = 1ULL << 32;

/* Also: the next block is a redirected function that runs itself this time. */
static const ULong BLOCK_NO_REDIR = 1ULL << 33;

/* A system call that a thread is in, or was in when a handler interrupted it: tool/calls/systime.h. */
struct system_call {
	struct site *site;       /* that made it; NULL: there is none */
	struct context *context; /* in this context */
	struct arc *arc;         /* of the call, if system calls are functions; else NULL */
	Bool running;            /* since what the clocks said then: */
	ULong began, cpu_began;  /* ns */
};

/* Words with two counts of 32 bits each, low and high (tool/calls/callcost.h). */
enum packed_word {
	PACKED_BYTES, /* BytR, BytW; without caches and branches it is in Dr's place, next to Ir */
	PACKED_FLOPS, /* FlS, FlD */
	PACKED_VECTORS, /* Fl128, Fl256; the two are added to together */
	N_PACKED_WORDS,
	PACKED_BITS = 32,
};

enum {
	LATE_MOST_WORK =
		32, /* most that an instruction adds to one packed count; a split one adds twice */
	LATE_SAFE = 1 << 26,  /* instructions: twice LATE_MOST_WORK times this fits in 32 bits */
	LATE_SHORT = 1 << 25, /* instructions after which an interval ends when it can */
};

/* The orders about collection of costs (tool/calls/collection.h); zero at the start. */
struct collection {
	Bool flipped;    /* by CALLGRIND_TOGGLE_COLLECT or --toggle-collect */
	UInt n_warmings; /* regions that are only simulated, begun and not over */
	UInt n_regions;  /* regions that are collected, begun and not over */
};

/*
 * The words of the running thread. The last ones are within a byte's displacement of generated
 * code's base (sim/machine.h), where there is a machine.
 */
struct hot {
	/* For C alone: */
	struct collection collection;
	Addr fault; /* the instruction that cut the block short, if block is 0; or 0 */
	struct system_call call;
	/* What the thread runs in an interpreter (tool/frames/), if that is followed: */
	Bool interpreter_full; /* the loop that began last was one too many and is refused */
	Addr interpreter_left; /* the frame that represents the loop, if control has just returned to it; or 0 */
	Addr interpreter_refused; /* the last frame, if its call seems to be one too many; or 0 */
	Addr interpreter; /* the state of the thread in the interpreter, 0: not known; generated code reads it */
	ULong late_limit; /* the interval is to end when Ir reaches it; generated code stores 0 */
	/* For this interval; the last two are aligned as a pair. */
	ULong packed[N_PACKED_WORDS];
	/* Costs of this thread, without handlers that are over. */
	ULong totals[N_EVENTS | 1]; /* an odd number, so that they begin where pairs are aligned */
	struct counter_set *counters; /* for C alone */
	/* For generated code, first what it needs least: */
	ULong frame_sp; /* of the frame on top; of a bottom its first_sp */
	ULong charge;   /* the last charge of the block with split set that was begun, or 0 */
	ULong *counts;  /* of the counter set that runs */
	ULong unit;     /* number of the unit that runs, or a mark */
	ULong block;    /* number of the block that was entered last, and BLOCK_DONE */
};

#endif
