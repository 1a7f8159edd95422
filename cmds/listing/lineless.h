/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects without debug information: their code has costs, but no source lines.  Who reads a profile
 * is told so once, with what to do, if it matters.
 *
 * A function has none if its source file is not known.  Code of no object, which is made at run time,
 * does not count: nothing can be installed for it.
 */
#ifndef CMDS_LISTING_LINELESS_H
#define CMDS_LISTING_LINELESS_H

#include <stdint.h>

#include "profile/analysis/metric.h"
#include "profile/common/arena.h"
#include "profile/model/model.h"

/*
 * Stores a sentence for people, without a full stop, which is the arena's: which share of the metric has no
 * lines, in which objects, and what helps.  It is NULL if that share is below a tenth, if there are no
 * shares, as the metric is below 0 somewhere, if the profile records no source files at all, or is a
 * difference.  totals are of the model's events.  Returns a status.
 */
int lineless_note(const char **note, const struct model *model, const struct metric *metric,
		  const uint64_t *totals, struct arena *arena);

#endif
