/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/thread.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/callcost.h"
#include "tool/calls/callhook.h"
#include "tool/calls/region.h"
#include "tool/counts/context.h"
#include "tool/symbols/symbol.h"

enum {
	FIRST_ROOM = 64,    /* frames */
	LEFT_ROOM = 16,     /* of a stack that is not a thread's first */
	MAX_LEFT = 1024,    /* stacks */
	FIRST_ACTIVE = 256, /* functions */
};

static struct threads *const threads = &tool_calls.threads;

/* Enlarges an array to size bytes; what is new is zero. */
static void *grow(void *array, SizeT old_size, SizeT size)
{
	array = VG_(realloc)("costgrind.thread", array, size);
	VG_(memset)((HChar *)array + old_size, 0, size - old_size);
	return array;
}

void thread_make_room(struct thread *thread)
{
	struct callstack *stack = &thread->stack;
	void *frames;
	SizeT room, known;

	if (stack->top != stack->last)
		return;
	room = 2 * callstack_depth(stack);
	known = (SizeT)((UChar *)thread->known - (UChar *)stack->frames);
	frames = VG_(realloc)("costgrind.activations", stack->frames, room * stack->stride);
	/* Starts of events that are not recorded are 0, and nobody sets them. */
	VG_(memset)((UChar *)frames + room / 2 * stack->stride, 0, room / 2 * stack->stride);
	callstack_moved(stack, frames, room);
	thread->known = (struct callstack_frame *)(void *)((UChar *)frames + known);
}

/* The first frame, in which nothing ran yet. */
static void init_stack(struct thread *thread, struct callstack_frame *frames, SizeT stride,
		       SizeT room)
{
	callstack_init(&thread->stack, frames, stride, room);
	*thread_top(thread) = (struct activation){ .frame = *thread->stack.top };
	thread->known = thread->stack.top;
}

static void empty_stack(struct thread *thread)
{
	struct callstack *stack = &thread->stack;

	init_stack(thread, stack->frames, stack->stride, callstack_number(stack, stack->last));
}

/*
 * True if an activation is, or was until its frame was popped, the bottom of a signal handler. The
 * first bottom is the thread's own.
 */
static Bool is_handler(const struct thread *thread, const struct activation *activation)
{
	return activation->arc == NULL && &activation->frame != thread->stack.frames;
}

/* Bytes of an activation's starts. */
static SizeT starts_size(void)
{
	const struct event_set *set = &tool_counts.events;
	const UInt n = set->n_kept + (set->late_kind == LATE_NONE ? 0 : N_PACKED_WORDS);

	return n * sizeof(ULong);
}

void threads_init(UInt n_counted, struct calltree *tree)
{
	*threads = (struct threads){
		.tree = tree,
		.n_counted = n_counted,
		.n_active = FIRST_ACTIVE,
		.stride = sizeof(struct activation) + starts_size(),
	};
}

struct thread *threads_get(UInt number)
{
	struct thread *thread;

	if (number >= threads->n) {
		UInt n = number + 1;

		threads->by_number = grow(threads->by_number,
					  threads->n * sizeof(threads->by_number[0]),
					  n * sizeof(threads->by_number[0]));
		threads->n = n;
	}
	thread = threads->by_number[number];
	if (thread != NULL)
		return thread;
	thread = VG_(calloc)("costgrind.thread", 1, sizeof(*thread));
	thread->number = number;
	init_stack(thread, VG_(calloc)("costgrind.activations", FIRST_ROOM, threads->stride),
			       threads->stride, FIRST_ROOM);
	thread->active =
		VG_(calloc)("costgrind.active", threads->n_active, sizeof(thread->active[0]));
	threads->by_number[number] = thread;
	return thread;
}

UInt threads_active_index(const struct function *function)
{
	UInt index = function->id + N_ACTIVE_NOTHING;
	UInt n = (index + 1) * 2;

	if (index < threads->n_active)
		return index;
	for (UInt i = 0; i < threads->n; i++) {
		struct thread *thread = threads->by_number[i];

		if (thread != NULL)
			thread->active = grow(thread->active,
					      threads->n_active * sizeof(thread->active[0]),
					      n * sizeof(thread->active[0]));
	}
	threads->n_active = n;
	return index;
}

struct hot *thread_hot(const struct thread *thread)
{
	return thread == threads->running ? tool_counts.hot : (struct hot *)(Addr)&thread->hot;
}

