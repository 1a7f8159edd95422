/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bottom pays when it turns out to have been called (calls.c, underflow()).
 * While it is collected, its starts are the totals less what it has cost; while
 * it is not, what it has cost.
 */
#include "tool/collection.h"

#include "pub_tool_libcbase.h"

#include "tool/stacktree.h"
#include "tool/tool.h"

Bool collection_is_on(const struct hot *hot)
{
	const struct collection *said = &hot->collection;

	return said->n_warmings == 0 &&
	       (tool.options.collect_atstart != said->flipped || said->n_regions != 0);
}

static struct ledger *twin_of_ledger(const struct ledger *ledger)
{
	if (ledger == NULL)
		return NULL;
	return ledger_find(&tool.ledgers, contexts_twin(&tool.contexts, ledger->context),
			   ledger->unit);
}

/* The arc of the same call in the contexts' twins. */
static struct arc *twin_of_arc(const struct arc *arc)
{
	struct arc_key ends = arc->ends;
	struct arc *twin;

	ends.from = contexts_twin(&tool.contexts, ends.from);
	ends.to = contexts_twin(&tool.contexts, ends.to);
	ends.parked = ends.from->dropped;
	twin = arcs_find(&tool.arcs, &ends, arc->target);
	if (!ends.from->dropped && !arc->ends.parked)
		twin->count++;
	return twin;
}

/* Has a call be of its context in the tree; below is the place that it is called from. */
static void move_in_tree(struct activation *activation, UInt below, Bool counted)
{
	struct calltree *tree = tool.threads.tree;

	activation->place = stacktree_enter(tree, below, stacktree_key(activation->context));
	if (counted && calltree_pays(activation->place))
		calltree_node(tree, activation->place)->calls--;
}

static void move_call(struct thread *thread, struct activation *activation, const ULong *totals)
{
	UInt n_counted = tool.threads.n_counted;
	Bool counted = activation->arc->ends.parked || !activation->context->dropped;

	activation_charge(activation, n_counted, totals, tool.threads.tree);
	activation_start(activation, n_counted, totals);
	activation->arc = twin_of_arc(activation->arc);
	activation->context = activation->arc->ends.to;
	activation->ledger = twin_of_ledger(activation->ledger);
	if (tool.threads.tree != NULL)
		move_in_tree(activation, thread_below(thread, activation)->place, counted);
}

static void move_bottom(const struct thread *thread, struct activation *bottom, const ULong *totals)
{
	UInt n_counted = tool.threads.n_counted;
	struct calltree *tree = tool.threads.tree;

	if (bottom->context == NULL)
		return; /* nothing ran in it yet */
	for (UInt i = 0; i < n_counted; i++)
		bottom->starts[i] = totals[event_counted(n_counted, i)] - bottom->starts[i];
	if (tree != NULL)
		stacktree_add(tree, bottom->place, totals);
	bottom->context = contexts_twin(&tool.contexts, bottom->context);
	bottom->ledger = twin_of_ledger(bottom->ledger);
	if (tree == NULL)
		return;
	stacktree_move_bottom(tree, thread, bottom);
	stacktree_subtract(tree, bottom->place, totals);
}

/* The stack of the running thread, down to where its handler was entered. */
static void move_stack(void)
{
	struct thread *thread = tool.threads.running;
	struct hot *hot = tool.hot;
	SizeT depth = callstack_depth(&thread->stack);
	SizeT bottom = depth - 1;

	while (thread_activation(thread, bottom)->frame.kind != FRAME_BOTTOM)
		bottom--;
	move_bottom(thread, thread_activation(thread, bottom), hot->totals);
	for (SizeT i = bottom + 1; i < depth; i++)
		move_call(thread, thread_activation(thread, i), hot->totals);
	hot->ledger = twin_of_ledger(hot->ledger);
	if (hot->ledger != NULL)
		hot->counts = hot->ledger->counts;
}

static void change(const struct collection *said)
{
	Bool was_on = collection_is_on(tool.hot);

	tool.hot->collection = *said;
	if (collection_is_on(tool.hot) != was_on)
		move_stack();
}

void collection_toggle(void)
{
	struct collection said = tool.hot->collection;

	said.flipped = !said.flipped;
	change(&said);
}

void collection_warm(Int more)
{
	struct collection said = tool.hot->collection;

	said.n_warmings += (UInt)more;
	change(&said);
}

void collection_enter(Int more)
{
	struct collection said = tool.hot->collection;

	said.n_regions += (UInt)more;
	change(&said);
}

/* Calls that are not collected will have to be counted when they are. */
static void unpark(struct thread *thread)
{
	for (SizeT i = 0; i < callstack_depth(&thread->stack); i++) {
		struct activation *activation = thread_activation(thread, i);
		struct arc_key ends;

		if (activation->arc == NULL || !activation->arc->ends.parked)
			continue;
		ends = activation->arc->ends;
		ends.parked = False;
		activation->arc = arcs_find(&tool.arcs, &ends, activation->arc->target);
	}
}

void collection_zeroed(UInt thread)
{
	for (UInt i = 0; i < tool.threads.n; i++)
		if (tool.threads.by_number[i] != NULL && (thread == 0 || thread == i))
			unpark(tool.threads.by_number[i]);
}

void collection_start_bottom(struct activation *bottom)
{
	UInt n_counted = tool.threads.n_counted;

	if (collection_is_on(tool.hot))
		activation_start(bottom, n_counted, tool.hot->totals);
	else
		VG_(memset)(bottom->starts, 0, n_counted * sizeof(bottom->starts[0]));
}

void collection_charge_bottom(const struct activation *bottom, const struct arc *arc)
{
	struct arc *twin = NULL;

	for (UInt i = 0; i < tool.threads.n_counted; i++) {
		if (bottom->starts[i] == 0)
			continue;
		if (twin == NULL)
			twin = twin_of_arc(arc);
		twin->costs[i] += bottom->starts[i];
	}
}
