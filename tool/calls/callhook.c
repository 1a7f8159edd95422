/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls are *open* until they return, or control is seen above their frames elsewhere. Open calls
 * of one handler have stack pointers that never increase:
 *
 *	sp	open		control arrives at ...
 *	high	main's f	... f's return address, sp above f's: f has returned, g is left
 *	low	g
 *	low	h (tail call)	... g's return address, sp above g's: h and g have returned
 *
 * A call that was left may be on a stack that is only suspended (swapcontext). At that moment the
 * two look the same, as longjmp is used for both. So the call is kept, and returns after all if a
 * return instruction takes its return address off the stack, unless a later call had put it there.
 */
#include "tool/calls/callhook.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/state.h"
#include "tool/common/guest.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

enum {
	WORD_SIZE = 8,  /* of a return address on the stack */
	MAX_LEFT = 256, /* calls of a thread that are kept, the last ones */
};

/* The calls of a thread. */
struct hooked_calls {
	struct hooked_call *open;
	UInt n_open, room;
	UInt n_left;
	struct hooked_call left[MAX_LEFT]; /* oldest first */
};

static void report_entered(const struct hooked_call *call)
{
	for (UInt i = 0; i < tool_calls.call_hooks.n; i++)
		if ((call->function->settings.call_hooks & 1U << i) != 0)
			tool_calls.call_hooks.hooks[i]->entered(call,
								(call->outer_hooks & 1U << i) == 0);
}

/* The last one first, as hooks that nest want it. */
static void report_returned(const struct hooked_call *call, UWord result)
{
	for (UInt i = tool_calls.call_hooks.n; i-- > 0;)
		if ((call->function->settings.call_hooks & 1U << i) != 0)
			tool_calls.call_hooks.hooks[i]->returned(
				call, (call->outer_hooks & 1U << i) == 0, result);
}

static void report_returning(const struct hooked_call *call, UWord result)
{
	for (UInt i = tool_calls.call_hooks.n; i-- > 0;) {
		const struct call_hook *hook = tool_calls.call_hooks.hooks[i];

		if ((call->function->settings.call_hooks & 1U << i) != 0 && hook->returning != NULL)
			hook->returning(call, (call->outer_hooks & 1U << i) == 0, result);
	}
}

/* --- the end of calls ---------------------------------------------------------------------- */

static void remove_left(struct hooked_calls *calls, UInt i)
{
	calls->n_left--;
	VG_(memmove)(&calls->left[i], &calls->left[i + 1],
		     (calls->n_left - i) * sizeof(calls->left[0]));
}

static void leave(struct hooked_calls *calls, const struct hooked_call *call)
{
	if (calls->n_left == MAX_LEFT)
		remove_left(calls, 0);
	calls->left[calls->n_left++] = *call;
}

static UWord result_now(const struct thread *thread)
{
	return guest_read(thread->number, GUEST_RESULT);
}

/* The first of the handler's open calls that has been left; n_open if there is none. */
static UInt first_left(const struct thread *thread, Addr sp)
{
	const struct hooked_calls *calls = thread->hooked;
	UInt first = calls->n_open;

	while (first > 0 && calls->open[first - 1].sp < sp &&
	       calls->open[first - 1].handler == thread->suspended)
		first--;
	return first;
}

/* Ends open calls that were left. The ones highest on the stack return, if control is there. */
static void end_open(struct thread *thread, const struct hooked_arrival *arrival)
{
	struct hooked_calls *calls = thread->hooked;
	UInt first = first_left(thread, arrival->sp);
	UInt n = calls->n_open;
	Addr sp;

	if (first == n)
		return;
	sp = calls->open[first].sp;
	while (n > first) {
		const struct hooked_call *call = &calls->open[--n];

		calls->n_open = n;
		if (call->sp == sp && call->return_address == arrival->block->key)
			report_returned(call, result_now(thread));
		else
			leave(calls, call);
	}
}

/* True if a call that was left is on the stack that control has just returned from. */
static Bool is_resumed(const struct thread *thread, const struct hooked_call *call,
		       const struct hooked_arrival *arrival)
{
	return call->sp + WORD_SIZE == arrival->sp && call->handler == thread->suspended &&
	       call->return_address == arrival->block->key;
}

/* True if a later call is open where the one that was left had been. */
static Bool is_replaced(const struct thread *thread, const struct hooked_call *call)
{
	const struct hooked_calls *calls = thread->hooked;

	for (UInt i = 0; i < calls->n_open; i++)
		if (calls->open[i].sp == call->sp && calls->open[i].handler == call->handler)
			return True;
	return False;
}

