/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks, for flame graphs. */
#define _GNU_SOURCE /* qsort_r */
/*
 * collapsed: "main;parse;read 120", a stack a line; collapsed-diff: with two
 * numbers, as flamegraph.pl and inferno draw differences.
 *
 * There is nothing but stacks: the Firefox Profiler recognises the format by its first line, and
 * flamegraph.pl counts and reports each line that is none.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/convert/formats.h"
#include "profile/analysis/callgraph.h"
#include "profile/common/cost.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"
#include "writer/out.h"

/* -- stacks -------------------------------------------------------------------- */

struct folded_node {
	uint32_t parent; /* PATHTREE_NONE = none */
	uint32_t name;   /* key of names */
	uint64_t costs[2];
};

/*
 * Stacks by the names of their frames, each once, with what they cost in one
 * or two profiles: "main;parse;read 120 90".
 */
struct folded {
	struct dictionary names; /* of frames, as they are written */
	struct folded_node *nodes;
	size_t n, capacity;
	struct idtable numbers; /* of nodes by parent and name */
	/* When they are written, in order. */
	struct out out;
	unsigned n_columns;
	unsigned decimals; /* of costs; whole units are written */
	uint64_t rests[2];
	uint32_t *sorted; /* nodes, by parent and name; those without parent last */
	uint32_t *first;  /* by node: where its children begin in sorted */
	uint32_t *path;   /* of nodes, from the outside */
	uint32_t *next;   /* by level of the path: in sorted */
};

#define NO_NODE UINT32_MAX

/* -- nodes ------------------------------------------------------------------------------ */

/* The node of a name below another one; NO_NODE if there are too many. */
static uint32_t intern(struct folded *folded, uint32_t parent, uint32_t name)
{
	uint64_t id = (uint64_t)parent << 32 | name;
	uint32_t node = idtable_get(&folded->numbers, id);

	if (node != IDTABLE_NONE || folded->n >= NO_NODE - 1)
		return node;
	node = (uint32_t)folded->n;
	idtable_put(&folded->numbers, id, node);
	folded->nodes =
		heap_grow(folded->nodes, &folded->capacity, folded->n + 1, sizeof(*folded->nodes));
	folded->nodes[folded->n++] = (struct folded_node){ .parent = parent, .name = name };
	return node;
}

/* -- names ------------------------------------------------------------------------------ */

/* The key of a frame. */
static uint32_t frame(struct folded *folded, const struct name *name)
{
	char *text = heap_alloc(name->len);
	uint32_t key;

	for (size_t i = 0; i < name->len; i++) {
		char c = name->text[i];
		bool is_control = (unsigned char)c < ' ' || c == 0x7f;

		if (is_control)
			c = ' ';
		else if (c == ';')
			c = ':';
		text[i] = c;
	}
	key = dictionary_intern(&folded->names, text, name->len);
	free(text);
	return key;
}

/*
 * Adds the own costs of a tree's nodes, of the first event, to the column 0 or 1. In names,
 * semicolons become colons, control characters blanks.  Returns a status.
 */
static int folded_add(struct folded *folded, const struct pathtree *tree, unsigned column)
{
	const struct model *model = tree->model;
	const struct name rest = { "<rest>", strlen("<rest>"), NAME_NO_KEY };
	size_t n = model->n_functions;
	uint32_t *frames = heap_zeroed(n + 1, sizeof(*frames));   /* by function, then <rest> */
	uint32_t *places = heap_zeroed(tree->n, sizeof(*places)); /* by node of the tree */
	int status = PROFILE_OK;

	for (size_t i = 0; i < n; i++) {
		const struct name name = model_name(model, NAME_FUNCTION, model->functions[i].name);

		frames[i] = frame(folded, &name);
	}
	frames[n] = frame(folded, &rest);
	for (size_t i = 0; i < tree->n && !status; i++) {
		const struct pathtree_node *node = &tree->nodes[i];
		uint32_t parent = node->parent == PATHTREE_NONE ? NO_NODE : places[node->parent];
		size_t function = node->function == PATHTREE_REST ? n : node->function;

		places[i] = intern(folded, parent, frames[function]);
		if (places[i] == NO_NODE || !cost_add(&folded->nodes[places[i]].costs[column],
						      pathtree_costs(tree, (uint32_t)i)[0], false))
			status = PROFILE_RANGE;
	}
	free(frames);
	free(places);
	return status;
}

