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
	thread->activations[0] = (struct activation){ NULL };
	threads->by_number[number] = thread;
	return thread;
}

void threads_run(struct threads *threads, struct hot *hot, struct thread *thread)
{
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

UInt *thread_active(struct thread *thread, const struct function *function)
{
	if (function->id >= thread->n_active) {
		UInt n = (function->id + 1) * 2;

		thread->active = grow(thread->active, thread->n_active * sizeof(thread->active[0]),
				      n * sizeof(thread->active[0]));
		thread->n_active = n;
	}
	return &thread->active[function->id];
}
