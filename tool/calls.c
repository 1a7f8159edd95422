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

static ULong *starts_of(const struct thread *thread, SizeT at)
{
	return thread->starts + at * tool.threads.n_counted;
}

static void set_starts(const struct thread *thread, SizeT at)
{
	VG_(memcpy)(starts_of(thread, at), tool.hot->totals,
		    tool.threads.n_counted * sizeof(thread->starts[0]));
}

/* Adds what has been spent since a frame was made. */
static void add_spent(const struct thread *thread, SizeT at, const ULong *totals, struct arc *arc)
{
	const ULong *starts = starts_of(thread, at);

	for (UInt event = 0; event < tool.threads.n_counted; event++)
		arc->costs[event] += totals[event] - starts[event];
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

/* Whether the arc that a block was left by before is that of a call; to spare the search. */
static Bool is_arc_of(const struct arc *arc, const struct call *call, UInt level)
{
	if (arc == NULL || arc->ends.from != call->from || arc->ends.site != call->site ||
	    arc->ends.entered != call->entered)
		return False;
	if (call->entered->settings.skip)
		return True;
	/* More callers than the caller's context knows: they may be others. */
	return arc->ends.to->level == level &&
	       call->charged->settings.callers <= call->from->function->settings.callers + 1;
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

/* Fills the activation of the frame on top; source is the block that control came from. */
static void push(struct thread *thread, const struct call *call, struct block *source)
{
	SizeT at = thread->stack.depth - 1;
	UInt *n_active = thread_active(thread, call->charged);
	UInt level = next_level(*n_active + call->counts, call->charged);
	struct arc *arc = source == NULL ? NULL : source->last_arc;

	if (!is_arc_of(arc, call, level)) {
		arc = find_arc(thread, at, call, level);
		if (source != NULL)
			source->last_arc = arc;
	}
	arc->count++;
	*n_active += call->counts;
	thread->activations[at] = (struct activation){
		.context = arc->ends.to,
		.arc = arc,
		.active = call->counts ? call->charged : NULL,
	};
	set_starts(thread, at);
}

/* The handler of a bottom is over: its costs are put by. */
static void end_handler(struct thread *thread, struct activation *bottom)
{
	for (UInt event = 0; event < N_EVENTS; event++)
		thread->ended[event] += tool.hot->totals[event];
	VG_(memcpy)(tool.hot->totals, bottom->suspended->totals, sizeof(tool.hot->totals));
	VG_(free)(bottom->suspended);
	bottom->suspended = NULL;
}

/* Ends the call of the frame that was number at. */
static void pop(struct thread *thread, SizeT at)
{
	struct activation *activation = &thread->activations[at];

	if (activation->arc != NULL)
		add_spent(thread, at, tool.hot->totals, activation->arc);
	if (activation->active != NULL)
		--*thread_active(thread, activation->active);
	if (activation->suspended != NULL)
		end_handler(thread, activation);
}

/* Gives a bottom the function of its first block, or of the one returned to. */
static void start_bottom(struct thread *thread, struct block *block)
{
	SizeT at = thread->stack.depth - 1;
	struct activation *bottom = &thread->activations[at];
	struct function *function = function_of(block);
	UInt *n_active;

	if (bottom->active != NULL)
		--*thread_active(thread, bottom->active);
	n_active = thread_active(thread, function);
	++*n_active;
	bottom->active = function;
	bottom->context = find_context(thread, at, function, next_level(*n_active, function));
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
	struct arc_key ends = { .to = bottom->context, .entered = bottom->active };
	struct arc *arc;

	start_bottom(thread, block);
	ends.from = bottom->context;
	ends.site = site_before(block_first_site(block)->address);
	arc = arcs_find(&tool.arcs, &ends, block_first_site(block));
	arc->count++;
	add_spent(thread, at, tool.hot->totals, arc);
	bottom->ledger = NULL;
}

/* --- arrivals -------------------------------------------------------------------------- */

static enum arrival_kind arrival_kind(ULong unit)
{
	if (unit == UNIT_CALL)
		return ARRIVAL_CALL;
	return unit == UNIT_RETURN ? ARRIVAL_RETURN : ARRIVAL_JUMP;
}

static struct arrival describe(const struct thread *thread, const struct block *block,
			       const struct block *source)
{
	const struct site *site = block_first_site(block);
	const struct function *function = site->place.function;
	struct arrival arrival = {
		.kind = arrival_kind(tool.hot->unit),
		.sp = VG_(get_SP)(thread->number), .address = block->key,
			  .function = function->id + 1, .body = function->body,
			  .entry = site->place.address == function->entry && !function->cold,
			  .plt = function->plt, .pop_on_jump = function->settings.pop_on_jump,
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
		pop(thread, i);
	}
	return site;
}

/* Has the block run in the ledger of its unit in the context on top. */
static void run_in_ledger(const struct thread *thread, const struct block *block)
{
	struct activation *top = thread_top(thread);
	const struct callstack_frame *frame = callstack_top(&thread->stack);

	if (top->ledger == NULL || top->ledger->unit != block->unit)
		top->ledger = ledger_find(top->context, block->unit);
	tool.hot->ledger = top->ledger;
	tool.hot->counts = top->ledger->counts;
	tool.hot->unit = block->unit->number;
	tool.hot->frame_sp = frame->kind == FRAME_BOTTOM ? frame->first_sp : frame->sp;
}

VG_REGPARM(1) void calls_enter(UWord number)
{
	struct thread *thread = tool.threads.running;
	struct block *block = blocks_by_number(&tool.blocks, (UInt)number);
	struct block *source = blocks_by_number(&tool.blocks, (UInt)tool.hot->block);
	struct arrival arrival = describe(thread, block, source);
	struct site *popped, *site;
	struct call call;
	struct step step;

	thread_make_room(thread, tool.threads.n_counted);
	step = callstack_arrive(&thread->stack, &arrival);
	popped = pop_frames(thread, thread->stack.depth - (step.kind == STEP_PUSH), step.n_pops);
	switch (step.kind) {
	case STEP_STAY:
		break;
	case STEP_START:
		name_frame(thread, block);
		start_bottom(thread, block);
		set_starts(thread, thread->stack.depth - 1);
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
		push(thread, &call, source);
		break;
	}
	run_in_ledger(thread, block);
}

/* --- threads and signals --------------------------------------------------------------- */

void calls_run(ThreadId tid)
{
	threads_run(&tool.threads, tool.hot, threads_get(&tool.threads, tid));
}

void calls_signal(ThreadId tid)
{
	struct thread *thread;
	struct hot *suspended = VG_(malloc)("costgrind.suspended", sizeof(*suspended));

	calls_run(tid);
	thread = tool.threads.running;
	*suspended = *tool.hot;
	thread_make_room(thread, tool.threads.n_counted);
	callstack_signal(&thread->stack, VG_(get_SP)(tid));
	*thread_top(thread) = (struct activation){ .suspended = suspended };
	VG_(memset)(tool.hot, 0, sizeof(*tool.hot));
}

void calls_signal_return(ThreadId tid)
{
	struct thread *thread;
	SizeT bottom, n;

	calls_run(tid);
	thread = tool.threads.running;
	n = callstack_signal_return(&thread->stack);
	if (n == 0)
		return;
	bottom = thread->stack.depth;
	for (SizeT i = bottom + n; --i > bottom;)
		pop(thread, i);
	{
		struct hot suspended = *thread->activations[bottom].suspended;

		pop(thread, bottom);
		suspended.counts = suspended.ledger == NULL ? NULL : suspended.ledger->counts;
		*tool.hot = suspended;
	}
}

void calls_exit_thread(ThreadId tid)
{
	struct thread *thread;

	calls_run(tid);
	thread = tool.threads.running;
	for (SizeT i = thread->stack.depth; i-- > 0;)
		pop(thread, i);
	for (UInt event = 0; event < N_EVENTS; event++)
		thread->ended[event] += tool.hot->totals[event];
	VG_(memset)(tool.hot, 0, sizeof(*tool.hot));
	callstack_init(&thread->stack, thread->stack.frames, thread->stack.room);
	thread->activations[0] = (struct activation){ NULL };
}

/* --- everything at once ---------------------------------------------------------------- */

/* Calls visit for each thread there is, with its totals. */
static void for_each_thread(void (*visit)(struct thread *thread, ULong *totals))
{
	for (UInt i = 0; i < tool.threads.n; i++) {
		struct thread *thread = tool.threads.by_number[i];

		if (thread != NULL)
			visit(thread, thread == tool.threads.running ? tool.hot->totals
								     : thread->hot.totals);
	}
}

static void update_thread(struct thread *thread, ULong *totals)
{
	for (SizeT i = thread->stack.depth; i-- > 0;) {
		struct activation *activation = &thread->activations[i];

		if (activation->arc != NULL) {
			add_spent(thread, i, totals, activation->arc);
			VG_(memcpy)(starts_of(thread, i), totals,
				    tool.threads.n_counted * sizeof(totals[0]));
		}
		if (activation->suspended != NULL)
			totals = activation->suspended->totals;
	}
}

void calls_update(void)
{
	for_each_thread(update_thread);
}

static void zero_thread(struct thread *thread, ULong *totals)
{
	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	VG_(memset)(thread->ended, 0, sizeof(thread->ended));
	VG_(memset)(thread->starts, 0,
		    thread->stack.depth * tool.threads.n_counted * sizeof(thread->starts[0]));
	for (SizeT i = 0; i < thread->stack.depth; i++)
		if (thread->activations[i].suspended != NULL)
			VG_(memset)(thread->activations[i].suspended->totals, 0,
				    sizeof(thread->activations[i].suspended->totals));
}

void calls_zero(void)
{
	for_each_thread(zero_thread);
	arcs_zero(&tool.arcs);
}

static void add_totals(ULong totals[N_EVENTS], const ULong *more)
{
	for (UInt event = 0; event < N_EVENTS; event++)
		totals[event] += more[event];
}

void calls_totals(ULong totals[N_EVENTS])
{
	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	for (UInt i = 0; i < tool.threads.n; i++) {
		const struct thread *thread = tool.threads.by_number[i];

		if (thread == NULL)
			continue;
		add_totals(totals, thread->ended);
		add_totals(totals,
			   thread == tool.threads.running ? tool.hot->totals : thread->hot.totals);
		for (SizeT at = 0; at < thread->stack.depth; at++)
			if (thread->activations[at].suspended != NULL)
				add_totals(totals, thread->activations[at].suspended->totals);
	}
}

static Bool has_last_block(const struct thread *thread, UInt number)
{
	if ((UInt)(thread == tool.threads.running ? tool.hot : &thread->hot)->block == number)
		return True;
	for (SizeT at = 0; at < thread->stack.depth; at++)
		if (thread->activations[at].suspended != NULL &&
		    (UInt)thread->activations[at].suspended->block == number)
			return True;
	return False;
}

Bool calls_is_last_block(const struct block *block)
{
	for (UInt i = 0; i < tool.threads.n; i++)
		if (tool.threads.by_number[i] != NULL &&
		    has_last_block(tool.threads.by_number[i], block->number))
			return True;
	return False;
}
