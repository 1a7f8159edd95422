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
