/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A first level that is not plain (sim/machinelayout.h): a cache as lower levels have them, for which C is called, except
 * for the newest lines if its policy settles (sim/policy.h): a set's line that was touched last can be touched again
 * without any change, so that the line filter names newest lines of data, and newest lines of code have a stamp.
 */
#ifndef SIM_CALLED_H
#define SIM_CALLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/machinelayout.h"

/* Bytes of memory that each of the next two needs, a multiple of 64. */
size_t called_size(const struct cache_config *first);

/*
 * Make an empty D1 and I1 in the caller's memory, all zero; the memory is after the filter, so that the stamp of a newest
 * line is never taken for an absent line's.
 */
void called_init_data(struct machine *machine, const struct hierarchy_config *config, void *memory);
void called_init_code(struct machine *machine, const struct hierarchy_config *config, void *memory);

/* References by all caches, but without TLBs and twins; they return the level that served them. */
unsigned called_data(struct machine *machine, uint64_t address, uint64_t size, bool is_write);
unsigned called_fetch(struct machine *machine, struct code_line *const *lines, unsigned n_lines,
		      uint64_t address, uint64_t size, uint64_t stamp);

/* Takes a line out of D1, if it is there; returns true if it was dirty. */
bool called_take_data(struct machine *machine, uint64_t line);

/* Takes a line out of I1, if it is there, unless it is the line of the last fetch since machine_evict(), and is to stay then. */
void called_take_code(struct machine *machine, uint64_t line, bool last_stays);

/* Take lines that have a byte in the range out.  No line is a newest line then. */
void called_evict_data(struct machine *machine, struct address_range range);
void called_evict_code(struct machine *machine, struct address_range range);

/* A line of data, if it is the newest of its set, is so no more: touching it needs a call. */
void called_hide_data(struct machine *machine, uint64_t line);

/* The same for the newest line of a set of code, if newest lines are kept; for lines that have a byte in the range. */
void called_hide_code_set(struct machine *machine, uint64_t set);
void called_hide_code(struct machine *machine, struct address_range range);

#endif
