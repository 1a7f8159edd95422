/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs of calls are differences of running totals, which each thread has for
 * itself.  A signal handler starts from totals of zero, and gets what it cost
 * put by when it is over: the calls that it interrupted do not pay for it.
 *
 *	frames		bottom   main   f        bottom    handler's callee
 *	activations	context  ...    ...      suspended ...
 *	starts		totals   ...    ...      0         ...
 *
 * Names are made late: code without symbols is a function only where it is
 * called.  Until a frame is known to be pushed for it, it goes by a number
 * that no function has.
 */
#include "tool/calls.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/arc.h"
#include "tool/tool.h"

#define NOT_INLINED __attribute__((noinline)) /* no other way to say it */

enum {
	NAMELESS = 0xffffffff, /* in place of a function's number */
};

/* --- units -------------------------------------------------------------------------- */

/* The unit of code without symbols that was called at an address. */
struct entry_unit {
	struct entry_unit *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;               /* address */
	struct unit *unit;
};

static Word entry_compare(const void *a, const void *b)
{
	const struct entry_unit *left = a, *right = b;

	return left->key != right->key || left->unit->function != right->unit->function;
}

static struct unit *unit_at(struct site *site)
{
	struct unit wanted_unit = { .function = site->place.function };
	const struct entry_unit wanted = { .key = site->address, .unit = &wanted_unit };
	struct entry_unit *entry = VG_(HT_gen_lookup)(tool.entry_units, &wanted, entry_compare);

	if (entry == NULL) {
		entry = VG_(perm_malloc)(sizeof(*entry), 8);
		entry->key = site->address;
		entry->unit = unit_new(&tool.ledgers, site->place.function);
		VG_(HT_add_node)(tool.entry_units, entry);
	}
	return entry->unit;
}

/* The ledger of the frame that will be on top when control has arrived, as it seems. */
static struct ledger *ledger_to_be(const struct thread *thread)
{
	SizeT at = thread->stack.depth - 1;

	if (tool.hot->unit == UNIT_CALL)
		return NULL;
	if (tool.hot->unit == UNIT_RETURN) {
		Addr sp = VG_(get_SP)(thread->number);

		while (thread->stack.frames[at].sp < sp)
			at--;
	}
	return thread->activations[at].ledger;
}

/*
 * Code without symbols: what is reached by jumps from code that was called is
 * of its unit.  Where that guess is wrong, counts are right all the same; it
 * only takes a call of calls_enter() more.
 */
struct unit *calls_unit(struct site *site)
{
	struct function *function = site->place.function;
	const struct ledger *ledger = NULL;

	if (!function->anonymous) {
		if (function->unit == NULL)
			function->unit = unit_new(&tool.ledgers, function);
		return function->unit;
	}
	if (tool.threads.running != NULL)
		ledger = ledger_to_be(tool.threads.running);
	if (ledger != NULL && ledger->unit->function == function)
		return ledger->unit;
	return unit_at(site);
}

/* --- functions and contexts ---------------------------------------------------------- */

static struct function *function_of(struct block *block)
{
	const struct place *place = &block_first_site(block)->place;

	if (block->entered == NULL)
		block->entered = place->function->anonymous
					 ? symbols_function_at(&tool.symbols, place)
					 : place->function;
	return block->entered;
}

static UInt thread_of_context(const struct thread *thread)
{
	return tool.options.separate_threads ? thread->number : 0;
}

/*
 * The callers of the function that frame at is made for, nearest first, as
 * far as its handler's or thread's bottom; a function that calls itself is
 * one of them.
 */
static UInt find_callers(const struct thread *thread, SizeT at, const struct function *function,
			 const struct function **callers)
{
	const struct function *last = function;
	UInt n = 0;

	while (n < function->settings.callers && at > 0 &&
	       thread->stack.frames[at].kind != FRAME_BOTTOM) {
		const struct context *context = thread->activations[--at].context;

		if (context->owner != NULL || context->function == last)
			continue;
		last = context->function;
		callers[n++] = last;
	}
	return n;
}

static struct context *find_context(const struct thread *thread, SizeT at,
				    struct function *function, UInt level)
{
	const struct function *callers[FN_MAX_CALLERS];
	const struct context_spec spec = {
		.function = function,
		.thread = thread_of_context(thread),
		.level = level,
		.n_callers = find_callers(thread, at, function, callers),
		.callers = callers,
	};

