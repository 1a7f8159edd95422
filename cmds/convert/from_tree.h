/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads call trees, as the tool writes them with --call-tree=yes (docs/FORMAT.md): the tree
 * itself, and a profile that says as much of it as a profile can.
 */
#ifndef CMDS_CONVERT_FROM_TREE_H
#define CMDS_CONVERT_FROM_TREE_H

#include "profile/analysis/pathtree.h"
#include "profile/common/error.h"
#include "profile/format/reader.h"

/* The first line of such a file. */
#define FROM_TREE_HEAD "# costgrind call tree\n"

struct from_tree_options {
	/* This event only, which may be derived, or, if it is NULL and first_only, the first one. */
	const char *event;
	bool first_only;
};

/*
 * Reads a file in memory into an empty, initialised model, and into a tree that it
 * initialises, of this model: exact, nodes in pre-order, whose lines are not known.  What was folded is
 * of a function "<rest>".  Returns a status; of PROFILE_SYNTAX the error says in which line.
 */
int from_tree_text(const struct reader_text *text, const struct from_tree_options *options,
		   struct model *model, struct pathtree *tree, struct profile_error *error);

#endif
