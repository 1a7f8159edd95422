/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Invocations come in the order of their ends.  Those that nobody has claimed yet are
 * roots; a block with n calls claims the last n of them, if they are what it says it
 * called.  Below a root, all nodes stand right before it.
 */
#include "cmds/convert/trace.h"

#include <string.h>

#include "profile/common/cost.h"
#include "profile/common/heap.h"

/* A call of the block at work.  Xdebug 2 does not give the file of what is called. */
struct call_note {
	uint32_t function;
	uint64_t line, cost;
};

static bool is_called(const struct call_note *call, const struct trace_node *node)
{
	return call->function == node->function && call->cost == node->inclusive;
}

/* Has the block own the last roots; false if they are not what it called. */
static bool claim(struct trace *trace)
{
	struct trace_node *block = &trace->block;

	if (trace->n_calls > trace->n_roots)
		return false;
	block->size = 1;
	block->n_children = (uint32_t)trace->n_calls;
	block->inclusive = block->self;
	for (size_t i = 0; i < trace->n_calls; i++) {
		const struct call_note *call = &trace->calls[i];
		struct trace_node *child =
			&trace->nodes[trace->roots[trace->n_roots - trace->n_calls + i]];

		if (!is_called(call, child) ||
		    !cost_add(&block->inclusive, child->inclusive, false))
			return false;
		child->line = call->line;
		block->size += child->size;
	}
	trace->n_roots -= trace->n_calls;
	return true;
}

static int end_block(struct trace *trace)
{
	if (trace->failed || !trace->in_block)
		return PROFILE_OK;
	trace->in_block = false;
	if (!claim(trace) || trace->n >= PATHTREE_NONE - 1) {
		trace->failed = true;
		return PROFILE_OK;
	}
	if (!heap_reserve(trace->env, (void **)&trace->nodes, &trace->capacity, trace->n + 1,
			  sizeof(*trace->nodes)) ||
	    !heap_reserve(trace->env, (void **)&trace->roots, &trace->roots_capacity,
			  trace->n_roots + 1, sizeof(*trace->roots)))
		return PROFILE_NO_MEMORY;
	trace->roots[trace->n_roots++] = (uint32_t)trace->n;
	trace->nodes[trace->n++] = trace->block;
	trace->n_calls = 0;
	return PROFILE_OK;
}

/* -- what is reported -------------------------------------------------------------------- */

static int visit_part(void *ctx, const struct part *part)
{
	struct trace *trace = ctx;

	trace->failed |= trace->n_parts++ > 0;
	return visitor_part(trace->filter.to, part);
}

