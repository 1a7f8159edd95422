/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call tree: for each chain of calls that led to a function, how often it
 * did and what that cost.  A *node* is one function called through one chain;
 * calls through the same chain share it.
 *
 *	root 1		main		f
 *		    >		    >	g > f
 *				    >	<folded>
 *	root 2		start		g
 *
 * *Roots* are what chains begin in: threads.  They are not called, and cost
 * nothing themselves.
 *
 * The number of nodes is limited, by the caller and by memory.  A call that would need one more is *folded*:
 * it and all calls below it are of one node with the key 0 below the last node
 * of the chain, of which each node has at most one; these and roots do not
 * count for the limit.
 *
 * Who keeps a stack of calls keeps with each a *place*: a number that says
 * which node the call is of, and whether what it costs belongs to the node.  It
 * does not if it is part of what another call of the node costs, that of a
 * caller.  What a call costs is added to its node when it is over, with all
 * that it has called: costs are inclusive, and calltree_self() takes those
 * below off.
 */
#ifndef TOOL_CALLS_CALLTREE_H
#define TOOL_CALLS_CALLTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CALLTREE_FOLDED = 0,       /* the key of what is folded */
	CALLTREE_NOWHERE = 0,      /* a place of no node, for calls that are not known */
	CALLTREE_SHORT_SEARCH = 3, /* slots that are looked at first */
	CALLTREE_LINE_BITS = 3,    /* slots in a line: 32 bytes */
	CALLTREE_NESTED = 1,       /* a bit of places: what the call costs is not for the node */
	CALLTREE_MAX_NODES = 10000000,
	CALLTREE_MAX_ROOTS = 100000,
	CALLTREE_MAX_EVENTS = 64,
	CALLTREE_MAX_CHUNKS = 256,
};

/* A bit of the keys of nodes right below roots: those with and without it are folded apart. */
#define CALLTREE_APART (UINT32_C(1) << 31)

/* Of the numbers that name nodes here, 0 is none. */
struct calltree_node {
	uint32_t parent; /* 0 of a root */
	uint32_t key;
	uint32_t child; /* any of those that it has called, or 0; once linked the first */
	uint32_t next;  /* once linked, the one called first after it by the same node, or 0 */
	uint64_t calls;
	uint64_t costs[]; /* n_events, inclusive, of calls that are over */
};

/* What a tree is to hold. */
struct calltree_limits {
	uint32_t max_nodes; /* 1 .. CALLTREE_MAX_NODES */
	uint32_t max_roots; /* 1 .. CALLTREE_MAX_ROOTS; the keys that roots can have */
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
	CALLTREE_NO_REACH,  /* memory lies where numbers do not reach, or is in too many chunks */
};

/* Nodes that lie one after another; several chunks lie anywhere, as long as numbers reach them. */
struct calltree_chunk {
	uint32_t first; /* the number of the first node */
	uint32_t n;     /* nodes in it */
	uint32_t room;  /* for so many */
};

/*
 * Invariant: a node's number is how many units it lies after node 0, times 2, modulo 2^32: less
 * than 2^31 is after it, the others before.  All chunks below filling are full, those after it
 * empty.  There is room for everything that is folded below the nodes that there are, and for
 * all roots.  In each run of slots that are not free, all that hash to its slots are found.
 */
struct calltree {
	char *memory;                /* node 0, below which roots are */
	uint32_t *slots;             /* numbers of nodes, or 0 */
	uint32_t slot_mask;          /* their number less 1 */
	unsigned line_shift;         /* 32 less the binary logarithm of the number of lines */
	uint32_t stride;             /* units of 8 bytes */
	uint32_t n_entries;          /* nodes and roots, folded ones among them */
	uint32_t n_nodes;            /* that count for the limit */
	enum calltree_growth growth; /* or why there is none until it is reset */
	uint64_t n_folded;           /* calls that were folded */
	size_t room;                 /* entries that chunks have room for, node 0 among them */
	unsigned n_chunks, filling;
	struct calltree_chunk chunks[CALLTREE_MAX_CHUNKS];
	struct calltree_limits limits;
	struct calltree_memory from;
};

/* Makes an empty tree, which takes memory as it grows.  False if what it begins with was refused. */
bool calltree_init(struct calltree *tree, const struct calltree_limits *limits,
		   const struct calltree_memory *from);

/* Gives all memory back. */
void calltree_release(struct calltree *tree);

/* Makes a tree empty again; it keeps its memory. */
void calltree_reset(struct calltree *tree);

/* The place of a root, made if there is none; key is 1 .. max_roots. */
uint32_t calltree_root(struct calltree *tree, uint32_t key);

/*
 * Counts a call from one place (not CALLTREE_NOWHERE) of what has this key (not
 * CALLTREE_FOLDED), and returns its place.
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

/* Whether what a call costs is to be added to its node. */
static inline bool calltree_pays(uint32_t place)
{
	return place != CALLTREE_NOWHERE && !(place & CALLTREE_NESTED);
}

/*
 * Where to look first for a node: what one node has called lies close together,
 * in lines of the processor's cache that different nodes' hash to.
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
 * The same if a short search finds the node, or that the call is folded;
 * otherwise does nothing and returns CALLTREE_NOWHERE.  It calls nothing, so
 * that nothing need be saved: that would take as long as all of it.
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

/* Has each node know those that it has called, in the order of their first calls. */
void calltree_link(struct calltree *tree);

/*
 * The node behind another one in pre-order, roots among them: below it, beside
 * it, and so on; the first of all behind 0.  *depth, that of the node, is
 * brought up to date; roots, which come in the order in which they were made,
 * have 0.  Returns 0 at the end.  After calltree_link(), and no call since then.
 */
uint32_t calltree_next(const struct calltree *tree, uint32_t node, uint32_t *depth);

/* What a node has cost without those below it: n_events.  As calltree_next(). */
void calltree_self(const struct calltree *tree, uint32_t node, uint64_t *costs);

/* What all nodes have cost but those below the root of the key except (0: no root has it): n_events. */
void calltree_totals(const struct calltree *tree, uint32_t except, uint64_t *costs);

#endif
