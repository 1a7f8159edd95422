/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of the call tree (--call-tree=yes); docs/FORMAT.md has its form. */
#include "tool/output/state.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/callcost.h"
#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/counts/state.h"
#include "tool/output/graph.h"
#include "tool/symbols/symbol.h"
#include "writer/writer.h"

/* A tree that is being written. */
struct tree_writing {
	struct writer *writer;
	struct function **functions; /* by id */
	struct event_set events;
	const struct function *named; /* last, or NULL */
	UInt thread;
	Bool handlers; /* the section is for signal handlers */
};

static struct function **functions_by_id(struct symbols *symbols)
{
	UInt n;
	struct function **all = symbols_ranked(symbols, &n);
	struct function **by_id =
		VG_(calloc)("costgrind.functions", symbols->n_functions + 1, sizeof(*by_id));

	for (UInt i = 0; i < n; i++)
		by_id[all[i]->id] = all[i];
	if (all != NULL)
		VG_(free)(all);
	return by_id;
}

/* The events that calls have costs of. */
static struct event_set running_events(const struct event_set *events)
{
	struct event_set running = { .n = 0 };

	for (UInt i = 0; i < events->n; i++)
		if (events->events[i] < N_RUNNING_EVENTS)
			running.events[running.n++] = events->events[i];
	return running;
}

static void write_header(const struct tree_writing *writing, const HChar *trigger,
			 const uint64_t *totals)
{
	struct writer *writer = writing->writer;
	const char *names[N_EVENTS];

	nodes_format(writer);
	writer_version(writer);
	writer_creator(writer, "costgrind-" COSTGRIND_VERSION);
	writer_pid(writer, (uint64_t)VG_(getpid)());
	descs_write_command(writer);
	writer_desc(writer, "Trigger", trigger);
	for (UInt i = 0; i < writing->events.n; i++)
		names[i] = event_table[writing->events.events[i]].name;
	writer_events(writer, names, writing->events.n);
	writer_summary(writer, totals);
	writer_blank(writer);
}

static void name_function(struct tree_writing *writing, const struct function *function,
			  const struct name *name)
{
	const struct function *last = writing->named;
	const struct nodes_function text = {
		.object = { function->object->chars, function->object->len, function->object->id },
		.file = { function->file->chars, function->file->len, function->file->id },
		.name = *name,
		.same_object = last != NULL && last->object == function->object,
		.same_file = last != NULL && last->file == function->file,
	};

	nodes_function(writing->writer, &text);
	writing->named = function;
}

/* Writes a node that is no root; its thread's section has begun. */
static void write_node(struct tree_writing *writing, UInt number, UInt depth)
{
	const struct calltree_node *node = calltree_node(&tool_calls.tree, number);
	ULong kept[N_KEPT_EVENTS], counts[N_EVENTS] = { 0 };
	uint64_t columns[N_EVENTS];
	struct name name;

	if (depth == 1 && ((node->key & CALLTREE_APART) != 0) != writing->handlers) {
		writing->handlers = !writing->handlers;
		nodes_section(writing->writer, writing->handlers ? "handlers" : "thread",
			      writing->thread);
	}
	calltree_self(&tool_calls.tree, number, (uint64_t *)kept);
	event_add_kept(&tool_counts.events, kept, counts);
	graph_columns(&writing->events, counts, columns);
	if ((node->key & ~CALLTREE_APART) == CALLTREE_FOLDED) {
		nodes_write(writing->writer, depth - 1, NULL, node->calls, columns);
		return;
	}
	const struct function *function = writing->functions[stacktree_function_id(node->key)];

	name = (struct name){ function->name->chars, function->name->len, function->id };
	if (!nodes_is_named(writing->writer, &name))
		name_function(writing, function, &name);
	nodes_write(writing->writer, depth - 1, &name, node->calls, columns);
}

static void write_nodes(struct tree_writing *writing)
{
	const struct calltree *tree = &tool_calls.tree;
	Bool is_dropped = False;
	UInt depth = 0;

	for (UInt at = calltree_next(tree, 0, &depth); at != 0;
	     at = calltree_next(tree, at, &depth)) {
		if (depth > 0) {
			if (!is_dropped)
				write_node(writing, at, depth);
			continue;
		}
		writing->thread = calltree_node(tree, at)->key;
		is_dropped = writing->thread == stacktree_dropped(tree);
		if (is_dropped)
			continue;
		writing->handlers = False;
		nodes_section(writing->writer, "thread", writing->thread);
	}
}

Int treefile_write(struct output_file *file, const HChar *trigger)
{
	const struct env env = output_env(file);
	const struct writer_options options = {
		.positions = POSITION_LINE,
		.compress_names = true,
	};
	struct writer writer;
	struct tree_writing writing = {
		.writer = &writer,
		.functions = functions_by_id(&tool_symbols),
		.events = running_events(&tool_counts.events),
	};
	ULong kept[N_KEPT_EVENTS], counts[N_EVENTS] = { 0 };
	uint64_t totals[N_EVENTS];
	Int error;

	stacktree_complete();
	calltree_link(&tool_calls.tree);
	calltree_totals(&tool_calls.tree, stacktree_dropped(&tool_calls.tree), (uint64_t *)kept);
	event_add_kept(&tool_counts.events, kept, counts);
	graph_columns(&writing.events, counts, totals);
	writer_init(&writer, &env, &options);
	write_header(&writing, trigger, totals);
	write_nodes(&writing);
	writer_blank(&writer);
	writer_totals(&writer, totals);
	error = writer_finish(&writer);
	writer_release(&writer);
	VG_(free)(writing.functions);
	stacktree_reopen();
	tl_assert(error >= 0); /* memory does not run out here, and the order of calls is right */
	return error;
}

void treefile_note(void)
{
	const struct calltree *tree = &tool_calls.tree;

	if (tree->n_folded != 0 && tree->growth == CALLTREE_NO_REACH)
		message_note("call tree: %llu calls are folded, since no memory for more than %u "
			     "nodes is within reach of the first",
			     (ULong)tree->n_folded, tree->n_nodes);
	else if (tree->n_folded != 0 && tree->growth == CALLTREE_NO_MEMORY)
		message_note("call tree: %llu calls are folded, since no memory was left for more "
			     "than %u nodes; a lower --call-tree-nodes=<n> leaves more to the "
			     "program",
			     (ULong)tree->n_folded, tree->n_nodes);
	else if (tree->n_folded != 0)
		message_note("call tree: %llu calls that did not fit in %u nodes are folded; "
			     "--call-tree-nodes=<n> makes room for more",
			     (ULong)tree->n_folded, tree->limits.max_nodes);
}
