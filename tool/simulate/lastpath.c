/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs of lines (--cacheuse) belong to the instruction that loaded the
 * line, in its context of that time.  They come up when the line goes,
 * when the calls that loaded it may have returned long ago; so they
 * are in no inclusive cost, and no running total.
 *
 * At a dump many lines are still there.  Their costs are added for the dump
 * and then taken away again: a dump changes nothing.
 */
#include "tool/simulate/lastpath.h"

#include "pub_tool_threadstate.h"

#include "tool/counts/state.h"
#include "tool/simulate/state.h"

static struct loader loader_of(struct site *site)
{
	return (struct loader){ .code = site, .context = tool_counts.hot->counters->context };
}

struct lastlevel_reference lastpath_reference(struct site *site, Addr address, UWord size,
					      enum reference_kind kind)
{
	return (struct lastlevel_reference){
		.address = address,
		.size = size,
		.loader = loader_of(site),
		.is_write = kind == REFERENCE_WRITE,
		.is_fetch = kind == REFERENCE_FETCH,
	};
}

/* If lines are watched, their loaders are owners that the watcher makes. */
static struct loader take_in(void *ctx, const struct lastlevel_reference *reference, unsigned level)
{
	const struct line_watcher *watcher = tool_simulate.last_path.watcher;

	(void)ctx;
	if (watcher == NULL)
		return reference->loader;
	const struct line_owner by = { reference->loader.code, reference->loader.context };
	const struct miss miss = {
		.address = reference->address,
		.size = (UInt)reference->size,
		.kind = reference->is_fetch   ? REFERENCE_FETCH
			: reference->is_write ? REFERENCE_WRITE
					      : REFERENCE_READ,
		.served = level,
		.site = by.site,
		.context = by.context,
		.thread = VG_(get_running_tid)(),
		};
	return (struct loader){ .code = watcher->came(&by, &miss) };
}

static void tell_watcher(struct line_owner *owner, const struct line_cost *cost, Bool is_undone)
{
	const struct line_charge charge = {
		.level = cost->level,
		.access_cost = cost->access_cost,
		.space_loss = cost->space_loss,
		.is_undone = is_undone,
	};

	tool_simulate.last_path.watcher->charged(owner, &charge);
}

/* ctx is NULL to add, else subtracts. */
static void take_cost(void *ctx, const struct line_cost *cost)
{
	struct line_owner owner = { cost->loader.code, cost->loader.context };
	ULong access_cost = ctx == NULL ? cost->access_cost : -cost->access_cost;
	ULong space_loss = ctx == NULL ? cost->space_loss : -cost->space_loss;
	Bool is_first = cost->level == 1;
	struct cell *cell;

	if (tool_simulate.last_path.watcher != NULL) {
		tell_watcher(cost->loader.code, cost, ctx != NULL);
		owner = *(const struct line_owner *)cost->loader.code;
	}
	cell = sites_cell(&tool_counts.sites, owner.site, owner.context);

	cell_add(&tool_counts.sites, cell, is_first ? EVENT_ACCOST1 : EVENT_ACCOST2, access_cost);
	cell_add(&tool_counts.sites, cell, is_first ? EVENT_SPLOSS1 : EVENT_SPLOSS2, space_loss);
}

static const struct line_sink adding_sink = { take_cost, NULL, take_in };

void lastpath_init(struct last_path *last, const struct simulate_options *options,
		   const struct hierarchy_config *config, struct hot_memory *hot_memory)
{
	const struct hierarchy_config before = hierarchy_without_last(config);
	const struct lastlevel_options lastlevel_options = {
		.write_back = options->simulate_wb,
		.prefetch = options->simulate_hwpref,
		.uses = options->cacheuse,
	};

	lastlevel_init(&last->level, config, &lastlevel_options, &adding_sink,
		       hot_memory_alloc(hot_memory,
					lastlevel_memory_size(config, &lastlevel_options)));
	if (options->cacheuse && before.n_lower != 0)
		lower_init(&last->between, &before, (struct first_level){ NULL, NULL },
			   hot_memory_alloc(hot_memory, lower_memory_size(&before)));
	last->last = config->n_lower;
	last->watcher = NULL;
	last->resident_charged = False;
}

Bool lastpath_watch(struct last_path *last, const struct line_watcher *watcher)
{
	if (!last->level.options.uses)
		return False;
	last->watcher = watcher;
	return True;
}

void lastpath_evict(struct last_path *last, struct address_range range)
{
	lastlevel_evict(&last->level, range);
	lower_evict(&last->between, range);
}