/* -- writing ----------------------------------------------------------------------------- */

/* Parents in their order, then names; a parent has a smaller number than its children. */
static int compare_nodes(const void *left, const void *right, void *ctx)
{
	const struct folded *folded = ctx;
	const struct folded_node *a = &folded->nodes[*(const uint32_t *)left];
	const struct folded_node *b = &folded->nodes[*(const uint32_t *)right];
	const struct name a_name = dictionary_name(&folded->names, a->name);
	const struct name b_name = dictionary_name(&folded->names, b->name);

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	return dictionary_compare(&a_name, &b_name);
}

static void write_stack(struct folded *folded, size_t depth)
{
	const struct folded_node *node = &folded->nodes[folded->path[depth - 1]];
	struct out *out = &folded->out;
	uint64_t costs[2] = { 0 };

	for (unsigned i = 0; i < folded->n_columns; i++)
		costs[i] = format_whole(node->costs[i], folded->decimals, &folded->rests[i]);
	if (costs[0] == 0 && costs[1] == 0)
		return;
	for (size_t i = 0; i < depth; i++) {
		const struct name name =
			dictionary_name(&folded->names, folded->nodes[folded->path[i]].name);

		if (i > 0)
			out_char(out, ';');
		out_bytes(out, name.text, name.len);
	}
	for (unsigned i = 0; i < folded->n_columns; i++) {
		out_char(out, ' ');
		out_decimal(out, costs[i]);
	}
	out_char(out, '\n');
}

/* All stacks below the node on top of the path of one node, and that itself. */
static void write_tree(struct folded *folded, uint32_t root)
{
	size_t depth = 1;

	folded->path[0] = root;
	folded->next[0] = folded->first[root];
	write_stack(folded, depth);
	while (depth > 0) {
		uint32_t node = folded->path[depth - 1];
		uint32_t at = folded->next[depth - 1]++;

		if (at >= folded->n || folded->nodes[folded->sorted[at]].parent != node) {
			depth--;
			continue;
		}
		node = folded->sorted[at];
		folded->path[depth] = node;
		folded->next[depth] = folded->first[node];
		depth++;
		write_stack(folded, depth);
	}
}

/*
 * Writes a line for each stack with a cost in one of the columns, sorted by
 * names from the outside in, callers before what they call.
 */
static void write_stacks(struct folded *folded)
{
	size_t n = folded->n;

	folded->sorted = heap_zeroed(n, sizeof(*folded->sorted));
	folded->first = heap_zeroed(n, sizeof(*folded->first));
	folded->path = heap_zeroed(n, sizeof(*folded->path));
	folded->next = heap_zeroed(n, sizeof(*folded->next));
	for (size_t i = 0; i < n; i++) {
		folded->sorted[i] = (uint32_t)i;
		folded->first[i] = (uint32_t)n;
	}
	if (n > 0)
		qsort_r(folded->sorted, n, sizeof(*folded->sorted), compare_nodes, folded);
	for (size_t i = n; i > 0; i--) {
		uint32_t parent = folded->nodes[folded->sorted[i - 1]].parent;

		if (parent != NO_NODE)
			folded->first[parent] = (uint32_t)(i - 1);
	}
	for (size_t i = 0; i < n; i++)
		if (folded->nodes[folded->sorted[i]].parent == NO_NODE)
			write_tree(folded, folded->sorted[i]);
}

int to_collapsed(struct conversion *conversion)
{
	struct folded folded = { .n_columns = conversion->variant,
				 .decimals = format_decimals(conversion) };
	int status;

	dictionary_init(&folded.names);
	idtable_init(&folded.numbers);
	out_init(&folded.out, conversion->env);
	status = folded_add(&folded, conversion->tree, 0);
	if (!status && folded.n_columns > 1)
		status = folded_add(&folded, conversion->other_tree, 1);
	if (!status)
		write_stacks(&folded);
	format_close(conversion, &folded.out);
	dictionary_release(&folded.names);
	idtable_release(&folded.numbers);
	free(folded.nodes);
	free(folded.sorted);
	free(folded.first);
	free(folded.path);
	free(folded.next);
	return status;
}
