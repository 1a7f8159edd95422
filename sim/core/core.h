/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core of a processor: what instructions cost, in cycles, that come one after the other.
 *
 * A walk takes operations in the order in which they were executed, and says of each when it retires.  What an operation
 * costs is by how much it retires later than the one before it, so costs add up to the time of the
 * whole, however it is cut.  Every reference to data hits the first level, and every branch is predicted: what is lost
 * otherwise is counted where it happens.
 *
 * The model is that of interval analysis (Karkhanis and Smith, "A First-Order Superscalar Processor Model", 2004) for the
 * parts between two losses, with ports and dependences by their instructions:
 *
 *	fetch		one aligned window of code a cycle, and none behind a jump that is taken; up to QUEUE operations
 *			ahead of dispatch
 *	dispatch	width slots a cycle, of no more than so many instructions, in order
 *	issue		out of order, when operands are there and a port has time; an unlimited scheduler.  Ports are a
 *			fluid: what several can do is shared out among those that have the least to do, in parts of a cycle, so
 *			that costs do not depend on where in a cycle one is
 *	loads		go as soon as their address is known; one of a place that has just been stored to takes the
 *			value from there (forward cycles later, into a vector no sooner than from L1D); one of more than
 *			that store has written waits until L1D has it (CORE_BLOCKED)
 *	retirement	in order, width slots a cycle
 *
 * A cost has three parts.  Base: its slots, and waiting for a port.  Dependence: waiting for operands, and its own
 * latency where nothing else hides it.  Front end: waiting for code.
 *
 * Walks are deterministic.  No memory is allocated.
 */
#ifndef SIM_CORE_CORE_H
#define SIM_CORE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/core/operation.h"

enum {
	CORE_TICKS = 120, /* a cycle: so each slot of all usual widths takes a whole number */
	CORE_MAX_WIDTH = 12,
	CORE_QUEUE = 64,     /* operations between fetch and dispatch */
	CORE_STORES = 32,    /* stores that a load may take its value from */
	CORE_LOADS = 8,      /* loads that may have brought the line of another one */
	CORE_LINE = 64,      /* bytes that are taken to be on one line */
	CORE_RENAMED = 1024, /* of a displacement (measured on Zen 2) */
	/* Cycles that a load takes longer if the last store has only a part of it (measured on Zen 5: 14 and 15 from store to load). */
	CORE_BLOCKED = 10,
	CORE_JUMPS = 16,     /* taken ones, with different targets, that are predicted at once */
	CORE_HISTORY = 1024, /* operations that are remembered */
};

struct core_config {
	unsigned width;   /* slots dispatched, and retired, a cycle: 1 to CORE_MAX_WIDTH */
	unsigned decoded; /* instructions that these may be of; 0: as many as slots */
	unsigned window;  /* bytes of code fetched a cycle, aligned */
	/*
	 * Cycles from the fetch of a jump that is taken to that of where it goes, unless it is one of the CORE_JUMPS that
	 * were last: those that a processor predicts before it has fetched them take one.  0: one for all.
	 */
	unsigned jump;
	unsigned call; /* the same of a call or a return, which no such prediction is made of; 0: as of a jump */
	unsigned forward; /* cycles from what is stored to what is loaded, if it is the same */
	/*
	 * The same where registers are renamed for it, which needs no address: of general registers of 32 and 64 bits, and
	 * where both say the same registers, which have not changed but by pushes and pops, and the same displacement, less than
	 * CORE_RENAMED from 0; or where both are relative to the instruction pointer.  Of these, the core's table says for which
	 * (enum instruction_renaming).
	 */
	unsigned renamed;
	uint32_t memory_ports; /* that addresses of loads and stores go to, by bits; others compute */
};

/* In ticks. */
struct core_cost {
	uint32_t base, dependence, front_end;
	uint32_t waited; /* from dispatch to its result: how long a misprediction of it takes to be seen */
	uint64_t done; /* when that was there, from the beginning of the walk */
	/*
	 * The tag of the load that its address (of a jump: its condition) comes from; 0: none.  Of several
	 * loads of what one register points to, it is the first one: the others find its line on its way.
	 */
	uint64_t source;
};

