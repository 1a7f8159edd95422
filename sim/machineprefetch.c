/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/machineprefetch.h"

#include "sim/machinefilter.h"
#include "sim/newest.h"

bool machine_has(const struct machine *machine, unsigned level, uint64_t line)
{
	if (level > 0)
		return cache_find(&machine->lower.caches[level - 1], line) != SIZE_MAX;
	return machine->d1.assoc != 0 ? machine_has_data(machine, line)
				      : cache_find(&machine->called_d1, line) != SIZE_MAX;
}

static void hide(struct machine *machine, uint64_t line)
{
	if (machine->newest_data.lines != NULL)
		newest_hide_data(machine, line);
	else
		machinefilter_forget_line(machine, line);
}

unsigned machine_prefetch(struct machine *machine, unsigned level, uint64_t line, uint64_t stamp)
{
	unsigned served;

	if (level > 0)
		return machine_has(machine, level, line)
			       ? PREFETCH_HAD
			       : lower_prefetch(&machine->lower, level, line);
	if (machine->d1.has_common_miss)
		return machine_prefetch_common(machine, line, stamp);
	if (machine_has(machine, 0, line))
		return PREFETCH_HAD;
	served = machine_bring_data(machine, line, stamp);
	hide(machine, line);
	return served;
}