/* True if the arrival has popped a later call that had its return address in the same place. */
static Bool has_popped(const struct thread *thread, const struct hooked_call *call,
		       const struct hooked_arrival *arrival)
{
	Bool has_other = False;

	if (thread->n_switches != arrival->n_switches)
		return False;
	for (SizeT i = callstack_depth(&thread->stack); i < arrival->depth; i++) {
		const struct callstack_frame *frame = callstack_frame(&thread->stack, i);

		if (frame->sp != call->sp)
			continue;
		if (frame->function == call->function->id + 1 && !is_replaced(thread, call))
			return False;
		has_other |= frame->kind == FRAME_CALL;
	}
	return has_other;
}

static void end_left(struct thread *thread, const struct hooked_arrival *arrival)
{
	struct hooked_calls *calls = thread->hooked;
	Bool is_over = False; /* an earlier one had the place before */

	for (UInt i = calls->n_left; i-- > 0;) {
		const struct hooked_call call = calls->left[i];

		if (!is_resumed(thread, &call, arrival))
			continue;
		remove_left(calls, i);
		if (!is_over && !has_popped(thread, &call, arrival))
			report_returned(&call, result_now(thread));
		is_over = True;
	}
}

/* --- the beginning ------------------------------------------------------------------------- */

static struct hooked_calls *calls_of(struct thread *thread)
{
	if (thread->hooked == NULL)
		thread->hooked = VG_(calloc)("costgrind.hooked", 1, sizeof(*thread->hooked));
	return thread->hooked;
}

static struct hooked_call *push(struct hooked_calls *calls)
{
	if (calls->n_open == calls->room) {
		calls->room = calls->room == 0 ? 16 : 2 * calls->room;
		calls->open = VG_(realloc)("costgrind.hooked", calls->open,
					   calls->room * sizeof(calls->open[0]));
	}
	return &calls->open[calls->n_open++];
}

static UInt hooks_around(const struct thread *thread)
{
	const struct hooked_calls *calls = thread->hooked;
	const struct hooked_call *outer;

	if (calls->n_open == 0)
		return 0;
	outer = &calls->open[calls->n_open - 1];
	if (outer->handler != thread->suspended)
		return 0;
	return outer->outer_hooks | outer->function->settings.call_hooks;
}

static void begin(struct thread *thread, const struct hooked_arrival *arrival,
		  const struct function *function)
{
	struct hooked_calls *calls = calls_of(thread);
	struct hooked_call call;

	if (!arrival->is_call &&
	    !VG_(am_is_valid_for_client)(arrival->sp, WORD_SIZE, VKI_PROT_READ))
		return; /* it came by a jump, and its stack pointer points to no stack */
	call = (struct hooked_call){
		.function = function,
		.entry = block_first_site(arrival->block),
		.return_address = *(const Addr *)arrival->sp,
		.sp = arrival->sp,
		.thread = thread->number,
		.handler = thread->suspended,
		.outer_hooks = hooks_around(thread),
	};
	for (UInt i = 0; i < GUEST_ARGUMENTS; i++)
		call.args[i] = guest_read(thread->number, guest_argument(i));
	*push(calls) = call;
	report_entered(&call);
}

/* The function with hooks that the arrival has entered, or NULL. */
static const struct function *entered_by(const struct hooked_arrival *arrival)
{
	const struct block *block = arrival->block;
	const struct function *function = tool_calls.call_hooks.entered;

	if (function == NULL || function != block->entered)
		return NULL;
	/* Code without symbols begins where it is called. */
	if (block_first_site(block)->scope->function->anonymous)
		return arrival->is_call ? function : NULL;
	return block->entry ? function : NULL;
}

/* Reports the calls that end_open() will find to have returned. */
static void tell_returning(const struct thread *thread, const struct hooked_arrival *arrival)
{
	struct hooked_calls *calls = thread->hooked;
	const UInt first = first_left(thread, arrival->sp);
	UWord result = 0;
	Bool has_result = False;

	for (UInt n = calls->n_open; n-- > first;) {
		struct hooked_call *call = &calls->open[n];

		if (call->sp != calls->open[first].sp ||
		    call->return_address != arrival->block->key)
			continue;
		if (!has_result)
			result = result_now(thread);
		has_result = True;
		call->was_returning = True;
		report_returning(call, result);
	}
}

void callhooks_before(struct thread *thread, const struct block *block, Addr sp,
		      struct hooked_arrival *arrival)
{
	*arrival = (struct hooked_arrival){
		.block = block,
		.sp = sp,
		.is_call = tool_counts.hot->unit == UNIT_CALL,
		.is_return = tool_counts.hot->unit == UNIT_RETURN,
		.depth = callstack_depth(&thread->stack),
		.n_switches = thread->n_switches,
	};
	tool_calls.call_hooks.entered = NULL;
	if (thread->hooked != NULL)
		tell_returning(thread, arrival);
}

