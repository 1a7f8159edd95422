/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/stacktree.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "tool/calls/thread.h"
#include "tool/common/hot_memory.h"
#include "tool/common/message.h"
#include "tool/common/syscall.h"

/* A large tree is jumped about in: interp of tests/bench takes 1.15 x the time with huge pages, 1.19 x without. */
static void *take(size_t size)
{
	void *memory = pages_take_sparingly(size);

	if (memory != NULL)
		syscall_advise_huge_pages(memory, VG_PGROUNDUP(size));
	return memory;
}

void stacktree_init(struct calltree *tree, UInt max_nodes, UInt n_kept)
{
	const struct calltree_limits limits = {
		.max_nodes = max_nodes,
		.max_roots = VG_N_THREADS,
		.n_events = n_kept,
	};
	const struct calltree_memory from = { take, pages_give_back };

	if (!calltree_init(tree, &limits, &from))
		message_fatal("--call-tree=yes: out of memory");
}

void stacktree_add(struct calltree *tree, UInt place, const ULong *totals)
{
	struct calltree_node *node = calltree_node(tree, place);

	for (UInt i = 0; i < tree->limits.n_events; i++)
		node->costs[i] += event_kept_of(&tool_counts.events, totals, i);
}

void stacktree_subtract(struct calltree *tree, UInt place, const ULong *totals)
{
	struct calltree_node *node = calltree_node(tree, place);

	for (UInt i = 0; i < tree->limits.n_events; i++)
		node->costs[i] -= event_kept_of(&tool_counts.events, totals, i);
}

static void start_bottom(struct calltree *tree, const struct thread *thread,
			 struct activation *bottom)
{
	UInt key = stacktree_key(bottom->context);

	UInt root = bottom->context->dropped ? stacktree_dropped(tree) : thread->number;

	if (&bottom->frame != thread->stack.frames)
		key |= CALLTREE_APART;
	bottom->place = calltree_enter(tree, calltree_root(tree, root), key);
}

void stacktree_start_bottom_of(struct calltree *tree, const struct thread *thread,
			       struct activation *bottom)
{
	start_bottom(tree, thread, bottom);
}

void stacktree_start_bottom(struct calltree *tree, const struct thread *thread)
{
	start_bottom(tree, thread, thread_top(thread));
}

void stacktree_move_bottom(struct calltree *tree, const struct thread *thread,
			   struct activation *bottom)
{
	struct calltree_node *node;

	start_bottom(tree, thread, bottom);
	node = calltree_node(tree, bottom->place);
	if (calltree_pays(bottom->place) && node->calls > 1)
		node->calls--;
}

/* Adds or subtracts what the bottoms of a thread have cost. */
static void charge(struct calltree *tree, const struct thread *thread, const ULong *totals,
		   void (*add)(struct calltree *tree, UInt place, const ULong *totals))
{
	const struct suspension *suspended = thread->suspended;

	for (SizeT i = callstack_depth(&thread->stack); i-- > 0;) {
		const struct activation *activation = thread_activation(thread, i);

		if (activation->arc != NULL)
			continue;
		if (calltree_pays(activation->place))
			add(tree, activation->place, totals);
		if (i > 0) {
			totals = suspended->hot.totals;
			suspended = suspended->outer;
		}
	}
}

static void charge_all(struct threads *threads, struct hot *hot,
		       void (*add)(struct calltree *tree, UInt place, const ULong *totals))
{
	for (UInt i = 0; i < threads->n; i++)
		if (threads->by_number[i] != NULL)
			charge(threads->tree, threads->by_number[i],
			       threads_hot(threads, hot, i)->totals, add);
}

void stacktree_complete(struct threads *threads, struct hot *hot)
{
	charge_all(threads, hot, stacktree_add);
}

void stacktree_reopen(struct threads *threads, struct hot *hot)
{
	charge_all(threads, hot, stacktree_subtract);
}

static void enter_again(struct calltree *tree, const struct thread *thread)
{
	for (SizeT i = 0; i < callstack_depth(&thread->stack); i++) {
		struct activation *activation = thread_activation(thread, i);

		if (activation->context == NULL)
			activation->place = CALLTREE_NOWHERE;
		else if (activation->arc == NULL)
			start_bottom(tree, thread, activation);
		else
			activation->place = stacktree_enter(tree,
							    thread_below(thread, activation)->place,
							    stacktree_key(activation->context));
	}
}

void stacktree_zero(struct threads *threads)
{
	calltree_reset(threads->tree);
	for (UInt i = 0; i < threads->n; i++)
		if (threads->by_number[i] != NULL)
			enter_again(threads->tree, threads->by_number[i]);
	for (UInt i = 0; i < threads->n_left; i++)
		enter_again(threads->tree, threads->left[i]);
}