struct hot *threads_hot(UInt number)
{
	return thread_hot(threads_get(number));
}

void threads_run(UInt number)
{
	struct hot *hot = tool_counts.hot;
	struct thread *thread = threads_get(number);

	if (threads->running != thread) {
		if (threads->running != NULL) {
			late_settle(threads->running, hot);
			threads->running->hot = *hot;
		}
		*hot = thread->hot;
		threads->running = thread;
	}
	/* They may have moved. */
	if (hot->counters != NULL)
		hot->counts = hot->counters->counts;
}

void threads_take_turn(void)
{
	struct thread *thread = threads->running;

	if (thread == threads->turn && thread->turn_serial == thread->serial)
		return;
	threads->n_turns++;
	threads->n_took_turns += thread->turn_serial != thread->serial;
	threads->turn = thread;
	thread->turn_serial = thread->serial;
}

static void add_totals(ULong totals[N_EVENTS], const ULong *more)
{
	for (UInt event = 0; event < N_EVENTS; event++)
		totals[event] += more[event];
}

static void subtract_totals(ULong totals[N_EVENTS], const ULong *less)
{
	for (UInt event = 0; event < N_EVENTS; event++)
		totals[event] -= less[event];
}

void thread_note_switch(struct thread *thread, const struct hot *hot, Bool on)
{
	if (on)
		add_totals(thread->dropped, hot->totals);
	else
		subtract_totals(thread->dropped, hot->totals);
}

/* The totals of hot words that end are added to the thread. */
static void put_by(struct thread *thread, const struct hot *hot)
{
	add_totals(thread->ended, hot->totals);
	if (!collection_is_on(hot))
		add_totals(thread->dropped, hot->totals);
}

/* The handler that was entered last is over: its costs are added to the thread. */
static void end_handler(struct thread *thread, struct hot *hot)
{
	struct suspension *suspended = thread->suspended;

	regions_end_handler(thread);
	callhooks_end_handler(thread);
	/* Toggles that its functions asked for were for the handler. */
	hooks_forget_toggles();
	late_flush(thread, hot);
	put_by(thread, hot);
	hot->collection = suspended->hot.collection;
	VG_(memcpy)(hot->totals, suspended->hot.totals, sizeof(hot->totals));
	late_restart(thread, hot);
	thread->suspended = suspended->outer;
	VG_(free)(suspended);
}

void thread_end(struct thread *thread, struct hot *hot, struct activation *activation)
{
	const struct keeping keeping = keeping_all();

	if (activation->arc != NULL) {
		thread_end_call(thread, hot, activation, &keeping);
		hooks_leave(thread, activation->arc->ends.entered);
		return;
	}
	if (activation->context != NULL)
		hooks_leave(thread, activation->context->function);
	thread->active[activation->active]--;
	if (calltree_pays(activation->place)) {
		late_flush(thread, hot);
		stacktree_add(activation->place, hot->totals);
	}
	if (is_handler(thread, activation))
		end_handler(thread, hot);
	if (&activation->frame == thread->known && &activation->frame != thread->stack.frames)
		thread->known = callstack_below(&thread->stack, thread->known);
}

void threads_signal(Addr sp)
{
	struct hot *hot = tool_counts.hot;
	struct thread *thread = threads->running;
	struct suspension *suspended = VG_(malloc)("costgrind.suspended", sizeof(*suspended));

	late_settle(thread, hot);
	*suspended = (struct suspension){ .hot = *hot, .outer = thread->suspended };
	thread->suspended = suspended;
	thread_make_room(thread);
	callstack_signal(&thread->stack, sp);
	*thread_top(thread) = (struct activation){ .frame = *thread->stack.top };
	VG_(memset)(hot, 0, sizeof(*hot));
	hot->interpreter = suspended->hot.interpreter;
	thread->known = thread->stack.top;
	late_restart(thread, hot);
}

void threads_signal_return(void)
{
	struct hot *hot = tool_counts.hot;
	struct thread *thread = threads->running;
	struct hot suspended;
	SizeT n, bottom;

	late_settle(thread, hot);
	n = callstack_signal_return(&thread->stack);
	bottom = callstack_depth(&thread->stack);
	if (n == 0)
		return;
	suspended = thread->suspended->hot;
	for (SizeT i = bottom + n; i-- > bottom;)
		thread_end(thread, hot, thread_activation(thread, i));
	*hot = suspended;
	late_restart(thread, hot);
	if (hot->counters != NULL)
		hot->counts = hot->counters->counts;
}

