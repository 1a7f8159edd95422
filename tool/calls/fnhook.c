/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/fnhook.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"

/* The count of calls of a function on a thread's stack. */
static UInt *calls_of(struct thread *thread, const struct function *function)
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
	if ((*calls_of(thread, function))++ != 0)
		return;
	/* As Callgrind has it: a part that is written begins anew anyway. */
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
	if (--*calls_of(thread, function) != 0)
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
		(*calls_of(from, function))--;
		(*calls_of(to, function))++;
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

/* The call that is about to begin is not of the part that ends here. */
static void take_back_call(const struct activation *entered, Long more)
{
	if (entered == NULL || entered->arc == NULL)
		return;
	entered->arc->count += (ULong)more;
	if (tool_calls.threads.tree != NULL && calltree_pays(entered->place))
		calltree_node(tool_calls.threads.tree, entered->place)->calls += (ULong)more;
}

/* Whether a part was written. */
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
		/* If nothing was set to zero, each active call has not been counted anew. */
		if (!do_hook(&hooks->due[i]) && writes)
			take_back_call(entered, 1);
	}
	hooks_forget();
}

/* Keeps of what is due the toggles, or all but these. */
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
