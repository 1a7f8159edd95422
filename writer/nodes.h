/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes call trees: a file whose header and names are those of a profile
 * (writer/writer.h), with sections of nodes in place of costs and calls.
 * docs/FORMAT.md has the form.
 *
 * Order of calls:
 *
 *	nodes_format version [creator] [pid] [cmd] [desc...] events [summary]
 *	{ nodes_section { [nodes_function] nodes_write }... }...
 *	[totals]
 *
 * with the functions of writer.h for all that is not of this header; blank
 * lines stand anywhere.  The writer's options are to have POSITION_LINE alone
 * and compress_names.
 */
#ifndef WRITER_NODES_H
#define WRITER_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "writer/writer.h"

/* "# costgrind call tree", in place of writer_format(). */
void nodes_format(struct writer *writer);

/* "kind: thread": whose nodes follow; kind is "thread" or "handlers". */
void nodes_section(struct writer *writer, const char *kind, uint64_t thread);

/* Whether a function has been named. */
bool nodes_is_named(const struct writer *writer, const struct name *function);

/*
 * Names a function that has not been named yet, and whatever of its object and
 * file is not that of the one named before (same_object, same_file).
 */
struct nodes_function {
	struct name object, file, name;
	bool same_object, same_file;
};

void nodes_function(struct writer *writer, const struct nodes_function *function);

/*
 * "depth function calls costs...": a node.  The function has been named, or is
 * NULL for what is folded.  Costs are of all columns; zeros at the end are left out.
 */
void nodes_write(struct writer *writer, uint32_t depth, const struct name *function, uint64_t calls,
		 const uint64_t *costs);

#endif