void callhooks_arrive(struct thread *thread, const struct hooked_arrival *arrival)
{
	const struct function *entered = entered_by(arrival);

	if (thread->hooked != NULL) {
		if (arrival->is_return)
			end_left(thread, arrival);
		end_open(thread, arrival);
	}
	if (entered != NULL)
		begin(thread, arrival, entered);
}

void callhooks_end_handler(struct thread *thread)
{
	struct hooked_calls *calls = thread->hooked;

	if (calls == NULL)
		return;
	while (calls->n_open > 0 && calls->open[calls->n_open - 1].handler == thread->suspended)
		calls->n_open--;
	for (UInt i = calls->n_left; i-- > 0;)
		if (calls->left[i].handler == thread->suspended)
			remove_left(calls, i);
}

void callhooks_forget(struct thread *thread)
{
	if (thread->hooked == NULL)
		return;
	VG_(free)(thread->hooked->open);
	VG_(free)(thread->hooked);
	thread->hooked = NULL;
}

/* --- registration -------------------------------------------------------------------------- */

/* The number of a hook. */
static UInt number_of(const struct call_hook *hook)
{
	struct call_hooks *hooks = &tool_calls.call_hooks;
	UInt i = 0;

	while (i < hooks->n && hooks->hooks[i] != hook)
		i++;
	if (i == hooks->n) {
		tl_assert(hooks->n < MAX_CALL_HOOKS);
		hooks->hooks[hooks->n++] = hook;
	}
	return i;
}

static void add(const HChar *pattern, const HChar *option, const struct call_hook *hook)
{
	fn_rules_add(&tool_symbols.options->fn_rules, FN_RULE_CALL_HOOK, number_of(hook), pattern,
		     option);
}

void callhooks_add_rare(const HChar *pattern, const struct call_hook *hook)
{
	add(pattern, NULL, hook);
}

void callhooks_add_asked(const HChar *pattern, const HChar *option, const struct call_hook *hook)
{
	tool_calls.call_hooks.in_use = True;
	add(pattern, option, hook);
}

void callhooks_add(const HChar *pattern, const struct call_hook *hook)
{
	callhooks_add_asked(pattern, NULL, hook);
}

/* --- --trace-calls ------------------------------------------------------------------------- */

static void trace(const struct hooked_call *call, Bool is_outermost, const UWord *result)
{
	VG_(dmsg)("%u: %s%s(", call->thread, is_outermost ? "" : "  ", call->function->name->chars);
	for (UInt i = 0; i < call->function->settings.traced_args; i++)
		VG_(dmsg)("%s%#lx", i == 0 ? "" : ", ", call->args[i]);
	if (result == NULL)
		VG_(dmsg)(")\n");
	else
		VG_(dmsg)(") = %#lx\n", *result);
}

static void trace_entered(const struct hooked_call *call, Bool is_outermost)
{
	trace(call, is_outermost, NULL);
}

static void trace_returned(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	trace(call, is_outermost, &result);
}

static const struct call_hook trace_hook = { trace_entered, trace_returned, NULL };

void callhooks_trace(void)
{
	const struct fn_rules *rules = &tool_symbols.options->fn_rules;

	for (UInt i = 0, n = rules->n; i < n; i++) {
		const HChar *pattern = fn_rules_pattern(rules, FN_RULE_TRACE_CALLS, i);

		if (pattern != NULL)
			callhooks_add(pattern, &trace_hook);
	}
}

Bool callhooks_fall_into(const IRSB *sb, Addr entry)
{
	struct source_location place;

	for (Int i = 0; i < sb->stmts_used; i++) {
		const IRStmt *stmt = sb->stmts[i];
		Addr address;

		if (stmt->tag != Ist_IMark)
			continue;
		address = (Addr)stmt->Ist.IMark.addr + stmt->Ist.IMark.delta;
		if (address == entry || !symbols_is_entry(&tool_symbols, address))
			continue;
		symbols_lookup(&tool_symbols, address, NULL, &place);
		if (place.function->settings.call_hooks != 0)
			return True;
	}
	return False;
}

/* --- what options ask for ---------------------------------------------------------------------- */

/* The count of calls of a function on a thread's stack. */
static UInt *n_inside(struct thread *thread, const struct function *function)
{
	UInt before = thread->n_inside;
	UInt n;

	if (function->id >= before) {
		n = 2 * (function->id + 1);
		thread->inside = VG_(realloc)("costgrind.inside", thread->inside,
					      n * sizeof(thread->inside[0]));
		VG_(memset)(thread->inside + before, 0, (n - before) * sizeof(thread->inside[0]));
		thread->n_inside = n;
	}
	return &thread->inside[function->id];
}

