/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree that the tool writes next to a profile (--call-tree=yes; docs/FORMAT.md): finding and reading it. */
#ifndef CMDS_CONVERT_TREEFILE_H
#define CMDS_CONVERT_TREEFILE_H

#include "profile/analysis/callgraph.h"
#include "profile/model/model.h"

/*
 * Reads a file into an empty, initialised model, and into a tree of that model; command is for messages.  Returns an exit code;
 * after a failure tree->model is NULL, else the tree is to be released.
 */
int treefile_read(struct pathtree *tree, struct model *tree_model, const char *path,
		  const char *command);

/*
 * The same of the tree next to the profile at path, which model was read from: found by its name, and taken if it costs as
 * much.  If there is none, tree->model is NULL, and tree_model empty.
 */
int treefile_find(struct pathtree *tree, struct model *tree_model, const struct model *model,
		  const char *path, const char *command);

#endif
