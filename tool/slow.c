/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/slow.h"

#include "tool/tool.h"

static void note_misses(struct reference *reference, unsigned outcome)
{
	reference->l1_misses += outcome & L1_MISS;
	reference->ll_misses += (outcome & LL_MISS) != 0;
}

VG_REGPARM(2) void slow_data(Addr address, UWord number)
{
	struct machine *machine = tool.machine;
	struct reference *reference = blocks_reference(&tool.blocks, (UInt)number);

	note_misses(reference, machine_data(machine, address, reference->size,
					    machine->clock - reference->age));
}

VG_REGPARM(2) void slow_guarded_data(Addr address, UWord number)
{
	blocks_reference(&tool.blocks, (UInt)number)->u.executed++;
	slow_data(address, number);
}

VG_REGPARM(1) void slow_fetch(UWord number)
{
	struct machine *machine = tool.machine;
	struct reference *reference = blocks_reference(&tool.blocks, (UInt)number);
	const struct site *site = reference->site;
	struct code_line **lines = reference->n_lines == 1 ? &reference->u.line
							   : reference->u.lines;

	note_misses(reference, machine_fetch(machine, lines, reference->n_lines, site->address,
					     site->size, machine->clock - reference->age));
}
