/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of sources that is another one in NEW, by which functions look gone and new that are not. */
#ifndef CMDS_DIFF_MOVEDFOLDER_H
#define CMDS_DIFF_MOVEDFOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/analysis/difference.h"

/* Texts are the arena's. */
struct moved_folder {
	const char *old_folder, *new_folder; /* without a slash at the end */
	size_t n;                            /* functions that would meet; 0 = none moved */
};

/*
 * Finds the folder of OLD, and the one of NEW, that make the most functions the same that are in one of
 * the profiles only: those of one name, in files whose paths end alike, by whole components.  A pair of
 * folders counts only if it is for most of these functions: sources that were moved about do not make one.
 * False if memory ran out.
 */
bool moved_folder_find(struct moved_folder *moved, const struct difference *difference,
		       struct arena *arena);

/*
 * Warns by the command's name, and proposes --source-map with both folders; not if none moved, or the option
 * cannot name them.  Returns whether it did.
 */
bool moved_folder_warn(const struct moved_folder *moved, const char *command);

#endif
