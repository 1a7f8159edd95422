/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Function hooks: functions of the tool that are called when one of some functions is
 * entered, with its arguments, and when it has returned, with its result.  Allocators, for
 * example, are observed this way, not replaced.
 *
 * A function is *entered* when the call graph has a call of it that begins at its first
 * instruction, be it by a call, a tail call, or as a signal handler.  Stubs of linkage tables are
 * not the function.
 *
 * It has *returned* when control is at its return address with the stack pointer above that at
 * entry, whoever returned: a function that it ended in a tail call of, for example.  A call whose stack
 * frame is left in another way (longjmp, an exception, the end of the thread or of counting)
 * does not return.  A switch of stacks looks like that, too; but if control comes back, the
 * call returns all the same.
 *
 * Arguments and results are those of the System V ABI for AMD64: six integers, and RAX.  The tool does
 * not know how many there are, and of what type; the other words are whatever is in the registers.
 *
 * A run without hooks does the same as if there were none of this.  A hook changes no count.
 */
#ifndef TOOL_CALLS_CALLHOOK_H
#define TOOL_CALLS_CALLHOOK_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

#include "tool/symbols/symbol.h"

struct activation;
struct block;
struct callstack;
struct function;
struct site;
struct thread;

enum {
	HOOKED_ARGS = 6,
	MAX_CALL_HOOKS = 32,
};

/* A call of a function that has hooks. */
struct hooked_call {
	const struct function *function;
	UWord args[HOOKED_ARGS];
	struct site *entry; /* the function's first instruction */
	Addr return_address;
	Addr sp;     /* at entry: where the return address is */
	UInt thread; /* its number */
	const void *
		handler; /* what the signal handler that it is in suspended; NULL if it is in none */
	UInt outer_hooks;   /* set of the hooks of calls around it, by number */
	Bool was_returning; /* struct call_hook, returning */
};

/*
 * What is called, before anything runs at the address where control has arrived.  call is valid
 * until the function returns.  is_outermost: no call around it, in its thread and handler, has the same
 * hook; calls on a stack above, from which the program has switched, count as around it.  At entry
 * the function is on top of the thread's shadow call stack, at its return its caller.
 */
struct call_hook {
	void (*entered)(const struct hooked_call *call, Bool is_outermost);
	void (*returned)(const struct hooked_call *call, Bool is_outermost, UWord result);
	/*
	 * May be NULL.  The call is about to return: the shadow call stack still is as it was at the
	 * return instruction, so that costs added now are costs of the call.  Not called for calls
	 * whose frames had been left; of those for which it was, call->was_returning is set.
	 */
	void (*returning)(const struct hooked_call *call, Bool is_outermost, UWord result);
};

struct call_hooks {
	const struct call_hook *hooks[MAX_CALL_HOOKS]; /* by number */
	UInt n;
	Bool in_use; /* else no function with hooks will be, or has been, translated */
	const struct function *entered; /* in the arrival that is being dealt with, or NULL */
};

/*
 * Hooks all functions of names that match the pattern (tool/common/pattern.h), which is borrowed for good,
 * as is the hook.  It may be given several patterns.  To be called before code is translated.
 */
void callhooks_add(const HChar *pattern, const struct call_hook *hook);

/*
 * The same, as the user asks for by an option, which is all that was written and borrowed for good: if no
 * function that is run has such a name, that is said in the end.  NULL: it is not said.
 */
void callhooks_add_asked(const HChar *pattern, const HChar *option, const struct call_hook *hook);

/*
 * The same as the first, of functions that few programs have: nothing is looked at until one is translated.  Those of the
 * stub or function before it that control falls into it from are not seen.
 */
void callhooks_add_rare(const HChar *pattern, const struct call_hook *hook);

/* Adds one that prints the calls of functions that --trace-calls<n>= names, with n arguments. */
void callhooks_trace(void);

/* Control arrives in a block. */
struct hooked_arrival {
	const struct block *block;
	Addr sp;
	Bool is_call, is_return; /* by such an instruction */
	SizeT depth;             /* of the shadow call stack, before */
	UInt n_switches;         /* of the thread's, before */
};

/* Control of the running thread arrives; first, when the shadow call stack does not know yet, ... */
void callhooks_before(struct thread *thread, const struct block *block, Addr sp,
		      struct hooked_arrival *arrival);

/* ... then, when it does: calls hooks. */
void callhooks_arrive(struct thread *thread, const struct hooked_arrival *arrival);

/* These calls will not return: those of the handler that a thread is in, and all of a thread. */
void callhooks_end_handler(struct thread *thread);
void callhooks_forget(struct thread *thread);

/*
 * Whether a superblock that begins at entry falls through into a function with call hooks: arguments are in
 * registers that Valgrind may not keep up to date there.
 */
Bool callhooks_fall_into(const IRSB *sb, Addr entry);

/* --- what options ask for ---------------------------------------------------------------------- */

/*
 * What is done when a function is entered or left: --toggle-collect,
 * --dump-before, --zero-before, --dump-after.  A function is entered when it is called
 * and has no call on the thread's stack yet, and left when it has none any more.
 *
 * A call of such a function is made by calls.c each time, never by a shortcut,
 * and its return likewise; other functions pay nothing for that.  The same goes for functions
 * whose calls are observed (tool/calls/callhook.h).
 */

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
