/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Baselines: profiles that are kept, by name, in a folder of the repository, to be
 * compared with later.  The folder is ".costgrind" in the nearest folder, from the
 * current one upwards, that has it or is the top of a repository (has ".git");
 * else in the current one.  The file of NAME is NAME.cg.
 */
#ifndef CMDS_DIFF_BASELINE_H
#define CMDS_DIFF_BASELINE_H

#include <stdbool.h>

/* Whether a name can be one: letters, digits, and "._-" but for the first; 100 at most. */
bool baseline_name_is_valid(const char *name);

/*
 * The path of a baseline's file, to be freed; folder NULL = as above.  With
 * `create`, the folder is made if it is not there.  NULL, with a message by the
 * command's name, if that failed.
 */
char *baseline_path(const char *folder, const char *name, bool create, const char *command);

#endif
