/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a profile's "desc:" lines say of the machine that was simulated (docs/FORMAT.md), for both
 * formats that the tool writes.
 */
#ifndef TOOL_OUTPUT_MACHINEDESCS_H
#define TOOL_OUTPUT_MACHINEDESCS_H

#include "pub_tool_basics.h"

struct cache_config;

enum { MACHINEDESCS_CACHE = 384 }; /* bytes that are enough for machinedescs_cache() */

/* Writes "49152 B, 64 B, 12-way associative, plru (assumed)": a cache, by its size, line, ways, and what else there is. */
void machinedescs_cache(HChar text[MACHINEDESCS_CACHE], const struct cache_config *cache);

/* Is given a line at a time; both texts are only there while it is called. */
typedef void machinedescs_taker(void *ctx, const HChar *type, const HChar *text);

/* The name of the machine and what it is, or NULL: nothing of it is simulated, or it has no name. */
const HChar *machinedescs_name(void);

/*
 * Prefetchers, branch predictors (but for Cachegrind's), TLBs, what the core costs, and of which lines misses by size of
 * cache are, if they are simulated.
 */
void machinedescs_units(machinedescs_taker *take, void *ctx);

#endif
