/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core of a processor: what a sequence of instructions costs in cycles.
 *
 * A walk takes operations in the order of their execution, and tells when each retires.  The cost of an operation is
 * how much later it retires than the one before it, so costs add up to the total time however the code is
 * divided.  Every reference to data hits the first level, and every branch is predicted: misses and mispredictions are counted
 * elsewhere.
 *
 * The model is interval analysis (Karkhanis and Smith, "A First-Order Superscalar Processor Model", 2004) for the
 * stretches between two misses or mispredictions, with the ports and dependences of each instruction:
 *
 *	fetch		one aligned window of code a cycle, up to a taken jump; up to CORE_QUEUE operations ahead of dispatch
 *	dispatch	width slots a cycle, from a limited number of instructions, in order
 *	issue		out of order, as soon as operands are ready and a port is free; the scheduler is unlimited.  Work that
 *			several ports can do is divided among the least busy, in fractions of a cycle, so that costs do not
 *			depend on the position in a cycle
 *	loads		start as soon as their address is known.  A load of a place that has just been stored to gets the value
 *			from the store (forward cycles later; into a vector no sooner than from L1D); a load of more than the
 *			store has written waits until L1D has it (CORE_BLOCKED)
 *	retirement	in order, width slots a cycle
 *
 * A cost has three parts.  Base: its slots, and waiting for a port.  Dependence: waiting for operands, and its own
 * latency if nothing hides it.  Front end: waiting for code.
 *
 * Walks are deterministic.  No memory is allocated.
 */
#ifndef SIM_CORE_CORE_H
#define SIM_CORE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/core/instructiontable.h"

enum {
	CORE_TICKS = 120, /* a cycle: so that a slot takes a whole number at any usual width */
	CORE_MAX_WIDTH = 12,
	CORE_QUEUE = 64,     /* operations between fetch and dispatch */
	CORE_STORES = 32,    /* stores that may be forwarded to a load */
	CORE_LOADS = 8,      /* loads that may have fetched the line of a later one */
	CORE_LINE = 64,      /* bytes that are assumed to be on one line */
	CORE_RENAMED = 1024, /* the limit of displacements for renaming (measured on Zen 2) */
	/* Extra cycles of a load if the last store has only a part of it (measured on Zen 5: 14 and 15 from store to load). */
	CORE_BLOCKED = 10,
	CORE_JUMPS = 16,     /* targets of recent taken jumps that are predicted without a gap */
	CORE_HISTORY = 1024, /* operations that a walk remembers */
};

/* -- operations --------------------------------------------------------------------------------- */

/*
 * Registers that carry results from one operation to another, as bit numbers in a word.  General registers have the
 * numbers of their encoding; an SSE register is the lower half of an AVX register; all flags are one register.
 */
enum core_register {
	CORE_RSP = 4,
	CORE_RBP = 5,
	CORE_FLAGS = 16,
	CORE_VECTOR = 17, /* the first of 16 */
	CORE_MMX = 33,    /* the first of 8 */
	CORE_X87 = 41,    /* the whole stack */
	N_CORE_REGISTERS = 42,
	N_CORE_GENERAL = 16,
	CORE_NO_REGISTER = -1,
};

/* base + index * scale + displacement; without base and index, relative to the instruction pointer. */
struct operation_place {
	int32_t displacement;
	uint16_t size;      /* bytes */
	int8_t base, index; /* general registers, or CORE_NO_REGISTER */
	uint8_t scale;
};

/*
 * An instruction as the core sees it.  A decoder (tool/cycles/operations.h) says which registers it reads and writes, and
 * where it refers to memory; a table (sim/core/instructiontable.h) says what it takes of the core.
 */
struct operation {
	uint64_t reads;      /* bits of registers that it computes with */
	uint64_t addressing; /* bits of registers that make up its address */
	uint64_t writes;
	/* What it takes of the core; NULL: a slot and no port, as for what renaming does by itself. */
	const struct instruction_row *row;
	struct operation_place place; /* if it loads or stores */
	/*
	 * A general register that is set to another one, or itself, plus a constant: so places can be compared after the
	 * stack pointer has moved.  CORE_NO_REGISTER: none.
	 */
	int8_t copied_to, copied_from;
	int32_t copied_plus;
	uint8_t size;    /* bytes of code */
	uint8_t slots;   /* in dispatch and retirement */
	uint8_t latency; /* cycles from its last operand, including what it loads, to its results */
	uint8_t load;    /* cycles from its address to what it loads */
	uint8_t flags_first; /* cycles that flags are needed before its other operands */
	bool loads, stores;
	bool is_renamed;     /* renaming may give a register to what it loads or stores */
	bool fuses;          /* with a conditional jump right after it */
	bool is_conditional; /* a conditional jump */
	bool is_call;        /* or a return */
};

/* -- walks -------------------------------------------------------------------------------------- */

