/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/simulate/miss_path.h"

#include "pub_tool_threadstate.h"

#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/simulate/state.h"

struct reference *miss_path_reference(UWord index)
{
	return &blocks_references(&tool_counts.blocks, (UInt)tool_counts.hot->block)[index];
}

struct site *miss_path_site(const struct reference *reference)
{
	return reference_site(blocks_by_number(&tool_counts.blocks, (UInt)tool_counts.hot->block),
			      reference);
}

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

/* While the machine looks, the host fetches what is counted in if it misses. */
static ALWAYS_INLINED void prepare_slots(const struct reference *reference)
{
	const struct counter_set *counters = tool_counts.hot->counters;

	if (reference->misses == 0)
		return;
	counter_set_prepare(counters, reference->misses - 1);
	if (tool_cycles.is_on)
		counter_set_prepare(counters,
				    reference->misses - 1 + slot_waits(&tool_counts.levels));
}

static void add_one(UInt slot, enum event event)
{
	counter_set_add_misses(tool_counts.hot->counters, slot, 1);
	tool_counts.hot->totals[event]++;
}

/* Of a reference that missed n levels, one or more. */
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
		tool_counts.levels.write_back[reference->kind]);
}

/* A reference missed TLBs, whatever caches did. */
static __attribute__((noinline)) void note_pages(struct reference *reference)
{
	const struct levels *levels = &tool_counts.levels;

	for (UInt view = 0; view < levels->n_views; view++) {
		const enum event *events = levels->missed_pages[reference->kind][view];
		UInt n = machine_missed_pages(tool_simulate.running, view);

		if (n == 0)
			continue;
		counter_set_add_misses(tool_counts.hot->counters,
				       slots_of(reference) + slot_pages(levels, view), n);
		for (UInt level = 0; level < n; level++)
			tool_counts.hot->totals[events[level]]++;
	}
}

static enum sharing_kind note_sharing(const struct reference *reference, Addr address, Bool writes,
				      Bool is_moved)
{
	const struct miss made = {
		.address = address,
		.size = reference->size,
		.kind = (enum reference_kind)reference->kind,
		.site = miss_path_site(reference),
		.context = tool_counts.hot->counters->context,
		.thread = VG_(get_running_tid)(),
		};

	return tool_simulate.note_sharing(&made, writes, is_moved);
}

/* What it did to the caches of other cores. */
static __attribute__((noinline)) void note_coherence(struct reference *reference, Addr address)
{
	const struct machine_coherence *did = &tool_simulate.running->coherence;
	UInt n[N_COHERENCE_SLOTS] = { did->from_core ? 1 : 0, did->n_upgraded };

	/* Code that another core serves has no event. */
	if (reference->kind == REFERENCE_FETCH)
		return;
	if (tool_simulate.note_sharing != NULL) {
		const enum sharing_kind kind = note_sharing(reference, address,
							    reference->makes_dirty,
							    did->from_core || did->n_upgraded != 0);

		if (kind != SHARING_NONE)
			n[FIRST_SHARING_SLOT + kind] = 1;
	}
	for (UInt i = 0; i < N_COHERENCE_SLOTS; i++) {
		if (n[i] == 0)
			continue;
		counter_set_add_wait(tool_counts.hot->counters,
				     slots_of(reference) + slot_coherence(&tool_counts.levels) + i,
				     n[i]);
		tool_counts.hot->totals[reference_coherence(reference->kind, i)] += n[i];
	}
}

/* What that costs, in cycles. */
static __attribute__((noinline)) void note_waits(struct reference *reference, Addr address,
						 UInt served)
{
	const UInt slot = slot_waits(&tool_counts.levels);
	const struct machine_coherence *coherence = &tool_simulate.running->coherence;
	const Bool is_upgrade = !coherence->from_core && served == 0 && coherence->n_upgraded != 0;
	const UInt missed_pages = tool_simulate.running->missed_pages == 0
					  ? 0
					  : machine_missed_pages(tool_simulate.running, 0);
	const struct wait_cost cost = waits_cost(
		&tool_cycles.waits,
		&(struct wait_reference){
			.reference = reference,
			.address = address,
			.served = coherence->from_core || is_upgrade ? WAIT_CORE : served,
			.is_upgrade = is_upgrade,
			.missed_pages = missed_pages,
			.now = tool_counts.hot->totals[EVENT_IR] + reference->n_instructions,
			.clock = cycles_clock(tool_counts.hot->totals),
		});
	const UInt tenths[N_WAIT_SLOTS] = { cost.caches, cost.pages };

	for (UInt i = 0; i < N_WAIT_SLOTS; i++) {
		if (tenths[i] == 0)
			continue;
		counter_set_add_wait(tool_counts.hot->counters, slots_of(reference) + slot + i,
				     tenths[i]);
		tool_counts.hot->totals[reference_waits(reference->kind, i)] += tenths[i];
	}
}

