/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * References with --simulate-wb, --simulate-hwpref or --cacheuse: both engines
 * then have sim/memory.h for the last level, and with --cacheuse for all
 * caches.  What those need to see beside the misses of the first level, the
 * inline engine calls C for each time.
 */
#ifndef TOOL_TRANSLATE_MEMSIM_H
#define TOOL_TRANSLATE_MEMSIM_H

#include "pub_tool_basics.h"

#include "sim/hierarchy.h"
#include "sim/memory.h"
#include "tool/translate/miss_path.h"

struct hot_memory;
struct translate_options;
struct site;

struct memsim {
	struct memory memory;
	struct lower_levels between; /* its first level, if it has one, and the last */
	UInt last;                   /* number of the last level */
	Bool resident_charged;       /* cells have the costs of lines as if all of them had gone */
};

/* Makes empty caches: of the last level; with --cacheuse of all levels. */
void memsim_init(struct memsim *memsim, const struct translate_options *options,
		 const struct hierarchy_config *config, struct hot_memory *hot_memory);

/* As memory_evict(). */
void memsim_evict(struct memsim *memsim, struct address_range range);

/* For the inline engine, as those in tool/translate/miss_path.h. */
extern const struct miss_paths memsim_paths;

/*
 * The place of the reference of the block that runs which has this index, and was a read, is
 * written, in the same instruction.
 */
VG_REGPARM(2) void memsim_modify(Addr address, UWord index);

/* For the reference engine: the level that served it, and whether a line was written back. */
UInt memsim_fetch(struct site *site, Bool *wrote_back);
UInt memsim_data(struct site *site, Addr address, UWord size, Bool is_write, Bool *wrote_back);

/* For the reference engine: a place that was just read is written, in the same instruction. */
void memsim_write_behind(struct site *site, Addr address, UWord size);

/*
 * Has the cells of sites include what lines still in the caches would cost if
 * they went now; and takes that away again, which has to be before anything
 * else is simulated.
 */
void memsim_charge_resident(struct memsim *memsim);
void memsim_uncharge_resident(struct memsim *memsim);

#endif
