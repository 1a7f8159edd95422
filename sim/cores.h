/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several cores: each is a machine (sim/machine.h), with caches, TLBs and predictors of its own, but for the last level,
 * which all share.  sim/coherence.h has the rules by which they keep their lines coherent, and what it takes of memory.
 *
 * A run begins with one core, a machine made with hierarchy_config.cores of 2 or more, and costs no more than without.
 * When it needs several, cores_begin() makes the others; generated code from before must be discarded then.  References
 * go to the machine of the core that makes them, and lines of code belong to a machine each.  One core runs at a time,
 * and another one runs only after a block has ended.
 */
#ifndef SIM_CORES_H
#define SIM_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/coherence.h"
#include "sim/machine.h"

/*
 * Why there cannot be several cores with these caches, in words that follow "the caches: ", or NULL if there can.  They
 * need two lower levels or more, one line size, and an I1 of two sets or more.  The text is static.
 */
const char *cores_misfit(const struct hierarchy_config *config);

/* Bytes of memory that n cores, 2 to CORES_MAX, need in addition to their machines; that each machine but the first needs. */
size_t cores_size(const struct hierarchy_config *config, unsigned n);
size_t cores_machine_size(const struct hierarchy_config *config);

/*
 * Makes n cores in cores_size() bytes of the caller's.  machines[0] is core 0; it was made with this config, whose cores
 * were 2 or more, and what is in its own caches is exclusive.  The others are made at machines[1] .. machines[n - 1], in
 * cores_machine_size() bytes each: their caches and TLBs are empty, their clocks at 1, and they have no twins yet.  All
 * memory is aligned to 64, and zero.  Returns what machines[0]->cores is from now on.
 */
struct cores *cores_begin(struct machine *const *machines, const struct hierarchy_config *config,
			  unsigned n, void *memory);

/*
 * The kernel writes to the range on behalf of a core: its lines are invalidated in the others, and what is dirty there
 * is written down.  Those that the core itself has are modified.  No line comes in.
 */
void cores_foreign_write(struct cores *cores, struct address_range range, unsigned core);

/* Empties the own caches and TLBs of all cores but one, as after a fork; dirty lines are not written. */
void cores_leave_one(struct cores *cores, unsigned core);

/* What a line, by its address, is in a core. */
enum line_state cores_state(const struct cores *cores, unsigned core, uint64_t line);

/*
 * True if a line was invalidated in a core, which has not had it since.  Of the reference that was just made,
 * machine->coherence.was_invalidated says so.
 */
bool cores_was_invalidated(const struct cores *cores, unsigned core, uint64_t line);

#endif
