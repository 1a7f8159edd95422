/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a machine costs in cycles (docs/CYCLES.md): what its text says, and defaults for what it does not say.
 *
 * A text that names a core may omit everything else.  By default each level costs three times as much as the one above, and
 * memory six times as much as the last level.
 */
#ifndef SIM_MACHINES_MACHINECOSTS_H
#define SIM_MACHINES_MACHINECOSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machines/machinefile.h"
#include "sim/machines/phrase.h"

/* Amounts that have a line of their own. */
enum machine_amount { AMOUNT_WIDTH, AMOUNT_ROB, AMOUNT_FETCH, AMOUNT_MISSES, N_AMOUNTS };

/* Bits are by enum machine_cost and enum machine_amount. */
struct machinecosts {
	const char *core; /* the name of its table; NULL: it has none, and no cycles can be counted */
	uint32_t cycles[N_MACHINE_COSTS]; /* 0 for levels of caches that do not exist */
	uint32_t amounts[N_AMOUNTS];
	uint32_t has;           /* costs that exist on this machine */
	uint32_t said, assumed; /* costs that the text says; of these, the assumed ones */
	uint32_t usual;         /* costs that equal their documented default (docs/MACHINES.md) */
	uint32_t amounts_said, amounts_assumed;
	uint32_t decoded; /* instructions taken a cycle, if fewer than the width; 0: not said */
	uint32_t misses_set; /* cycles between two lines of one set; 0: they do not wait for each other */
	/* Bytes a cycle that a stream gets from a level, where measured; 0: not known. */
	uint32_t streamed[N_MACHINE_ROOFS];
	uint32_t near_targets; /* entries of the target buffer's first level; 0: it has one level */
};

void machinecosts_read(struct machinecosts *costs, const struct machinefile *file);

/*
 * Appends the defaults in use that have no documented value, "width 4, cost L2 12".  Returns false if there are none.
 */
bool machinecosts_put_unsaid(const struct machinecosts *costs, struct phrase *phrase);

/*
 * Appends all but usual costs, and but COST_CORE, for the profile: "zen2, width 5, rob 224, ...; cycles of L1D 4, L2 12 (assumed), ...".  The machine
 * must have a core.
 */
void machinecosts_put(const struct machinecosts *costs, struct phrase *phrase);

#endif
