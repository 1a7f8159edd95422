/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call tree: for each chain of calls that led to a function, how often it did and what that
 * cost. A *node* is one function called through one chain; calls through the same chain share it.
 *
 *	root 1		main		f
 *		    >		    >	g > f
 *				    >	<folded>
 *	root 2		start		g
 *
 * *Roots* are where chains begin: threads. They are not called, and cost nothing themselves.
 *
 * The number of nodes is limited, by the caller and by memory. A call that would exceed the limit
 * is *folded*: it and all calls below it share one node with the key 0 below the last node of the
 * chain. Each node has at most one such node; they and roots do not count for the limit.
 *
 * The user of a tree has a stack of calls, and keeps a *place* with each: a number that says which
 * node the call belongs to, and whether its cost is added to the node. It is not if the cost is
 * part of a caller's that belongs to the same node. The cost of a call, with all that it has
 * called, is added to its node when it is over: costs are inclusive, and calltree_self() subtracts
 * the nodes below.
 */
#ifndef TOOL_CALLS_CALLTREE_H
#define TOOL_CALLS_CALLTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CALLTREE_FOLDED = 0,       /* the key of folded calls */
	CALLTREE_NOWHERE = 0,      /* a place without a node, for calls that are not known */
	CALLTREE_SHORT_SEARCH = 3, /* slots that a short search looks at */
	CALLTREE_LINE_BITS = 3,    /* slots in a line: 32 bytes */
	CALLTREE_NESTED = 1, /* a bit of places: the cost of the call is not added to the node */
	CALLTREE_MAX_NODES = 10000000,
	CALLTREE_MAX_ROOTS = 100000,
	CALLTREE_MAX_EVENTS = 64,
	CALLTREE_MAX_CHUNKS = 256,
};

/* A bit in the keys of nodes right below roots: nodes with and without it are folded apart. */
#define CALLTREE_APART (UINT32_C(1) << 31)

/* Nodes are named by numbers; 0 is none. */
struct calltree_node {
	uint32_t parent; /* 0 of a root */
	uint32_t key;
	uint32_t child; /* any node that it has called, or 0; once linked the first */
	uint32_t next; /* once linked, the node that the same node called first after this one, or 0 */
	uint64_t calls;
	uint64_t costs[]; /* n_events, inclusive, of calls that are over */
};

/* The size of a tree. */
struct calltree_limits {
	uint32_t max_nodes; /* 1 .. CALLTREE_MAX_NODES */
	uint32_t max_roots; /* 1 .. CALLTREE_MAX_ROOTS; and the largest key of a root */
	uint32_t n_events;  /* 1 .. CALLTREE_MAX_EVENTS */
};

/* Where the memory of a tree comes from. */
struct calltree_memory {
	void *(*take)(size_t size); /* zeroed, aligned to 16, better to 64; NULL: refused */
	void (*give_back)(void *memory, size_t size);
};

enum calltree_growth {
	CALLTREE_GROWS,
	CALLTREE_NO_MEMORY, /* it was refused */
	CALLTREE_NO_REACH,  /* memory is where numbers do not reach, or in too many chunks */
};

/* Nodes in one piece of memory. Chunks may be anywhere within the reach of numbers. */
struct calltree_chunk {
	uint32_t first; /* the number of the first node */
	uint32_t n;     /* nodes in it */
	uint32_t room;  /* nodes that fit */
};

/*
 * Invariant: a node's number is its distance from node 0 in units, times 2, modulo 2^32: numbers
 * below 2^31 are after it, the others before. Chunks before filling are full, chunks after it
 * empty. There is room for everything that may be folded below the existing nodes, and for all
 * roots. All nodes that hash to a slot in a run of used slots are in that run.
 */
struct calltree {
	char *memory;                /* node 0, the parent of the roots */
	uint32_t *slots;             /* numbers of nodes, or 0 */
	uint32_t slot_mask;          /* their number less 1 */
	unsigned line_shift;         /* 32 less the binary logarithm of the number of lines */
	uint32_t stride;             /* units of 8 bytes */
	uint32_t n_entries;          /* nodes and roots, folded ones among them */
	uint32_t n_nodes;            /* that count for the limit */
	enum calltree_growth growth; /* or why it cannot grow until it is reset */
	uint64_t n_folded;           /* calls that were folded */
	size_t room;                 /* entries that fit in all chunks, including node 0 */
	unsigned n_chunks, filling;
	struct calltree_chunk chunks[CALLTREE_MAX_CHUNKS];
	struct calltree_limits limits;
	struct calltree_memory from;
};

