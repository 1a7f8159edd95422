/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/slow.h"

#include "tool/tool.h"

enum {
	SLOT_L1, /* of a reference's misses: the first of its slots */
	SLOT_LL,
	SLOT_EXECUTED, /* if it is guarded */
};

/* The first of a reference's slots; it has none until it needs them. */
static UInt slots_of(struct reference *reference)
{
	if (reference->misses == 0)
		reference->misses =
			1 + unit_add_misses(tool.hot->ledger->unit,
					    reference->guarded ? SLOT_EXECUTED + 1 : SLOT_LL + 1);
	return reference->misses - 1;
}

static void note_misses(struct reference *reference, unsigned outcome)
{
	static const struct {
		enum event l1, ll;
	} events[] = {
		[REFERENCE_FETCH] = { EVENT_I1MR, EVENT_ILMR },
		[REFERENCE_READ] = { EVENT_D1MR, EVENT_DLMR },
		[REFERENCE_WRITE] = { EVENT_D1MW, EVENT_DLMW },
	};
	UInt slot;

	if ((outcome & L1_MISS) == 0)
		return;
	slot = slots_of(reference);
	ledger_add_miss(tool.hot->ledger, slot + SLOT_L1);
	tool.hot->totals[events[reference->kind].l1]++;
	if ((outcome & LL_MISS) == 0)
		return;
	ledger_add_miss(tool.hot->ledger, slot + SLOT_LL);
	tool.hot->totals[events[reference->kind].ll]++;
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
	struct reference *reference = blocks_reference(&tool.blocks, (UInt)number);

	ledger_add_miss(tool.hot->ledger, slots_of(reference) + SLOT_EXECUTED);
	tool.hot->totals[reference->kind == REFERENCE_READ ? EVENT_DR : EVENT_DW]++;
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
