/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line filter of the machine (sim/machine.h): how entries are emptied. */
#ifndef SIM_MACHINEFILTER_H
#define SIM_MACHINEFILTER_H

#include "sim/machine.h"
#include "sim/tlbs/machinetlbs.h"

/* An entry names a line that belongs to its neighbour, which no reference that looks here is in. */
static inline struct filter_entry machinefilter_empty(struct machine *machine, uint64_t index)
{
	return (struct filter_entry){
		.line = (index ^ 1) << machine->d1.line_bits,
		.stamp = machine->d1.nowhere,
	};
}

static inline void machinefilter_forget_at(struct machine *machine, uint64_t index)
{
	if (machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_DTLB, (size_t)index);
	machine->filter[index] = machinefilter_empty(machine, index);
}

/* No entry names a line any more: generated code is to know nothing of it. */
static inline void machinefilter_forget_line(struct machine *machine, uint64_t line)
{
	const struct filter_entry *entry = machine_filter_entry(machine, line);

	if (entry->line == line)
		machinefilter_forget_at(machine, (uint64_t)(entry - machine->filter));
}

/* For sim/machineprefetch.c and sim/misses/machinetwins.c; in sim/machine.c. */

/* Whether a plain D1 has a line; the way that has it, UINT32_MAX if none does. */
bool machine_has_data(const struct machine *machine, uint64_t line);
uint32_t machine_data_way(const struct machine *machine, uint64_t line);

/* Does all of that for D1, if it has_common_miss. */
unsigned machine_prefetch_common(struct machine *machine, uint64_t line, uint64_t stamp);

/* Reads one byte of a line that is not in D1, without TLBs; returns the level that served it. */
unsigned machine_bring_data(struct machine *machine, uint64_t line, uint64_t stamp);

/* first_level.take() of the machine. */
bool machine_take_line(void *machine, uint64_t line);

#endif
