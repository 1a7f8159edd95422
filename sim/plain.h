/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plain first level (sim/machinelayout.h): ways with the stamps of their last touches, which generated code stores
 * for hits.  Here is what is no such hit, and how lines leave.  D1 and I1 are each plain or called (sim/called.h).
 */
#ifndef SIM_PLAIN_H
#define SIM_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/machinelayout.h"

/* True if stamps are all that has to be known about such a cache, as a first level. */
bool plain_suits(const struct cache_config *first);

/* Bytes of memory that the next two need, multiples of 64. */
size_t plain_data_size(const struct hierarchy_config *config);
size_t plain_code_size(const struct hierarchy_config *config);

/* Make an empty D1 and I1 in the caller's memory, all zero. */
void plain_init_data(struct machine *machine, const struct hierarchy_config *config, void *memory);
void plain_init_code(struct machine *machine, const struct hierarchy_config *config, void *memory);

/*
 * A reference to data, as machine_data() and machine_write() describe, by all caches, but without TLBs and twins: the
 * first level is touched, then lower levels.  Returns the level that served it.
 */
unsigned plain_data(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp,
		    bool is_write);

/* The same for a read on one line, if d1.has_common_miss. */
unsigned plain_common_data(struct machine *machine, uint64_t address, uint64_t size,
			   uint64_t stamp);

/*
 * The same for a read on one line whose page has been touched, if there are TLBs of one view, and no victim level is
 * next.
 */
unsigned plain_data_on_page(struct machine *machine, uint64_t address, uint64_t size,
			    uint64_t stamp);

/* A fetch, as machine_fetch() describes, by all caches, but without TLBs and twins. */
unsigned plain_fetch(struct machine *machine, struct code_line *const *lines, unsigned n_lines,
		     uint64_t address, uint64_t size, uint64_t stamp);

/* The way of D1, or of I1, that has a line, UINT32_MAX if none has. */
uint32_t plain_data_way(const struct machine *machine, uint64_t line);
uint32_t plain_code_way(const struct machine *machine, uint64_t line);

/* machine_prefetch() into D1, if d1.has_common_miss. */
unsigned plain_prefetch_common(struct machine *machine, uint64_t line, uint64_t stamp);

/* Takes a line out of D1, if it is there; returns true if it was dirty. */
bool plain_take_data(struct machine *machine, uint64_t line);

/* Takes a line out of I1, if it is there, unless it is the line of the last fetch since machine_evict(), and is to stay then. */
void plain_take_code(struct machine *machine, uint64_t line, bool last_stays);

/* Take lines that have a byte in the range out. */
void plain_evict_data(struct machine *machine, struct address_range range);
void plain_evict_code(struct machine *machine, struct address_range range);

/* Has generated code know nothing of the line in a way of I1; of lines that have a byte in the range. */
void plain_hide_code_way(struct machine *machine, size_t way);
void plain_hide_code(struct machine *machine, struct address_range range);

#endif
