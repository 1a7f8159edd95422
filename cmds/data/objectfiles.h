/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which file has the objects of data of a profile: that itself, or the one that it names
 * ("desc: Data profile:"), in its own directory.
 */
#ifndef CMDS_DATA_OBJECTFILES_H
#define CMDS_DATA_OBJECTFILES_H

#include "profile/common/arena.h"
#include "profile/model/model.h"

/*
 * The names of the n files that have what the model lacks, which was read from files of these names, in
 * their order, as an array of the arena's: a file that names none stands for itself.  NULL if memory ran out.
 */
const char **objectfiles_of(const struct model *model, const char *const *paths, size_t n,
			    struct arena *arena);

#endif
