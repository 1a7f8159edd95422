/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What prefetchers do to the caches of the machine (sim/machine.h): a part of it. */
#ifndef SIM_MACHINEPREFETCH_H
#define SIM_MACHINEPREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/machine.h"

/* Whether a level, 0 being D1, has the line of that address. */
bool machine_has(const struct machine *machine, unsigned level, uint64_t line);

/*
 * Does what a read of one byte of a line would do to a level, no victim, and to those behind, if the level has not
 * got it.  A line that comes into D1 gets the stamp; generated code is not told of it, so that the first
 * use of it calls C.  Returns what prefetch_caches.bring() does.
 */
unsigned machine_prefetch(struct machine *machine, unsigned level, uint64_t line, uint64_t stamp);

#endif
