/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The newest lines of a first level that is not plain: of each set the line that was touched last. Under a
 * policy that settles (sim/policy.h) it can be touched again without any change, so that generated code
 * needs no call for it: the line filter names newest lines of data, and newest lines of code say that they are
 * in I1 (sim/machine.h).  All functions take the machine; a part of sim/machine.c.
 */
#ifndef SIM_NEWEST_H
#define SIM_NEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/machine.h"

/* Bytes of memory beside a cache of the first level that is not plain, a multiple of 64. */
size_t newest_memory_size(const struct cache_config *first);

/*
 * Has the newest lines of called_d1 or called_i1 kept, in newest_memory_size() bytes, zero, behind the filter,
 * so that no stamp is taken for that of an absent line; nothing if the policy does not settle.
 */
void newest_init_data(struct machine *machine, uint64_t *memory);
void newest_init_code(struct machine *machine, uint64_t *memory);

/* There are none any more: each line is C's business again.  Only if they are kept. */
void newest_forget_all_data(struct machine *machine);

/* A line that was noted last for its set is not to be touched without a call.  Only if they are kept. */
void newest_hide_data(struct machine *machine, uint64_t line);

/* There are none any more in one set of code. */
void newest_forget_code(struct machine *machine, uint64_t set);

/* A line of data, by its address, was touched in called_d1: it is the newest of its set.  Nothing if they are not kept. */
void newest_note_data(struct machine *machine, uint64_t line);

/* Touches a line of code; nothing is to be done for the newest of its set but to note the stamp.  Only if they are kept. */
struct cache_touched newest_touch_code(struct machine *machine, struct code_line *line,
				       uint64_t stamp);

/* Takes a line of data out of called_d1; returns whether it was dirty. */
bool newest_take_data(struct machine *machine, uint64_t line);

/*
 * Takes a line of code out of called_i1, unless it is that of the last fetch since machine_evict().  Only
 * if newest lines are kept.
 */
void newest_take_code(struct machine *machine, uint64_t line);

#endif
