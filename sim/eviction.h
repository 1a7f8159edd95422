/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How lines leave the machine without others in their place: machine_evict(), machine_unmap(), and single ways. */
#ifndef SIM_EVICTION_H
#define SIM_EVICTION_H

#include <stddef.h>

#include "sim/machine.h"

/* Empties a way of a plain D1, which the filter does not name any more; and one of a plain I1. */
void eviction_empty_data(struct machine *machine, size_t way);
void eviction_empty_code(struct machine *machine, size_t way);

#endif
