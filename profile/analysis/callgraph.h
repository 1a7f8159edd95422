/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who calls whom, from which line, how often and at what cost, in the first
 * event of a model: for formats that are graphs of functions.
 */
#ifndef PROFILE_ANALYSIS_CALLGRAPH_H
#define PROFILE_ANALYSIS_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/inclusive.h"
#include "profile/model/model.h"

/* Calls of one function by another one from one line. */
struct callgraph_arc {
	uint32_t caller, callee; /* functions of the model */
	uint64_t line;           /* in the caller; 0 = not known */
	uint64_t count;
	uint64_t cost; /* inclusive */
	bool is_back;  /* without these arcs there is no cycle; set by callgraph_sort() */
};

/* Fields are for reading.  Counts are not signed. */
struct callgraph {
	const struct model *model;
	struct inclusive sums;      /* of the first event */
	size_t n;                   /* functions */
	struct callgraph_arc *arcs; /* by caller, callee, line; each once */
	size_t n_arcs;
	size_t *first;    /* arcs of caller i are first[i]..first[i + 1] - 1 */
	size_t *incoming; /* numbers of arcs, by callee, then caller, line */
	size_t *first_in; /* arcs to callee i are first_in[i]..first_in[i + 1] - 1 */
	uint32_t *order;  /* callers before callees; NULL before callgraph_sort() */
	size_t n_back;    /* arcs that are is_back */
};

/* Of a finished model that has an event.  Returns a status; release it in any case. */
int callgraph_init(struct callgraph *graph, const struct model *model);
void callgraph_release(struct callgraph *graph);

/*
 * Sets order and is_back: arcs to the function itself, and in each cycle those that lead
 * back to where a search from the outside came through, which takes costly arcs first.
 */
void callgraph_sort(struct callgraph *graph);

static inline uint64_t callgraph_self(const struct callgraph *graph, uint32_t function)
{
	return inclusive_self(&graph->sums, function)[0];
}

static inline uint64_t callgraph_inclusive(const struct callgraph *graph, uint32_t function)
{
	return inclusive_of(&graph->sums, function)[0];
}

/*
 * Where a function is: its least line with a cost in its own file, else with a call; 0 if
 * there is none.
 */
uint64_t callgraph_line(const struct callgraph *graph, uint32_t function);

/* -- call trees ------------------------------------------------------------------ */

/*
 * A call tree: what each function cost when called through each chain of
 * callers.  An exact one was recorded; else it is derived from a call graph, which
 * does not know who called the caller, by even distribution: of what a function costs,
 * each of its callers has the share that its calls have of the cost of all calls of it.
 */

#define PATHTREE_NONE UINT32_MAX /* no parent */
#define PATHTREE_REST UINT32_MAX /* as a function: chains that were too many, light, or long */

/* The text at the head of files whose stacks are derived. */
#define PATHTREE_DERIVED "derived from calls by even distribution"

struct pathtree_node {
	uint32_t parent;   /* a node before this one, or PATHTREE_NONE */
	uint32_t function; /* of the model, or PATHTREE_REST */
	uint64_t line;     /* of the call, in the parent; 0 = not known */
	uint64_t count;    /* calls */
	uint64_t weight;   /* derived: cost of the calls, of the first event */
};

/* Fields are for reading. */
struct pathtree {
	const struct model *model; /* outlives the tree; NULL = there is no tree yet */
	struct pathtree_node *nodes;
	size_t n, capacity;
	uint64_t *costs; /* own ones: n times the model's n_events */
	size_t costs_capacity;
	bool is_exact; /* then nodes are in pre-order: a node comes before the nodes below it */
};

void pathtree_init(struct pathtree *tree, const struct model *model);
void pathtree_release(struct pathtree *tree);

/* The number of a new node whose own costs are 0. */
uint32_t pathtree_add(struct pathtree *tree, const struct pathtree_node *node);

/* The own costs of a node; valid until the next one is added. */
static inline uint64_t *pathtree_costs(const struct pathtree *tree, uint32_t node)
{
	return tree->costs + node * tree->model->n_events;
}

/*
 * The function of a model by keys of its dictionaries, which it was built with; it may be
 * MODEL_NO_FUNCTION.  (Files have the numbers of their clean spellings.)
 */
uint32_t pathtree_function(const struct model *model, uint32_t object, uint32_t file,
			   uint32_t name);

/*
 * The function of an exact tree that is a function of the profile's model, whatever callers and levels of recursion the
 * latter has in its name ("f'2", "f'main"); MODEL_NO_FUNCTION if there is none.
 */
uint32_t pathtree_find(const struct model *tree, const struct model *model, uint32_t function);

/*
 * By node, of an exact tree: the nearest function that owns it, itself or from above, where owns[i] is true of function i of
 * the tree's model; MODEL_NO_FUNCTION = none does.  All that is below the owner `keeper` is the keeper's, other owners
 * included; MODEL_NO_FUNCTION = none is one.  The caller's to free.
 */
uint32_t *pathtree_owners(const struct pathtree *tree, const bool *owns, uint32_t keeper);

/* How the nodes of a tree hang together, for going through it. */
struct pathtree_shape {
	const struct pathtree *tree;
	uint64_t *inclusive; /* by node: cost of it and of those below it, of the first event */
	uint32_t *first;     /* by node: the first one below it, PATHTREE_NONE = none */
	uint32_t *next; /* by node: the next one of the same parent, or root; PATHTREE_NONE = none */
	uint32_t root;  /* the first one; PATHTREE_NONE = none */
};

/* Of a tree.  Returns a status; release it in any case. */
int pathtree_shape_init(struct pathtree_shape *shape, const struct pathtree *tree);
void pathtree_shape_release(struct pathtree_shape *shape);

/*
 * The node after this one when nodes are visited before those below them, which come before the
 * next one of the same parent.  *n_left is how many nodes are left on the way: this one, if
 * nothing is below it, and parents.  PATHTREE_NONE at the end, when all are left.
 */
uint32_t pathtree_shape_next(const struct pathtree_shape *shape, uint32_t node, uint32_t *n_left);

enum {
	PATHTREE_NODES = 1000000, /* from then on, each function has one chain */
	PATHTREE_DEPTH = 256,     /* of chains; longer ones begin anew below "<rest>" */
	PATHTREE_LEAST = 100000,  /* chains of less than this part of all costs are joined */
};

/*
 * Derives a tree from the calls of a model, whose costs are not signed, into one without
 * nodes.  Cycles are cut as callgraph_sort() does.  The own costs of all nodes of a function
 * add up to the function's, for each event.  Chains that are
 * too light are joined where their callers meet, below a node "<rest>"; those that are too long begin anew
 * below a root "<rest>", and if there are too many, each function has one chain.  Returns a status.
 */
int pathtree_spread(struct pathtree *tree);

#endif
