/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The twins (sim/misses/twin.h) of the machine's first level, one for data and one for code, which see all references that
 * it does.  In a plain first level, slots are ways; in a called one, sets, if newest lines are kept; else there are none,
 * and C is called for each reference anyway.
 *
 * Invariant: generated code touches no line without a call unless its twin has it in a slot: lines that have left the
 * twin are taken out of the line filter, and lines of code lose their stamp.
 *
 * Prefetches are no references: a line that they bring is in the twin when it is used.
 */
#ifndef SIM_MACHINETWINS_H
#define SIM_MACHINETWINS_H

#include <stdint.h>

#include "sim/basics.h"
#include "sim/machinelayout.h"
#include "sim/misses/missclasses.h"
#include "sim/misses/twin.h"

/* Gives a machine, whose caches are empty, twins in the caller's struct, which stays as long as it. */
void machinetwins_attach(struct machine_twins *twins, struct machine *machine,
			 const struct hierarchy_config *config, const struct misses_memory *memory);

/* Gives their memory back. */
void machinetwins_release(struct machine_twins *twins);

/* --- for sim/machine.c, if there are twins --------------------------------------------------- */

/* The machine's reference to data has been made. */
void machinetwins_touch_data(struct machine *machine, uint64_t address, uint64_t size,
			     uint64_t stamp);

/* A modify may have brought its lines again, which is no reference of its own. */
void machinetwins_modify(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp);

/* The same for machine_fetch(). */
void machinetwins_touch_code(struct machine *machine, struct code_line *const *lines,
			     unsigned n_lines, uint64_t address, uint64_t size, uint64_t stamp);

/* Lines of the range are in the first level no more; they are as if they had never been asked for. */
void machinetwins_evict(struct machine *machine, struct address_range range);

#endif
