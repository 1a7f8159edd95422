/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/translate/slow.h"

#include "sim/memory.h"
#include "tool/counts/state.h"
#include "tool/translate/state.h"

/* The first of a reference's slots; it has none until it needs them. */
static UInt slots_of(struct reference *reference)
{
	if (reference->misses == 0)
		reference->misses =
			1 + unit_add_misses(tool_counts.hot->ledger->unit, reference->n_slots);
	return reference->misses - 1;
}

static inline void add_miss(UInt slot, enum event event)
{
	ledger_add_miss(tool_counts.hot->ledger, slot);
	tool_counts.hot->totals[event]++;
}

void slow_note_misses(struct reference *reference, unsigned outcome)
{
	const struct miss_events *events = &miss_events[reference->kind];
	UInt slot;

	if ((outcome & L1_MISS) == 0)
		return;
	slot = slots_of(reference);
	add_miss(slot + SLOT_L1, events->l1);
	if ((outcome & LL_MISS) == 0)
		return;
	add_miss(slot + SLOT_LL, events->ll);
	if ((outcome & LL_WRITE_BACK) != 0)
		add_miss(slot + SLOT_WRITE_BACK, events->write_back);
}

void slow_note_executed(struct reference *reference)
{
	add_miss(slots_of(reference) + SLOT_EXECUTED, miss_events[reference->kind].executed);
}

static VG_REGPARM(2) void slow_data(Addr address, UWord number)
{
	struct machine *machine = tool_translate.machine;
	struct reference *reference = blocks_reference(&tool_counts.blocks, (UInt)number);

	slow_note_misses(reference, machine_data(machine, address, reference->size,
						 machine->clock - reference->age));
}

static VG_REGPARM(2) void slow_guarded_data(Addr address, UWord number)
{
	slow_note_executed(blocks_reference(&tool_counts.blocks, (UInt)number));
	slow_data(address, number);
}

static VG_REGPARM(1) void slow_fetch(UWord number)
{
	struct machine *machine = tool_translate.machine;
	struct reference *reference = blocks_reference(&tool_counts.blocks, (UInt)number);
	const struct site *site = reference->site;
	struct code_line **lines = reference_lines(reference);

	slow_note_misses(reference, machine_fetch(machine, lines, reference->n_lines, site->address,
						  site->size, machine->clock - reference->age));
}

const struct slow_paths slow_paths = {
	.data = slow_data,
	.guarded_data = slow_guarded_data,
	.fetch = slow_fetch,
};
