/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/thread.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/ledger.h"
#include "tool/symbol.h"

enum {
	FIRST_ROOM = 64, /* frames */
};

/* size bytes more, zeroed, behind the old ones. */
static void *grow(void *array, SizeT old_size, SizeT size)
{
	array = VG_(realloc)("costgrind.thread", array, size);
	VG_(memset)((HChar *)array + old_size, 0, size - old_size);
	return array;
}

static void make_room(struct thread *thread, UInt n_counted, SizeT room)
{
	SizeT start_size = n_counted * sizeof(thread->starts[0]);

	thread->activations = VG_(realloc)("costgrind.activations", thread->activations,
					   room * sizeof(thread->activations[0]));
	thread->starts = VG_(realloc)("costgrind.starts", thread->starts, room * start_size);
}

void thread_make_room(struct thread *thread, UInt n_counted)
{
	SizeT room = thread->stack.room * 2;

	if (thread->stack.depth < thread->stack.room)
		return;
	callstack_moved(&thread->stack, VG_(realloc)("costgrind.frames", thread->stack.frames,
						     room * sizeof(thread->stack.frames[0])),
					    room);
	make_room(thread, n_counted, room);
}

struct thread *threads_get(struct threads *threads, UInt number)
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
	callstack_init(&thread->stack, VG_(malloc)("costgrind.frames",
						   FIRST_ROOM * sizeof(thread->stack.frames[0])),
					   FIRST_ROOM);
	make_room(thread, threads->n_counted, FIRST_ROOM);
	thread->activations[0] = (struct activation){ .context = NULL };
	thread->active = VG_(calloc)("costgrind.active", 1, sizeof(thread->active[0]));
	thread->n_active = 1;
	threads->by_number[number] = thread;
	return thread;
}

UInt thread_active_index(struct thread *thread, const struct function *function)
{
	UInt index = function->id + 1;

	if (index >= thread->n_active) {
		UInt n = (index + 1) * 2;

		thread->active = grow(thread->active, thread->n_active * sizeof(thread->active[0]),
				      n * sizeof(thread->active[0]));
		thread->n_active = n;
	}
	return index;
}

void threads_run(struct threads *threads, struct hot *hot, UInt number)
{
	struct thread *thread = threads_get(threads, number);

	if (threads->running != thread) {
		if (threads->running != NULL)
			threads->running->hot = *hot;
		*hot = thread->hot;
		threads->running = thread;
	}
	/* They may have moved. */
	if (hot->ledger != NULL)
		hot->counts = hot->ledger->counts;
}

static void add_totals(ULong totals[N_EVENTS], const ULong *more)
{
	for (UInt event = 0; event < N_EVENTS; event++)
		totals[event] += more[event];
}

void thread_end_handler(struct thread *thread, struct hot *hot, struct activation *bottom)
{
	add_totals(thread->ended, hot->totals);
	VG_(memcpy)(hot->totals, bottom->suspended->totals, sizeof(hot->totals));
	VG_(free)(bottom->suspended);
	bottom->suspended = NULL;
}

void threads_signal(struct threads *threads, struct hot *hot, Addr sp)
{
	struct thread *thread = threads->running;
	struct hot *suspended = VG_(malloc)("costgrind.suspended", sizeof(*suspended));

	*suspended = *hot;
	thread_make_room(thread, threads->n_counted);
	callstack_signal(&thread->stack, sp);
	*thread_top(thread) = (struct activation){ .suspended = suspended };
	VG_(memset)(hot, 0, sizeof(*hot));
}

void threads_signal_return(struct threads *threads, struct hot *hot)
{
	struct thread *thread = threads->running;
	SizeT n = callstack_signal_return(&thread->stack);
	SizeT bottom = thread->stack.depth;
	struct hot suspended;

	if (n == 0)
		return;
	suspended = *thread->activations[bottom].suspended;
	for (SizeT i = bottom + n; i-- > bottom;)
		thread_pop(thread, hot, i, threads->n_counted);
	*hot = suspended;
	if (hot->ledger != NULL)
		hot->counts = hot->ledger->counts;
}

void threads_exit(struct threads *threads, struct hot *hot)
{
	struct thread *thread = threads->running;

	for (SizeT i = thread->stack.depth; i-- > 0;)
		thread_pop(thread, hot, i, threads->n_counted);
	add_totals(thread->ended, hot->totals);
	VG_(memset)(hot, 0, sizeof(*hot));
	callstack_init(&thread->stack, thread->stack.frames, thread->stack.room);
	thread->activations[0] = (struct activation){ .context = NULL };
}

/* The hot words of a thread, wherever they are. */
static struct hot *hot_of(const struct threads *threads, struct thread *thread, struct hot *hot)
{
	return thread == threads->running ? hot : &thread->hot;
}

static void update(const struct thread *thread, const ULong *totals, UInt n_counted)
{
	for (SizeT i = thread->stack.depth; i-- > 0;) {
		const struct activation *activation = &thread->activations[i];

		if (activation->arc != NULL) {
			thread_add_spent(thread, i, n_counted, totals, activation->arc);
			thread_set_starts(thread, i, n_counted, totals);
		}
		if (activation->suspended != NULL)
			totals = activation->suspended->totals;
	}
}

void threads_update(struct threads *threads, struct hot *hot)
{
	for (UInt i = 0; i < threads->n; i++) {
		struct thread *thread = threads->by_number[i];

		if (thread != NULL)
			update(thread, hot_of(threads, thread, hot)->totals, threads->n_counted);
	}
}

static void zero(struct thread *thread, struct hot *hot, UInt n_counted)
{
	VG_(memset)(hot->totals, 0, sizeof(hot->totals));
	VG_(memset)(thread->ended, 0, sizeof(thread->ended));
	VG_(memset)(thread->starts, 0, thread->stack.depth * n_counted * sizeof(thread->starts[0]));
	for (SizeT i = 0; i < thread->stack.depth; i++) {
		struct hot *suspended = thread->activations[i].suspended;

		if (suspended != NULL)
			VG_(memset)(suspended->totals, 0, sizeof(suspended->totals));
	}
}

void threads_zero(struct threads *threads, struct hot *hot)
{
	for (UInt i = 0; i < threads->n; i++) {
		struct thread *thread = threads->by_number[i];

		if (thread != NULL)
			zero(thread, hot_of(threads, thread, hot), threads->n_counted);
	}
}

void threads_totals(const struct threads *threads, const struct hot *hot, ULong totals[N_EVENTS])
{
	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	for (UInt i = 0; i < threads->n; i++) {
		const struct thread *thread = threads->by_number[i];

		if (thread == NULL)
			continue;
		add_totals(totals, thread->ended);
		add_totals(totals, thread == threads->running ? hot->totals : thread->hot.totals);
		for (SizeT at = 0; at < thread->stack.depth; at++)
			if (thread->activations[at].suspended != NULL)
				add_totals(totals, thread->activations[at].suspended->totals);
	}
}

static Bool needs_block(const struct thread *thread, const struct hot *hot, UInt number)
{
	if ((UInt)hot->block == number)
		return True;
	for (SizeT at = 0; at < thread->stack.depth; at++) {
		const struct hot *suspended = thread->activations[at].suspended;

		if (suspended != NULL && (UInt)suspended->block == number)
			return True;
	}
	return False;
}

Bool threads_need_block(const struct threads *threads, const struct hot *hot, UInt number)
{
	for (UInt i = 0; i < threads->n; i++) {
		const struct thread *thread = threads->by_number[i];

		if (thread != NULL &&
		    needs_block(thread, thread == threads->running ? hot : &thread->hot, number))
			return True;
	}
	return False;
}