struct core_config {
	unsigned width;   /* slots dispatched, and slots retired, a cycle: 1 to CORE_MAX_WIDTH */
	unsigned decoded; /* the most instructions they may come from; 0: no limit */
	unsigned window;  /* bytes of code fetched a cycle, aligned */
	/*
	 * Cycles from the fetch of a taken jump to the fetch of its target, unless it is among the last CORE_JUMPS: these are
	 * predicted before they are fetched, and take one cycle.  0: all take one.
	 */
	unsigned jump;
	unsigned call; /* the same for a call or return, which is never predicted early; 0: as for a jump */
	unsigned forward; /* cycles from a store to a load of the same place */
	/*
	 * The same if the place is renamed to a register, which needs no address.  Renaming applies to general registers of 32
	 * and 64 bits if both addresses are relative to the instruction pointer, or have the same registers, unchanged except by
	 * pushes and pops, and the same displacement of less than CORE_RENAMED.  The core's table restricts it further
	 * (enum instruction_renaming).
	 */
	unsigned renamed;
	uint32_t memory_ports; /* bits of the ports for addresses of loads and stores; the others compute */
};

/* The cost of an operation, in ticks. */
struct core_cost {
	uint32_t base, dependence, front_end;
	uint32_t waited; /* from dispatch to its result: the delay until a misprediction is detected */
	uint64_t done; /* the time of its result, from the beginning of the walk */
	/*
	 * The tag of the load that its address (of a jump: its condition) comes from; 0: none.  Of several loads relative to
	 * the same register it is the first one, which fetches the line for the others.
	 */
	uint64_t source;
};

/* A store: where, and when its value is available. */
struct core_store {
	uint32_t base, index; /* values of registers, by number */
	int64_t offset;
	uint64_t ready;
	uint64_t source; /* tag of the load that its value comes from */
	uint32_t writer; /* number of the operation, from 1 */
	uint16_t size;
	uint8_t scale;
	bool is_renamed; /* a load of the place may be renamed */
	int8_t base_register, index_register;
	int32_t displacement;
};

/* The last thing that an operation waited for. */
struct core_event {
	uint64_t tag; /* loads: the tag of the load that fetches its line, or its value (core_cost.source) */
	/* The number, from 1, of the operation whose result it waited for; 0: dispatch, or a port. */
	uint32_t by;
	bool by_load;     /* for its load: by computed the address, or stored the value */
	bool was_retired; /* at once when it was done: all before it had retired */
};

struct core_walk {
	const struct core_config *config;
	uint64_t fetched;           /* time of the fetch of the current window */
	uint64_t jumps[CORE_JUMPS]; /* targets of taken jumps, the last one first; 0: none */
	uint64_t window;            /* its number */
	uint64_t dispatched;        /* time of the next free slot */
	uint64_t retired;
	uint64_t queue[CORE_QUEUE]; /* times of dispatch, by number of the operation */
	uint64_t n_operations;
	uint64_t ready[N_CORE_REGISTERS];
	uint64_t source[N_CORE_REGISTERS]; /* tags of the loads that values come from */
	uint32_t writer
		[N_CORE_REGISTERS]; /* numbers, from 1, of the operations that wrote them; 0: none */
	/* Values of general registers, except for a constant: those with the same number differ by their offsets. */
	uint32_t values[N_CORE_GENERAL];
	int64_t offsets[N_CORE_GENERAL];
	uint32_t n_values;
	bool was_call;                                /* the operation before */
	bool may_fuse;                                /* the operation before may fuse; then: */
	uint64_t before_fused[INSTRUCTION_MAX_PORTS]; /* busy_until before that operation */
	struct core_store stores[CORE_STORES];
	unsigned n_stores;
	struct core_store loads[CORE_LOADS]; /* with their tags as sources */
	unsigned n_loads;
	uint64_t busy_until[INSTRUCTION_MAX_PORTS];
	struct core_event
		events[CORE_HISTORY]; /* by the number of their operation, which begins at 0 */
};

/* Makes a walk for a core; *config is borrowed. */
void core_walk_init(struct core_walk *walk, const struct core_config *config);

/* Begins a new walk. */
void core_walk_begin(struct core_walk *walk);

/*
 * Executes an operation at an address.  jumped: a jump led to it.  tag: not 0; identifies the operation as a source
 * (core_cost.source) if it loads.  Fills *cost unless cost is NULL.
 */
void core_walk_step(struct core_walk *walk, const struct operation *operation, uint64_t address,
		    bool jumped, uint64_t tag, struct core_cost *cost);

/*
 * Finds the critical path to the last operation: what each operation waited for last (Fields, Rubin and Bodik, "Focusing
 * Processor Policies via Critical-Path Prediction", 2001).  Writes the tags of the loads on it, or of the loads that fetch their
 * lines, to tags, the last ones first; returns their number, at most room.  Returns 0 unless the path has at least long_enough
 * operations without one that only waited for dispatch or a port: a shorter chain delays nobody.
 */
unsigned core_walk_critical(const struct core_walk *walk, unsigned long_enough, uint64_t *tags,
			    unsigned room);

/*
 * The cost in ticks of an operation if nothing is known about what precedes it: the larger of what it takes of dispatch and of
 * its ports.
 */
uint32_t core_cost_alone(const struct core_config *config, const struct operation *operation);

#endif