static void note_classes(struct reference *reference, const struct miss_reasons *reasons,
			 UInt served)
{
	const struct levels *levels = &tool_counts.levels;

	for (UInt level = 0; level < served && level < levels->n; level++) {
		const enum miss_class class = reasons->of[level];

		add_one(slots_of(reference) + slot_reasons(levels, level) + class,
			levels->reasons[reference->kind][level][class]);
	}
	if (reasons->is_anti && reference->kind != REFERENCE_FETCH)
		add_one(slots_of(reference) + slot_anti(levels), EVENT_D1ANTI);
}

/* Which sizes would have missed it. */
static void note_sizes(struct reference *reference)
{
	const struct curve_missed missed = missreasons_take_sizes(&tool_simulate.reasons);

	if (missed.columns == 0)
		return;
	counter_set_add_wait(tool_counts.hot->counters,
			     slots_of(reference) + slot_sizes(&tool_counts.levels) +
				     (UInt)missed.columns - 1,
			     missed.weight);
	for (UInt i = 0; i < missed.columns; i++)
		tool_counts.hot->totals[EVENT_M64K + i] += missed.weight;
}

/* Why it missed, or should have; and where it would not have. */
static __attribute__((noinline)) void note_reasons(struct reference *reference, Addr address,
						   UInt served)
{
	const struct miss_reasons reasons = missreasons_find(&tool_simulate.reasons,
							     miss_path_site(reference),
							     (enum reference_kind)reference->kind,
							     address, reference->size, served);

	if (tool_simulate.reasons.has_classes)
		note_classes(reference, &reasons, served);
	if (tool_simulate.reasons.has_curve && reference->kind != REFERENCE_FETCH)
		note_sizes(reference);
}

/* As miss_path_note_outcome(). */
static inline void note_outcome(struct reference *reference, Addr address, UInt served,
				ULong n_written)
{
	if (__builtin_expect(tool_cycles.is_on, 0) &&
	    (served != 0 || tool_simulate.running->missed_pages != 0 ||
	     tool_simulate.running->coherence.n_upgraded != 0))
		note_waits(reference, address, served);
	if (__builtin_expect(tool_simulate.running->missed_pages != 0, 0))
		note_pages(reference);
	if (__builtin_expect(tool_simulate.cores.several, 0))
		note_coherence(reference, address);
	if (served != 0)
		note_misses(reference, served);
	if (__builtin_expect(tool_simulate.reasons.is_on, 0))
		note_reasons(reference, address, served);
	for (; __builtin_expect(n_written < tool_simulate.running->lower.n_written, 0); n_written++)
		miss_path_note_write_back(reference);
}

void miss_path_note_outcome(struct reference *reference, Addr address, UInt served, ULong n_written)
{
	note_outcome(reference, address, served, n_written);
}

static void note_executed(struct reference *reference)
{
	add_one(slots_of(reference) + slot_executed(&tool_counts.levels),
		reference_events[reference->kind].executed);
}

static VG_REGPARM(2) __attribute__((noinline)) UInt miss_path_data(Addr address, UWord index)
{
	struct machine *machine = tool_simulate.running;
	struct reference *reference = miss_path_reference(index);
	ULong stamp = machine->clock - reference->age, n_written = machine->lower.n_written;
	UInt served;

	prepare_slots(reference);
	served = reference->makes_dirty ? machine_write(machine, address, reference->size, stamp)
					: machine_data(machine, address, reference->size, stamp);
	note_outcome(reference, address, served, n_written);
	return served;
}

static VG_REGPARM(1) __attribute__((noinline)) UInt miss_path_fetch(UWord index)
{
	struct machine *machine = tool_simulate.running;
	struct reference *reference = miss_path_reference(index);
	ULong stamp = machine->clock - reference->age, n_written = machine->lower.n_written;
	struct code_line *room[REFERENCE_MAX_LINES];
	UInt served;

	prepare_slots(reference);
	served = machine_fetch(machine, threadcores_lines(&tool_simulate.cores, reference, room),
			       reference->n_lines, reference->u.address, reference->size, stamp);
	note_outcome(reference, reference->u.address, served, n_written);
	return served;
}

MISS_PATHS_OF(miss_paths, miss_path_data, miss_path_fetch)

VG_REGPARM(2) UInt miss_path_guarded_data(Addr address, UWord index)
{
	note_executed(miss_path_reference(index));
	return tool_simulate.paths->data(address, index);
}

VG_REGPARM(2) void miss_path_modify(Addr address, UWord index)
{
	struct machine *machine = tool_simulate.running;
	const struct reference *reference = miss_path_reference(index);

	machine_modify(machine, address, reference->size, machine->clock - reference->age);
	if (tool_simulate.note_sharing != NULL && tool_simulate.cores.several)
		note_sharing(reference, address, True, False);
}
