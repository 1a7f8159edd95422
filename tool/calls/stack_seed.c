/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	real stack, down	stack pointer	what becomes of it
 *
 *	handler			h		in the bottom of a signal, on top
 *	(interrupts)
 *	f			sp		frame, sp S' - 8
 *	(is called by)
 *	main			S'		frame, sp S - 8
 *	(is called by)
 *	_start			S		the thread's bottom
 *
 * The stack pointer of a caller is that after the return, and so the callee's
 * frame is gone as soon as it is there.
 *
 * A function that ended in a tail call is on no stack.  If the call was direct, it says which
 * one it was, but not where it jumped from: from its beginning, it is said.  After a
 * call through a pointer, the function jumped to is taken for called.
 */
#include "tool/calls/stack_seed.h"

#include "pub_tool_mallocfree.h"

#include "tool/calls/calls.h"
#include "tool/calls/codeunit.h"
#include "tool/calls/fnhook.h"
#include "tool/calls/state.h"
#include "tool/calls/unwind.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

enum {
	WORD_SIZE = 8, /* what a call pushes */
};

static struct site *site_at(Addr address, UInt size, struct source_location *place)
{
	symbols_lookup(&tool_symbols, address, NULL, place);
	return sites_find(&tool_counts.sites, address, size, place);
}

/* The first instruction of the function that the address is in, as a symbol has it. */
static struct site *first_site(const struct source_location *place, Addr address)
{
	struct source_location first;

	if (place->function->anonymous)
		return site_at(address, 1, &first);
	return site_at(address - (place->address - place->function->entry), 1, &first);
}

/* Code without symbols is a function of its own where it was called. */
static struct function *function_at(const struct source_location *place, const struct site *first)
{
	return place->function->anonymous ? symbols_function_at(&tool_symbols, &first->place)
					  : place->function;
}

/* What a direct call called; a stub in between is part of its caller.  False if nobody knows. */
static Bool find_called(Addr target, struct source_location *place, struct seed *seed)
{
	Addr behind_stub;

	if (target == 0)
		return False;
	behind_stub = symbols_stub_target(target);
	if (behind_stub != 0)
		target = behind_stub;
	symbols_lookup(&tool_symbols, target, NULL, place);
	if (place->function->plt)
		return False; /* it has not been found yet: the dynamic linker is at it */
	seed->target = first_site(place, target);
	seed->function = function_at(place, seed->target);
	seed->unit = codeunit_find(seed->target);
	return True;
}

/*
 * A function that was called, or has interrupted what is below, or is the outermost:
 * then caller is NULL.  sp is the stack pointer when it was called, or since.
 */
static void seed_frame(struct thread *thread, const struct unwind_frame *frame,
		       const struct unwind_frame *caller, Addr sp)
{
	struct seed seed = { .sp = sp };
	struct source_location place, called;
	struct site *site = site_at(frame->address, frame->size, &place);

	if (caller != NULL) {
		struct source_location calling;

		seed.site = site_at(caller->address, caller->size, &calling);
		seed.return_address = caller->resume;
		if (find_called(caller->target, &called, &seed)) {
			calls_seed(thread, &seed);
			if (called.function->body == place.function->body)
				return;
			seed = (struct seed){ .site = seed.target, .jumped = True, .sp = sp };
		}
	}
	seed.unit = codeunit_find(site);
	seed.target = first_site(&place, frame->address);
	seed.function = function_at(&place, seed.target);
	calls_seed(thread, &seed);
}

/* Whether collection is on depends on what is active; nothing was entered or left by that. */
static void toggle(void)
{
	hooks_keep_toggles();
	hooks_run();
}

static void seed_frames(struct thread *thread, const struct unwind_frame *frames, UInt n)
{
	/* The outermost: nobody is known to have called it, or to be interrupted by it. */
	seed_frame(thread, &frames[n - 1], NULL, frames[n - 1].sp);
	for (UInt i = n - 1; i-- > 0;) {
		const struct unwind_frame *frame = &frames[i];
		const struct unwind_frame *below = &frames[i + 1];

		if (frame->end == UNWIND_CALLS) {
			seed_frame(thread, frame, below, below->sp - WORD_SIZE);
			continue;
		}
		toggle();
		threads_signal(&tool_calls.threads, tool_counts.hot, below->sp);
		seed_frame(thread, frame, NULL, frame->sp);
	}
	toggle();
}

void stack_seed_do(struct thread *thread, Addr address)
{
	struct unwind_frame *frames;
	UInt n;

	thread->unseeded = False;
	if (callstack_depth(&thread->stack) != 1 ||
	    thread->stack.top->function != CALLSTACK_NO_FUNCTION)
		return;
	n = unwind_stack(thread->number, address, &frames);
	seed_frames(thread, frames, n);
	VG_(free)(frames);
}
