/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine's text says, as those that simulate it are configured. */
#ifndef SIM_MACHINES_MACHINEVIEW_H
#define SIM_MACHINES_MACHINEVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/geometry.h"
#include "sim/machines/machinefile.h"
#include "sim/machines/machineview.h"
#include "sim/policy.h"
#include "sim/prefetch/prefetchers.h"
#include "sim/tlbs/tlb.h"

/* A cache, for what simulates it. */
struct machine_cache {
	struct cache_geometry geometry; /* the number of sets need be no power of two below L1 */
	struct policy policy;           /* itself, not borrowed: what cache_config points to */
	enum machine_relation relation; /* of the first level: RELATION_NINE */
	uint64_t hash_seed; /* 0: sets are chosen by the low bits of the line's number */
	uint32_t assumed;   /* of its line */
};

/*
 * The cache of MACHINE_L1I to MACHINE_L4.  False, and *cache as it was, if there is none.
 */
bool machineview_cache(const struct machinefile *file, enum machinefile_kind kind,
		       struct machine_cache *cache);

/*
 * The prefetchers of a machine that has caches of its own, in the order of the text.  What a line does not say is
 * PREFETCH_DEFAULT_...; line_size is that of the level.
 */
void machineview_prefetchers(const struct machinefile *file, struct prefetchers_config *config);

/*
 * Its TLBs.  False if it has no first level, of which there are both or neither; a second level may be
 * missing: then each miss of the first one walks the page table.
 */
bool machineview_tlbs(const struct machinefile *file, struct tlbs_config *config);

#endif
