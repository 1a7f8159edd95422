/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources that are not where the profile says, but in another folder, as after a build in a new one. */
#ifndef CMDS_ANNOTATE_MOVEDSOURCES_H
#define CMDS_ANNOTATE_MOVEDSOURCES_H

#include <stdbool.h>

#include "cmds/annotate/annotated.h"
#include "profile/common/arena.h"

/*
 * Warns by the command's name, and proposes --source-map with both folders, if most of the sources that
 * were not found, but have counterparts whose paths end alike, have them in one folder: where others were
 * found, or the working directory.  Memory is the arena's; false if it ran out.
 */
bool moved_sources_warn(const struct annotated *annotated, const char *command,
			struct arena *arena);

#endif
