/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes are found by caller and key in a hash table with linear probing, which
 * is what each call looks into.  It begins small, to stay in the processor's
 * cache, and is doubled in place when a quarter of it is in use.
 *
 * Before that, the node that the caller has called last is tried: in the
 * processor's cache, caller and callee are or will be anyway.
 */
#include "tool/calls/calltree.h"

enum {
	UNIT_SIZE = 8,        /* bytes */
	LINE_SIZE = 64,       /* bytes, of the processor's cache */
	NUMBERS_A_UNIT = 2,   /* room for CALLTREE_NESTED */
	FIRST_SLOT_BITS = 12, /* a table of four thousand */
	SLOTS_A_NODE = 4,     /* at least */
};

static void clear(void *memory, size_t size)
{
	uint64_t *words = memory;

	for (size_t i = 0; i < size / sizeof(words[0]); i++)
		words[i] = 0;
}

static uint32_t stride_of(const struct calltree_limits *limits)
{
	return (uint32_t)(sizeof(struct calltree_node) / UNIT_SIZE) + limits->n_events;
}

/* Nodes, roots, and what is folded: twice below a root. */
static size_t max_entries(const struct calltree_limits *limits)
{
	return 2 * (size_t)limits->max_nodes + 3 * (size_t)limits->max_roots;
}

static size_t nodes_size(const struct calltree_limits *limits)
{
	size_t size = (max_entries(limits) + 1) * stride_of(limits) * UNIT_SIZE;

	return (size + LINE_SIZE - 1) & ~(size_t)(LINE_SIZE - 1);
}

static size_t max_slots(const struct calltree_limits *limits)
{
	size_t n = (size_t)1 << FIRST_SLOT_BITS;

	while (n < SLOTS_A_NODE * max_entries(limits))
		n *= 2;
	return n;
}

static size_t n_slots(const struct calltree *tree)
{
	return (size_t)tree->slot_mask + 1;
}

size_t calltree_size(const struct calltree_limits *limits)
{
	return nodes_size(limits) + (max_slots(limits) + CALLTREE_SHORT_SEARCH) * sizeof(uint32_t);
}

static void make_empty(struct calltree *tree)
{
	tree->slot_mask = (1U << FIRST_SLOT_BITS) - 1;
	tree->line_shift = 32 - (FIRST_SLOT_BITS - CALLTREE_LINE_BITS);
	tree->end = tree->stride * NUMBERS_A_UNIT;
	tree->n_entries = 0;
	tree->n_nodes = 0;
	tree->n_folded = 0;
}

void calltree_init(struct calltree *tree, const struct calltree_limits *limits, void *memory)
{
	*tree = (struct calltree){
		.memory = memory,
		.stride = stride_of(limits),
		.limits = *limits,
	};
	tree->slots = (void *)(tree->memory + nodes_size(limits));
	make_empty(tree);
}

void calltree_reset(struct calltree *tree)
{
	clear(tree->memory, (size_t)tree->end * (UNIT_SIZE / NUMBERS_A_UNIT));
	clear(tree->slots, n_slots(tree) * sizeof(tree->slots[0]));
	make_empty(tree);
}

/* The slot of a node, or the free one where it would be. */
static uint32_t *find_slot(const struct calltree *tree, uint32_t parent, uint32_t key)
{
	size_t i = calltree_hash(tree, parent, key);

	while (tree->slots[i] != 0 &&
	       !calltree_is(calltree_node(tree, tree->slots[i]), parent, key))
		i = (i + 1) & tree->slot_mask;
	return &tree->slots[i];
}

static void take_slot(struct calltree *tree, uint32_t number)
{
	const struct calltree_node *node = calltree_node(tree, number);

	*find_slot(tree, node->parent, node->key) = number;
}

static void double_slots(struct calltree *tree)
{
	uint32_t step = tree->stride * NUMBERS_A_UNIT;

	clear(tree->slots, n_slots(tree) * sizeof(tree->slots[0]));
	tree->slot_mask = 2 * tree->slot_mask + 1;
	tree->line_shift--;
	for (uint32_t number = step; number != tree->end; number += step)
		take_slot(tree, number);
}