void lastpath_charge_resident(struct last_path *last)
{
	if (last->resident_charged || !last->level.options.uses)
		return;
	lastlevel_charge_resident(&last->level, &adding_sink);
	last->resident_charged = True;
}

void lastpath_uncharge_resident(struct last_path *last)
{
	const struct line_sink sink = { .take = take_cost, .ctx = last };

	if (!last->resident_charged)
		return;
	lastlevel_charge_resident(&last->level, &sink);
	last->resident_charged = False;
}

UInt lastpath_serve_with_uses(struct last_path *last, const struct lastlevel_reference *described)
{
	struct last_level *level = &last->level;
	Bool missed = described->is_fetch ? lastlevel_touch_code(level, described)
					  : lastlevel_touch_data(level, described);

	return missed ? lower_serve(&last->between, described->address, described->size) : 0;
}

UInt lastpath_ask_last(struct last_path *last, const struct lastlevel_reference *described,
		       UInt served, Bool *wrote_back)
{
	unsigned outcome = lastlevel_see(&last->level, described, served == last->last);

	*wrote_back = (outcome & LAST_WROTE_BACK) != 0;
	return (outcome & LAST_MISSED) != 0 ? served + 1 : served;
}

/* --- slow paths of generated code ---------------------------------------------------- */

static ULong first_stamp(const struct reference *reference)
{
	return tool_simulate.running->clock - reference->age;
}

/* True if LL sees a reference even if it hits the first level. */
static Bool is_seen_by_last(const struct reference *reference)
{
	return reference->kind == REFERENCE_WRITE &&
	       tool_simulate.last_path.level.options.write_back;
}

/* Shows the last level a reference that the levels before it have seen; counts misses, returns the level that served it. */
static UInt look_at_last(struct reference *reference, const struct lastlevel_reference *described,
			 UInt served)
{
	Bool wrote_back;

	served = lastpath_ask_last(&tool_simulate.last_path, described, served, &wrote_back);
	miss_path_note_misses(reference, served);
	if (wrote_back)
		miss_path_note_write_back(reference);
	return served;
}

/* With uses: most references are to the line that was touched last, and done with that. */
static inline Bool is_use_again(const struct lines *lines, Addr address, UInt size)
{
	return tool_simulate.last_path.level.options.uses && lineuse_again(lines, address, size);
}

static VG_REGPARM(2) UInt last_path_data(Addr address, UWord index)
{
	struct reference *reference = miss_path_reference(index);
	struct last_level *level = &tool_simulate.last_path.level;
	struct lastlevel_reference described;
	UInt served;

	if (!is_seen_by_last(reference) && is_use_again(&level->d1, address, reference->size))
		return 0;
	described = lastpath_reference(miss_path_site(reference), address, reference->size,
				       reference->kind);
	served = level->options.uses
			 ? lastpath_serve_with_uses(&tool_simulate.last_path, &described)
			 : machine_data(tool_simulate.running, address, reference->size,
					first_stamp(reference));
	return look_at_last(reference, &described, served);
}

static VG_REGPARM(1) UInt last_path_fetch(UWord index)
{
	struct reference *reference = miss_path_reference(index);
	struct last_level *level = &tool_simulate.last_path.level;
	struct site *site = miss_path_site(reference);
	struct lastlevel_reference described;
	UInt served;

	if (is_use_again(&level->i1, site->address, site->size))
		return 0;
	described = lastpath_reference(site, site->address, site->size, REFERENCE_FETCH);
	served = level->options.uses
			 ? lastpath_serve_with_uses(&tool_simulate.last_path, &described)
			 : machine_fetch(tool_simulate.running, reference_lines(reference),
					 reference->n_lines, site->address, site->size,
					 first_stamp(reference));
	return look_at_last(reference, &described, served);
}

const struct miss_paths last_paths = { last_path_data, last_path_fetch, NULL, NULL };

/* The read has brought the line into the first level, so this is like a write that hits there. */
void lastpath_write_after_read(struct last_path *last, struct site *site, Addr address, UWord size)
{
	const struct lastlevel_reference reference =
		lastpath_reference(site, address, size, REFERENCE_WRITE);

	lastlevel_see(&last->level, &reference, False);
}

VG_REGPARM(2) void lastpath_modify(Addr address, UWord index)
{
	const struct reference *reference = miss_path_reference(index);

	lastpath_write_after_read(&tool_simulate.last_path, miss_path_site(reference), address,
				  reference->size);
}
