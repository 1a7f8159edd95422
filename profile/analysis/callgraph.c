/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r */
#include "profile/analysis/callgraph.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/cost.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

/* -- making it ------------------------------------------------------------------ */

static int compare_arcs(const void *left, const void *right)
{
	const struct callgraph_arc *a = left, *b = right;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* One arc for each caller, callee and line; false if a sum is beyond 64 bits. */
static bool make_arcs(struct callgraph *graph)
{
	size_t capacity = 1, n_calls = 0, n = 0;
	struct callgraph_arc *arcs = heap_zeroed(capacity, sizeof(*arcs));
	struct model_cursor cursor;
	struct model_call call;

	for (size_t i = 0; i < graph->n; i++) {
		model_calls(graph->model, (uint32_t)i, 0, &cursor);
		while (model_next_call(&cursor, &call)) {
			arcs = heap_grow(arcs, &capacity, n_calls + 1, sizeof(*arcs));
			arcs[n_calls++] = (struct callgraph_arc){
				.caller = (uint32_t)i,
				.callee = call.callee,
				.line = call.at.line,
				.count = call.count,
				.cost = call.costs[0],
			};
		}
	}
	graph->arcs = arcs;
	if (n_calls > 0)
		qsort(arcs, n_calls, sizeof(*arcs), compare_arcs);
	for (size_t i = 0; i < n_calls; i++) {
		if (n == 0 || compare_arcs(&arcs[n - 1], &arcs[i]) != 0) {
			arcs[n++] = arcs[i];
			continue;
		}
		cost_add_nested(&arcs[n - 1].cost, arcs[i].cost, false);
		if (!cost_add(&arcs[n - 1].count, arcs[i].count, false))
			return false;
	}
	graph->n_arcs = n;
	return true;
}

int callgraph_init(struct callgraph *graph, const struct model *model)
{
	static const size_t first_event = 0;
	const struct inclusive_options options = { INCLUSIVE_ALL_PARTS, &first_event, 1 };
	int status;

	*graph = (struct callgraph){ .model = model, .n = model->n_functions };
	status = inclusive_compute(&graph->sums, model, &options);
	if (status)
		return status;
	if (!make_arcs(graph))
		return PROFILE_RANGE;
	graph->first = heap_zeroed(graph->n + 1, sizeof(*graph->first));
	graph->first_in = heap_zeroed(graph->n + 1, sizeof(*graph->first_in));
	graph->incoming = heap_zeroed(graph->n_arcs, sizeof(*graph->incoming));
	for (size_t i = 0; i < graph->n_arcs; i++) {
		graph->first[graph->arcs[i].caller + 1]++;
		graph->first_in[graph->arcs[i].callee + 1]++;
	}
	for (size_t i = 0; i < graph->n; i++) {
		graph->first[i + 1] += graph->first[i];
		graph->first_in[i + 1] += graph->first_in[i];
	}
	/* Each place is moved on as it is used, and back afterwards. */
	for (size_t i = 0; i < graph->n_arcs; i++)
		graph->incoming[graph->first_in[graph->arcs[i].callee]++] = i;
	for (size_t i = graph->n; i > 0; i--)
		graph->first_in[i] = graph->first_in[i - 1];
	graph->first_in[0] = 0;
	return PROFILE_OK;
}

void callgraph_release(struct callgraph *graph)
{
	inclusive_release(&graph->sums);
	free(graph->arcs);
	free(graph->first);
	free(graph->first_in);
	free(graph->incoming);
	free(graph->order);
}

/* -- order ------------------------------------------------------------------------ */

enum visit { VISIT_NEW = 0, VISIT_OPEN, VISIT_DONE };

/* A search in depth: what is on the way from its root is open. */
struct callgraph_search {
	struct callgraph *graph;
	size_t *costly;       /* numbers of arcs: by caller, then the costly ones first */
	size_t *next;         /* by function: what is to be looked at of costly */
	uint32_t *path;       /* open functions */
	unsigned char *visit; /* by function */
	size_t n_done;
};

static int compare_costs(const void *left, const void *right, void *ctx)
{
	const struct callgraph_arc *arcs = ctx;
	size_t i = *(const size_t *)left, j = *(const size_t *)right;

	if (arcs[i].caller != arcs[j].caller)
		return arcs[i].caller < arcs[j].caller ? -1 : 1;
	if (arcs[i].cost != arcs[j].cost)
		return arcs[i].cost > arcs[j].cost ? -1 : 1;
	return (i > j) - (i < j);
}

static void search_from(struct callgraph_search *search, uint32_t root)
{
	struct callgraph *graph = search->graph;
	size_t depth = 0;

	search->path[depth++] = root;
	search->visit[root] = VISIT_OPEN;
	while (depth > 0) {
		uint32_t function = search->path[depth - 1];
		struct callgraph_arc *arc;

		if (search->next[function] == graph->first[function + 1]) {
			/* Functions are done after all that they call: from the end, in order. */
			search->visit[function] = VISIT_DONE;
			graph->order[graph->n - ++search->n_done] = function;
			depth--;
			continue;
		}
		arc = &graph->arcs[search->costly[search->next[function]++]];
		if (search->visit[arc->callee] == VISIT_OPEN) {
			arc->is_back = true;
			graph->n_back++;
		} else if (search->visit[arc->callee] == VISIT_NEW) {
			search->visit[arc->callee] = VISIT_OPEN;
			search->path[depth++] = arc->callee;
		}
	}
}

static bool is_called(const struct callgraph *graph, uint32_t function)
{
	for (size_t i = graph->first_in[function]; i < graph->first_in[function + 1]; i++)
		if (graph->arcs[graph->incoming[i]].caller != function)
			return true;
	return false;
}

void callgraph_sort(struct callgraph *graph)
{
	struct callgraph_search search = {
		.graph = graph,
		.costly = heap_zeroed(graph->n_arcs, sizeof(*search.costly)),
		.next = heap_zeroed(graph->n, sizeof(*search.next)),
		.path = heap_zeroed(graph->n, sizeof(*search.path)),
		.visit = heap_zeroed(graph->n, sizeof(*search.visit)),
	};

	graph->order = heap_zeroed(graph->n, sizeof(*graph->order));
	for (size_t i = 0; i < graph->n_arcs; i++)
		search.costly[i] = i;
	if (graph->n_arcs > 0)
		qsort_r(search.costly, graph->n_arcs, sizeof(*search.costly), compare_costs,
			graph->arcs);
	for (size_t i = 0; i < graph->n; i++)
		search.next[i] = graph->first[i];
	for (size_t i = 0; i < graph->n; i++)
		if (!is_called(graph, (uint32_t)i))
			search_from(&search, (uint32_t)i);
	/* Cycles without callers. */
	for (size_t i = 0; i < graph->n; i++)
		if (search.visit[i] == VISIT_NEW)
			search_from(&search, (uint32_t)i);
	free(search.costly);
	free(search.next);
	free(search.path);
	free(search.visit);
}

/* -- lines -------------------------------------------------------------------------- */

static void take_least(uint64_t *least, uint64_t line)
{
	if (line > 0 && (*least == 0 || line < *least))
		*least = line;
}

uint64_t callgraph_line(const struct callgraph *graph, uint32_t function)
{
	const struct model *model = graph->model;
	uint32_t file = model->functions[function].file;
	struct model_cursor cursor;
	struct model_line line;
	struct model_call call;
	uint64_t least = 0;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line))
		if (line.file == file)
			take_least(&least, line.at.line);
	if (least > 0)
		return least;
	model_calls(model, function, 0, &cursor);
	while (model_next_call(&cursor, &call))
		if (call.file == file)
			take_least(&least, call.at.line);
	return least;
}

