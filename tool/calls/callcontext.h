/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which context (tool/counts/context.h) a function runs that is called. */
#ifndef TOOL_CALLS_CALLCONTEXT_H
#define TOOL_CALLS_CALLCONTEXT_H

#include "pub_tool_basics.h"

struct activation;
struct context;
struct function;
struct site;
struct thread;

/*
 * That of a function at a level of recursion, called by an activation of the thread's stack; NULL: by
 * none, it is the bottom.
 */
struct context *callcontext_find(const struct thread *thread, struct activation *caller,
				 struct function *function, UInt level);

/* That of code that is skipped, called at site in owner. */
struct context *callcontext_owned(const struct thread *thread, struct function *function,
				  struct context *owner, struct site *site);

#endif
