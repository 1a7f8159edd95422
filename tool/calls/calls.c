/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of a call is a difference of running totals, which each thread has for itself. A signal
 * handler starts from totals of zero, and its costs are set aside when it is over: the calls that
 * it interrupted do not pay for it.
 *
 *	frames		bottom   main   f        bottom    handler's callee
 *	activations	context  ...    ...      ...       ...
 *	starts		totals   ...    ...      0         ...
 *
 * Names are made late: code without symbols is a function only where it is called. Until a frame is
 * known to be pushed for it, it has a number that is no function's.
 */
#include "tool/calls/calls.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/arc.h"
#include "tool/calls/callcost.h"
#include "tool/calls/callhook.h"
#include "tool/calls/callstack.h"
#include "tool/calls/state.h"
#include "tool/calls/thread.h"
#include "tool/common/guest.h"
#include "tool/common/hot_memory.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

/* There is no other way to get this: each call of these functions is worth a copy of its own. */
#define ALWAYS_INLINED inline __attribute__((always_inline))

enum {
	NAMELESS = 0xffffffff, /* instead of a function's number */
	MANY = 0xffffffff,     /* calls: no limit */
};

static struct function *function_of(struct block *block)
{
	struct source_location place;

	if (block->entered != NULL)
		return block->entered;
	place = site_place(block_first_site(block));
	block->entered = place.function->anonymous ? symbols_function_at(&tool_symbols, &place)
						   : place.function;
	return block->entered;
}

/* Ends the calls of n frames from number first on. Returns the instruction that made the first. */
static struct site *end_calls(struct thread *thread, SizeT first, SizeT n)
{
	struct site *site = NULL;

	for (SizeT i = first + n; i-- > first;) {
		struct activation *activation = thread_activation(thread, i);

		site = activation->arc == NULL ? NULL : activation->arc->ends.site;
		thread_end(thread, tool_counts.hot, activation);
	}
	return site;
}

/* --- shortcuts ---------------------------------------------------------------------------- */

/*
 * Shortcuts: how control reached a call before, to get there again without a search. Each block has
 * a list of those that lead out of it; for skipped code, which is entered from many places, its
 * context has the list.
 *
 * A shortcut leads from a context to a function entered at an address, at a level of recursion. As
 * most places call one function in one context, the first of the list nearly always is the right
 * one, and generated code passes it, so that nothing has to be loaded to find it. For places with
 * many callees (the loop of an interpreter calls hundreds of functions through a pointer), the list
 * has the latest few; others are in a table, each in the only slot where it is looked for, until
 * another one takes the slot.
 */

struct shortcut {
	struct shortcut *next;   /* in the list */
	struct shortcut *list;   /* its first one, now or before it was moved to the table */
	UWord key;               /* of the target: shortcut_key() */
	struct context *context; /* of the frame on top before the call; NULL: the list is empty */
	ULong generation; /* of the blocks; if it has changed, the target may be other code */
	/*
	 * How many calls of the function must be on the stack for this level of recursion: at least
	 * min_active, and at most more_active more.
	 */
	UInt min_active, more_active;
	Bool entry;                   /* the target is the first instruction of its function */
	Bool nameless;                /* it has no symbols, as stubs have none */
	struct activation activation; /* that it creates */
};

enum {
	SHORTCUT_LIST = 4,      /* shortcuts in a list */
	SHORTCUT_SLOT_BITS = 12 /* bits of the number of a slot */
};

struct shortcut_table {
	struct shortcut *slots[1 << SHORTCUT_SLOT_BITS];
	struct pool pool; /* pieces of two lines of the host's cache */
};

/* Calls of an address and jumps to it (kind) have different keys. */
static inline UWord shortcut_key(enum frame_kind kind, Addr target)
{
	return kind == FRAME_CALL ? target : ~target;
}

/* True if it leads to the level of recursion that the function has now. */
static inline Bool shortcut_fits(const struct shortcut *shortcut, const UInt *active)
{
	UInt n = active[shortcut->activation.active];

	return n - shortcut->min_active <= shortcut->more_active;
}

/* True if a passage of its kind, with this stack pointer, creates its frame again. */
static inline Bool shortcut_pushes(const struct shortcut *shortcut, const struct callstack *stack,
				   enum frame_kind kind, Addr sp)
{
	return callstack_pushes_again(stack, &shortcut->activation.frame, kind, sp, shortcut->entry,
				      shortcut->nameless);
}

/* The only slot of the table where a shortcut can be. */
static inline UWord shortcut_slot(const struct shortcut *list, UWord key,
				  const struct context *context)
{
	/* The upper bits of a product with the golden ratio: Knuth, TAOCP 3, 6.4. */
	const UWord golden = 0x9e3779b97f4a7c15;

	return ((key ^ (UWord)list << 16 ^ (UWord)context << 32) * golden) >>
	       (64 - SHORTCUT_SLOT_BITS);
}