/* All calls of a thread are over. */
static void end_all(struct thread *thread)
{
	struct hot *hot = thread_hot(thread);

	late_settle(thread, hot);
	for (SizeT i = callstack_depth(&thread->stack); i-- > 0;)
		thread_end(thread, hot, thread_activation(thread, i));
	callhooks_forget(thread);
	put_by(thread, hot);
	VG_(memset)(hot, 0, sizeof(*hot));
	empty_stack(thread);
	late_restart(thread, hot);
	thread->unseeded = False;
}

/* Counts the functions on a stack as active in the thread, or (-1) not. */
static void count_active(UInt *active, const struct callstack *stack, UInt more)
{
	for (SizeT i = callstack_depth(stack); i-- > 0;)
		active[activation_of(callstack_frame(stack, i))->active] += more;
}

/* All calls on a stack that was left are over. */
static void end_left(UInt i)
{
	struct thread *left = threads->left[i];
	struct thread *owner = threads->by_number[left->number];

	count_active(owner->active, &left->stack, 1);
	left->active = owner->active;
	left->inside = owner->inside;
	left->n_inside = owner->n_inside;
	end_all(left);
	VG_(free)(left->stack.frames);
	VG_(free)(left);
	threads->n_left--;
	VG_(memmove)(&threads->left[i], &threads->left[i + 1],
		     (threads->n_left - i) * sizeof(threads->left[0]));
}

void threads_begin(void)
{
	struct thread *thread = threads->running;
	ULong earlier[N_EVENTS];

	end_all(thread);
	thread_totals(thread, earlier);
	VG_(memset)(thread->forgotten, 0, sizeof(thread->forgotten));
	subtract_totals(thread->forgotten, earlier);
	threads->n_alive += !thread->is_alive;
	thread->is_alive = True;
	thread->serial = ++threads->n_begun;
	threads->n_changes++;
}

void threads_exit(void)
{
	end_all(threads->running);
	threads->n_alive -= threads->running->is_alive;
	threads->running->is_alive = False;
	threads->n_changes++;
}

void threads_fork(void)
{
	for (UInt i = threads->n_left; i-- > 0;)
		if (threads->left[i]->number != threads->running->number)
			end_left(i);
	threads->n_changes++;
	threads->n_alive = 1;
	threads->n_took_turns = 1;
	threads->n_turns = 1;
	threads->turn = threads->running;
	for (UInt i = 0; i < threads->n; i++) {
		struct thread *thread = threads->by_number[i];

		if (thread == NULL || thread == threads->running)
			continue;
		end_all(thread);
		thread->is_alive = False;
	}
}

/* --- switches of stacks ------------------------------------------------------------ */

/*
 * Adds totals to, or subtracts them from, what calls on the thread's stack started with. A bottom
 * that is not collected keeps what it has cost.
 */
static void shift_starts(const struct thread *thread, const ULong *totals, Bool more)
{
	const struct event_set *set = &tool_counts.events;

	for (SizeT i = callstack_depth(&thread->stack); i-- > 0;) {
		struct activation *activation = thread_activation(thread, i);

		if (activation->context == NULL ||
		    (activation->arc == NULL && activation->context->dropped))
			continue;
		for (UInt event = 0; event < set->n_kept; event++) {
			ULong total = event_kept_of(set, totals, event);

			*late_start_of(activation, event) += more ? total : -total;
		}
	}
}

/* The thread leaves the stack that it is on. */
static void halt(struct thread *thread)
{
	struct hot *hot = thread_hot(thread);
	const struct activation *bottom = thread_activation(thread, 0);

	late_settle(thread, hot);
	shift_starts(thread, hot->totals, False);
	count_active(thread->active, &thread->stack, -1U);
	if (calltree_pays(bottom->place))
		stacktree_add(bottom->place, hot->totals);
}

/* It goes on with the stack that it is on. */
static void go_on(struct thread *thread)
{
	const struct hot *hot = thread_hot(thread);
	const struct activation *bottom = thread_activation(thread, 0);

	shift_starts(thread, hot->totals, True);
	count_active(thread->active, &thread->stack, 1);
	if (calltree_pays(bottom->place))
		stacktree_subtract(bottom->place, hot->totals);
}