	return contexts_find(&tool.contexts, &spec);
}

/* The context of code that is skipped, called at site in owner. */
static struct context *find_owned(const struct thread *thread, struct function *function,
				  struct context *owner, struct site *site)
{
	const struct context_spec spec = {
		.function = function,
		.owner = owner,
		.owner_site = site,
		.thread = thread_of_context(thread),
	};

	return contexts_find(&tool.contexts, &spec);
}

/* The level of recursion of one more call. */
static UInt next_level(UInt n_active, const struct function *function)
{
	return n_active < function->settings.recs ? n_active : function->settings.recs;
}

/* --- pushing and popping -------------------------------------------------------------- */

/* A call that is about to be made. */
struct call {
	struct context *from; /* not owned */
	struct site *site;    /* in from */
	struct block *target;
	struct function *entered;
	struct function *charged; /* entered, or the caller if both are of one group */
	Bool counts;              /* raises the level of recursion */
};

static void prepare_call(struct call *call, struct context *from, struct site *site,
			 struct block *target)
{
	Bool is_direct_recursion;

	*call = (struct call){ .from = from, .site = site, .target = target };
	if (from->owner != NULL) {
		call->from = from->owner;
		call->site = from->owner_site;
	}
	call->entered = function_of(target);
	call->charged = call->entered;
	if (call->entered->settings.group != 0 &&
	    call->entered->settings.group == call->from->function->settings.group)
		call->charged = call->from->function;
	is_direct_recursion = call->charged == call->from->function;
	call->counts = !call->entered->settings.skip &&
		       !(is_direct_recursion && tool.options.skip_direct_rec);
}

static struct arc *find_arc(const struct thread *thread, SizeT at, const struct call *call,
			    UInt level)
{
	struct arc_key ends = {
		.from = call->from,
		.site = call->site,
		.entered = call->entered,
	};

	if (call->entered->settings.skip)
		ends.to = find_owned(thread, call->entered, call->from, call->site);
	else
		ends.to = find_context(thread, at, call->charged, level);
	return arcs_find(&tool.arcs, &ends, block_first_site(call->target));
}

/* Fills the activation of the frame on top. */
static void push(struct thread *thread, const struct activation *activation)
{
	SizeT at = thread->stack.depth - 1;

	thread->activations[at] = *activation;
	thread->active[activation->active]++;
	activation->arc->count++;
	thread_set_starts(thread, at, tool.threads.n_counted, tool.hot->totals);
}

/* Makes the call of the frame on top. */
static void make_call(struct thread *thread, const struct call *call)
{
	UInt index = thread_active_index(thread, call->charged);
	UInt level = next_level(thread->active[index] + call->counts, call->charged);
	struct arc *arc = find_arc(thread, thread->stack.depth - 1, call, level);
	const struct activation activation = {
		.context = arc->ends.to,
		.ledger = ledger_find(arc->ends.to, call->target->unit),
		.arc = arc,
		.active = call->counts ? index : ACTIVE_NOTHING,
	};

	push(thread, &activation);
}

/* --- shortcuts ---------------------------------------------------------------------------- */

/*
 * How control went to a call last time, to go there again without a search.
 * It stands with the block that control left, or if that was skipped code,
 * which is entered from many places, with its context.
 */
struct shortcut {
	struct block *target;
	ULong generation;        /* of tool.blocks, while the target lives */
	struct context *context; /* of the frame on top before the call */
	struct callstack_frame frame;
	struct activation activation;
	UInt level, n_levels; /* that the function has then, and that are told apart */
	ULong mark;           /* hot->unit */
	Bool entry;
};

static struct shortcut **place_of_shortcut(const struct activation *top, struct block *source)
{
	return top->context->owner != NULL ? &top->context->shortcut : &source->shortcut;
}

/* Whether next time the context of the callee will be known by that of the caller. */
static Bool may_be_short(const struct call *call)
{
	return call->entered->settings.skip ||
	       call->charged->settings.callers <= call->from->function->settings.callers + 1;
}