static uint32_t add(struct calltree *tree, uint32_t parent, uint32_t key)
{
	uint32_t number = tree->end;
	struct calltree_node *node = calltree_node(tree, number);

	node->parent = parent;
	node->key = key;
	calltree_node(tree, parent)->child = number;
	tree->end += tree->stride * NUMBERS_A_UNIT;
	tree->n_entries++;
	if (SLOTS_A_NODE * (size_t)tree->n_entries > n_slots(tree))
		double_slots(tree);
	else
		take_slot(tree, number);
	return number;
}

/* The node below another one, which does not count for the limit. */
static uint32_t find_or_add(struct calltree *tree, uint32_t parent, uint32_t key)
{
	uint32_t number = *find_slot(tree, parent, key);

	return number != 0 ? number : add(tree, parent, key);
}

uint32_t calltree_root(struct calltree *tree, uint32_t key)
{
	return find_or_add(tree, 0, key);
}

/* A call that there is no node for.  What is apart is folded apart: CALLTREE_FOLDED is 0. */
static uint32_t add_or_fold(struct calltree *tree, uint32_t parent, uint32_t key)
{
	if (tree->n_nodes < tree->limits.max_nodes) {
		tree->n_nodes++;
		return add(tree, parent, key);
	}
	tree->n_folded++;
	return find_or_add(tree, parent, key & CALLTREE_APART);
}

uint32_t calltree_enter(struct calltree *tree, uint32_t place, uint32_t key)
{
	uint32_t parent = place & ~(uint32_t)CALLTREE_NESTED;
	uint32_t to = calltree_enter_again(tree, place, key);

	if (to != CALLTREE_NOWHERE)
		return to;
	to = *find_slot(tree, parent, key);
	if (to == 0)
		to = add_or_fold(tree, parent, key);
	calltree_node(tree, parent)->child = to;
	calltree_node(tree, to)->calls++;
	return to;
}

/* Of the nodes that one has called, a later one has a larger number. */
void calltree_link(struct calltree *tree)
{
	uint32_t step = tree->stride * NUMBERS_A_UNIT;

	for (uint32_t number = 0; number != tree->end; number += step)
		calltree_node(tree, number)->child = 0;
	for (uint32_t number = tree->end - step; number != 0; number -= step) {
		struct calltree_node *node = calltree_node(tree, number);
		struct calltree_node *above = calltree_node(tree, node->parent);

		node->next = above->child;
		above->child = number;
	}
}

uint32_t calltree_next(const struct calltree *tree, uint32_t node, uint32_t *depth)
{
	const struct calltree_node *at = calltree_node(tree, node);

	if (at->child != 0) {
		*depth = node == 0 ? 0 : *depth + 1;
		return at->child;
	}
	for (; node != 0 && at->next == 0; at = calltree_node(tree, node)) {
		node = at->parent;
		--*depth;
	}
	return node == 0 ? 0 : at->next;
}

/* costs += what those right below a node cost with all below them. */
static void add_below(const struct calltree *tree, const struct calltree_node *node,
		      uint64_t *costs)
{
	for (uint32_t number = node->child; number != 0;) {
		const struct calltree_node *below = calltree_node(tree, number);

		for (uint32_t event = 0; event < tree->limits.n_events; event++)
			costs[event] += below->costs[event];
		number = below->next;
	}
}

void calltree_self(const struct calltree *tree, uint32_t node, uint64_t *costs)
{
	const struct calltree_node *at = calltree_node(tree, node);

	clear(costs, tree->limits.n_events * sizeof(costs[0]));
	if (at->parent == 0)
		return;
	add_below(tree, at, costs);
	for (uint32_t event = 0; event < tree->limits.n_events; event++)
		costs[event] = at->costs[event] - costs[event];
}

void calltree_totals(const struct calltree *tree, uint32_t except, uint64_t *costs)
{
	uint32_t step = tree->stride * NUMBERS_A_UNIT;

	clear(costs, tree->limits.n_events * sizeof(costs[0]));
	for (uint32_t number = step; number != tree->end; number += step) {
		const struct calltree_node *node = calltree_node(tree, number);

		const struct calltree_node *parent = calltree_node(tree, node->parent);

		/* A root has no parent, node 0. */
		if (node->parent == 0 || parent->parent != 0 || parent->key == except)
			continue;
		for (uint32_t event = 0; event < tree->limits.n_events; event++)
			costs[event] += node->costs[event];
	}
}
