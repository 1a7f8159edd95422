/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A visitor that passes on what is reported to it, and makes a call tree of it if it is a
 * trace as Xdebug writes: each function that returns has a block of its own cost and
 * its calls, behind the blocks of what it called.  If anything is not so, there is no tree.
 */
#ifndef CMDS_CONVERT_TRACE_H
#define CMDS_CONVERT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/pathtree.h"
#include "profile/common/visitor.h"

/* An invocation; behind those that it called. */
struct trace_node {
	uint32_t object, file, function; /* keys of names */
	uint32_t size;                   /* nodes: itself and those below it */
	uint32_t n_children;
	uint64_t line; /* in the caller */
	uint64_t self, inclusive;
};

/* Fields are private, but filter.visitor; not to be moved. */
struct trace {
	struct visitor_filter filter;
	const struct env *env;
	struct trace_node *nodes;
	size_t n, capacity;
	uint32_t *roots; /* nodes that nobody called so far */
	size_t n_roots, roots_capacity;
	struct call_note *calls; /* of the block at work */
	size_t n_calls, calls_capacity;
	struct trace_node block;
	bool in_block;
	size_t n_parts;
	bool failed; /* it is no such trace */
};

/* `to` is borrowed; memory is env's. */
void trace_init(struct trace *trace, const struct visitor *to, const struct env *env);
void trace_release(struct trace *trace);

/*
 * Fills an initialised tree without nodes, of the model that was built of what was reported; the
 * model has one event.  Leaves it without nodes if it was no trace.  Returns a status.
 */
int trace_finish(struct trace *trace, struct pathtree *tree);

#endif