static void make_due(const struct function *function, enum fn_hook hook)
{
	struct hooks *hooks = &tool_calls.hooks;

	if ((function->settings.hooks & hook) == 0)
		return;
	if (hooks->n_due == hooks->room) {
		hooks->room = hooks->room == 0 ? 8 : 2 * hooks->room;
		hooks->due = VG_(realloc)("costgrind.hooks", hooks->due,
					  hooks->room * sizeof(hooks->due[0]));
	}
	hooks->due[hooks->n_due++] = (struct due_hook){ hook, function };
}

void hooks_entered(struct thread *thread, const struct function *function,
		   const struct activation *activation)
{
	UInt n_due = tool_calls.hooks.n_due;

	if (function->settings.call_hooks != 0)
		tool_calls.call_hooks.entered = function;
	if ((*n_inside(thread, function))++ != 0)
		return;
	/* As in Callgrind: a part that is written begins anew anyway. */
	if (function->settings.hooks & HOOK_DUMP_BEFORE)
		make_due(function, HOOK_DUMP_BEFORE);
	else
		make_due(function, HOOK_ZERO_BEFORE);
	make_due(function, HOOK_TOGGLE_COLLECT);
	if (tool_calls.hooks.n_due != n_due)
		tool_calls.hooks.entered = activation;
}

void hooks_left(struct thread *thread, const struct function *function)
{
	if (--*n_inside(thread, function) != 0)
		return;
	make_due(function, HOOK_DUMP_AFTER);
	make_due(function, HOOK_TOGGLE_COLLECT);
}

void hooks_move(struct thread *from, struct thread *to, const struct callstack *stack)
{
	for (SizeT i = callstack_depth(stack); i-- > 0;) {
		const struct activation *activation = activation_of(callstack_frame(stack, i));
		const struct function *function;

		if (activation->context == NULL)
			continue;
		function = activation->arc != NULL ? activation->arc->ends.entered
						   : activation->context->function;
		if (function->settings.hooks == 0)
			continue;
		(*n_inside(from, function))--;
		(*n_inside(to, function))++;
	}
}

static Bool dump(const HChar *option, const struct function *function)
{
	SizeT size = VG_(strlen)(option) + function->name->len + 1;
	HChar *trigger = VG_(malloc)("costgrind.trigger", size);
	Bool written;

	VG_(snprintf)(trigger, (Int)size, "%s%s", option, function->name->chars);
	written = tool_calls.hooks.write_part(trigger);
	VG_(free)(trigger);
	return written;
}

/* The call that is about to begin does not belong to the part that ends here. */
static void take_back_call(const struct activation *entered, Long more)
{
	if (entered == NULL || entered->arc == NULL)
		return;
	entered->arc->count += (ULong)more;
	if (tool_calls.threads.tree != NULL && calltree_pays(entered->place))
		calltree_node(tool_calls.threads.tree, entered->place)->calls += (ULong)more;
}

/* True if a part was written. */
static Bool do_hook(const struct due_hook *due)
{
	switch (due->hook) {
	case HOOK_TOGGLE_COLLECT:
		collection_toggle();
		return False;
	case HOOK_DUMP_BEFORE:
		return dump("--dump-before=", due->function);
	case HOOK_DUMP_AFTER:
		return dump("--dump-after=", due->function);
	case HOOK_ZERO_BEFORE:
		tool_calls.hooks.zero();
		return False;
	case HOOK_CALLS: /* are never due */
	case HOOK_NONE:
		break;
	}
	return False;
}

void hooks_run(void)
{
	struct hooks *hooks = &tool_calls.hooks;
	const struct activation *entered = hooks->entered;

	for (UInt i = 0; i < hooks->n_due; i++) {
		Bool writes = (hooks->due[i].hook & (HOOK_DUMP_BEFORE | HOOK_DUMP_AFTER)) != 0;

		if (writes)
			take_back_call(entered, -1);
		/* If nothing was set to zero, active calls have not been counted anew. */
		if (!do_hook(&hooks->due[i]) && writes)
			take_back_call(entered, 1);
	}
	hooks_forget();
}

/* Keeps only the toggles of what is due, or (False) everything else. */
static void keep(Bool toggles)
{
	struct hooks *hooks = &tool_calls.hooks;
	UInt n = 0;

	for (UInt i = 0; i < hooks->n_due; i++)
		if ((hooks->due[i].hook == HOOK_TOGGLE_COLLECT) == toggles)
			hooks->due[n++] = hooks->due[i];
	hooks->n_due = n;
}

void hooks_keep_toggles(void)
{
	keep(True);
}

void hooks_forget_toggles(void)
{
	keep(False);
}

void hooks_forget(void)
{
	tool_calls.hooks.n_due = 0;
	tool_calls.hooks.entered = NULL;
}