/* Keeps a stack that was left; the oldest ends if they are too many. */
static void add_left(struct thread *left)
{
	if (threads->left == NULL)
		threads->left = VG_(malloc)("costgrind.left", MAX_LEFT * sizeof(threads->left[0]));
	if (threads->n_left == MAX_LEFT)
		end_left(0);
	threads->left[threads->n_left++] = left;
}

/* Exchanges the stack of the running thread. */
static void exchange(struct thread *thread, struct thread *left)
{
	const struct callstack stack = thread->stack;
	struct callstack_frame *const known = thread->known;

	thread->stack = left->stack;
	thread->known = left->known;
	left->stack = stack;
	left->known = known;
	left->number = thread->number;
	thread->n_switches++;
}

void threads_begin_stack(Addr first_sp)
{
	struct thread *thread = threads->running;
	struct thread *left = VG_(calloc)("costgrind.thread", 1, sizeof(*left));

	halt(thread);
	init_stack(left, VG_(calloc)("costgrind.activations", LEFT_ROOM, threads->stride),
			     threads->stride, LEFT_ROOM);
	left->stack.is_whole = True;
	exchange(thread, left);
	add_left(left);
	for (UInt i = threads->n_left; i-- > 0;)
		if (callstack_is_replaced(&threads->left[i]->stack, first_sp))
			end_left(i);
}

/* Makes a stack of their own out of the frames from number first on. */
static void cut_stack(struct thread *thread, SizeT first)
{
	const SizeT n = callstack_depth(&thread->stack) - first;
	const SizeT room = n + LEFT_ROOM;
	struct callstack_frame *frames =
		VG_(calloc)("costgrind.activations", room, threads->stride);
	struct activation *bottom;

	VG_(memcpy)(frames, thread_activation(thread, first), n * threads->stride);
	callstack_init_above(&thread->stack, frames, threads->stride, room, n);
	thread->known = thread->stack.top;
	bottom = thread_activation(thread, 0);
	bottom->arc = NULL;
	bottom->place = CALLTREE_NOWHERE;
}

void threads_give_stack(struct thread *from, SizeT n_pops)
{
	struct thread *left = VG_(calloc)("costgrind.thread", 1, sizeof(*left));
	const SizeT first = callstack_depth(&from->stack) - n_pops;
	struct activation *called;

	halt(from);
	called = thread_activation(from, first);
	activation_renew(called, left->hot.totals, threads->tree);
	left->number = from->number;
	left->stack = from->stack;
	left->stack.top = callstack_frame(&left->stack, first - 1);
	left->known = left->stack.top;
	cut_stack(from, first);
	if (threads->tree != NULL)
		stacktree_start_bottom(from, thread_activation(from, 0));
	go_on(from);
	from->n_switches++;
	add_left(left);
}

void threads_resume_stack(UInt i)
{
	struct thread *thread = threads->running;
	struct thread *left = threads->left[i];
	const struct activation *bottom;

	if (left->number != thread->number)
		hooks_move(threads->by_number[left->number], thread, &left->stack);
	halt(thread);
	exchange(thread, left);
	VG_(memmove)(&threads->left[i], &threads->left[i + 1],
		     (threads->n_left - 1 - i) * sizeof(threads->left[0]));
	threads->left[threads->n_left - 1] = left;
	go_on(thread);
	bottom = thread_activation(thread, 0);
	if (bottom->context != NULL)
		collection_resume(thread, bottom->context->dropped);
}

/* --- all threads ------------------------------------------------------------------- */

static void update(struct thread *thread)
{
	struct hot *hot = thread_hot(thread);
	const struct suspension *suspended = thread->suspended;
	const ULong *totals = hot->totals;

	late_settle(thread, hot);

	for (SizeT i = callstack_depth(&thread->stack); i-- > 0;) {
		struct activation *activation = thread_activation(thread, i);

		if (activation->arc != NULL)
			activation_renew(activation, totals, threads->tree);
		if (is_handler(thread, activation)) {
			totals = suspended->hot.totals;
			suspended = suspended->outer;
		}
	}
}

void threads_stop(void)
{
	while (threads->n_left != 0)
		end_left(threads->n_left - 1);
	for (UInt i = 0; i < threads->n; i++) {
		struct thread *thread = threads->by_number[i];

		if (thread != NULL)
			end_all(thread);
	}
}

void threads_want_seeds(void)
{
	for (UInt i = 0; i < threads->n; i++)
		if (threads->by_number[i] != NULL)
			threads->by_number[i]->unseeded = True;
}

