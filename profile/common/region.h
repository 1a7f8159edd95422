/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions that a program named by client requests (struct part_region, visitor.h): the header line of
 * one, read and written, and sums over parts.
 *
 *	desc: Region: 3 times, 2 threads, not over, costs 1200 310 0: crc/64
 *
 * Costs are in the order of the part's events; zeros at the end may be left out, one number stays.  The
 * name is all after the first ": " that follows the costs.  Readers that do not know regions skip the
 * line, as they skip all desc lines; a line of type Region that has another form is no region.
 */
#ifndef PROFILE_COMMON_REGION_H
#define PROFILE_COMMON_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/heap.h"
#include "profile/common/visitor.h"

#define REGION_DESC "Region"

/*
 * Reads the value of a desc line of type REGION_DESC.  False if it has another form, or more than n_events
 * costs (PROFILE_MAX_EVENTS at most).  The name is the end of `value`, costs are in the arena.
 */
bool region_read(struct part_region *region, const char *value, size_t n_events,
		 struct arena *arena);

/* Adds the value of the region's desc line to a text, without zeros at the end. */
void region_print(const struct part_region *region, struct bytes *text);

/* -- sums over parts ------------------------------------------------------------------- */

/*
 * Regions of several parts, by name: times and costs add up.  Threads are the largest number that a part
 * of a process says, summed over processes; parts of different threads of a process (their headers
 * say so) count as different processes.  A region is open if the last part of some process that has it
 * says so.  The order is the first part's if all parts have the same regions in the same order,
 * else by name: so it does not depend on the order in which parts are added.
 */
struct regions {
	struct part_region *all; /* owned; for reading */
	size_t n;
	/* The rest is private. */
	size_t capacity;
	struct region_parts *parts; /* owned; by region, what its threads and is_open are made of */
	size_t parts_capacity;
	struct region_process *processes; /* owned */
	size_t n_processes, processes_capacity;
	uint64_t n_files;
	size_t n_added;  /* parts */
	size_t n_sorted; /* regions; the others came last */
	bool is_sorted;  /* the order is by name */
	struct arena arena;
};

/* Takes no memory yet. */
void regions_init(struct regions *regions);
void regions_release(struct regions *regions);

/* Another file begins: a part of it that does not say which process it is of is of a new one. */
void regions_begin_file(struct regions *regions);

/*
 * Adds the regions of a part.  columns[i] is the number that its event i has in the sums, PROFILE_MAX_EVENTS:
 * it is left out; NULL: the same.  Returns PROFILE_OK, or PROFILE_RANGE if a sum is beyond 64 bits.
 */
int regions_add(struct regions *regions, const struct part *part, const uint16_t *columns);

#endif
