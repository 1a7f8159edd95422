/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hot words: what generated code reads and writes of the thread that runs, and
 * the costs of that thread so far.  They are in hot memory (tool/common/hot_memory.h).
 */
#ifndef TOOL_COUNTS_HOT_H
#define TOOL_COUNTS_HOT_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

struct arc;
struct context;
struct counter_set;
struct site;

/* hot->unit, if it is not the number of the unit that runs: what just happened. */
enum unit_mark {
	UNIT_NONE = 0,            /* a jump, or nothing */
	UNIT_CALL = 0x7ffffffe,   /* a call instruction */
	UNIT_RETURN = 0x7fffffff, /* a return instruction */
};

/* In hot->block: the block ran to its end, and what comes next is the core's work. */
static const ULong BLOCK_DONE = 1ULL << 32;

/* Besides: the block after it is a function that is redirected elsewhere, itself for once. */
static const ULong BLOCK_NO_REDIR = 1ULL << 33;

/* A system call that a thread is in, or was in when a handler interrupted it: tool/calls/systime.h. */
struct system_call {
	struct site *site;       /* that made it; NULL: there is none */
	struct context *context; /* in this context */
	struct arc *arc;         /* of the call, if system calls are functions; else NULL */
	Bool running;            /* since what the clocks said then: */
	ULong began, cpu_began;  /* ns */
};

/* Words that have two counts of 32 bits each, low and high (tool/calls/callcost.h). */
enum packed_word {
	PACKED_BYTES, /* BytR, BytW; where caches and branches are not counted it stands in the place of Dr, beside Ir */
	PACKED_FLOPS,   /* FlS, FlD */
	PACKED_VECTORS, /* Fl128, Fl256; the two are added to together */
	N_PACKED_WORDS,
	PACKED_BITS = 32,
};

enum {
	LATE_MOST_WORK =
		32, /* packed of an event: for each instruction, and once more for one that is split */
	LATE_SAFE = 1 << 26,  /* instructions: so many times twice as much fits in 32 bits */
	LATE_SHORT = 1 << 25, /* after so many an interval ends when it can */
};

/* What is said about the collection of costs (tool/calls/collection.h); zero is the state at the start. */
struct collection {
	Bool flipped;    /* by CALLGRIND_TOGGLE_COLLECT or --toggle-collect */
	UInt n_warmings; /* regions that are only simulated, begun and not over */
	UInt n_regions;  /* regions that are collected, likewise */
};

/*
 * Words of the thread that runs.  The last ones are within a byte's displacement of generated
 * code's base (sim/machine.h), where there is a machine.
 */
struct hot {
	/* For C alone: */
	struct collection collection;
	Addr fault; /* the instruction that cut the block short, if block is 0; or 0 */
	struct system_call call;
	/* What the thread runs in an interpreter (tool/frames/), if these are told apart: */
	Bool interpreter_full; /* the loop that began last was refused, as one too many */
	Addr interpreter_left; /* the frame that stands for the loop, if that has just been gone back to; or 0 */
	Addr interpreter_refused; /* the frame that was the last one, if its call seems to be one too many; or 0 */
	Addr interpreter; /* the state of the thread in it, 0: not known; generated code reads it */
	ULong late_limit; /* the interval is to end when Ir is there; generated code stores 0 */
	/* Of this interval; the last two are aligned as a pair. */
	ULong packed[N_PACKED_WORDS];
	/* Costs of this thread, without handlers that are over. */
	ULong totals[N_EVENTS | 1]; /* an odd number, so that they begin where pairs are aligned */
	struct counter_set *counters; /* for C alone */
	/* For generated code, first what it needs least: */
	ULong frame_sp; /* of the frame on top; of a bottom its first_sp */
	ULong charge;  /* of the block's charges the last one with split set that was begun, or 0 */
	ULong *counts; /* of the counter set that runs */
	ULong unit;    /* number of the unit that runs, or a mark */
	ULong block;   /* number of the block that was entered last, and BLOCK_DONE */
};

#endif