void threads_update(void)
{
	for (UInt i = 0; i < threads->n; i++) {
		struct thread *thread = threads->by_number[i];

		if (thread != NULL)
			update(thread);
	}
	for (UInt i = 0; i < threads->n_left; i++)
		update(threads->left[i]);
}

static void zero_hot(struct hot *hot)
{
	VG_(memset)(hot->totals, 0, sizeof(hot->totals));
	VG_(memset)(&hot->call, 0, sizeof(hot->call));
}

static void zero(struct thread *thread)
{
	struct hot *hot = thread_hot(thread);
	ULong totals[N_EVENTS];

	late_settle(thread, hot);
	thread_totals(thread, totals);
	add_totals(thread->forgotten, totals);
	zero_hot(hot);
	late_restart(thread, hot);
	for (struct suspension *at = thread->suspended; at != NULL; at = at->outer)
		zero_hot(&at->hot);
	VG_(memset)(thread->ended, 0, sizeof(thread->ended));
	VG_(memset)(thread->dropped, 0, sizeof(thread->dropped));
	for (SizeT i = 0; i < callstack_depth(&thread->stack); i++) {
		struct activation *activation = thread_activation(thread, i);

		VG_(memset)(activation->starts, 0, starts_size());
		if (activation->arc != NULL)
			activation->arc->count++;
	}
}

void threads_zero(UInt number)
{
	for (UInt i = 0; i < threads->n; i++) {
		struct thread *thread = threads->by_number[i];

		if (thread != NULL && (number == 0 || number == i))
			zero(thread);
	}
	for (UInt i = 0; i < threads->n_left; i++)
		if (number == 0 || number == threads->left[i]->number)
			zero(threads->left[i]);
}

void thread_totals(const struct thread *thread, ULong totals[N_EVENTS])
{
	const struct hot *hot = thread_hot(thread);

	VG_(memcpy)(totals, thread->ended, sizeof(thread->ended));
	add_totals(totals, hot->totals);
	late_add_packed(hot, totals);
	for (const struct suspension *at = thread->suspended; at != NULL; at = at->outer)
		add_totals(totals, at->hot.totals);
}

void thread_ever(const struct thread *thread, ULong totals[N_EVENTS])
{
	thread_totals(thread, totals);
	add_totals(totals, thread->forgotten);
}

void thread_collected(const struct thread *thread, ULong totals[N_EVENTS])
{
	const struct hot *hot = thread_hot(thread);

	thread_totals(thread, totals);
	subtract_totals(totals, thread->dropped);
	if (!collection_is_on(hot))
		subtract_totals(totals, hot->totals);
	for (const struct suspension *at = thread->suspended; at != NULL; at = at->outer)
		if (!collection_is_on(&at->hot))
			subtract_totals(totals, at->hot.totals);
}

typedef void (*thread_sum_fn)(const struct thread *thread, ULong totals[N_EVENTS]);

static void sum_threads(thread_sum_fn sum, ULong totals[N_EVENTS])
{
	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	for (UInt i = 0; i < threads->n; i++) {
		const struct thread *thread = threads->by_number[i];
		ULong own[N_EVENTS];

		if (thread == NULL)
			continue;
		sum(thread, own);
		add_totals(totals, own);
	}
}

void threads_totals(ULong totals[N_EVENTS])
{
	sum_threads(thread_totals, totals);
}

void threads_collected(ULong totals[N_EVENTS])
{
	sum_threads(thread_collected, totals);
}

Bool threads_are_known(UInt number)
{
	const struct thread *thread = threads->by_number[number];

	return thread != NULL && thread_activation(thread, 0)->context != NULL;
}

ULong threads_instructions(UInt number)
{
	const struct thread *thread = number < threads->n ? threads->by_number[number] : NULL;
	ULong totals[N_EVENTS];

	if (thread == NULL)
		return 0;
	thread_totals(thread, totals);
	return totals[EVENT_IR];
}

static Bool needs_block(const struct thread *thread, UInt number)
{
	if ((UInt)thread_hot(thread)->block == number)
		return True;
	for (const struct suspension *at = thread->suspended; at != NULL; at = at->outer)
		if ((UInt)at->hot.block == number)
			return True;
	return False;
}

Bool threads_need_block(UInt number)
{
	for (UInt i = 0; i < threads->n; i++) {
		const struct thread *thread = threads->by_number[i];

		if (thread != NULL && needs_block(thread, number))
			return True;
	}
	return False;
}
