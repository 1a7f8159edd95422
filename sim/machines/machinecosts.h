/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a machine costs in cycles (docs/CYCLES.md): what its text says, and where that says nothing, what is taken.
 *
 * A text that names a core may leave out all else.  Levels are then each three times as far as the one above, memory six times.
 */
#ifndef SIM_MACHINES_MACHINECOSTS_H
#define SIM_MACHINES_MACHINECOSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machines/machinefile.h"
#include "sim/machines/phrase.h"

/* Numbers that stand in a line of their own. */
enum machine_amount { AMOUNT_WIDTH, AMOUNT_ROB, AMOUNT_FETCH, AMOUNT_MISSES, N_AMOUNTS };

/* Bits are by enum machine_cost and enum machine_amount. */
struct machinecosts {
	const char *core; /* its table; NULL = the machine has none, and there are no cycles of it */
	uint32_t cycles[N_MACHINE_COSTS]; /* of levels of caches that it has not: 0 */
	uint32_t amounts[N_AMOUNTS];
	uint32_t has;           /* costs that there are */
	uint32_t said, assumed; /* of these, those that the text says, and those that it assumes */
	uint32_t usual; /* those that have a default in docs/MACHINES.md, and are no other than that */
	uint32_t amounts_said, amounts_assumed;
	uint32_t decoded; /* instructions that it takes in a cycle, if fewer than the width; 0 = not said */
	uint32_t misses_set; /* cycles between two lines of one set; 0 = they do not wait for each other */
	/* Bytes that a stream has from a level in a cycle, where that was measured; 0 = not known. */
	uint32_t streamed[N_MACHINE_ROOFS];
	uint32_t near_targets; /* entries of the target buffer's first level; 0 = it has one level */
};

void machinecosts_read(struct machinecosts *costs, const struct machinefile *file);

/*
 * Appends what is taken though the text does not say it, "width 4, cost L2 12": all that is not usual.  False
 * if there is nothing.
 */
bool machinecosts_put_unsaid(const struct machinecosts *costs, struct phrase *phrase);

/* Appends all but what is usual, as profiles have it: "zen2, width 5, rob 224, ...; cycles of L1D 4, L2 12 (assumed), ...".  It has a core. */
void machinecosts_put(const struct machinecosts *costs, struct phrase *phrase);

#endif
