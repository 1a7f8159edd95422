/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each call finds its node by caller and key in a hash table with linear probing. The table begins
 * small, to stay in the processor's cache, and is doubled when a quarter of it is in use.
 *
 * The node that the caller has called last is tried first: caller and callee are, or will be, in
 * the processor's cache anyway.
 *
 * Nodes come in chunks, which double what there is, up to 64 MB each: address space that is only
 * reserved counts too where it is limited. They never move, and numbers are distances, so that a
 * node costs no more to find than in one piece.
 */
#include "tool/calls/calltree.h"

enum {
	UNIT_SIZE = 8,                /* bytes */
	NUMBERS_A_UNIT = 2,           /* room for CALLTREE_NESTED */
	FIRST_SLOT_BITS = 12,         /* a table of four thousand */
	SLOTS_A_NODE = 4,             /* at least */
	FIRST_ROOM = 512,             /* entries, without roots */
	MAX_CHUNK = 64 * 1024 * 1024, /* bytes */
};

/* How far from node 0 numbers reach, in either direction: bytes. */
static const int64_t REACH = INT64_C(1) << 33;

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

static size_t node_size(const struct calltree *tree)
{
	return (size_t)tree->stride * UNIT_SIZE;
}

/* The distance between the numbers of two neighbours in a chunk. */
static uint32_t step_of(const struct calltree *tree)
{
	return tree->stride * NUMBERS_A_UNIT;
}

/*
 * The entries that n_nodes need with all roots and all that may be folded below them (two for a
 * root), and node 0.
 */
static size_t entries_for(const struct calltree *tree, uint32_t n_nodes)
{
	return 2 * (size_t)n_nodes + 3 * (size_t)tree->limits.max_roots + 1;
}

static size_t n_slots(const struct calltree *tree)
{
	return (size_t)tree->slot_mask + 1;
}

/* Bytes of a table of n slots; the last one's line may be searched beyond it. */
static size_t slots_size(size_t n)
{
	return (n + CALLTREE_SHORT_SEARCH + 1) * sizeof(uint32_t);
}

static bool is_in_reach(const struct calltree *tree, const char *memory, size_t size)
{
	int64_t distance = (intptr_t)memory - (intptr_t)tree->memory;

	return distance >= -REACH && distance + (int64_t)size <= REACH;
}

static bool stop_growing(struct calltree *tree, enum calltree_growth why)
{
	tree->growth = why;
	return false;
}

/* Adds room for room entries; false if there is none. */
static bool add_chunk(struct calltree *tree, size_t room)
{
	struct calltree_chunk *chunk = &tree->chunks[tree->n_chunks];
	size_t size = room * node_size(tree);
	char *memory;

	if (tree->n_chunks == CALLTREE_MAX_CHUNKS)
		return stop_growing(tree, CALLTREE_NO_REACH);
	memory = tree->from.take(size);
	if (!memory)
		return stop_growing(tree, CALLTREE_NO_MEMORY);
	if (tree->n_chunks == 0)
		tree->memory = memory;
	if (!is_in_reach(tree, memory, size)) {
		tree->from.give_back(memory, size);
		return stop_growing(tree, CALLTREE_NO_REACH);
	}
	*chunk = (struct calltree_chunk){
		.first = (uint32_t)((memory - tree->memory) / (UNIT_SIZE / NUMBERS_A_UNIT)),
		.room = (uint32_t)room,
	};
	tree->room += room;
	tree->n_chunks++;
	return true;
}

static bool grow(struct calltree *tree)
{
	size_t max = entries_for(tree, tree->limits.max_nodes) - tree->room;
	size_t room = tree->room, most = MAX_CHUNK / node_size(tree);

	room = room < most ? room : most;
	return add_chunk(tree, room < max ? room : max);
}

static void make_empty(struct calltree *tree)
{
	tree->n_entries = 0;
	tree->n_nodes = 0;
	tree->n_folded = 0;
	tree->growth = CALLTREE_GROWS;
	tree->filling = 0;
	for (unsigned i = 0; i < tree->n_chunks; i++)
		tree->chunks[i].n = 0;
	tree->chunks[0].n = 1;
}

/*
 * If memory is refused, entries may double, and all roots may come: with four slots for each entry
 * before, and two for each of the roots' three, they all find one.
 */
static unsigned first_slot_bits(const struct calltree_limits *limits)
{
	unsigned bits = FIRST_SLOT_BITS;

	while ((size_t)1 << bits < (size_t)limits->max_roots * 2 * 3)
		bits++;
	return bits;
}

bool calltree_init(struct calltree *tree, const struct calltree_limits *limits,
		   const struct calltree_memory *from)
{
	unsigned slot_bits = first_slot_bits(limits);

	*tree = (struct calltree){
		.slot_mask = (1U << slot_bits) - 1,
		.line_shift = 32 - (slot_bits - CALLTREE_LINE_BITS),
		.stride = stride_of(limits),
		.limits = *limits,
		.from = *from,
	};
	tree->slots = from->take(slots_size(n_slots(tree)));
	if (!tree->slots || !add_chunk(tree, entries_for(tree, FIRST_ROOM)))
		return false;
	make_empty(tree);
	return true;
}

static char *chunk_memory(const struct calltree *tree, const struct calltree_chunk *chunk)
{
	return (char *)calltree_at(tree, chunk->first);
}

