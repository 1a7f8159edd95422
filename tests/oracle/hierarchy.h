/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All levels of caches (sim/lower.h), simulated by their rules alone: I1 and D1 are caches as the lower levels are.
 * struct machine (sim/machine.h) is tested against it.
 */
#ifndef TESTS_ORACLE_HIERARCHY_H
#define TESTS_ORACLE_HIERARCHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cache.h"
#include "sim/lower.h"

struct hierarchy {
	struct cache i1, d1;
	struct lower_levels lower;
	uint64_t last_code; /* the line that was fetched from last; NO_LINE if none was */
};

/* Bytes of memory that hierarchy_init() needs. */
size_t hierarchy_memory_size(const struct hierarchy_config *config);

/*
 * Makes empty caches in the caller's memory; ownership as in cache_init().  hierarchy_misfit() is NULL.  The struct
 * stays where it is while it is in use.
 */
void hierarchy_init(struct hierarchy *hierarchy, const struct hierarchy_config *config,
		    void *memory);

/* Takes lines that have a byte in the range out of all caches; dirty ones are not written. */
void hierarchy_evict(struct hierarchy *hierarchy, struct address_range range);

/*
 * Fetches an instruction of size bytes (1 or more) at address; the end may wrap around the top of the address space.
 * Returns the level that served it.
 */
unsigned hierarchy_fetch(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/* Reads size bytes (1 or more) at address, or writes them if dirty lines are not known; as hierarchy_fetch(). */
unsigned hierarchy_data(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/* The same for a write, or a modify. */
unsigned hierarchy_write(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/* The place that was just read is written too: no reference of its own, unless a line of it has left D1 since. */
void hierarchy_modify(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/* True if a level, 0 being D1, has the line of that address. */
bool hierarchy_has(const struct hierarchy *hierarchy, unsigned level, uint64_t line);

/*
 * Unless a level (not a victim) has a line, does to it and to those below what a read of one byte of the line would do.
 * Returns what prefetch_caches.bring() does.
 */
unsigned hierarchy_prefetch(struct hierarchy *hierarchy, unsigned level, uint64_t line);

#endif
