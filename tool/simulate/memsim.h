/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * References with --simulate-wb, --simulate-hwpref or --cacheuse: sim/lastlevel.h then simulates the last level, and
 * with --cacheuse all caches.  For what these need to see besides misses of the first level, generated code calls C
 * each time.
 */
#ifndef TOOL_SIMULATE_MEMSIM_H
#define TOOL_SIMULATE_MEMSIM_H

#include "pub_tool_basics.h"

#include "sim/lastlevel.h"
#include "sim/lower.h"
#include "tool/counts/levels.h"
#include "tool/simulate/miss_path.h"

struct context;
struct hot_memory;
struct miss;
struct site;
struct simulate_options;

/* Whom a line is charged to: the instruction that brought it in.  Its maker may keep more behind it. */
struct line_owner {
	struct site *site;
	struct context *context;
};

/* What a line has cost whoever owns it, or, of one that is still there, what a dump takes away again. */
struct line_charge {
	UInt level; /* 1, or 2 for the last one */
	ULong access_cost, space_loss;
	Bool is_undone;
};

/* With --cacheuse, who is told of lines; only looks on. */
struct line_watcher {
	/*
	 * A line has come into the first level or the last one, as miss->served says (1 or 2): the owner that
	 * it is to have, whose first words are as by has them.  It is never freed.
	 */
	struct line_owner *(*came)(const struct line_owner *by, const struct miss *miss);
	/* It is charged. */
	void (*charged)(struct line_owner *owner, const struct line_charge *charge);
};

struct memsim {
	struct last_level memory;
	struct lower_levels between; /* its first level, if it has one, and the last */
	UInt last;                   /* number of the last level */
	Bool resident_charged;       /* cells have the costs of lines as if all of them had gone */
	const struct line_watcher *watcher; /* NULL: none */
};

/* Makes empty caches: of the last level; with --cacheuse of all levels. */
void memsim_init(struct memsim *memsim, const struct simulate_options *options,
		 const struct hierarchy_config *config, struct hot_memory *hot_memory);

/* Whether uses of lines are simulated; if so, has a watcher told of them, before the first reference. */
Bool memsim_watch(struct memsim *memsim, const struct line_watcher *watcher);

/* As lastlevel_evict(). */
void memsim_evict(struct memsim *memsim, struct address_range range);

/* What generated code calls (tool/simulate/miss_path.h). */
extern const struct miss_paths memsim_paths;

/*
 * The place of the reference of the block that runs which has this index, and was a read, is
 * written, in the same instruction.
 */
VG_REGPARM(2) void memsim_modify(Addr address, UWord index);

/* A reference of a site in the context of the moment, as the functions below take it. */
struct lastlevel_reference memsim_reference(struct site *site, Addr address, UWord size,
					    enum reference_kind kind);

/*
 * With --cacheuse, the level that served a reference, memsim->last if all levels before the last one missed.
 * Otherwise the caller asks these itself.
 */
UInt memsim_serve_with_uses(struct memsim *memsim, const struct lastlevel_reference *described);

/*
 * Asks the last level.  served is the answer of the levels before it, memsim->last if all missed.  Returns the level
 * that served the reference, and whether a line was written back.
 */
UInt memsim_ask_last(struct memsim *memsim, const struct lastlevel_reference *described,
		     UInt served, Bool *wrote_back);

/* A place that was just read is written, in the same instruction. */
void memsim_write_after_read(struct memsim *memsim, struct site *site, Addr address, UWord size);

/*
 * Has the cells of sites include what lines still in the caches would cost if
 * they went now; and takes that away again, which has to be before anything
 * else is simulated.
 */
void memsim_charge_resident(struct memsim *memsim);
void memsim_uncharge_resident(struct memsim *memsim);

#endif
