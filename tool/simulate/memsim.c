/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs of lines (--cacheuse) are those of the instruction that brought the
 * line in, in its context of that time.  They come up when the line goes,
 * long after the calls that it was brought in by may have returned; so they
 * are in no inclusive cost, and no running total.
 *
 * At a dump many lines are still there.  Their costs are added for the dump
 * and then taken away again: a dump changes nothing.
 */
#include "tool/simulate/memsim.h"

#include "pub_tool_threadstate.h"

#include "tool/counts/state.h"
#include "tool/simulate/state.h"

static struct loader loader_of(struct site *site)
{
	return (struct loader){ .code = site, .context = tool_counts.hot->counters->context };
}

struct lastlevel_reference memsim_reference(struct site *site, Addr address, UWord size,
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

/* If lines are watched, loaders are owners of theirs. */
static struct loader take_in(void *ctx, const struct lastlevel_reference *reference, unsigned level)
{
	const struct line_watcher *watcher = tool_simulate.memsim.watcher;

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

	tool_simulate.memsim.watcher->charged(owner, &charge);
}

/* ctx is NULL to add, else subtracts. */
static void take_cost(void *ctx, const struct line_cost *cost)
{
	struct line_owner owner = { cost->loader.code, cost->loader.context };
	ULong access_cost = ctx == NULL ? cost->access_cost : -cost->access_cost;
	ULong space_loss = ctx == NULL ? cost->space_loss : -cost->space_loss;
	Bool is_first = cost->level == 1;
	struct cell *cell;

	if (tool_simulate.memsim.watcher != NULL) {
		tell_watcher(cost->loader.code, cost, ctx != NULL);
		owner = *(const struct line_owner *)cost->loader.code;
	}
	cell = sites_cell(&tool_counts.sites, owner.site, owner.context);

	cell_add(&tool_counts.sites, cell, is_first ? EVENT_ACCOST1 : EVENT_ACCOST2, access_cost);
	cell_add(&tool_counts.sites, cell, is_first ? EVENT_SPLOSS1 : EVENT_SPLOSS2, space_loss);
}

static const struct line_sink adding_sink = { take_cost, NULL, take_in };

void memsim_init(struct memsim *memsim, const struct simulate_options *options,
		 const struct hierarchy_config *config, struct hot_memory *hot_memory)
{
	const struct hierarchy_config before = hierarchy_without_last(config);
	const struct lastlevel_options lastlevel_options = {
		.write_back = options->simulate_wb,
		.prefetch = options->simulate_hwpref,
		.uses = options->cacheuse,
	};

	lastlevel_init(&memsim->memory, config, &lastlevel_options, &adding_sink,
		       hot_memory_alloc(hot_memory,
					lastlevel_memory_size(config, &lastlevel_options)));
	if (options->cacheuse && before.n_lower != 0)
		lower_init(&memsim->between, &before, (struct first_level){ NULL, NULL },
			   hot_memory_alloc(hot_memory, lower_memory_size(&before)));
	memsim->last = config->n_lower;
	memsim->watcher = NULL;
	memsim->resident_charged = False;
}

Bool memsim_watch(struct memsim *memsim, const struct line_watcher *watcher)
{
	if (!memsim->memory.options.uses)
		return False;
	memsim->watcher = watcher;
	return True;
}

void memsim_evict(struct memsim *memsim, struct address_range range)
{
	lastlevel_evict(&memsim->memory, range);
	lower_evict(&memsim->between, range);
}

void memsim_charge_resident(struct memsim *memsim)
{
	if (memsim->resident_charged || !memsim->memory.options.uses)
		return;
	lastlevel_charge_resident(&memsim->memory, &adding_sink);
	memsim->resident_charged = True;
}

void memsim_uncharge_resident(struct memsim *memsim)
{
	const struct line_sink sink = { .take = take_cost, .ctx = memsim };

	if (!memsim->resident_charged)
		return;
	lastlevel_charge_resident(&memsim->memory, &sink);
	memsim->resident_charged = False;
}

UInt memsim_serve_with_uses(struct memsim *memsim, const struct lastlevel_reference *described)
{
	struct last_level *memory = &memsim->memory;
	Bool missed = described->is_fetch ? lastlevel_touch_code(memory, described)
					  : lastlevel_touch_data(memory, described);

	return missed ? lower_serve(&memsim->between, described->address, described->size) : 0;
}

UInt memsim_ask_last(struct memsim *memsim, const struct lastlevel_reference *described,
		     UInt served, Bool *wrote_back)
{
	unsigned outcome = lastlevel_see(&memsim->memory, described, served == memsim->last);

	*wrote_back = (outcome & LAST_WROTE_BACK) != 0;
	return (outcome & LAST_MISSED) != 0 ? served + 1 : served;
}

/* --- slow paths of generated code ---------------------------------------------------- */

static ULong first_stamp(const struct reference *reference)
{
	return tool_simulate.machine->clock - reference->age;
}

/* Whether LL sees a reference even if it hits the first level. */
static Bool is_seen_behind(const struct reference *reference)
{
	return reference->kind == REFERENCE_WRITE && tool_simulate.memsim.memory.options.write_back;
}

/* Misses of a reference that the levels before the last one have seen; the level that served it. */
static UInt look_behind(struct reference *reference, const struct lastlevel_reference *described,
			UInt served)
{
	Bool wrote_back;

	served = memsim_ask_last(&tool_simulate.memsim, described, served, &wrote_back);
	miss_path_note_misses(reference, served);
	if (wrote_back)
		miss_path_note_write_back(reference);
	return served;
}

/* With uses: most references are to the line that was touched last, and done with that. */
static inline Bool is_use_again(const struct lines *lines, Addr address, UInt size)
{
	return tool_simulate.memsim.memory.options.uses && lineuse_again(lines, address, size);
}

static VG_REGPARM(2) UInt memsim_slow_data(Addr address, UWord index)
{
	struct reference *reference = miss_path_reference(index);
	struct last_level *memory = &tool_simulate.memsim.memory;
	struct lastlevel_reference described;
	UInt served;

	if (!is_seen_behind(reference) && is_use_again(&memory->d1, address, reference->size))
		return 0;
	described = memsim_reference(miss_path_site(reference), address, reference->size,
				     reference->kind);
	served = memory->options.uses ? memsim_serve_with_uses(&tool_simulate.memsim, &described)
				      : machine_data(tool_simulate.machine, address,
						     reference->size, first_stamp(reference));
	return look_behind(reference, &described, served);
}

static VG_REGPARM(1) UInt memsim_slow_fetch(UWord index)
{
	struct reference *reference = miss_path_reference(index);
	struct last_level *memory = &tool_simulate.memsim.memory;
	struct site *site = miss_path_site(reference);
	struct lastlevel_reference described;
	UInt served;

	if (is_use_again(&memory->i1, site->address, site->size))
		return 0;
	described = memsim_reference(site, site->address, site->size, REFERENCE_FETCH);
	served = memory->options.uses
			 ? memsim_serve_with_uses(&tool_simulate.memsim, &described)
			 : machine_fetch(tool_simulate.machine, reference_lines(reference),
					 reference->n_lines, site->address, site->size,
					 first_stamp(reference));
	return look_behind(reference, &described, served);
}

const struct miss_paths memsim_paths = { memsim_slow_data, memsim_slow_fetch, NULL, NULL };

/* The read has brought the line into the first level, so this is like a write that hits there. */
void memsim_write_after_read(struct memsim *memsim, struct site *site, Addr address, UWord size)
{
	const struct lastlevel_reference reference =
		memsim_reference(site, address, size, REFERENCE_WRITE);

	lastlevel_see(&memsim->memory, &reference, False);
}

VG_REGPARM(2) void memsim_modify(Addr address, UWord index)
{
	const struct reference *reference = miss_path_reference(index);

	memsim_write_after_read(&tool_simulate.memsim, miss_path_site(reference), address,
				reference->size);
}