static int visit_place(void *ctx, const struct place *place)
{
	struct trace *trace = ctx;
	int status = end_block(trace);

	trace->in_block = true;
	trace->block = (struct trace_node){ .object = place->object.key,
					    .file = place->file.key,
					    .function = place->function.key };
	return status ? status : visitor_place(trace->filter.to, place);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct trace *trace = ctx;

	if (n_costs > 0 && !cost_add(&trace->block.self, costs[0], false))
		trace->failed = true;
	return visitor_cost(trace->filter.to, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct trace *trace = ctx;

	trace->failed |= call->count != 1;
	if (!trace->failed) {
		if (!heap_reserve(trace->env, (void **)&trace->calls, &trace->calls_capacity,
				  trace->n_calls + 1, sizeof(*trace->calls)))
			return PROFILE_NO_MEMORY;
		trace->calls[trace->n_calls++] = (struct call_note){
			.function = call->callee.function.key,
			.line = call->at.line,
			.cost = call->n_costs > 0 ? call->costs[0] : 0,
		};
	}
	return visitor_call(trace->filter.to, call);
}

/* Old versions of Xdebug do not name themselves. */
static int visit_part_end(void *ctx, const struct part *part)
{
	struct trace *trace = ctx;
	int status = end_block(trace);

	if (part->creator && strncmp(part->creator, "xdebug", strlen("xdebug")) != 0)
		trace->failed = true;
	return status ? status : visitor_part_end(trace->filter.to, part);
}

static int visit_negative(void *ctx)
{
	struct trace *trace = ctx;

	trace->failed = true;
	return visitor_negative(trace->filter.to);
}

void trace_init(struct trace *trace, const struct visitor *to, const struct env *env)
{
	static const struct visitor changes = {
		.part = visit_part,
		.place = visit_place,
		.cost = visit_cost,
		.call = visit_call,
		.part_end = visit_part_end,
		.negative = visit_negative,
	};

	*trace = (struct trace){ .env = env };
	visitor_filter_init(&trace->filter, to, &changes);
	trace->filter.visitor.jump = NULL;
}

void trace_release(struct trace *trace)
{
	trace->env->release(trace->env->ctx, trace->nodes);
	trace->env->release(trace->env->ctx, trace->roots);
	trace->env->release(trace->env->ctx, trace->calls);
	trace->nodes = NULL;
	trace->roots = NULL;
	trace->calls = NULL;
}

/* -- the tree ------------------------------------------------------------------------------ */

/* Sets where each node is in pre-order, by its place here; the children of one stay in order. */
static void order_nodes(const struct trace *trace, uint32_t *at, uint32_t *parent)
{
	uint32_t end = (uint32_t)trace->n; /* of the places left for roots */

	for (size_t i = trace->n_roots; i > 0; i--) {
		uint32_t root = trace->roots[i - 1];

		end -= trace->nodes[root].size;
		at[root] = end;
		parent[root] = PATHTREE_NONE;
	}
	/* The last child stands right before its parent; each of the others before the next one. */
	for (size_t i = trace->n; i > 0; i--) {
		const struct trace_node *node = &trace->nodes[i - 1];
		uint32_t child = (uint32_t)i - 1;
		uint32_t place = at[i - 1] + node->size;

		for (uint32_t j = 0; j < node->n_children; j++) {
			child -= j == 0 ? 1 : trace->nodes[child].size;
			place -= trace->nodes[child].size;
			at[child] = place;
			parent[child] = at[i - 1];
		}
	}
}

static int make_tree(const struct trace *trace, struct pathtree *tree, uint32_t *at,
		     uint32_t *parent, uint32_t *source)
{
	order_nodes(trace, at, parent);
	for (size_t i = 0; i < trace->n; i++)
		source[at[i]] = (uint32_t)i;
	for (size_t i = 0; i < trace->n; i++) {
		const struct trace_node *node = &trace->nodes[source[i]];
		uint32_t number;
		struct pathtree_node made = { .parent = parent[source[i]],
					      .line = node->line,
					      .count = 1 };

		if (pathtree_function(tree->model, node->object, node->file, node->function,
				      &made.function) != PROFILE_OK)
			return PROFILE_NO_MEMORY;
		if (made.function == MODEL_NO_FUNCTION) {
			tree->n = 0;
			return PROFILE_OK;
		}
		number = pathtree_add(tree, &made);
		if (number == PATHTREE_NONE)
			return PROFILE_NO_MEMORY;
		pathtree_costs(tree, number)[0] = node->self;
	}
	tree->is_exact = true;
	return PROFILE_OK;
}

int trace_finish(struct trace *trace, struct pathtree *tree)
{
	const struct env *env = trace->env;
	uint32_t *at, *parent, *source;
	int status = PROFILE_NO_MEMORY;

	/* Where nothing was called, that is not known of anything. */
	if (trace->failed || trace->n == trace->n_roots)
		return PROFILE_OK;
	at = heap_zeroed(env, trace->n, sizeof(*at));
	parent = heap_zeroed(env, trace->n, sizeof(*parent));
	source = heap_zeroed(env, trace->n, sizeof(*source));
	if (at && parent && source)
		status = make_tree(trace, tree, at, parent, source);
	env->release(env->ctx, at);
	env->release(env->ctx, parent);
	env->release(env->ctx, source);
	return status;
}
