/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The return address stack: a ring.  A call puts its return address into the next place, over the oldest one if
 * the ring is full; a return is predicted to go where the newest one says, and takes it away, whether that was
 * right or not.  So what returns deeper than the ring has places was lost.  A place keeps its address when that is taken
 * away (0 at first), and is the oldest then: returns beyond all calls go round the ring.
 */
#ifndef SIM_BRANCHES_RETURNS_H
#define SIM_BRANCHES_RETURNS_H

#include <stdint.h>

enum { RETURNS_MAX_DEPTH = 256 };

struct return_stack {
	uint64_t *top;          /* the newest */
	uint64_t *first, *last; /* of the ring's places */
	uint64_t ring[RETURNS_MAX_DEPTH];
};

/* depth: 1 to RETURNS_MAX_DEPTH */
static inline void returns_init(struct return_stack *stack, unsigned depth)
{
	stack->first = stack->top = stack->ring;
	stack->last = stack->ring + depth - 1;
}

static inline void returns_call(struct return_stack *stack, uint64_t return_address)
{
	stack->top = stack->top == stack->last ? stack->first : stack->top + 1;
	*stack->top = return_address;
}

/* A return, which goes where *stack->top says, or was mispredicted, takes that away. */
static inline void returns_pop(struct return_stack *stack)
{
	stack->top = stack->top == stack->first ? stack->last : stack->top - 1;
}

#endif