/* True if it has this key, and starts from the frame that is on top. */
static inline Bool shortcut_leads(const struct shortcut *shortcut, const struct thread *thread,
				  UWord key)
{
	return shortcut->key == key && shortcut->context == thread_top(thread)->context &&
	       shortcut_fits(shortcut, thread->active);
}

/* The shortcut of a list (or NULL) with this key, from the frame on top; or NULL. */
static inline const struct shortcut *shortcuts_find(const struct shortcut_table *table,
						    const struct shortcut *list,
						    const struct thread *thread, UWord key,
						    ULong generation)
{
	const struct shortcut *at = list;

	if (list == NULL)
		return NULL;
	while (at != NULL && !shortcut_leads(at, thread, key))
		at = at->next;
	if (at == NULL) {
		at = table->slots[shortcut_slot(list, key, thread_top(thread)->context)];
		if (at == NULL || at->list != list || !shortcut_leads(at, thread, key))
			return NULL;
	}
	return at->generation == generation ? at : NULL;
}

static Bool has_same_ends(const struct shortcut *a, const struct shortcut *b)
{
	return a->key == b->key && a->context == b->context && a->min_active == b->min_active;
}

/* Puts a shortcut that is in no list into its slot. */
static void put_away(struct shortcut_table *table, struct shortcut *shortcut)
{
	UWord slot = shortcut_slot(shortcut->list, shortcut->key, shortcut->context);

	pool_give(&table->pool, table->slots[slot]);
	table->slots[slot] = shortcut;
}

/*
 * Removes the shortcut with the same ends from a list, if it is not the first; else makes room in a
 * full list by moving the last to the table. Returns the piece to fill.
 */
static struct shortcut *take(struct shortcut_table *table, struct shortcut *list,
			     const struct shortcut *shortcut)
{
	UInt n = 1;

	for (struct shortcut **at = &list->next; *at != NULL; at = &(*at)->next) {
		struct shortcut *taken = *at;

		if (has_same_ends(taken, shortcut)) {
			*at = taken->next;
			return taken;
		}
		if (++n == SHORTCUT_LIST) {
			*at = NULL;
			put_away(table, taken);
			break;
		}
	}
	return pool_take(&table->pool);
}

/*
 * Copies a shortcut to the front of a list, replacing one with the same ends. If the list is full,
 * the oldest moves to the table.
 */
static void put_first(struct shortcut_table *table, struct shortcut *list,
		      const struct shortcut *shortcut)
{
	struct shortcut *next = list->next;

	/* The first piece stays where it is and gets new contents: generated code points to it. */
	if (list->context != NULL && !has_same_ends(list, shortcut)) {
		next = take(table, list, shortcut);
		*next = *list;
	}
	*list = *shortcut;
	list->list = list;
	list->next = next;
}

/* Empties the slots of a list that is going: another one may be allocated at its address. */
static void forget(struct shortcut_table *table, const struct shortcut *list)
{
	for (UWord slot = 0; slot < sizeof(table->slots) / sizeof(table->slots[0]); slot++) {
		if (table->slots[slot] == NULL || table->slots[slot]->list != list)
			continue;
		pool_give(&table->pool, table->slots[slot]);
		table->slots[slot] = NULL;
	}
}

void calls_free_shortcuts(struct shortcut *list)
{
	struct shortcut_table *table = tool_calls.shortcuts;
	UInt n = 0;

	for (struct shortcut *at = list, *next; at != NULL; at = next, n++) {
		next = at->next;
		pool_give(&table->pool, at);
	}
	if (n == SHORTCUT_LIST) /* else nothing was put away */
		forget(table, list);
}

/* Where the pointer to the list of ways out of a block is. */
static struct shortcut **shortcuts_of(const struct activation *top, struct block *source)
{
	return source->skipped ? &top->context->shortcuts : &source->shortcuts;
}

/* The list there, made if there is none. */
static struct shortcut *made(struct shortcut **list)
{
	if (*list == NULL) {
		*list = pool_take(&tool_calls.shortcuts->pool);
		**list = (struct shortcut){ .list = *list };
	}
	return *list;
}

const struct shortcut *calls_ways_out(struct block *block)
{
	return block->skipped ? NULL : made(&block->shortcuts);
}

/* True if the caller's context is enough to know the callee's next time. */
static Bool may_be_short(const struct new_call *call)
{
	return call->entered->settings.skip ||
	       call->charged->settings.callers <= call->from->function->settings.callers + 1;
}

