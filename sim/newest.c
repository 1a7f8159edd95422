/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/newest.h"

#include "sim/basics.h"

#include "sim/machinefilter.h"
#include "sim/misses/machinetwins.h"

enum {
	NO_LINE = HIERARCHY_NO_LINE, /* no newest line */
};

size_t newest_memory_size(const struct cache_config *first)
{
	return aligned_size(2 * (size_t)geometry_sets(&first->geometry) * sizeof(uint64_t));
}

void newest_init_data(struct machine *machine, uint64_t *memory)
{
	uint64_t n_sets = cache_n_sets(&machine->called_d1);

	if (!machine->called_d1.policy->settles)
		return;
	machine->newest_data.lines = memory;
	machine->newest_data.stamps = memory + n_sets;
	for (uint64_t i = 0; i < n_sets; i++)
		memory[i] = NO_LINE;
}

void newest_init_code(struct machine *machine, uint64_t *memory)
{
	if (!machine->called_i1.policy->settles)
		return;
	machine->newest_code.stamps = memory;
	machine->newest_code.lines = (void *)(memory + cache_n_sets(&machine->called_i1));
}

void newest_forget_all_data(struct machine *machine)
{
	for (uint64_t i = 0; i < cache_n_sets(&machine->called_d1); i++) {
		machinetwins_settle_data(machine, i);
		machine->newest_data.lines[i] = NO_LINE;
	}
	for (uint64_t i = 0; i <= machine->filter_mask; i++)
		machinefilter_forget_at(machine, i);
}

void newest_hide_data(struct machine *machine, uint64_t line)
{
	const uint64_t set = cache_set_number(&machine->called_d1, line);

	machinetwins_settle_data(machine, set);
	machine->newest_data.lines[set] = NO_LINE;
	machinefilter_forget_line(machine, line);
}

void newest_forget_code(struct machine *machine, uint64_t set)
{
	struct code_line **newest = &machine->newest_code.lines[set];

	machinetwins_settle_code(machine, set);
	if (machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_ITLB, (size_t)set);
	if (*newest != NULL)
		(*newest)->stamp = &machine->nowhere;
	*newest = NULL;
	machine->newest_code.stamps[set] = 0;
}

void newest_note_data(struct machine *machine, uint64_t line)
{
	struct filter_entry *entry = machine_filter_entry(machine, line);
	uint64_t set;
	uint64_t *newest;

	if (machine->newest_data.lines == NULL)
		return;
	set = cache_set_number(&machine->called_d1, line);
	newest = &machine->newest_data.lines[set];
	if (*newest != NO_LINE && *newest != line) {
		machinetwins_settle_data(machine, set);
		machinefilter_forget_line(machine, *newest);
	}
	*newest = line;
	if (machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_DTLB, (size_t)(entry - machine->filter));
	*entry = (struct filter_entry){ .line = line, .stamp = &machine->newest_data.stamps[set] };
}

struct cache_touched newest_touch_code(struct machine *machine, struct code_line *line,
				       uint64_t stamp)
{
	struct cache_touched touched = { .missed = false };
	uint64_t set;

	if (machine_fetch_fast(machine, line, stamp))
		return touched;
	touched = cache_touch_line(&machine->called_i1, line->address);
	set = cache_set_number(&machine->called_i1, line->address);
	newest_forget_code(machine, set);
	machine->newest_code.lines[set] = line;
	machine->newest_code.stamps[set] = stamp;
	line->stamp = &machine->newest_code.stamps[set];
	return touched;
}

bool newest_take_data(struct machine *machine, uint64_t line)
{
	bool was_dirty = cache_take(&machine->called_d1, line) == CACHE_WAS_DIRTY;

	if (machine->newest_data.lines != NULL) {
		const uint64_t set = cache_set_number(&machine->called_d1, line);

		if (machine->newest_data.lines[set] == line) {
			machinetwins_settle_data(machine, set);
			machine->newest_data.lines[set] = NO_LINE;
		}
		machinefilter_forget_line(machine, line);
	}
	return was_dirty;
}

/* Whether this set's newest line is that of the last fetch since machine_evict(). */
static bool is_last_newest(const struct machine *machine, uint64_t set)
{
	const uint64_t *stamps = machine->newest_code.stamps;
	uint64_t n = cache_n_sets(&machine->called_i1);

	if (stamps[set] < machine->evicted_at)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (stamps[i] > stamps[set])
			return false;
	}
	return true;
}

void newest_take_code(struct machine *machine, uint64_t line)
{
	uint64_t set = cache_set_number(&machine->called_i1, line);
	const struct code_line *newest = machine->newest_code.lines[set];

	if (newest != NULL && newest->address == line) {
		if (is_last_newest(machine, set))
			return;
		newest_forget_code(machine, set);
	}
	cache_take(&machine->called_i1, line);
}