/* -- call trees ------------------------------------------------------------------ */

void pathtree_init(struct pathtree *tree, const struct model *model)
{
	*tree = (struct pathtree){ .model = model };
}

void pathtree_release(struct pathtree *tree)
{
	free(tree->nodes);
	free(tree->costs);
	tree->nodes = NULL;
	tree->costs = NULL;
	tree->n = tree->capacity = tree->costs_capacity = 0;
}

uint32_t pathtree_add(struct pathtree *tree, const struct pathtree_node *node)
{
	size_t n_events = tree->model->n_events;

	if (tree->n >= PATHTREE_NONE - 1)
		heap_exhausted(); /* numbers have 32 bits */
	tree->nodes = heap_grow(tree->nodes, &tree->capacity, tree->n + 1, sizeof(*tree->nodes));
	tree->costs = heap_grow(tree->costs, &tree->costs_capacity, (tree->n + 1) * n_events,
				sizeof(*tree->costs));
	tree->nodes[tree->n] = *node;
	memset(tree->costs + tree->n * n_events, 0, n_events * sizeof(*tree->costs));
	return (uint32_t)tree->n++;
}

uint32_t pathtree_function(const struct model *model, uint32_t object, uint32_t file, uint32_t name)
{
	const struct name spelling = dictionary_name(&model->names[NAME_FILE], file);

	if (filename_is_unclean(spelling.text, spelling.len)) {
		char *clean = heap_alloc(spelling.len);

		file = dictionary_find(&model->names[NAME_FILE], clean,
				       filename_clean(spelling.text, spelling.len, clean));
		free(clean);
	}
	return file == DICTIONARY_NONE ? MODEL_NO_FUNCTION
				       : model_find_function(model, object, file, name);
}

