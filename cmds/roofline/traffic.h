/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What functions compute and move: floating-point operations, and the bytes that cross below the core and each level of
 * caches.  Of the first level these are the bytes that instructions read and write, of others the lines that the level above
 * has missed, of memory those that the last level has, and dirty ones that were written back where these were counted.
 */
#ifndef CMDS_ROOFLINE_TRAFFIC_H
#define CMDS_ROOFLINE_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/common/int128.h"
#include "profile/model/model.h"

/* Where bytes come from, and go to. */
enum traffic_place {
	TRAFFIC_L1,
	TRAFFIC_L2,
	TRAFFIC_L3,
	TRAFFIC_L4,
	TRAFFIC_MEMORY,
	N_TRAFFIC_PLACES
};

enum traffic_kind { TRAFFIC_SINGLE, TRAFFIC_DOUBLE, TRAFFIC_X87, N_TRAFFIC_KINDS };

struct traffic_row {
	uint32_t function;       /* of the model; of the whole program 0 */
	const char *name, *file; /* the arena's; NULL = of the whole program, file: not known */
	uint64_t operations[N_TRAFFIC_KINDS];
	uint64_t all; /* operations of all kinds */
	int128 bytes[N_TRAFFIC_PLACES];
	uint64_t cycles; /* tenths */
};

struct traffic {
	bool has[N_TRAFFIC_PLACES];
	bool has_cycles;
	bool has_prefetches; /* whose lines are in no count here */
	const char *last; /* what TRAFFIC_L3 is called: "LL" where it is the second of two levels */
	uint64_t line;    /* bytes, as the profile says; 64 if it does not */
	struct traffic_row total;
	struct traffic_row *rows; /* functions with operations, most first; the arena's */
	size_t n;
};

/*
 * Adds up a finished model, which is no difference; returns a status.  The events of operations are there
 * (traffic_lacks()).
 */
int traffic_find(struct traffic *traffic, const struct model *model, struct arena *arena);

/* NULL, or what a profile lacks: "floating-point operations (events FlS FlD FlX)..." */
const char *traffic_lacks(const struct model *model);

/* What a place is called: "L1". */
const char *traffic_place_name(const struct traffic *traffic, enum traffic_place place);

/* Operations a byte; negative: there are no bytes, or they are not known. */
double traffic_intensity(const struct traffic *traffic, const struct traffic_row *row,
			 enum traffic_place place);

#endif
