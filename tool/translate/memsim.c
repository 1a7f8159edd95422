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
#include "tool/translate/memsim.h"

#include "tool/counts/state.h"
#include "tool/translate/state.h"

static struct loader loader_of(struct site *site)
{
	return (struct loader){ .code = site, .context = tool_counts.hot->ledger->context };
}

static struct memory_reference describe(struct site *site, Addr address, UWord size, Bool is_write)
{
	return (struct memory_reference){
		.address = address,
		.size = size,
		.loader = loader_of(site),
		.is_write = is_write,
	};
}

/* ctx tells whether to add or, if it is not NULL, to subtract. */
static void take_cost(void *ctx, const struct line_cost *cost)
{
	struct cell *cell = sites_cell(&tool_counts.sites, cost->loader.code, cost->loader.context);
	ULong access_cost = ctx == NULL ? cost->access_cost : -cost->access_cost;
	ULong space_loss = ctx == NULL ? cost->space_loss : -cost->space_loss;
	Bool is_first = cost->level == 1;

	cell_add(&tool_counts.sites, cell, is_first ? EVENT_ACCOST1 : EVENT_ACCOST2, access_cost);
	cell_add(&tool_counts.sites, cell, is_first ? EVENT_SPLOSS1 : EVENT_SPLOSS2, space_loss);
}

static const struct line_sink adding_sink = { take_cost, NULL };

void memsim_init(struct memsim *memsim, const struct translate_options *options,
		 const struct hierarchy_geometry *geometry, struct near *near)
{
	const struct memory_options memory_options = {
		.write_back = options->simulate_wb,
		.prefetch = options->simulate_hwpref,
		.uses = options->cacheuse,
	};
	void *space = near_alloc(near, memory_size(geometry, &memory_options));

	memory_init(&memsim->memory, geometry, &memory_options, &adding_sink, space);
	memsim->resident_charged = False;
}

void memsim_charge_resident(struct memsim *memsim)
{
	if (memsim->resident_charged || !memsim->memory.options.uses)
		return;
	memory_charge_resident(&memsim->memory, &adding_sink);
	memsim->resident_charged = True;
}

void memsim_uncharge_resident(struct memsim *memsim)
{
	const struct line_sink sink = { take_cost, memsim };

	if (!memsim->resident_charged)
		return;
	memory_charge_resident(&memsim->memory, &sink);
	memsim->resident_charged = False;
}

/* --- the inline engine --------------------------------------------------------------- */

static ULong first_stamp(const struct reference *reference)
{
	return tool_translate.machine->clock - reference->age;
}

/* Whether LL sees a reference even if it hits the first level. */
static Bool is_seen_behind(const struct reference *reference)
{
	return reference->kind == REFERENCE_WRITE &&
	       tool_translate.memsim.memory.options.write_back;
}

/* Misses of a reference that the first level has seen. */
static void look_behind(struct reference *reference, const struct memory_reference *described,
			Bool missed)
{
	slow_note_misses(reference,
			 memory_behind(&tool_translate.memsim.memory, described, missed));
}

/* With uses: most references are to the line that was touched last, and done with that. */
static inline Bool is_use_again(const struct lines *lines, Addr address, UInt size)
{
	return tool_translate.memsim.memory.options.uses && lineuse_again(lines, address, size);
}

static VG_REGPARM(2) void data(Addr address, UWord number)
{
	struct reference *reference = blocks_reference(&tool_counts.blocks, (UInt)number);
	struct memory *memory = &tool_translate.memsim.memory;
	struct memory_reference described;
	Bool missed;

	if (!is_seen_behind(reference) && is_use_again(&memory->d1, address, reference->size))
		return;
	described = describe(reference->site, address, reference->size,
			     reference->kind == REFERENCE_WRITE);
	if (memory->options.uses)
		missed = memory_touch_data(memory, &described);
	else
		missed = machine_touch_data(tool_translate.machine, address, reference->size,
					    first_stamp(reference));
	look_behind(reference, &described, missed);
}

static VG_REGPARM(2) void guarded_data(Addr address, UWord number)
{
	slow_note_executed(blocks_reference(&tool_counts.blocks, (UInt)number));
	data(address, number);
}

static VG_REGPARM(1) void fetch(UWord number)
{
	struct reference *reference = blocks_reference(&tool_counts.blocks, (UInt)number);
	struct memory *memory = &tool_translate.memsim.memory;
	const struct site *site = reference->site;
	struct memory_reference described;
	Bool missed;

	if (is_use_again(&memory->i1, site->address, site->size))
		return;
	described = describe(reference->site, site->address, site->size, False);
	if (memory->options.uses)
		missed = memory_touch_code(memory, &described);
	else
		missed = machine_touch_code(tool_translate.machine, reference_lines(reference),
					    reference->n_lines, first_stamp(reference));
	look_behind(reference, &described, missed);
}

/* The read has brought the line into the first level, so this is as a write that hits there. */
VG_REGPARM(2) void memsim_modify(Addr address, UWord number)
{
	const struct reference *reference = blocks_reference(&tool_counts.blocks, (UInt)number);

	memsim_write_behind(reference->site, address, reference->size);
}

const struct slow_paths memsim_paths = {
	.data = data,
	.guarded_data = guarded_data,
	.fetch = fetch,
};

/* --- the plain engine ---------------------------------------------------------------- */

unsigned memsim_fetch(struct site *site)
{
	struct memory *memory = &tool_translate.memsim.memory;
	const struct memory_reference reference = describe(site, site->address, site->size, False);
	Bool missed = memory->options.uses ? memory_touch_code(memory, &reference)
					   : cache_touch_all(&tool_translate.hierarchy.i1,
							     site->address, site->size);

	return memory_behind(memory, &reference, missed);
}

unsigned memsim_data(struct site *site, Addr address, UWord size, Bool is_write)
{
	struct memory *memory = &tool_translate.memsim.memory;
	const struct memory_reference reference = describe(site, address, size, is_write);
	Bool missed = memory->options.uses
			      ? memory_touch_data(memory, &reference)
			      : cache_touch_all(&tool_translate.hierarchy.d1, address, size);

	return memory_behind(memory, &reference, missed);
}

void memsim_write_behind(struct site *site, Addr address, UWord size)
{
	const struct memory_reference reference = describe(site, address, size, True);

	memory_behind(&tool_translate.memsim.memory, &reference, False);
}
