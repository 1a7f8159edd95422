/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/eviction.h"

#include "sim/machinefilter.h"
#include "sim/misses/machinetwins.h"
#include "sim/newest.h"

void eviction_empty_data(struct machine *machine, size_t way)
{
	struct data_ways *d1 = &machine->d1;

	machinetwins_settle_data(machine, way);
	d1->tags[way] = HIERARCHY_NO_LINE;
	d1->low_tags[way] = 0;
	d1->stamps[way] = 0;
	if (d1->written_offset != 0)
		*machine_written(machine, &d1->stamps[way]) = 0;
}

static bool entry_meets(const struct machine *machine, const struct filter_entry *entry,
			struct address_range range)
{
	return entry->stamp != machine->d1.nowhere &&
	       address_range_meets(range, entry->line, machine->d1.line_bits);
}

static void evict_data(struct machine *machine, struct address_range range)
{
	const struct data_ways *d1 = &machine->d1;
	size_t n = (size_t)(d1->set_mask + 1) * d1->assoc;

	/* The filter first: entries name only what is resident. */
	for (uint64_t i = 0; i <= machine->filter_mask; i++) {
		if (entry_meets(machine, &machine->filter[i], range))
			machinefilter_forget_at(machine, i);
	}
	for (size_t i = 0; i < n; i++) {
		if (d1->tags[i] != HIERARCHY_NO_LINE &&
		    address_range_meets(range, d1->tags[i], d1->line_bits))
			eviction_empty_data(machine, i);
	}
}

void eviction_empty_code(struct machine *machine, size_t way)
{
	struct code_ways *i1 = &machine->i1;

	machinetwins_settle_code(machine, way);
	if (machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_ITLB, way);
	i1->lines[way]->stamp = &machine->nowhere;
	i1->lines[way] = NULL;
	i1->stamps[way] = 0;
}

static void evict_code(struct machine *machine, struct address_range range)
{
	const struct code_ways *i1 = &machine->i1;
	size_t n = (size_t)(i1->set_mask + 1) * i1->assoc;

	for (size_t i = 0; i < n; i++) {
		if (i1->lines[i] &&
		    address_range_meets(range, i1->lines[i]->address, i1->line_bits))
			eviction_empty_code(machine, i);
	}
}

void machine_evict(struct machine *machine, struct address_range range)
{
	if (machine->d1.assoc != 0)
		evict_data(machine, range);
	else
		cache_evict(&machine->called_d1, range);
	if (machine->newest_data.lines != NULL)
		newest_forget_all_data(machine);
	if (machine->i1.assoc != 0)
		evict_code(machine, range);
	else
		cache_evict(&machine->called_i1, range);
	for (uint64_t i = 0;
	     machine->newest_code.lines != NULL && i < cache_n_sets(&machine->called_i1); i++)
		newest_forget_code(machine, i);
	lower_evict(&machine->lower, range);
	machine_unmap(machine, range);
	if (machine->twins != NULL)
		machinetwins_evict(machine, range);
	machine->last_code = HIERARCHY_NO_LINE;
	machine->evicted_at = machine->clock;
}

void machine_unmap(struct machine *machine, struct address_range range)
{
	if (machine->tlbs != NULL)
		machinetlbs_evict(machine, range);
}

static void hide_data(struct machine *machine, struct address_range range)
{
	const unsigned bits = machine->d1.line_bits;
	const uint64_t first = range.first >> bits, last = range.last >> bits;

	if (last - first < machine->filter_mask) {
		for (uint64_t line = first; line <= last; line++)
			machinefilter_forget_line(machine, line << bits);
		return;
	}
	for (uint64_t i = 0; i <= machine->filter_mask; i++)
		if (address_range_meets(range, machine->filter[i].line, bits))
			machinefilter_forget_at(machine, i);
}

static void hide_code(struct machine *machine, struct address_range range)
{
	const struct code_ways *i1 = &machine->i1;
	const size_t n = (size_t)(i1->set_mask + 1) * i1->assoc;

	for (size_t i = 0; i < n; i++) {
		struct code_line *line = i1->lines[i];

		if (line == NULL || line->stamp == &machine->nowhere ||
		    !address_range_meets(range, line->address, i1->line_bits))
			continue;
		if (machine->tlbs != NULL)
			machinetlbs_unname(machine, TLB_ITLB, i);
		line->stamp = &machine->nowhere;
	}
}

static void hide_newest_code(struct machine *machine, struct address_range range)
{
	for (uint64_t i = 0; i < cache_n_sets(&machine->called_i1); i++) {
		const struct code_line *line = machine->newest_code.lines[i];

		if (line != NULL &&
		    address_range_meets(range, line->address, machine->i1.line_bits))
			newest_forget_code(machine, i);
	}
}

void machine_hide(struct machine *machine, struct address_range range)
{
	machine->hides = true;
	hide_data(machine, range);
	if (machine->i1.assoc != 0)
		hide_code(machine, range);
	else if (machine->newest_code.lines != NULL)
		hide_newest_code(machine, range);
}