/* Keeps the call that has just been made from the end of source. */
static void keep_shortcut(const struct thread *thread, const struct arrival *arrival,
			  const struct new_call *call, struct block *source)
{
	struct activation *top = thread_top(thread);
	const struct activation *below = thread_below(thread, top);
	struct shortcut **list = shortcuts_of(below, source);
	struct shortcut shortcut = {
		.key = shortcut_key(top->frame.kind, arrival->address),
		.context = below->context,
		.generation = tool_counts.blocks.generation,
		.min_active = 0,
		.more_active = MANY,
		.entry = arrival->entry,
		.nameless = arrival->nameless,
		.activation = *top,
	};

	shortcut.activation.place = stacktree_key(top->context);
	if (!may_be_short(call) || (top->frame.kind == FRAME_JUMP && below->frame.resolver) ||
	    call->entered->settings.hooks != 0)
		return;
	if (top->active >= N_ACTIVE_NOTHING) {
		UInt level = top->context->level;

		shortcut.min_active = level - 1;
		shortcut.more_active =
			level < call->charged->settings.recs ? 0 : MANY - shortcut.min_active;
	}
	put_first(tool_calls.shortcuts, made(list), &shortcut);
}

/* Has the code of a counter set run in the activation on top. */
static inline void set_hot(struct hot *hot, const struct activation *top,
			   struct counter_set *counters)
{
	hot->counters = counters;
	hot->counts = counters->counts;
	hot->unit = counters->number;
	hot->frame_sp = top->frame.kind == FRAME_BOTTOM ? top->frame.first_sp : top->frame.sp;
}

/* Has the block run in the counter set of its unit in the context on top. */
static void run_in_counters(const struct thread *thread, struct hot *hot, const struct block *block)
{
	struct activation *top = thread_top(thread);

	if (top->counters == NULL || top->counters->unit != block->unit)
		top->counters =
			counter_set_find(&tool_counts.counter_sets, top->context, block->unit);
	set_hot(hot, top, top->counters);
}

/* Control passes to another function. */
struct passage {
	enum frame_kind kind; /* of the frame that it creates */
	Addr target;
	Addr sp; /* when it is there */
};

static ALWAYS_INLINED UInt place_of_call(struct keeping keeping, UInt from, UInt key)
{
	return keeping.adds ? stacktree_enter(keeping.tree, from, key)
			    : stacktree_enter_again(keeping.tree, from, key);
}

/*
 * Makes the call that a shortcut leads to. Does nothing and returns False if the stack does not
 * allow it, or if the tree has no node for it and is not to be added to. The activation is read
 * where it is copied from: reading back what has just been stored would take long.
 */
static ALWAYS_INLINED Bool take_shortcut(struct thread *thread, struct hot *hot,
					 const struct shortcut *shortcut,
					 const struct passage *passage, struct keeping keeping)
{
	const struct activation *from = &shortcut->activation;
	struct callstack *stack = &thread->stack;
	struct counter_set *counters = from->counters;
	struct activation *top;
	UInt place = CALLTREE_NOWHERE;

	if (stack->top == stack->last ||
	    !shortcut_pushes(shortcut, stack, passage->kind, passage->sp))
		return False;
	late_look(thread, hot, keeping.late);
	if (keeping.tree != NULL) {
		place = place_of_call(keeping, activation_of(stack->top)->place, from->place);
		if (place == CALLTREE_NOWHERE)
			return False;
	}
	top = activation_of(callstack_above(stack, stack->top));
	if (keeping.tree == NULL) {
		*top = *from;
	} else {
		/* One by one: wide stores that a narrow one follows are waited for. */
		top->frame = from->frame;
		top->context = from->context;
		top->counters = from->counters;
		top->arc = from->arc;
		top->active = from->active;
	}
	callstack_push_again(stack, passage->kind, passage->sp);
	thread->active[from->active]++;
	from->arc->count++;
	if (keeping.tree != NULL)
		top->place = place;
	/* For Ir alone, to store the starts costs less than to ask. */
	if (keeping.n_counted <= N_COUNTED_IR_REP || from->active != ACTIVE_SKIPPED)
		activation_begin(top, hot, keeping.n_counted, keeping.late);
	hot->counters = counters;
	hot->counts = counters->counts;
	hot->unit = counters->number;
	hot->frame_sp = passage->kind == FRAME_CALL ? passage->sp : top->frame.sp;
	return True;
}

/* Makes the call to a target if it was made before. */
static Bool go_again(struct thread *thread, struct hot *hot, const struct shortcut *list,
		     const struct passage *passage)
{
	const struct shortcut *shortcut = shortcuts_find(
		tool_calls.shortcuts, list, thread, shortcut_key(passage->kind, passage->target),
		tool_counts.blocks.generation);

	return shortcut != NULL && take_shortcut(thread, hot, shortcut, passage, keeping_all());
}

/* Makes the call if the first shortcut of the list leads there, as it mostly does. */
static ALWAYS_INLINED Bool go_first(struct thread *thread, struct hot *hot,
				    const struct shortcut *first, const struct passage *passage,
				    struct keeping keeping)
{
	return first != NULL &&
	       shortcut_leads(first, thread, shortcut_key(passage->kind, passage->target)) &&
	       first->generation == tool_counts.blocks.generation &&
	       take_shortcut(thread, hot, first, passage, keeping);
}

/* The value of an arc's returns (struct arc) for the unit of this number. */
static inline ULong returns_to(ULong unit)
{
	return tool_counts.blocks.generation << 32 | unit;
}

