/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rank of this process in a job (writer/rank.h), in names of files and in the header. */
#ifndef TOOL_OUTPUT_JOBRANK_H
#define TOOL_OUTPUT_JOBRANK_H

#include "pub_tool_basics.h"

#include "tool/output/writing.h"

/*
 * The name with the rank for each %r; the name itself if it has none, else a new one, never freed, since
 * a fork makes another of it.  What else begins with a % stays.  A message with arg, the option as given,
 * and the end if no rank is known.
 */
const HChar *jobrank_expand(const HChar *arg, const HChar *name);

/* Adds "Rank" and "Ranks", as far as they are known and the user has not said them. */
void jobrank_describe(struct descs *descs, const struct descs *users);

#endif
