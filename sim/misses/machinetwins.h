/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The twins (sim/misses/twin.h) of the machine's first level, one for data and one for code, which
 * see all references that it does.  Of a plain first level, slots are ways; of one whose newest
 * lines are known (sim/newest.h), sets; of others there are none, and C is called for each
 * reference anyway.
 *
 * Invariant: generated code touches no line without a call that its twin has not got in a slot:
 * lines that have left the twin are taken out of the line filter, and lines of code have no stamp.
 *
 * Prefetches are no references: a line that they bring is in the twin when it is used.
 */
#ifndef SIM_MISSES_MACHINETWINS_H
#define SIM_MISSES_MACHINETWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machine.h"
#include "sim/misses/fullcache.h"
#include "sim/misses/missclasses.h"
#include "sim/misses/twin.h"

struct machine_twins {
	struct twin data, code;
	struct seen data_seen, code_seen;
	struct curve_tally *tally; /* of references to data, or NULL; the user's */
	uint64_t clock;            /* of those that have no slots */
	uint32_t outcome;          /* of the reference that was made last: bits FULL_... */
};

/* Gives a machine, whose caches are empty, twins in the caller's struct, which stays as long as it. */
void machinetwins_attach(struct machine_twins *twins, struct machine *machine,
			 const struct hierarchy_config *config, const struct misses_memory *memory);

/* Gives their memory back. */
void machinetwins_release(struct machine_twins *twins);

/* --- for sim/machine.c: only if there are twins ------------------------------------------------ */

/* The machine's reference to data has been made. */
void machinetwins_touch_data(struct machine *machine, uint64_t address, uint64_t size,
			     uint64_t stamp);

/* A modify may have brought its lines again, which is no reference of its own. */
void machinetwins_modify(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp);

/* As machine_fetch() has it, which has been done. */
void machinetwins_touch_code(struct machine *machine, struct code_line *const *lines,
			     unsigned n_lines, uint64_t address, uint64_t size, uint64_t stamp);

/* Lines of the range are in the first level no more; they are as if they had never been asked for. */
void machinetwins_evict(struct machine *machine, struct address_range range);

/* --- whether there are or not: a slot is about to lose its line, and has its stamp --------------- */

static inline void machinetwins_settle_data(const struct machine *machine, size_t slot)
{
	if (machine->twins != NULL)
		twin_settle(&machine->twins->data, (uint32_t)slot);
}

static inline void machinetwins_settle_code(const struct machine *machine, size_t slot)
{
	if (machine->twins != NULL)
		twin_settle(&machine->twins->code, (uint32_t)slot);
}

#endif