/* The call on top is about to return to code of the caller: its arc is to know that. */
static void note_return(const struct thread *thread, const struct block *target)
{
	struct activation *top = thread_top(thread);

	if (top->frame.return_address == target->key &&
	    thread_below(thread, top)->context->owner == NULL &&
	    top->arc->ends.entered->settings.hooks == 0)
		top->arc->returns = returns_to(target->unit->number);
}

/* Ends the call of the frame on top. */
static inline void pop(struct thread *thread, const struct hot *hot)
{
	const struct activation *top = thread_top(thread);
	const struct keeping keeping = keeping_all();

	thread_end_call(thread, hot, top, &keeping);
	callstack_drop(&thread->stack);
	hooks_leave(thread, top->arc->ends.entered);
}

/* Makes the return if it is an ordinary one; else returns False. */
static Bool return_plainly(struct thread *thread, struct hot *hot, const struct block *target,
			   Addr sp)
{
	SizeT n = callstack_plain_return(&thread->stack, sp, target->body, target->stray);

	if (n == 0)
		return False;
	for (; n > 0; n--) {
		if (n == 1)
			note_return(thread, target);
		pop(thread, hot);
	}
	run_in_counters(thread, hot, target);
	return True;
}

/* --- the ends of threads and handlers ------------------------------------------------------ */

/* The bottom on top gets its first function, or the one that it returned to. */
static void start_bottom(struct thread *thread, struct function *function)
{
	struct activation *bottom = thread_top(thread);
	UInt index = threads_active_index(function);

	if (bottom->context != NULL)
		hooks_leave(thread, bottom->context->function);
	thread->active[bottom->active]--;
	thread->active[index]++;
	bottom->active = index;
	bottom->context = newcall_bottom(thread, function, thread->active[index]);
	if (tool_calls.threads.tree != NULL)
		stacktree_start_bottom(thread, bottom);
	hooks_enter(thread, function, bottom);
}

/* The site of an address that is known to hold an instruction. */
static struct site *site_at(Addr address)
{
	struct source_location place;

	symbols_lookup(&tool_symbols, address, NULL, &place);
	return sites_find(&tool_counts.sites, address, 1, &place);
}

/*
 * A return from the bottom: the function returned to takes its place. The call has lasted since the
 * bottom was entered. In the call tree it was not called: calls made before may have gone to the
 * same node.
 */
static void underflow(struct thread *thread, struct block *block)
{
	struct activation *bottom = thread_top(thread);
	struct arc_key ends = { .to = bottom->context, .entered = bottom->context->function };
	struct calltree *tree = tool_calls.threads.tree;
	struct arc *arc;

	late_settle(thread, tool_counts.hot);
	if (tree != NULL)
		stacktree_add(bottom->place, tool_counts.hot->totals);
	start_bottom(thread, function_of(block));
	if (tree != NULL)
		stacktree_subtract(bottom->place, tool_counts.hot->totals);
	ends.from = bottom->context;
	/* The call instruction, which must be right before the return address. */
	ends.site = site_at(block_first_site(block)->address - 1);
	arc = arcs_find(&tool_calls.arcs, &ends, block_first_site(block));
	if (collection_is_on(tool_counts.hot)) {
		arc->count++;
		activation_add_spent(bottom, tool_calls.threads.n_counted, tool_counts.hot->totals,
				     arc->costs);
		late_add_spent(bottom, tool_counts.hot->totals, arc->costs);
	} else {
		collection_charge_bottom(bottom, arc);
	}
	bottom->counters = NULL;
}

/* --- calls that nobody saw ------------------------------------------------------------------ */

void calls_seed(struct thread *thread, const struct seed *seed)
{
	const struct function *function = seed->function;
	const struct arrival arrival = {
		.kind = seed->jumped ? ARRIVAL_JUMP : ARRIVAL_CALL,
		.sp = seed->sp,
		.return_address = seed->return_address,
		.function = function->id + 1,
		.body = function->body,
		.object = symbols_object_number(function),
		.plt = function->plt,
		.pop_on_jump = function->settings.pop_on_jump,
	};
	struct new_call call;

	thread_make_room(thread);
	if (callstack_seed(&thread->stack, &arrival) == STEP_START) {
		struct activation *bottom = thread_top(thread);

		start_bottom(thread, seed->function);
		collection_start_bottom(bottom);
		bottom->counters =
			counter_set_find(&tool_counts.counter_sets, bottom->context, seed->unit);
		return;
	}
	newcall_prepare(&call, thread, thread_below(thread, thread_top(thread))->context,
			seed->site, seed->function);
	call.target = seed->target;
	call.unit = seed->unit;
	newcall_make(thread, &call);
}

/* --- arrivals -------------------------------------------------------------------------- */

/* How control arrived, by hot->unit. */
static enum arrival_kind arrival_kind(ULong unit)
{
	if (unit == UNIT_CALL)
		return ARRIVAL_CALL;
	return unit == UNIT_RETURN ? ARRIVAL_RETURN : ARRIVAL_JUMP;
}