/* Makes an empty tree, which takes memory as it grows. False if the first memory was refused. */
bool calltree_init(struct calltree *tree, const struct calltree_limits *limits,
		   const struct calltree_memory *from);

/* Gives all memory back. */
void calltree_release(struct calltree *tree);

/* Makes a tree empty again; it keeps its memory. */
void calltree_reset(struct calltree *tree);

/* The place of a root, made if there is none; key is 1 .. max_roots. */
uint32_t calltree_root(struct calltree *tree, uint32_t key);

/*
 * Counts a call from a place (not CALLTREE_NOWHERE) to what has this key (not CALLTREE_FOLDED), and
 * returns the place of the call.
 */
uint32_t calltree_enter(struct calltree *tree, uint32_t place, uint32_t key);

/* The node of a number, or of a place that is not nested. */
static inline struct calltree_node *calltree_at(const struct calltree *tree, uint32_t number)
{
	return (void *)(tree->memory + (ptrdiff_t)(int32_t)number * 4);
}

/* The node of a place other than CALLTREE_NOWHERE, or of a node's number. */
static inline struct calltree_node *calltree_node(const struct calltree *tree, uint32_t place)
{
	return calltree_at(tree, place & ~(uint32_t)CALLTREE_NESTED);
}

/* True if the cost of a call at this place is added to its node. */
static inline bool calltree_pays(uint32_t place)
{
	return place != CALLTREE_NOWHERE && !(place & CALLTREE_NESTED);
}

/*
 * The slot where the search for a node begins. The callees of one node are close together, in lines
 * of the processor's cache; different nodes hash to different lines.
 */
static inline size_t calltree_hash(const struct calltree *tree, uint32_t parent, uint32_t key)
{
	uint32_t line = parent * UINT32_C(0x9e3779b1) >> tree->line_shift;

	return ((size_t)line << CALLTREE_LINE_BITS) | (key & ((1U << CALLTREE_LINE_BITS) - 1));
}

static inline bool calltree_is(const struct calltree_node *node, uint32_t parent, uint32_t key)
{
	return node->parent == parent && node->key == key;
}

static inline bool calltree_is_folded(const struct calltree_node *node)
{
	return (node->key & ~CALLTREE_APART) == CALLTREE_FOLDED;
}

/*
 * The same if a short search finds the node, or finds that the call is folded; otherwise does
 * nothing and returns CALLTREE_NOWHERE. It calls no function, so that no register has to be saved:
 * that would take as long as all the rest.
 */
static inline uint32_t calltree_enter_again(struct calltree *tree, uint32_t place, uint32_t key)
{
	uint32_t parent = place & ~(uint32_t)CALLTREE_NESTED;
	struct calltree_node *from = calltree_node(tree, parent);
	uint32_t number = from->child;
	struct calltree_node *to = calltree_at(tree, number);

	/* Node 0 has no such key. */
	if (__builtin_expect(to->key != key, 0)) {
		const uint32_t *slot = &tree->slots[calltree_hash(tree, parent, key)];

		for (unsigned i = 0; !calltree_is(to, parent, key); i++) {
			if (__builtin_expect(calltree_is_folded(from), 0)) {
				from->calls++;
				tree->n_folded++;
				return parent | CALLTREE_NESTED;
			}
			if (i == CALLTREE_SHORT_SEARCH)
				return CALLTREE_NOWHERE;
			number = slot[i];
			to = calltree_at(tree, number);
		}
		from->child = number;
	}
	to->calls++;
	return number;
}

/* Links each node to the nodes that it has called, in the order of their first calls. */
void calltree_link(struct calltree *tree);

/*
 * The next node in pre-order, roots included; the first of all after node 0. *depth, the depth of
 * node, is updated; roots, which come in the order in which they were made, have depth 0. Returns 0
 * at the end. Call it after calltree_link(), with no call in between.
 */
uint32_t calltree_next(const struct calltree *tree, uint32_t node, uint32_t *depth);

/* What a node has cost without the nodes below it: n_events. Call it after calltree_link(). */
void calltree_self(const struct calltree *tree, uint32_t node, uint64_t *costs);

/* What all nodes (but those below the root except; 0: none) have cost: n_events. */
void calltree_totals(const struct calltree *tree, uint32_t except, uint64_t *costs);

#endif
