/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile as costgrind report reads it, with its call tree and objects of data.  Messages are printed here. */
#ifndef CMDS_REPORT_REPORTPROFILE_H
#define CMDS_REPORT_REPORTPROFILE_H

#include <stdbool.h>

#include "cmds/cli/loader.h"
#include "cmds/convert/importer.h"
#include "profile/analysis/pathtree.h"
#include "profile/model/model.h"

struct reportprofile_options {
	struct loader_options loading;
	bool wants_parts;      /* and what each of them cost */
	bool wants_tree;       /* of the file, if it is a trace; or that beside it, if it fits */
	bool wants_data;       /* and the objects of data, if it names a file of them */
	const char *tree_path; /* or this one; NULL = none was named */
	const char *event;     /* of which a trace's tree is; NULL = the first one */
};

/* Fields are for reading.  Not to be moved. */
struct reportprofile {
	struct model model;      /* all parts added up */
	struct model apart;      /* the same with its parts apart, if there are several */
	struct model tree_model; /* of the tree, if it is from a file of its own */
	struct model data_model; /* of the data profile */
	struct pathtree tree;    /* its model is NULL if there is none */
	struct importer trace;   /* has the tree, if the file is a trace */
	bool has_parts, has_trace, has_data;
	struct loaded loaded;
};

/*
 * Reads a file: a profile, or a call tree.  Returns an exit code.  To be released in any case, and also
 * if it is {0}.
 */
int reportprofile_read(struct reportprofile *profile, const struct reportprofile_options *options,
		       const char *path);
void reportprofile_release(struct reportprofile *profile);

/* The call tree, or NULL. */
static inline const struct pathtree *reportprofile_tree(const struct reportprofile *profile)
{
	if (profile->has_trace && profile->trace.tree.model)
		return &profile->trace.tree;
	return profile->tree.model ? &profile->tree : NULL;
}

/* The profile with its objects of data, which may be itself; or NULL. */
const struct model *reportprofile_data(const struct reportprofile *profile);

#endif