static struct arrival describe(const struct block *block, const struct block *source, Addr sp)
{
	const struct site *site = block_first_site(block);
	const struct function *function = site->scope->function;
	struct arrival arrival = {
		.kind = arrival_kind(tool_counts.hot->unit),
		.sp = sp,
		.address = block->key,
		.function = function->id + 1,
		.body = function->body,
		.object = symbols_object_number(function),
		.entry = block->entry,
		.plt = function->plt,
		.pop_on_jump = function->settings.pop_on_jump,
	};

	if (source != NULL && arrival.kind == ARRIVAL_CALL) {
		const struct site *last = block_last_site(source);

		arrival.return_address = last->address + last->size;
		arrival.from = source->body;
	}
	if (function->anonymous) {
		arrival.entry = arrival.kind == ARRIVAL_CALL;
		arrival.function = NAMELESS;
		arrival.nameless = True;
	}
	return arrival;
}

/* Names the frame on top, whose function was NAMELESS. */
static void name_frame(struct thread *thread, struct block *block)
{
	const struct function *function = function_of(block);
	struct callstack_frame *frame = thread->stack.top;

	frame->function = function->id + 1;
	frame->pop_on_jump = function->settings.pop_on_jump;
}

/* The instruction that control came from, as far as is known. */
static struct site *site_left(const struct block *block, const struct block *source)
{
	if (source != NULL)
		return block_last_site(source);
	return tool_counts.hot->fault != 0 ? site_at(tool_counts.hot->fault)
					   : block_first_site(block);
}

/* --- switches of stacks -------------------------------------------------------------------- */

/* Handlers that switch stacks are not followed: parts of other stacks are below them. */
static Bool may_switch(const struct thread *thread, Addr sp)
{
	return thread->suspended == NULL && !callstack_is_near(&thread->stack, sp);
}

/* Fills in the mapping of an arrival far from the frames on top, and the word on its stack. */
static void look_around(struct arrival *arrival)
{
	const NSegment *mapping = VG_(am_find_nsegment)(arrival->sp);

	arrival->low = mapping == NULL ? arrival->sp : mapping->start;
	arrival->high = mapping == NULL ? arrival->sp : mapping->end;
	if (VG_(am_is_valid_for_client)(arrival->sp, sizeof(Addr), VKI_PROT_READ))
		arrival->return_address = *(const Addr *)arrival->sp;
}

/* Ends the calls of the n frames on top. */
static void pop_calls(struct thread *thread, SizeT n)
{
	callstack_pop(&thread->stack, n);
	end_calls(thread, callstack_depth(&thread->stack), n);
}

/* Switches to the known stack that the arrival is on, if any. True if nothing is left to do. */
static Bool resume_stack(struct thread *thread, const struct block *block, Addr sp)
{
	struct threads *threads = &tool_calls.threads;
	struct arrival arrival = describe(block, NULL, sp);
	enum resumption best = RESUMES_NOT;
	SizeT n, n_pops = 0;
	UInt number = 0;

	look_around(&arrival);
	if (callstack_resumption(&thread->stack, &arrival, &n) == RESUMES_EXACTLY) {
		pop_calls(thread, n);
		goto found;
	}
	/* Of two stacks in one place, the earlier one is over. */
	for (UInt i = threads->n_left; i-- > 0 && best != RESUMES_EXACTLY;) {
		const struct thread *left = threads->left[i];
		enum resumption resumption;

		if (tool_calls.options.separate_threads && left->number != thread->number)
			continue;
		resumption = callstack_resumption(&left->stack, &arrival, &n);
		if (resumption <= best)
			continue;
		best = resumption;
		number = i;
		n_pops = n;
	}
	for (UInt i = 0; i < threads->n && best != RESUMES_EXACTLY; i++) {
		struct thread *other = threads->by_number[i];

		if (other == NULL || other == thread || other->suspended != NULL ||
		    tool_calls.options.separate_threads ||
		    callstack_resumption(&other->stack, &arrival, &n) != RESUMES_EXACTLY)
			continue;
		best = RESUMES_EXACTLY;
		n_pops = 0;
		threads_give_stack(other, n);
		number = threads->n_left - 1;
	}
	if (best == RESUMES_NOT ||
	    (best == RESUMES_WITHIN && callstack_stays(&thread->stack, &arrival)))
		return False;
	threads_resume_stack(number);
	pop_calls(thread, n_pops);
found:
	if (!callstack_is_of(thread->stack.top, block->body, block->stray))
		return False;
	run_in_counters(thread, tool_counts.hot, block);
	return True;
}

/* If the arrival is on a stack that is not known yet, switches the thread to a new one. */
static void begin_stack(struct thread *thread, struct arrival *arrival)
{
	SizeT n_pops;

	look_around(arrival);
	if (callstack_copied(&thread->stack, arrival, &n_pops))
		pop_calls(thread, n_pops);
	else if (!callstack_stays(&thread->stack, arrival))
		threads_begin_stack(arrival->sp);
}

