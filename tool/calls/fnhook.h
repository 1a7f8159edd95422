/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is done when a function is entered or left: --toggle-collect,
 * --dump-before, --zero-before, --dump-after.  A function is entered when it is called
 * and has no call on the thread's stack yet, and left when it has none any more.
 *
 * A call of such a function is made by calls.c each time, never by a shortcut,
 * and its return likewise; other functions pay nothing for that.  The same goes for functions
 * whose calls are observed (tool/calls/callhook.h).
 */
#ifndef TOOL_CALLS_FNHOOK_H
#define TOOL_CALLS_FNHOOK_H

#include "pub_tool_basics.h"

#include "tool/symbols/symbol.h"

struct activation;
struct callstack;
struct thread;

/* What is to be done as soon as the stack is in order. */
struct due_hook {
	enum fn_hook hook;
	const struct function *function;
};

struct hooks {
	/* For the running thread: writes a part, False if there is none; sets all to zero. */
	Bool (*write_part)(const HChar *trigger);
	void (*zero)(void);
	struct due_hook *due;
	UInt n_due, room;
	const struct activation *entered; /* the call that made the last of them due, or NULL */
};

/* The same as hooks_enter() and hooks_leave(), of functions that have hooks. */
void hooks_entered(struct thread *thread, const struct function *function,
		   const struct activation *activation);
void hooks_left(struct thread *thread, const struct function *function);

/* A call of a function was made, or is over; by the running thread. */
static inline void hooks_enter(struct thread *thread, const struct function *function,
			       const struct activation *activation)
{
	if (function->settings.hooks != 0)
		hooks_entered(thread, function, activation);
}

static inline void hooks_leave(struct thread *thread, const struct function *function)
{
	if (function->settings.hooks != 0)
		hooks_left(thread, function);
}

/* Functions that are active on a stack of one thread are so in another one from now on. */
void hooks_move(struct thread *from, struct thread *to, const struct callstack *stack);

/* Does what is due, in the order in which it became so. */
void hooks_run(void);

/* Forgets all that is due but that: functions were not entered now, but are active. */
void hooks_keep_toggles(void);

/* Forgets that collection is to be toggled. */
void hooks_forget_toggles(void);

/* Forgets what is due. */
void hooks_forget(void);

#endif
