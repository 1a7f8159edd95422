/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Function hooks: functions of the tool that are called when one of some functions is entered, with
 * its arguments, and when it has returned, with its result. Allocators are observed in this way,
 * for example, instead of being replaced.
 *
 * A function is *entered* when the call graph has a call of it that begins at its first
 * instruction, be it by a call, a tail call, or as a signal handler. Stubs of linkage tables are
 * not the function.
 *
 * It has *returned* when control is at its return address with the stack pointer above its value at
 * entry, whoever executed the return: it may be a function that was tail-called. A call whose stack
 * frame is left in another way (longjmp, an exception, the end of the thread or of counting) does
 * not return. A switch of stacks looks the same; but if control comes back, the call does return.
 *
 * Arguments and results follow the System V ABI for AMD64: six integers, and RAX. The tool does not
 * know their number and types: words that are no arguments hold whatever is in the registers.
 *
 * A run without hooks pays nothing for this. A hook changes no count.
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
	Addr sp;     /* at entry, where the return address is */
	UInt thread; /* its number */
	const void *
		handler; /* what the signal handler that it runs in has suspended; NULL outside of handlers */
	UInt outer_hooks;   /* set of the hooks of enclosing calls, by number */
	Bool was_returning; /* struct call_hook, returning */
};

/*
 * Functions of the tool, called before anything runs at the address where control has arrived. call
 * is valid until the function returns. is_outermost: no enclosing call in the same thread and
 * handler has the same hook; calls on a stack from which the program has switched count as
 * enclosing. At entry the function is on top of the thread's shadow call stack, at its return the
 * caller is.
 */
struct call_hook {
	void (*entered)(const struct hooked_call *call, Bool is_outermost);
	void (*returned)(const struct hooked_call *call, Bool is_outermost, UWord result);
	/*
	 * May be NULL. The call is about to return, and the shadow call stack is as it was at the
	 * return instruction, so that costs added now are part of the call. Not called for calls
	 * whose frames were left; call->was_returning says if it was.
	 */
	void (*returning)(const struct hooked_call *call, Bool is_outermost, UWord result);
};

struct call_hooks {
	const struct call_hook *hooks[MAX_CALL_HOOKS]; /* by number */
	UInt n;
	Bool in_use; /* False: no function with hooks will be, or has been, translated */
	const struct function *entered; /* by the arrival that is being handled, or NULL */
};

/*
 * Hooks all functions whose names match the pattern (tool/common/pattern.h). Pattern and hook are
 * borrowed for good; a hook may have several patterns. Call it before code is translated.
 */
void callhooks_add(const HChar *pattern, const struct call_hook *hook);

/*
 * The same for an option of the user's: option is its whole text, borrowed for good, which is
 * reported at the end if no function that ran has such a name; NULL: not reported.
 */
void callhooks_add_asked(const HChar *pattern, const HChar *option, const struct call_hook *hook);

/*
 * Like callhooks_add(), for functions that few programs have: nothing is looked at until one is
 * translated. A call that falls into the function from a stub or function before it may be missed
 * then.
 */
void callhooks_add_rare(const HChar *pattern, const struct call_hook *hook);

/* Adds the hook that prints calls of functions that --trace-calls<n>= names, with n arguments. */
void callhooks_trace(void);

/* An arrival of control in a block. */
struct hooked_arrival {
	const struct block *block;
	Addr sp;
	Bool is_call, is_return; /* by a call or return instruction */
	SizeT depth;             /* of the shadow call stack, before */
	UInt n_switches;         /* of the thread's, before */
};

/* Control of the running thread arrives. First this, before the shadow call stack changes ... */
void callhooks_before(struct thread *thread, const struct block *block, Addr sp,
		      struct hooked_arrival *arrival);

/* ... then this, when it has changed: calls the hooks. */
void callhooks_arrive(struct thread *thread, const struct hooked_arrival *arrival);

/* No open call returns any more: of the handler that a thread is in, or of the whole thread. */
void callhooks_end_handler(struct thread *thread);
void callhooks_forget(struct thread *thread);

/*
 * True if a superblock that begins at entry falls through into a function with call hooks: it needs
 * its arguments in registers, which Valgrind may not keep up to date there.
 */
Bool callhooks_fall_into(const IRSB *sb, Addr entry);

/* --- what options ask for ---------------------------------------------------------------------- */

/*
 * What options ask for when a function is entered or left: --toggle-collect, --dump-before,
 * --zero-before, --dump-after. A function is entered when it is called and has no call on the
 * thread's stack yet, and left when it has none any more.
 *
 * calls.c makes and ends each call of such a function, and of one with call hooks, the long way,
 * never by a shortcut. Other functions pay nothing for this.
 */

/* What is to be done as soon as the stack is in order. */
struct due_hook {
	enum fn_hook hook;
	const struct function *function;
};

struct hooks {
	/* Writes a part of the running thread, False if there is none; sets all to zero. */
	Bool (*write_part)(const HChar *trigger);
	void (*zero)(void);
	struct due_hook *due;
	UInt n_due, room;
	const struct activation *entered; /* the call that made the last of them due, or NULL */
};

/* hooks_enter() and hooks_leave() for functions that have hooks. */
void hooks_entered(struct thread *thread, const struct function *function,
		   const struct activation *activation);
void hooks_left(struct thread *thread, const struct function *function);

/* The running thread has called a function, or the call has ended. */
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

/* Functions that are active on a stack of one thread are active in another one from now on. */
void hooks_move(struct thread *from, struct thread *to, const struct callstack *stack);

/* Does what is due, in the order in which it became due. */
void hooks_run(void);

/* Forgets what is due except toggles: functions were not entered now, but are active. */
void hooks_keep_toggles(void);

/* Forgets toggles of collection that are due. */
void hooks_forget_toggles(void);

/* Forgets everything that is due. */
void hooks_forget(void);

#endif