/* --- arrivals, continued ------------------------------------------------------------------- */

/* Every arrival that is neither a jump made before nor an ordinary return. */
static void arrive(struct thread *thread, struct block *block, struct block *source, Addr sp)
{
	struct arrival arrival = describe(block, source, sp);
	struct site *popped, *site;
	struct new_call call;
	struct step step;

	if (arrival.kind != ARRIVAL_CALL && may_switch(thread, sp))
		begin_stack(thread, &arrival);
	thread_make_room(thread);
	step = callstack_arrive(&thread->stack, &arrival);
	popped = end_calls(thread, callstack_depth(&thread->stack) - (step.kind == STEP_PUSH),
			   step.n_pops);
	switch (step.kind) {
	case STEP_STAY:
		break;
	case STEP_START:
		name_frame(thread, block);
		late_settle(thread, tool_counts.hot);
		start_bottom(thread, function_of(block));
		collection_start_bottom(thread_top(thread));
		/* If this is not the thread's first stack, its totals are not 0. */
		if (calltree_pays(thread_top(thread)->place))
			stacktree_subtract(thread_top(thread)->place, tool_counts.hot->totals);
		break;
	case STEP_UNDERFLOW:
		name_frame(thread, block);
		underflow(thread, block);
		break;
	case STEP_PUSH:
		name_frame(thread, block);
		site = site_left(block, source);
		if (step.from_popped && popped != NULL)
			site = popped;
		newcall_prepare(&call, thread, thread_below(thread, thread_top(thread))->context,
				site, function_of(block));
		call.target = block_first_site(block);
		call.unit = block->unit;
		newcall_make(thread, &call);
		if (source != NULL && step.n_pops == 0 && !thread->stack.top->from_below)
			keep_shortcut(thread, &arrival, &call, source);
		break;
	}
	run_in_counters(thread, tool_counts.hot, block);
}

/* True if a jump stays in the function on top, as a jump to its cold part does; it is made. */
static Bool jump_within(const struct thread *thread, struct hot *hot, const struct block *target,
			Addr sp)
{
	if (target->entry || !callstack_plain_jump(&thread->stack, sp, target->body, target->stray))
		return False;
	run_in_counters(thread, hot, target);
	return True;
}

/* True if a jump made a call before; if so, it is made again. */
static Bool jump_again(struct thread *thread, struct hot *hot, struct block *source, Addr target,
		       Addr sp)
{
	const struct activation *top = thread_top(thread);
	const struct passage passage = { FRAME_JUMP, target, sp };

	return source != NULL && top->context != NULL &&
	       go_again(thread, hot, *shortcuts_of(top, source), &passage);
}

static ALWAYS_INLINED void enter(struct thread *thread, struct block *block, Addr sp)
{
	struct hot *hot = tool_counts.hot;
	struct block *source = blocks_by_number(&tool_counts.blocks, (UInt)hot->block);
	Bool done = False;

	late_look(thread, hot, tool_counts.events.late_kind);
	if (thread->unseeded)
		stack_seed_do(thread, block->key);
	if (tool_calls.threads.n_left != 0 && hot->unit != UNIT_CALL && may_switch(thread, sp))
		done = resume_stack(thread, block, sp);
	if (done)
		;
	else if (hot->unit == UNIT_RETURN)
		done = return_plainly(thread, hot, block, sp);
	else if (hot->unit != UNIT_CALL)
		done = jump_within(thread, hot, block, sp) ||
		       jump_again(thread, hot, source, block->key, sp);
	if (!done)
		arrive(thread, block, source, sp);
	else if (hot->unit != block->unit->number) /* the translation was of another unit before */
		run_in_counters(thread, hot, block);
	if (tool_calls.hooks.n_due != 0)
		hooks_run();
}

static __attribute__((noinline)) void enter_with_hooks(struct thread *thread, struct block *block,
						       Addr sp)
{
	struct hooked_arrival arrival;

	callhooks_before(thread, block, sp, &arrival);
	enter(thread, block, sp);
	callhooks_arrive(thread, &arrival);
}

VG_REGPARM(1) void calls_enter(UWord number)
{
	struct thread *thread = tool_calls.threads.running;
	struct block *block = blocks_by_number(&tool_counts.blocks, (UInt)number);
	Addr sp = VG_(get_SP)(thread->number);

	if (__builtin_expect(tool_calls.call_hooks.in_use, 0))
		enter_with_hooks(thread, block, sp);
	else
		enter(thread, block, sp);
}

VG_REGPARM(1) void calls_surprise(UWord number)
{
	const struct block *block = blocks_by_number(&tool_counts.blocks, (UInt)number);

	tl_assert2(False, "block %u at %#lx, of unit %u: unit %llu runs, after block %u",
		   block->number, block->key, block->unit->number, tool_counts.hot->unit,
		   (UInt)tool_counts.hot->block);
}

/* --- departures ---------------------------------------------------------------------------- */

