/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which files have the objects of data of profiles: these themselves, or those that they name
 * ("desc: Data profile:", of a sum one for each profile), each in its own directory; and whether what is there is of the same run.
 */
#ifndef CMDS_DATA_OBJECTFILES_H
#define CMDS_DATA_OBJECTFILES_H

#include <stdbool.h>

#include "profile/common/arena.h"
#include "profile/model/model.h"

/* Fields are for reading; all memory is the arena's. */
struct objectfiles {
	const char **paths; /* of each file, once; an array of n */
	const char **names; /* the first profile that names it, NULL if that is the file itself */
	size_t n;
	bool are_named; /* some are */
	/* The first name that is none of a file in the profile's folder, and whose it is; NULL = all are. */
	const char *foreign, *foreign_by;
};

/*
 * The files of the model, which was read from the n profiles of these paths, in the order in which they are named
 * first: a profile that names none stands for itself.  False if memory ran out.
 */
bool objectfiles_find(struct objectfiles *files, const struct model *model,
		      const char *const *paths, size_t n, struct arena *arena);

/*
 * What is to be said of the first file that is named and is not there, or is none that may be read because a profile
 * names it (profile/common/namedfile.h); NULL if all are there, or memory ran out.  Others than these are not to be read.
 */
const char *objectfiles_missing(const struct objectfiles *files, struct arena *arena);

/*
 * What is to be said of a file whose objects are not those of all profiles that name it: by process, command, part and
 * machine, as far as both say them, and by the sums of the events that both have.  data was read from
 * the files, model from the profiles.  *are_others: they are another run's; else of more threads than the profiles are of.
 * NULL if there is nothing to be said, or memory ran out.
 */
const char *objectfiles_wrong(const struct objectfiles *files, const struct model *model,
			      const struct model *data, bool *are_others, struct arena *arena);

#endif