void calltree_release(struct calltree *tree)
{
	for (unsigned i = tree->n_chunks; i-- > 0;)
		tree->from.give_back(chunk_memory(tree, &tree->chunks[i]),
				     tree->chunks[i].room * node_size(tree));
	if (tree->slots)
		tree->from.give_back(tree->slots, slots_size(n_slots(tree)));
	*tree = (struct calltree){ .memory = NULL };
}

void calltree_reset(struct calltree *tree)
{
	for (unsigned i = 0; i <= tree->filling; i++)
		clear(chunk_memory(tree, &tree->chunks[i]), tree->chunks[i].n * node_size(tree));
	clear(tree->slots, n_slots(tree) * sizeof(tree->slots[0]));
	make_empty(tree);
}

/* A place in the order in which nodes were made; the first is node 0's. */
struct order {
	unsigned chunk;
	uint32_t i;
};

/* The number of the node there, and the place after it; false at the end. */
static bool next_in_order(const struct calltree *tree, struct order *at, uint32_t *number)
{
	if (at->i == tree->chunks[at->chunk].n) {
		if (at->chunk == tree->filling)
			return false;
		*at = (struct order){ at->chunk + 1, 0 };
	}
	*number = tree->chunks[at->chunk].first + at->i++ * step_of(tree);
	return true;
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

/* False if there was no memory for it. */
static bool double_slots(struct calltree *tree)
{
	const size_t old_size = slots_size(n_slots(tree));
	uint32_t *old = tree->slots, *slots = tree->from.take(slots_size(2 * n_slots(tree)));
	struct order at = { 0, 1 };
	uint32_t number;

	if (!slots)
		return stop_growing(tree, CALLTREE_NO_MEMORY);
	tree->slots = slots;
	tree->slot_mask = 2 * tree->slot_mask + 1;
	tree->line_shift--;
	tree->from.give_back(old, old_size);
	while (next_in_order(tree, &at, &number))
		take_slot(tree, number);
	return true;
}

/* There is room for it. */
static uint32_t add(struct calltree *tree, uint32_t parent, uint32_t key)
{
	struct calltree_chunk *chunk = &tree->chunks[tree->filling];
	struct calltree_node *node;
	uint32_t number;

	if (chunk->n == chunk->room)
		chunk = &tree->chunks[++tree->filling];
	number = chunk->first + chunk->n++ * step_of(tree);
	node = calltree_node(tree, number);
	node->parent = parent;
	node->key = key;
	calltree_node(tree, parent)->child = number;
	tree->n_entries++;
	take_slot(tree, number);
	return number;
}

/* True if there are slots for another entry; there always is a free one (first_slot_bits()). */
static bool has_slots(struct calltree *tree)
{
	return SLOTS_A_NODE * (size_t)(tree->n_entries + 1) <= n_slots(tree) || double_slots(tree);
}

/* True if there is room for another node, and for all that may be folded then. */
static bool has_room(struct calltree *tree)
{
	return has_slots(tree) &&
	       (entries_for(tree, tree->n_nodes + 1) <= tree->room || grow(tree));
}

/* The node below another one, which does not count for the limit. */
static uint32_t find_or_add(struct calltree *tree, uint32_t parent, uint32_t key)
{
	uint32_t number = *find_slot(tree, parent, key);

	if (number != 0)
		return number;
	if (tree->growth == CALLTREE_GROWS)
		has_slots(tree);
	return add(tree, parent, key);
}

uint32_t calltree_root(struct calltree *tree, uint32_t key)
{
	return find_or_add(tree, 0, key);
}

/*
 * Adds the node for a call that has none yet, or folds it. What is apart is folded apart:
 * CALLTREE_FOLDED is 0.
 */
static uint32_t add_or_fold(struct calltree *tree, uint32_t parent, uint32_t key)
{
	/* Asking again at each call whether it grows would take long. */
	if (tree->n_nodes < tree->limits.max_nodes && tree->growth == CALLTREE_GROWS &&
	    has_room(tree)) {
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

/* Nodes are in the order in which they were made, so the last called comes first here. */
void calltree_link(struct calltree *tree)
{
	struct order at = { 0, 0 };
	uint32_t number;

	while (next_in_order(tree, &at, &number))
		calltree_node(tree, number)->child = 0;
	for (unsigned c = tree->filling + 1; c-- > 0;)
		for (uint32_t i = tree->chunks[c].n; i-- > (c == 0);) {
			struct calltree_node *node, *above;

			number = tree->chunks[c].first + i * step_of(tree);
			node = calltree_node(tree, number);
			above = calltree_node(tree, node->parent);
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

/* Adds the costs of the nodes right below a node. */
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
	struct order at = { 0, 1 };
	uint32_t number;

	clear(costs, tree->limits.n_events * sizeof(costs[0]));
	while (next_in_order(tree, &at, &number)) {
		const struct calltree_node *node = calltree_node(tree, number);

		const struct calltree_node *parent = calltree_node(tree, node->parent);

		/* A root has no parent, node 0. */
		if (node->parent == 0 || parent->parent != 0 || parent->key == except)
			continue;
		for (uint32_t event = 0; event < tree->limits.n_events; event++)
			costs[event] += node->costs[event];
	}
}
