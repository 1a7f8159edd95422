/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why references miss (--miss-classes): sim/misses/missclasses.h has the rules. */
#ifndef TOOL_TRANSLATE_MISSREASONS_H
#define TOOL_TRANSLATE_MISSREASONS_H

#include "pub_tool_basics.h"

#include "sim/misses/machinetwins.h"
#include "sim/misses/missclasses.h"
#include "tool/counts/levels.h"
#include "tool/translate/conflicts.h"

struct missreasons {
	Bool is_on;
	struct missclasses lower;
	/* Of the first level: beside the machine, or in the reference engine, of data and of code. */
	struct machine_twins twins;
	struct full_level first[2];
	struct conflicts conflicts;
};

/* Caches are empty, and the machine is there, if the run has one. */
void missreasons_init(struct missreasons *reasons, const struct hierarchy_config *config);

/* Of a reference that a site has just made, which that level served. */
struct miss_reasons missreasons_find(struct missreasons *reasons, const struct site *site,
				     enum reference_kind kind, Addr address, UWord size,
				     UInt served);

/* Lines with a byte in the range were taken out of all caches; the machine's twins know. */
void missreasons_evict(struct missreasons *reasons, struct address_range range);

#endif