uint32_t pathtree_find(const struct model *tree, const struct model *model, uint32_t function)
{
	const struct model_function *whole = &model->functions[function];
	const struct name name = dictionary_name(&model->names[NAME_FUNCTION], whole->name),
			  file = dictionary_name(&model->names[NAME_FILE], whole->file),
			  object = dictionary_name(&model->names[NAME_OBJECT], whole->object);
	const char *quote = memchr(name.text, '\'', name.len);
	const size_t len = quote ? (size_t)(quote - name.text) : name.len;
	const uint32_t in_tree[N_NAME_KINDS] = {
		[NAME_FUNCTION] = dictionary_find(&tree->names[NAME_FUNCTION], name.text, len),
		[NAME_FILE] = dictionary_find(&tree->names[NAME_FILE], file.text, file.len),
		[NAME_OBJECT] = dictionary_find(&tree->names[NAME_OBJECT], object.text, object.len),
	};

	for (int kind = 0; kind < N_NAME_KINDS; kind++)
		if (in_tree[kind] == DICTIONARY_NONE)
			return MODEL_NO_FUNCTION;
	return model_find_function(tree, in_tree[NAME_OBJECT], in_tree[NAME_FILE],
				   in_tree[NAME_FUNCTION]);
}

uint32_t *pathtree_owners(const struct pathtree *tree, const bool *owns, uint32_t keeper)
{
	uint32_t *owners = heap_alloc((tree->n + 1) * sizeof(*owners));

	for (uint32_t i = 0; i < tree->n; i++) {
		const struct pathtree_node *node = &tree->nodes[i];

		owners[i] = node->parent == PATHTREE_NONE ? MODEL_NO_FUNCTION
							  : owners[node->parent];
		if (node->function != PATHTREE_REST && owns[node->function] &&
		    (owners[i] == MODEL_NO_FUNCTION || owners[i] != keeper))
			owners[i] = node->function;
	}
	return owners;
}