/* What was stored, where, and when it can be had. */
struct core_store {
	uint32_t base, index; /* values of registers, by number */
	int64_t offset;
	uint64_t ready;
	uint64_t source; /* tag of the load that the value comes from */
	uint32_t writer; /* number of the operation, from 1 */
	uint16_t size;
	uint8_t scale;
	bool is_renamed; /* a load of it may be */
	int8_t base_register, index_register;
	int32_t displacement;
};

/* What an operation waited for last. */
struct core_event {
	uint64_t tag; /* of a load: of the one that brings its line, or its value (core_cost.source) */
	/* The number, from 1, of the operation whose result that was; 0: to be dispatched, or a port. */
	uint32_t by;
	bool by_load;     /* for what it loads: by is what made the address of that, or stored it */
	bool was_retired; /* as soon as it was done: what is before it had been retired */
};

struct core_walk {
	const struct core_config *config;
	uint64_t fetched;           /* when the window was that operations come from now */
	uint64_t jumps[CORE_JUMPS]; /* targets of taken ones, the last one first; 0: none */
	uint64_t window;            /* its number */
	uint64_t dispatched;        /* when the next slot may be */
	uint64_t retired;
	uint64_t queue[CORE_QUEUE]; /* when operations were dispatched, by their number */
	uint64_t n_operations;
	uint64_t ready[N_CORE_REGISTERS];
	uint64_t source[N_CORE_REGISTERS]; /* tags of the loads that values come from */
	uint32_t writer
		[N_CORE_REGISTERS]; /* numbers, from 1, of the operations that wrote them; 0: none */
	/* Values of general registers, up to a constant: those of one number differ by their offsets. */
	uint32_t values[N_CORE_GENERAL];
	int64_t offsets[N_CORE_GENERAL];
	uint32_t n_values;
	bool was_call;                                /* the operation before it */
	bool may_fuse;                                /* likewise; then: */
	uint64_t before_fused[INSTRUCTION_MAX_PORTS]; /* busy_until before it computed */
	struct core_store stores[CORE_STORES];
	unsigned n_stores;
	struct core_store loads[CORE_LOADS]; /* with their tags as sources */
	unsigned n_loads;
	uint64_t busy_until[INSTRUCTION_MAX_PORTS];
	struct core_event
		events[CORE_HISTORY]; /* by the number of their operation, which begins at 0 */
};

/* A walk for a core, which is borrowed. */
void core_walk_init(struct core_walk *walk, const struct core_config *config);

/* Begins a walk: nothing has happened. */
void core_walk_begin(struct core_walk *walk);

/*
 * An operation, at an address, and whether a jump led to it.  tag: of it, not 0, for what comes from what it loads.
 * cost may be NULL.
 */
void core_walk_step(struct core_walk *walk, const struct operation *operation, uint64_t address,
		    bool jumped, uint64_t tag, struct core_cost *cost);

/*
 * The critical path that leads to the last operation, by what each of its operations waited for last (Fields, Rubin and
 * Bodik, "Focusing Processor Policies via Critical-Path Prediction", 2001): puts the tags of the loads on it, or of those
 * that bring their lines, into tags, last ones first, and returns how many these are, at most room.  None, unless the path goes on for at least
 * `long_enough` operations without one that only waited to be dispatched, or for a port: nobody waits for a
 * chain that is shorter than what is under way at a time.
 */
unsigned core_walk_critical(const struct core_walk *walk, unsigned long_enough, uint64_t *tags,
			    unsigned room);

/*
 * What an operation costs if nothing is known of what comes before it: ticks, the larger of what it takes of dispatch and of its
 * ports.
 */
uint32_t core_cost_alone(const struct core_config *config, const struct operation *operation);

#endif
