/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of events.  EstCyc is the estimate of costgrind annotate: a reference that
 * the first level serves takes 1 cycle, one that the last level serves 5, memory 35.  So
 * each reference counts 1, a miss of the first level 4 more, one of the last 30 more.
 * (KCachegrind's own estimate, which it has anyway, is another one: CEst.)
 */
#include "tool/common/event.h"

const struct event_info event_table[N_EVENTS] = {
	[EVENT_IR] = { "Ir", "Instructions executed", GROUP_ALWAYS, 1 },
	[EVENT_DR] = { "Dr", "Data reads", GROUP_CACHE, 1 },
	[EVENT_DW] = { "Dw", "Data writes", GROUP_CACHE, 1 },
	[EVENT_I1MR] = { "I1mr", "L1 instruction fetch misses", GROUP_CACHE, 4 },
	[EVENT_D1MR] = { "D1mr", "L1 data read misses", GROUP_CACHE, 4 },
	[EVENT_D1MW] = { "D1mw", "L1 data write misses", GROUP_CACHE, 4 },
	[EVENT_ILMR] = { "ILmr", "Last-level instruction fetch misses", GROUP_CACHE, 30 },
	[EVENT_DLMR] = { "DLmr", "Last-level data read misses", GROUP_CACHE, 30 },
	[EVENT_DLMW] = { "DLmw", "Last-level data write misses", GROUP_CACHE, 30 },
	[EVENT_ILDMR] = { "ILdmr", "Last-level fetch misses with write-back", GROUP_WRITE_BACK, 0 },
	[EVENT_DLDMR] = { "DLdmr", "Last-level data read misses with write-back", GROUP_WRITE_BACK,
			  0 },
	[EVENT_DLDMW] = { "DLdmw", "Last-level data write misses with write-back", GROUP_WRITE_BACK,
			  0 },
	[EVENT_BC] = { "Bc", "Conditional branches executed", GROUP_BRANCH, 0 },
	[EVENT_BCM] = { "Bcm", "Conditional branches mispredicted", GROUP_BRANCH, 0 },
	[EVENT_BI] = { "Bi", "Indirect branches executed", GROUP_BRANCH, 0 },
	[EVENT_BIM] = { "Bim", "Indirect branches mispredicted", GROUP_BRANCH, 0 },
	[EVENT_ACCOST1] = { "AcCost1", "L1 lines: 1000 / uses of each", GROUP_USE, 0 },
	[EVENT_SPLOSS1] = { "SpLoss1", "L1 lines: bytes never used", GROUP_USE, 0 },
	[EVENT_ACCOST2] = { "AcCost2", "Last-level lines: 1000 / uses of each", GROUP_USE, 0 },
	[EVENT_SPLOSS2] = { "SpLoss2", "Last-level lines: bytes never used", GROUP_USE, 0 },
	[EVENT_GE] = { "Ge", "Bus locks", GROUP_BUS, 0 },
	[EVENT_SYS_COUNT] = { "sysCount", "System calls", GROUP_SYSTEM, 0 },
	[EVENT_SYS_TIME] = { "sysTime", "Elapsed time of system calls", GROUP_SYSTEM, 0 },
	[EVENT_REP] = { "Rep", "Iterations of rep instructions", GROUP_ARCHITECTURAL, 0 },
	[EVENT_SYS_CPU_TIME] = { "sysCpuTime", "CPU time of system calls (ns)", GROUP_SYSTEM_CPU,
				 0 },
};

/* The order of a profile's columns: Cachegrind's, with Callgrind's after those they are akin to. */
static const enum event profile_order[N_EVENTS] = {
	EVENT_IR,    EVENT_DR,        EVENT_DW,       EVENT_I1MR,         EVENT_D1MR,
	EVENT_D1MW,  EVENT_ILMR,      EVENT_DLMR,     EVENT_DLMW,         EVENT_ILDMR,
	EVENT_DLDMR, EVENT_DLDMW,     EVENT_BC,       EVENT_BCM,          EVENT_BI,
	EVENT_BIM,   EVENT_ACCOST1,   EVENT_SPLOSS1,  EVENT_ACCOST2,      EVENT_SPLOSS2,
	EVENT_GE,    EVENT_SYS_COUNT, EVENT_SYS_TIME, EVENT_SYS_CPU_TIME, EVENT_REP,
};

/* How many of the first events must be counted for this one to be. */
static UInt counted_with(enum event event)
{
	if (event == EVENT_IR || event >= N_RUNNING_EVENTS)
		return 1;
	return event < N_COMMON_EVENTS ? N_COMMON_EVENTS : event + 1;
}

void event_set_init(struct event_set *set, UInt groups)
{
	set->n = 0;
	set->n_counted = 1;
	for (UInt i = 0; i < N_EVENTS; i++) {
		enum event event = profile_order[i];

		if ((event_table[event].group & (groups | GROUP_ALWAYS)) == 0)
			continue;
		set->events[set->n++] = event;
		if (set->n_counted < counted_with(event))
			set->n_counted = counted_with(event);
	}
	if (set->n == 2 && set->events[1] == EVENT_REP)
		set->n_counted = N_COUNTED_IR_REP;
}

void event_copy_rare(ULong *to, const ULong *from, UInt n_counted)
{
	for (UInt event = EVENT_REP + 1; event < n_counted; event++)
		to[event] = from[event];
}

void event_add_rare_difference(ULong *sums, const ULong *now, const ULong *before, UInt n_counted)
{
	for (UInt event = EVENT_REP + 1; event < n_counted; event++)
		sums[event] += now[event] - before[event];
}