VG_REGPARM(1) void calls_arrive(Addr target)
{
	const struct block *block = blocks_at(&tool_counts.blocks, target);

	if (block != NULL && !block->tests && tool_counts.hot->unit != block->unit->number)
		calls_enter(block->number);
}

VG_REGPARM(2) void calls_jump_to_entry(const struct guest *guest, Addr target)
{
	if (guest_sp(guest) < tool_counts.hot->frame_sp)
		tool_counts.hot->unit = UNIT_NONE;
	calls_arrive(target);
}

/* Expects nothing where there is no code yet: that may turn out to be another function. */
VG_REGPARM(2) void calls_jump_computed(const struct guest *guest, Addr target)
{
	struct hot *hot = tool_counts.hot;
	const struct unit *unit = hot->counters->unit;

	if (guest_sp(guest) > hot->frame_sp)
		hot->unit = UNIT_NONE;
	if (blocks_at(&tool_counts.blocks, target) == NULL)
		return;
	if (unit->targets != NULL && blocks_expect(&tool_counts.blocks, target, unit))
		unit->targets[target % UNIT_TARGETS] = target;
	calls_arrive(target);
}

static inline const struct shortcut *ways_out(const struct thread *thread,
					      const struct shortcut *list)
{
	return list == NULL ? thread_top(thread)->context->shortcuts : list;
}

/* After a call: skipped code may make it from several places. */
static inline void note_place(const struct thread *thread, const struct shortcut *list, Addr sp)
{
	if (list == NULL)
		thread->stack.top->return_address = *(const Addr *)sp;
}

/* True if nothing is left to do. */
static ALWAYS_INLINED Bool leave_by_call(const struct guest *guest, Addr target,
					 const struct shortcut *list, struct keeping keeping)
{
	struct thread *thread = tool_calls.threads.running;
	const struct passage passage = { FRAME_CALL, target, guest_sp(guest) };

	if (!go_first(thread, tool_counts.hot, ways_out(thread, list), &passage, keeping))
		return False;
	note_place(thread, list, passage.sp);
	return True;
}

static ALWAYS_INLINED Bool leave_by_jump(const struct guest *guest, Addr target,
					 const struct shortcut *list, struct keeping keeping)
{
	struct thread *thread = tool_calls.threads.running;
	const struct passage passage = { FRAME_JUMP, target, guest_sp(guest) };

	return go_first(thread, tool_counts.hot, ways_out(thread, list), &passage, keeping);
}

static __attribute__((noinline)) void return_further(Addr target)
{
	tool_counts.hot->unit = UNIT_RETURN;
	calls_arrive(target);
}

/* The arc of the frame that is popped last knows if this return is known. */
static ALWAYS_INLINED void leave_by_return(const struct guest *guest, Addr target,
					   struct keeping keeping)
{
	struct thread *thread = tool_calls.threads.running;
	struct hot *hot = tool_counts.hot;
	struct callstack *stack = &thread->stack;
	struct callstack_frame *last = callstack_exact_return(stack, guest_sp(guest), target);
	struct callstack_frame *below = last == NULL ? NULL : callstack_below(stack, last);

	if (last == NULL || activation_of(last)->arc->returns !=
				    returns_to(activation_of(below)->counters->number)) {
		return_further(target);
		return;
	}
	late_look(thread, hot, keeping.late);
	for (struct callstack_frame *at = stack->top; at != below; at = callstack_below(stack, at))
		thread_end_call(thread, hot, activation_of(at), &keeping);
	stack->top = below;
	set_hot(hot, activation_of(below), activation_of(below)->counters);
}

/*
 * What is less common, such as a new node in the tree, is done in functions of its own: the common
 * path does not have to save registers for their calls.
 */

static __attribute__((noinline))
VG_REGPARM(3) void call_further(const struct guest *guest, Addr target, const struct shortcut *list)
{
	struct thread *thread = tool_calls.threads.running;
	struct hot *hot = tool_counts.hot;
	const struct passage passage = { FRAME_CALL, target, guest_sp(guest) };

	if (go_again(thread, hot, ways_out(thread, list), &passage)) {
		note_place(thread, list, passage.sp);
		return;
	}
	hot->unit = UNIT_CALL;
	calls_arrive(target);
}

static __attribute__((noinline))
VG_REGPARM(3) void jump_further(const struct guest *guest, Addr target, const struct shortcut *list)
{
	struct thread *thread = tool_calls.threads.running;
	struct hot *hot = tool_counts.hot;
	const struct passage passage = { FRAME_JUMP, target, guest_sp(guest) };

	if (go_again(thread, hot, ways_out(thread, list), &passage))
		return;
	if (passage.sp > hot->frame_sp)
		hot->unit = UNIT_NONE;
	calls_arrive(target);
}

/*
 * One set of functions for each thing that a run may keep, mostly constant: no function can make
 * functions. Without a tree, nothing is ever added to one.
 */
