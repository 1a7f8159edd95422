/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers costs and calls of the lines of some source files; used by annotated.c only. */
#ifndef CMDS_ANNOTATE_LINEWORK_H
#define CMDS_ANNOTATE_LINEWORK_H

#include "cmds/annotate/annotated.h"

/*
 * Fills lines of the n files; of each file number f of the model, places[f] - 1 is
 * the place in files, 0 = it is not wanted.  Returns a status.
 */
int linework_gather(struct annotated_file *files, size_t n, const uint32_t *places,
		    const struct model *model, const struct columns *columns, struct arena *arena);

#endif
