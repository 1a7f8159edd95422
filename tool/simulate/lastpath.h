/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * References with --simulate-wb, --simulate-hwpref or --cacheuse: sim/lastlevel.h then simulates the last level, and
 * with --cacheuse all caches.  For what these need to see besides misses of the first level, generated code calls C
 * each time.
 */
#ifndef TOOL_SIMULATE_LASTPATH_H
#define TOOL_SIMULATE_LASTPATH_H

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

/* Whom a line is charged to: the instruction that brought it in.  Its maker may keep more after these two words. */
struct line_owner {
	struct site *site;
	struct context *context;
};

/* What a line has cost its owner; or, for a line that is still there, what a dump takes away again (is_undone). */
struct line_charge {
	UInt level; /* 1, or 2 for the last one */
	ULong access_cost, space_loss;
	Bool is_undone;
};

/* With --cacheuse, receives what becomes of lines; only looks on. */
struct line_watcher {
	/*
	 * A line has come into the first level or the last one, as miss->served says (1 or 2): returns its owner,
	 * whose first words are by's.  It is never freed.
	 */
	struct line_owner *(*came)(const struct line_owner *by, const struct miss *miss);
	/* It is charged. */
	void (*charged)(struct line_owner *owner, const struct line_charge *charge);
};

struct last_path {
	struct last_level level;
	struct lower_levels between; /* its first level, if it has one, and the last */
	UInt last;                   /* number of the last level */
	Bool resident_charged;       /* cells have the costs of lines as if all of them had gone */
	const struct line_watcher *watcher; /* NULL: none */
};

/* Makes empty caches: of the last level; with --cacheuse of all levels. */
void lastpath_init(struct last_path *last, const struct simulate_options *options,
		   const struct hierarchy_config *config, struct hot_memory *hot_memory);

/* Gives lines a watcher, before the first reference; returns False if uses of lines are not simulated. */
Bool lastpath_watch(struct last_path *last, const struct line_watcher *watcher);

/* As lastlevel_evict(). */
void lastpath_evict(struct last_path *last, struct address_range range);

/* What generated code calls (tool/simulate/miss_path.h). */
extern const struct miss_paths last_paths;

/* The place of a read, by its index in the block that runs, is written in the same instruction. */
VG_REGPARM(2) void lastpath_modify(Addr address, UWord index);

/* A reference of a site in the context of the moment, as the functions below take it. */
struct lastlevel_reference lastpath_reference(struct site *site, Addr address, UWord size,
					      enum reference_kind kind);

/*
 * With --cacheuse, the level that served a reference, last->last if all levels before the last one missed.
 * Otherwise the caller asks these itself.
 */
UInt lastpath_serve_with_uses(struct last_path *last, const struct lastlevel_reference *described);

/*
 * Asks the last level.  served is the answer of the levels before it, last->last if all missed.  Returns the level
 * that served the reference, and whether a line was written back.
 */
UInt lastpath_ask_last(struct last_path *last, const struct lastlevel_reference *described,
		       UInt served, Bool *wrote_back);

/* A place that was just read is written, in the same instruction. */
void lastpath_write_after_read(struct last_path *last, struct site *site, Addr address, UWord size);

/*
 * Adds to the cells of sites what lines still in the caches would cost if they went now; and takes that away again, which
 * has to happen before anything else is simulated.
 */
void lastpath_charge_resident(struct last_path *last);
void lastpath_uncharge_resident(struct last_path *last);

#endif
