/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/simulate/machinestate.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/cycles/state.h"
#include "tool/simulate/state.h"

const HChar *machinestate_misfit(const struct simulate_options *options)
{
	return options->cacheuse                       ? "--cacheuse=yes"
	       : options->simulate_hwpref              ? "--simulate-hwpref=yes"
	       : options->simulate_wb                  ? "--simulate-wb=yes"
	       : options->counted[GROUP_CLASSES]       ? "--miss-classes=yes"
	       : options->miss_curve != MISS_CURVE_NO  ? "--miss-curve"
	       : options->observes[MISS_OBSERVER_DATA] ? "--data=yes"
						       : NULL;
}

void machinestate_note(void *memory, SizeT size)
{
	struct machine_state *state = &tool_simulate.machine_state;

	tl_assert(state->n < MACHINESTATE_PIECES);
	state->pieces[state->n++] = (struct state_piece){ .memory = memory, .size = size };
}

void machinestate_clear(void)
{
	if (tool_simulate.cores.several) {
		threadcores_clear(&tool_simulate.cores);
	} else {
		if (tool_simulate.oracle == NULL)
			machine_clear(tool_simulate.machine, &tool_simulate.simulated);
		else
			tool_simulate.oracle->clear();
		branching_clear(&tool_simulate.branching);
	}
	prefetching_clear(&tool_simulate.prefetching);
	VG_(memset)(&tool_cycles.waits, 0, sizeof(tool_cycles.waits));
}

void machinestate_keep(void)
{
	struct machine_state *state = &tool_simulate.machine_state;
	struct machine *machine = tool_simulate.machine;

	if (tool_simulate.cores.several)
		return;
	if (machine != NULL && tool_simulate.kept_machine == NULL)
		tool_simulate.kept_machine =
			VG_(malloc)("costgrind.kept", machine_size(&tool_simulate.simulated));
	if (machine != NULL)
		machine_keep(machine, &tool_simulate.simulated, tool_simulate.kept_machine);
	for (UInt i = 0; i < state->n; i++) {
		struct state_piece *piece = &state->pieces[i];

		if (piece->kept == NULL)
			piece->kept = VG_(malloc)("costgrind.kept", piece->size);
		VG_(memcpy)(piece->kept, piece->memory, piece->size);
	}
	branching_keep(&tool_simulate.branching);
	state->is_kept = True;
}

void machinestate_restore(void)
{
	const struct machine_state *state = &tool_simulate.machine_state;

	if (!state->is_kept || tool_simulate.cores.several)
		return;
	if (tool_simulate.machine != NULL)
		machine_restore(tool_simulate.machine, &tool_simulate.simulated,
				tool_simulate.kept_machine);
	for (UInt i = 0; i < state->n; i++)
		VG_(memcpy)(state->pieces[i].memory, state->pieces[i].kept, state->pieces[i].size);
	branching_restore(&tool_simulate.branching);
}