int pathtree_shape_init(struct pathtree_shape *shape, const struct pathtree *tree)
{
	*shape = (struct pathtree_shape){
		.tree = tree,
		.inclusive = heap_zeroed(tree->n, sizeof(*shape->inclusive)),
		.first = heap_zeroed(tree->n, sizeof(*shape->first)),
		.next = heap_zeroed(tree->n, sizeof(*shape->next)),
		.root = PATHTREE_NONE,
	};
	for (size_t i = 0; i < tree->n; i++)
		shape->first[i] = PATHTREE_NONE;
	/* From the end, children are ready before their parents, and lists come out in order. */
	for (size_t i = tree->n; i > 0; i--) {
		uint32_t node = (uint32_t)(i - 1), parent = tree->nodes[node].parent;
		uint32_t *list = parent == PATHTREE_NONE ? &shape->root : &shape->first[parent];

		shape->next[node] = *list;
		*list = node;
		if (!cost_add(&shape->inclusive[node], pathtree_costs(tree, node)[0], false) ||
		    (parent != PATHTREE_NONE &&
		     !cost_add(&shape->inclusive[parent], shape->inclusive[node], false)))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

void pathtree_shape_release(struct pathtree_shape *shape)
{
	free(shape->inclusive);
	free(shape->first);
	free(shape->next);
}

uint32_t pathtree_shape_next(const struct pathtree_shape *shape, uint32_t node, uint32_t *n_left)
{
	*n_left = 0;
	if (shape->first[node] != PATHTREE_NONE)
		return shape->first[node];
	while (node != PATHTREE_NONE) {
		++*n_left;
		if (shape->next[node] != PATHTREE_NONE)
			return shape->next[node];
		node = shape->tree->nodes[node].parent;
	}
	return PATHTREE_NONE;
}

/* -- a tree from calls --------------------------------------------------------- */

/*
 * Functions are taken in an order in which callers come before callees.  When it
 * is a function's turn, all shares in it are known: of each chain that leads to it, what
 * calls through that chain cost.  Each becomes a node.  The function's own cost and each
 * of its calls are then divided among its nodes, in proportion to the shares.
 *
 *	main 100 ---> a 60 ---> c 80     main;a;c has 50/80 of what c costs,
 *	         \--> b 40 ----^         main;b;c 30/80
 *
 * Dividing is done on running sums, so that the parts add up to the whole.
 */

__extension__ typedef unsigned __int128 product;

#define NO_SHARE UINT32_MAX

/* A chain that leads to a function. */
struct share {
	uint32_t next; /* of the same function, or of the free ones */
	uint32_t parent;
	uint64_t line, count, weight;
};

/* Shares that are too small for nodes of their own, together. */
struct pool {
	uint32_t node;   /* from which all of them were called, in the end */
	uint32_t parent; /* of all of them; PATHTREE_NONE = they have several */
	uint64_t line, count, weight;
	size_t n; /* shares */
};

struct spreading {
	struct pathtree *tree;
	struct callgraph graph;
	struct share *shares; /* a pool */
	size_t n_shares, shares_capacity;
	uint32_t free;
	uint32_t *first, *last; /* by function: its shares */
	unsigned short *depth;  /* by node */
	size_t depth_capacity;
	uint32_t *rest_below; /* by node: the node "<rest>" below it, PATHTREE_NONE = none yet */
	size_t rest_capacity;
	struct pool *pools; /* of the function at work: a heap, the last nodes first */
	size_t n_pools, pools_capacity;
	uint32_t *nodes; /* of the function at work */
	size_t n_nodes, nodes_capacity;
	uint64_t least;    /* weight of a chain that stays alone */
	uint64_t *weights; /* running sums, of the function at work */
	size_t weights_capacity;
	uint32_t rest; /* the node "<rest>" of no caller, PATHTREE_NONE = none yet */
};

/* -- shares ---------------------------------------------------------------------------- */

static void add_share(struct spreading *spreading, uint32_t function, const struct share *share)
{
	uint32_t number = spreading->free;

	if (number != NO_SHARE) {
		spreading->free = spreading->shares[number].next;
	} else {
		if (spreading->n_shares >= NO_SHARE)
			heap_exhausted(); /* numbers have 32 bits */
		spreading->shares = heap_grow(spreading->shares, &spreading->shares_capacity,
					      spreading->n_shares + 1, sizeof(*spreading->shares));
		number = (uint32_t)spreading->n_shares++;
	}
	spreading->shares[number] = *share;
	spreading->shares[number].next = NO_SHARE;
	if (spreading->first[function] == NO_SHARE)
		spreading->first[function] = number;
	else
		spreading->shares[spreading->last[function]].next = number;
	spreading->last[function] = number;
}

/* -- nodes ------------------------------------------------------------------------------ */

/* A node, noted as one of the function at work. */
static uint32_t add_node(struct spreading *spreading, const struct pathtree_node *node)
{
	uint32_t number = pathtree_add(spreading->tree, node);

	spreading->depth = heap_grow(spreading->depth, &spreading->depth_capacity,
				     (size_t)number + 1, sizeof(*spreading->depth));
	spreading->rest_below = heap_grow(spreading->rest_below, &spreading->rest_capacity,
					  (size_t)number + 1, sizeof(*spreading->rest_below));
	spreading->nodes = heap_grow(spreading->nodes, &spreading->nodes_capacity,
				     spreading->n_nodes + 1, sizeof(*spreading->nodes));
	spreading->rest_below[number] = PATHTREE_NONE;
	spreading->depth[number] = node->parent == PATHTREE_NONE
					   ? 1
					   : (unsigned short)(spreading->depth[node->parent] + 1);
	spreading->nodes[spreading->n_nodes++] = number;
	return number;
}

/* The node "<rest>" below a node, or the one without a caller (PATHTREE_NONE). */
static uint32_t need_rest(struct spreading *spreading, uint32_t below)
{
	const struct pathtree_node node = { .parent = below, .function = PATHTREE_REST };
	uint32_t rest = below == PATHTREE_NONE ? spreading->rest : spreading->rest_below[below];

	if (rest != PATHTREE_NONE)
		return rest;
	rest = add_node(spreading, &node);
	spreading->n_nodes--; /* it is no node of the function */
	if (below == PATHTREE_NONE)
		spreading->rest = rest;
	else
		spreading->rest_below[below] = rest;
	return rest;
}

/* -- pools ------------------------------------------------------------------------------- */

/*
 * Shares that are too small go up, each to the caller of its caller and so on, and those that
 * meet go on together, until they are large enough, all that is left of the function, or at a
 * root.  There they are below a node "<rest>".  So a function that is called through many chains from one
 * place is there, if not where it was called.  Callers have lower numbers than what they call, so
 * the pool at the last node has met all that it can meet there.
 */

static void push_pool(struct spreading *spreading, const struct pool *pool)
{
	size_t i = spreading->n_pools;

	spreading->pools = heap_grow(spreading->pools, &spreading->pools_capacity, i + 1,
				     sizeof(*spreading->pools));
	spreading->n_pools++;
	for (; i > 0 && spreading->pools[(i - 1) / 2].node < pool->node; i = (i - 1) / 2)
		spreading->pools[i] = spreading->pools[(i - 1) / 2];
	spreading->pools[i] = *pool;
}

/* Takes off the pool at the last node; there is one. */
static struct pool pop_pool(struct spreading *spreading)
{
	struct pool *pools = spreading->pools;
	const struct pool first = pools[0], last = pools[--spreading->n_pools];
	size_t n = spreading->n_pools, i = 0;

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && pools[child + 1].node > pools[child].node;
		if (pools[child].node <= last.node)
			break;
		pools[i] = pools[child];
	}
	pools[i] = last;
	return first;
}

static bool join_pools(struct pool *pool, const struct pool *other)
{
	pool->line = 0;
	pool->n += other->n;
	if (pool->parent != other->parent)
		pool->parent = PATHTREE_NONE;
	cost_add_nested(&pool->weight, other->weight, false);
	return cost_add(&pool->count, other->count, false);
}

/* A node for a pool: where it was called, if that is one place, else below "<rest>". */
static void add_pool_node(struct spreading *spreading, uint32_t function, const struct pool *pool)
{
	struct pathtree_node node = { pool->parent, function, pool->line, pool->count,
				      pool->weight };

	if (node.parent == PATHTREE_NONE)
		node.parent = need_rest(spreading, pool->node);
	add_node(spreading, &node);
}

/*
 * Makes the nodes of small shares.  If the tree is_full, all are in one place.  What is of a chain that is too long,
 * or then meets nowhere, begins anew.
 */
static int place_pools(struct spreading *spreading, uint32_t function, bool is_full)
{
	struct pool begun = { .node = PATHTREE_NONE, .parent = PATHTREE_NONE };

	spreading->n_pools = 0;
	for (uint32_t i = spreading->first[function]; i != NO_SHARE;
	     i = spreading->shares[i].next) {
		const struct share *share = &spreading->shares[i];
		const struct pool pool = { share->parent, share->parent, share->line,
					   share->count,  share->weight, 1 };

		if (spreading->depth[share->parent] >= PATHTREE_DEPTH) {
			if (!join_pools(&begun, &pool))
				return PROFILE_RANGE;
		} else if (is_full || share->weight < spreading->least) {
			push_pool(spreading, &pool);
		}
	}
	while (spreading->n_pools > 0) {
		struct pool pool = pop_pool(spreading);
		uint32_t above = spreading->tree->nodes[pool.node].parent;
		bool has_room, is_last;

		while (spreading->n_pools > 0 && spreading->pools[0].node == pool.node) {
			const struct pool other = pop_pool(spreading);

			if (!join_pools(&pool, &other))
				return PROFILE_RANGE;
		}
		/* It goes no further up if it is large enough, all that is left, or at a root. */
		has_room = pool.parent != PATHTREE_NONE ||
			   spreading->depth[pool.node] + 1 < PATHTREE_DEPTH; /* for "<rest>" */
		is_last = spreading->n_pools == 0;
		if (has_room && (is_last || (!is_full && (pool.weight >= spreading->least ||
							  above == PATHTREE_NONE)))) {
			add_pool_node(spreading, function, &pool);
		} else if (above == PATHTREE_NONE) {
			if (!join_pools(&begun, &pool))
				return PROFILE_RANGE;
		} else {
			pool.node = above;
			push_pool(spreading, &pool);
		}
	}
	if (begun.n > 0)
		add_pool_node(spreading, function, &begun);
	return PROFILE_OK;
}

/* Makes the nodes of a function. */
static int make_nodes(struct spreading *spreading, uint32_t function)
{
	/* Before the function's own nodes. */
	bool is_full = spreading->tree->n >= PATHTREE_NODES;
	int status;

	spreading->n_nodes = 0;
	if (spreading->first[function] == NO_SHARE) {
		const struct pathtree_node root = { PATHTREE_NONE, function, 0, 1, 1 };

		add_node(spreading, &root);
		return PROFILE_OK;
	}
	status = place_pools(spreading, function, is_full);
	for (uint32_t i = spreading->first[function]; i != NO_SHARE && !is_full && !status;
	     i = spreading->shares[i].next) {
		const struct share *share = &spreading->shares[i];
		const struct pathtree_node node = { share->parent, function, share->line,
						    share->count, share->weight };

		if (share->weight >= spreading->least &&
		    spreading->depth[share->parent] < PATHTREE_DEPTH)
			add_node(spreading, &node);
	}
	return status;
}

/* -- dividing ---------------------------------------------------------------------------- */

/* Running sums of the nodes' weights; they are 1, 1... if all are 0. */
static void sum_weights(struct spreading *spreading)
{
	uint64_t sum = 0;

	spreading->weights = heap_grow(spreading->weights, &spreading->weights_capacity,
				       spreading->n_nodes, sizeof(*spreading->weights));
	for (size_t i = 0; i < spreading->n_nodes; i++) {
		cost_add_nested(&sum, spreading->tree->nodes[spreading->nodes[i]].weight, false);
		spreading->weights[i] = sum;
	}
	for (size_t i = 0; i < spreading->n_nodes && sum == 0; i++)
		spreading->weights[i] = 1; /* the first one has it all */
}

/* What of a whole belongs to the nodes up to number i. */
static uint64_t portion(const struct spreading *spreading, uint64_t whole, size_t i)
{
	uint64_t all = spreading->weights[spreading->n_nodes - 1];

	return (uint64_t)((product)whole * spreading->weights[i] / all);
}

static void spread_calls(struct spreading *spreading, const struct callgraph_arc *arc)
{
	uint64_t cost = 0, count = 0;

	for (size_t i = 0; i < spreading->n_nodes; i++) {
		uint64_t cost_end = portion(spreading, arc->cost, i);
		uint64_t count_end = portion(spreading, arc->count, i);
		const struct share share = { .parent = spreading->nodes[i],
					     .line = arc->line,
					     .count = count_end - count,
					     .weight = cost_end - cost };

		/* A function that costs nothing still has been called from somewhere. */
		if ((share.weight > 0 || share.count > 0 || i == 0))
			add_share(spreading, arc->callee, &share);
		cost = cost_end;
		count = count_end;
	}
}

/* Divides own costs of a function. */
static int spread_costs(struct spreading *spreading, uint32_t function)
{
	const struct model *model = spreading->tree->model;
	uint64_t sums[PROFILE_MAX_EVENTS] = { 0 }, given[PROFILE_MAX_EVENTS] = { 0 };
	struct model_cursor cursor;
	struct model_line line;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line))
		for (size_t i = 0; i < model->n_events; i++)
			if (!cost_add(&sums[i], line.costs[i], false))
				return PROFILE_RANGE;
	for (size_t i = 0; i < spreading->n_nodes; i++) {
		uint64_t *costs = pathtree_costs(spreading->tree, spreading->nodes[i]);

		for (size_t j = 0; j < model->n_events; j++) {
			uint64_t end = portion(spreading, sums[j], i);

			costs[j] = end - given[j];
			given[j] = end;
		}
	}
	return PROFILE_OK;
}

