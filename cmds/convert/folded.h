/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks by the names of their frames, each once, with what they cost in one
 * or two profiles: "main;parse;read 120 90".
 */
#ifndef CMDS_CONVERT_FOLDED_H
#define CMDS_CONVERT_FOLDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/pathtree.h"
#include "profile/common/dictionary.h"
#include "writer/out.h"

struct folded_node {
	uint32_t parent; /* PATHTREE_NONE = none */
	uint32_t name;   /* key of names */
	uint64_t costs[2];
};

/* Fields are private. */
struct folded {
	const struct env *env;
	struct dictionary names; /* of frames, as they are written */
	struct folded_node *nodes;
	size_t n, capacity;
	uint32_t *slots; /* hash table of nodes by parent and name */
	size_t n_slots;
};

void folded_init(struct folded *folded, const struct env *env);
void folded_release(struct folded *folded);

/*
 * Adds the own costs of a tree's nodes, of the first event, to the column 0 or 1. In names,
 * semicolons become colons, control characters blanks.  Returns a status.
 */
int folded_add(struct folded *folded, const struct pathtree *tree, unsigned column);

/*
 * Writes a line for each stack with a cost in one of n_columns columns, sorted by
 * names from the outside in, callers before what they call.  Returns a status; errors of
 * output are in out.
 */
int folded_write(const struct folded *folded, unsigned n_columns, struct out *out);

#endif