/* Keeps the call just made; below is the activation of its caller. */
static void keep_shortcut(const struct thread *thread, ULong mark, Bool entry,
			  const struct call *call, struct block *source)
{
	const struct activation *top = thread_top(thread);
	struct shortcut **place = place_of_shortcut(top - 1, source);

	if (!may_be_short(call))
		return;
	if (*place == NULL)
		*place = VG_(malloc)("costgrind.shortcut", sizeof(**place));
	**place = (struct shortcut){
		.target = call->target,
		.generation = tool.blocks.generation,
		.context = (top - 1)->context,
		.frame = *callstack_top(&thread->stack),
		.activation = *top,
		.level = 1,
		.n_levels = 1,
		.mark = mark,
		.entry = entry,
	};
	if (top->active != ACTIVE_NOTHING) {
		(*place)->level = top->context->level;
		(*place)->n_levels = call->charged->settings.recs;
	}
}

/* Has a unit run in the ledger of the activation on top. */
static inline void set_hot(const struct thread *thread, struct hot *hot, const struct unit *unit)
{
	const struct callstack_frame *frame = callstack_top(&thread->stack);
	struct ledger *ledger = thread_top(thread)->ledger;

	hot->ledger = ledger;
	hot->counts = ledger->counts;
	hot->unit = unit->number;
	hot->frame_sp = frame->kind == FRAME_BOTTOM ? frame->first_sp : frame->sp;
}

/* Has the block run in the ledger of its unit in the context on top. */
static inline void run_in_ledger(const struct thread *thread, struct hot *hot,
				 const struct block *block)
{
	struct activation *top = thread_top(thread);

	if (top->ledger == NULL || top->ledger->unit != block->unit)
		top->ledger = ledger_find(top->context, block->unit);
	set_hot(thread, hot, block->unit);
}

/* Whether the call is the same as the one before; if so, it is made. */
static inline Bool call_again(struct thread *thread, struct hot *hot, struct block *source,
			      const struct block *target, Addr sp)
{
	const struct shortcut *shortcut;
	const struct activation *top = thread_top(thread);
	UInt n_active;

	if (source == NULL || top->context == NULL)
		return False;
	shortcut = *place_of_shortcut(top, source);
	if (shortcut == NULL || shortcut->target != target || shortcut->context != top->context ||
	    shortcut->mark != hot->unit || shortcut->generation != tool.blocks.generation ||
	    thread->stack.depth == thread->stack.room ||
	    shortcut->activation.active >= thread->n_active ||
	    !callstack_pushes_again(&thread->stack, &shortcut->frame, sp, shortcut->entry))
		return False;
	n_active = thread->active[shortcut->activation.active] + 1;
	if ((n_active < shortcut->n_levels ? n_active : shortcut->n_levels) != shortcut->level)
		return False;
	callstack_push_again(&thread->stack, &shortcut->frame, sp);
	push(thread, &shortcut->activation);
	set_hot(thread, hot, target->unit);
	return True;
}

/* Whether it is a return as most are; if so, it is made. */
static inline Bool return_plainly(struct thread *thread, struct hot *hot,
				  const struct block *target, Addr sp)
{
	UInt n_counted = tool.threads.n_counted;
	SizeT n = callstack_plain_return(&thread->stack, sp, target->body);

	if (n == 0)
		return False;
	for (; n > 0; n--)
		thread_pop(thread, hot, --thread->stack.depth, n_counted);
	run_in_ledger(thread, hot, target);
	return True;
}

/* --- the ends of threads and handlers ------------------------------------------------------ */

/* Gives a bottom the function of its first block, or of the one returned to. */
static void start_bottom(struct thread *thread, struct block *block)
{
	SizeT at = thread->stack.depth - 1;
	struct activation *bottom = &thread->activations[at];
	struct function *function = function_of(block);
	UInt index = thread_active_index(thread, function);

	thread->active[bottom->active]--;
	thread->active[index]++;
	bottom->active = index;
	bottom->context =
		find_context(thread, at, function, next_level(thread->active[index], function));
}

/* The call instruction that must stand before a return address, as a site. */
static struct site *site_before(Addr address)
{
	struct place place;

	symbols_lookup(&tool.symbols, address - 1, NULL, &place);
	return sites_find(&tool.sites, address - 1, 1, &place);
}

/*
 * A return from the bottom: what is returned to takes its place.  The call
 * has lasted since the bottom was entered.
 */
static void underflow(struct thread *thread, struct block *block)
{
	SizeT at = thread->stack.depth - 1;
	struct activation *bottom = &thread->activations[at];
	struct arc_key ends = { .to = bottom->context, .entered = bottom->context->function };
	struct arc *arc;

	start_bottom(thread, block);
	ends.from = bottom->context;
	ends.site = site_before(block_first_site(block)->address);
	arc = arcs_find(&tool.arcs, &ends, block_first_site(block));
	arc->count++;
	thread_add_spent(thread, at, tool.threads.n_counted, tool.hot->totals, arc);
	bottom->ledger = NULL;
}