static int spread_function(struct spreading *spreading, uint32_t function)
{
	const struct callgraph *graph = &spreading->graph;
	int status = make_nodes(spreading, function);

	/* The function's shares go back to the pool. */
	if (spreading->first[function] != NO_SHARE) {
		spreading->shares[spreading->last[function]].next = spreading->free;
		spreading->free = spreading->first[function];
		spreading->first[function] = NO_SHARE;
	}
	if (status)
		return status;
	sum_weights(spreading);
	status = spread_costs(spreading, function);
	for (size_t i = graph->first[function]; i < graph->first[function + 1] && !status; i++)
		if (!graph->arcs[i].is_back)
			spread_calls(spreading, &graph->arcs[i]);
	return status;
}

int pathtree_spread(struct pathtree *tree)
{
	struct spreading spreading = { .tree = tree, .free = NO_SHARE, .rest = PATHTREE_NONE };
	uint64_t totals[PROFILE_MAX_EVENTS];
	size_t n = tree->model->n_functions;
	int status = callgraph_init(&spreading.graph, tree->model);

	if (!status && !model_totals(tree->model, totals))
		status = PROFILE_RANGE;
	if (status)
		goto out;
	callgraph_sort(&spreading.graph);
	spreading.least = totals[0] / PATHTREE_LEAST;
	spreading.first = heap_zeroed(n, sizeof(*spreading.first));
	spreading.last = heap_zeroed(n, sizeof(*spreading.last));
	memset(spreading.first, 0xff, n * sizeof(*spreading.first)); /* NO_SHARE */
	for (size_t i = 0; i < n && !status; i++)
		status = spread_function(&spreading, spreading.graph.order[i]);
out:
	callgraph_release(&spreading.graph);
	free(spreading.shares);
	free(spreading.first);
	free(spreading.last);
	free(spreading.depth);
	free(spreading.rest_below);
	free(spreading.pools);
	free(spreading.nodes);
	free(spreading.weights);
	return status;
}