#define CALL_PATHS(name, n_counted, late, tree)                                              \
 static VG_REGPARM(3) void call_##name(const struct guest *guest, Addr target,               \
				       const struct shortcut *list)                          \
 {                                                                                           \
  if (!leave_by_call(guest, target, list, (struct keeping){ n_counted, late, tree, False })) \
   call_further(guest, target, list);                                                        \
 }                                                                                           \
                                                                                             \
 static VG_REGPARM(3) void jump_##name(const struct guest *guest, Addr target,               \
				       const struct shortcut *list)                          \
 {                                                                                           \
  if (!leave_by_jump(guest, target, list, (struct keeping){ n_counted, late, tree, False })) \
   jump_further(guest, target, list);                                                        \
 }                                                                                           \
                                                                                             \
 static VG_REGPARM(2) void return_##name(const struct guest *guest, Addr target)             \
 {                                                                                           \
  leave_by_return(guest, target, (struct keeping){ n_counted, late, tree, False });          \
 }                                                                                           \
                                                                                             \
 static const struct call_paths paths_##name = { call_##name, jump_##name, return_##name }

/* The numbers of events that have functions of their own. */
enum counted_kind {
	COUNTED_IR,
	COUNTED_IR_REP,
	COUNTED_COMMON_REP,
	COUNTED_ALL, /* any */
	N_COUNTED_KINDS,
};

/* In order of the number of events, the fewest first: most calls are made with these. */
#define ALL_CALL_PATHS(name, tree)                                                     \
 CALL_PATHS(ir_##name, N_COUNTED_IR, LATE_NONE, tree);                                 \
 CALL_PATHS(ir_rep_##name, N_COUNTED_IR_REP, LATE_NONE, tree);                         \
 CALL_PATHS(common_##name, N_COUNTED_COMMON_REP, LATE_NONE, tree);                     \
 CALL_PATHS(all_##name, tool_calls.threads.n_counted, LATE_NONE, tree);                \
 CALL_PATHS(ir_seldom_##name, N_COUNTED_IR, LATE_SELDOM, tree);                        \
 CALL_PATHS(ir_rep_seldom_##name, N_COUNTED_IR_REP, LATE_SELDOM, tree);                \
 CALL_PATHS(common_seldom_##name, N_COUNTED_COMMON_REP, LATE_SELDOM, tree);            \
 CALL_PATHS(all_seldom_##name, tool_calls.threads.n_counted, LATE_SELDOM, tree);       \
 CALL_PATHS(ir_work_##name, N_COUNTED_IR, LATE_WORK, tree);                            \
 CALL_PATHS(ir_rep_work_##name, N_COUNTED_IR_REP, LATE_WORK, tree);                    \
 CALL_PATHS(common_work_##name, N_COUNTED_COMMON_REP, LATE_WORK, tree);                \
 CALL_PATHS(all_work_##name, tool_calls.threads.n_counted, LATE_WORK, tree);           \
                                                                                       \
 static const struct call_paths *const paths_of_##name[][N_COUNTED_KINDS] = {          \
	 [LATE_NONE] = { &paths_ir_##name, &paths_ir_rep_##name, &paths_common_##name, \
			 &paths_all_##name },                                          \
	 [LATE_SELDOM] = { &paths_ir_seldom_##name, &paths_ir_rep_seldom_##name,       \
			   &paths_common_seldom_##name, &paths_all_seldom_##name },    \
	 [LATE_WORK] = { &paths_ir_work_##name, &paths_ir_rep_work_##name,             \
			 &paths_common_work_##name, &paths_all_work_##name },          \
 }

ALL_CALL_PATHS(plain, NULL);
ALL_CALL_PATHS(tree, &tool_calls.tree);

const struct call_paths *calls_paths(const struct event_set *events, Bool tree)
{
	enum counted_kind kind = COUNTED_ALL;

	if (events->n_counted == N_COUNTED_IR)
		kind = COUNTED_IR;
	else if (events->n_counted == N_COUNTED_IR_REP)
		kind = COUNTED_IR_REP;
	else if (events->n_counted == N_COUNTED_COMMON_REP)
		kind = COUNTED_COMMON_REP;
	return tree ? paths_of_tree[events->late_kind][kind]
		    : paths_of_plain[events->late_kind][kind];
}

void calls_init(UInt tree_nodes)
{
	struct calls_state *calls = &tool_calls;

	arcs_init(&calls->arcs, &tool_counts.events);
	calls->shortcuts = VG_(calloc)("costgrind.shortcuts", 1, sizeof(*calls->shortcuts));
	pool_init(&calls->shortcuts->pool, sizeof(struct shortcut), "costgrind.shortcuts");
	if (tree_nodes != 0)
		stacktree_init(&calls->tree, tree_nodes, tool_counts.events.n_kept);
	threads_init(tool_counts.events.n_counted, tree_nodes != 0 ? &calls->tree : NULL);
	systime_init(&calls->systime);
	calls->entry_units = VG_(HT_construct)("costgrind.entries");
}
