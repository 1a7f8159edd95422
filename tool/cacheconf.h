/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which caches are simulated: what the user asked for, for the rest what this
 * machine has.  The rules give Cachegrind's geometry in every case.
 */
#ifndef TOOL_CACHECONF_H
#define TOOL_CACHECONF_H

#include "sim/hierarchy.h"
#include "tool/options.h"

/*
 * Fills *geometry.  Ends the run with a message if the machine's caches
 * cannot be simulated and the user gave no others, or if a line is shorter
 * than the largest register of the simulated CPU.
 */
void cacheconf_choose(const struct options *options, struct hierarchy_geometry *geometry);

#endif
