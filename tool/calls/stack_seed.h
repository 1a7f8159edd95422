/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call stacks that were there before instrumentation started: with
 * --stack-seed=yes each thread's is read off the program's memory when the thread runs for the first time since, as if it had been watched
 * from the start.
 */
#ifndef TOOL_CALLS_STACK_SEED_H
#define TOOL_CALLS_STACK_SEED_H

#include "pub_tool_basics.h"

struct thread;

/*
 * The running thread, which is to be seeded, goes on at an address, and its guest state is
 * up to date: makes its calls known.  Where something is known of it already,
 * nothing happens.  Either way it is done.
 */
void stack_seed_do(struct thread *thread, Addr address);

#endif
