/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unfolding a graph (--inline=calls): what inlined functions cost is taken out
 * of the functions that they were inlined in, and they are called there.
 *
 * What was counted is per instruction, and stays as it is.  The sum of all
 * costs does not change, nor does the inclusive cost of any function: what an
 * inlined function costs with all that it calls is what its call costs.
 */
#ifndef TOOL_OUTPUT_UNFOLD_H
#define TOOL_OUTPUT_UNFOLD_H

struct graph;
struct inline_unfolding;

/*
 * Has costs, calls and jumps of inlined functions belong to these, adds the
 * calls of them, and sorts all of it again.  Returns the memory that the graph
 * uses from then on, to be freed by unfolding_free() after it.
 */
struct inline_unfolding *unfold(struct graph *graph);
void unfolding_free(struct inline_unfolding *unfolding);

#endif