/* --- arrivals -------------------------------------------------------------------------- */

/* What is said by hot->unit. */
static enum arrival_kind arrival_kind(ULong unit)
{
	if (unit == UNIT_CALL)
		return ARRIVAL_CALL;
	return unit == UNIT_RETURN ? ARRIVAL_RETURN : ARRIVAL_JUMP;
}

static struct arrival describe(const struct block *block, const struct block *source, Addr sp)
{
	const struct site *site = block_first_site(block);
	const struct function *function = site->place.function;
	struct arrival arrival = {
		.kind = arrival_kind(tool.hot->unit),
		.sp = sp,
		.address = block->key,
		.function = function->id + 1,
		.body = function->body,
		.entry = site->place.address == function->entry && !function->cold,
		.plt = function->plt,
		.pop_on_jump = function->settings.pop_on_jump,
	};

	if (source != NULL && arrival.kind == ARRIVAL_CALL) {
		const struct site *last = block_last_site(source);

		arrival.return_address = last->address + last->size;
	}
	if (function->anonymous) {
		arrival.entry = arrival.kind == ARRIVAL_CALL;
		arrival.function = NAMELESS;
	}
	return arrival;
}

/* Has the frame on top, whose function was nameless, know what it is called. */
static void name_frame(struct thread *thread, struct block *block)
{
	const struct function *function = function_of(block);
	struct callstack_frame *frame = &thread->stack.frames[thread->stack.depth - 1];

	frame->function = function->id + 1;
	frame->pop_on_jump = function->settings.pop_on_jump;
}

/* Pops n frames from number first on; the instruction that had called that one, or NULL. */
static struct site *pop_frames(struct thread *thread, SizeT first, SizeT n)
{
	struct site *site = NULL;

	for (SizeT i = first + n; i-- > first;) {
		const struct arc *arc = thread->activations[i].arc;

		site = arc == NULL ? NULL : arc->ends.site;
		thread_pop(thread, tool.hot, i, tool.threads.n_counted);
	}
	return site;
}

/*
 * What is neither the same call as before nor a plain return.  Not inlined: the
 * registers that it saves would be saved in calls_enter() too, for nothing.
 */
static NOT_INLINED void arrive(struct thread *thread, struct block *block, struct block *source,
			       Addr sp)
{
	struct arrival arrival = describe(block, source, sp);
	struct site *popped, *site;
	struct call call;
	struct step step;
	ULong mark = tool.hot->unit;

	thread_make_room(thread, tool.threads.n_counted);
	step = callstack_arrive(&thread->stack, &arrival);
	popped = pop_frames(thread, thread->stack.depth - (step.kind == STEP_PUSH), step.n_pops);
	switch (step.kind) {
	case STEP_STAY:
		break;
	case STEP_START:
		name_frame(thread, block);
		start_bottom(thread, block);
		thread_set_starts(thread, thread->stack.depth - 1, tool.threads.n_counted,
				  tool.hot->totals);
		break;
	case STEP_UNDERFLOW:
		name_frame(thread, block);
		underflow(thread, block);
		break;
	case STEP_PUSH:
		name_frame(thread, block);
		site = source == NULL ? block_first_site(block) : block_last_site(source);
		if (step.from_popped && popped != NULL)
			site = popped;
		prepare_call(&call, thread->activations[thread->stack.depth - 2].context, site,
			     block);
		make_call(thread, &call);
		if (source != NULL && step.n_pops == 0)
			keep_shortcut(thread, mark, arrival.entry, &call, source);
		break;
	}
	run_in_ledger(thread, tool.hot, block);
}

VG_REGPARM(2) void calls_enter(const VexGuestAMD64State *state, UWord number)
{
	struct thread *thread = tool.threads.running;
	struct hot *hot = tool.hot;
	struct block *block = blocks_by_number(&tool.blocks, (UInt)number);
	struct block *source = blocks_by_number(&tool.blocks, (UInt)hot->block);
	Addr sp = state->guest_RSP;

	if (hot->unit == UNIT_RETURN ? return_plainly(thread, hot, block, sp)
				     : call_again(thread, hot, source, block, sp))
		return;
	arrive(thread, block, source, sp);
}
