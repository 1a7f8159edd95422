/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/translate/miss_path.h"

#include "tool/counts/state.h"
#include "tool/translate/state.h"

static __attribute__((noinline)) void add_slots(struct reference *reference)
{
	reference->misses =
		1 + unit_add_misses(tool_counts.hot->counters->unit, reference->n_slots);
}

/* The first of a reference's slots; it has none until it needs them. */
static inline UInt slots_of(struct reference *reference)
{
	if (__builtin_expect(reference->misses == 0, 0))
		add_slots(reference);
	return reference->misses - 1;
}

static void add_one(UInt slot, enum event event)
{
	counter_set_add_misses(tool_counts.hot->counters, slot, 1);
	tool_counts.hot->totals[event]++;
}

/* Of a reference that missed so many levels, one or more. */
static inline void note_misses(struct reference *reference, UInt n)
{
	const enum event *events = tool_counts.levels.missed[reference->kind];
	ULong *totals = tool_counts.hot->totals;

	counter_set_add_misses(tool_counts.hot->counters, slots_of(reference), n);
	for (UInt level = 0; level < n; level++)
		totals[events[level]]++;
}

void miss_path_note_misses(struct reference *reference, UInt served)
{
	if (served != 0)
		note_misses(reference, served);
}

void miss_path_note_write_back(struct reference *reference)
{
	add_one(slots_of(reference) + slot_write_back(&tool_counts.levels),
		reference_events[reference->kind].write_back);
}

static void note_executed(struct reference *reference)
{
	add_one(slots_of(reference) + slot_executed(&tool_counts.levels),
		reference_events[reference->kind].executed);
}

static VG_REGPARM(2) UInt miss_path_data(Addr address, UWord number)
{
	struct machine *machine = tool_translate.machine;
	struct reference *reference = blocks_reference(&tool_counts.blocks, (UInt)number);
	UInt served =
		machine_data(machine, address, reference->size, machine->clock - reference->age);

	if (served != 0)
		note_misses(reference, served);
	return served;
}

static VG_REGPARM(1) UInt miss_path_fetch(UWord number)
{
	struct machine *machine = tool_translate.machine;
	struct reference *reference = blocks_reference(&tool_counts.blocks, (UInt)number);
	ULong stamp = machine->clock - reference->age;
	UInt served;

	if (reference->is_inside) /* most; their sites are not in the host's cache */
		served = machine_fetch(machine, &reference->u.line, 1, reference->u.line->address,
				       1, stamp);
	else {
		const struct site *site = reference->site;

		served = machine_fetch(machine, reference_lines(reference), reference->n_lines,
				       site->address, site->size, stamp);
	}

	if (served != 0)
		note_misses(reference, served);
	return served;
}

const struct miss_paths miss_paths = { miss_path_data, miss_path_fetch };

VG_REGPARM(2) UInt miss_path_guarded_data(Addr address, UWord number)
{
	note_executed(blocks_reference(&tool_counts.blocks, (UInt)number));
	return tool_translate.paths->data(address, number);
}
