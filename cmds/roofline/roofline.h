/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operational intensity of functions, floating-point operations per byte, against the roofs of a machine, and the view of
 * it.
 *
 * Bytes are those that each place delivers: L1 what instructions read and write, the other levels the lines that the level
 * before missed, memory the lines that the last level missed and, where they were counted, dirty lines written back.
 */
#ifndef CMDS_ROOFLINE_ROOFLINE_H
#define CMDS_ROOFLINE_ROOFLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmds/emit/document.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"
#include "sim/machines/machinefile.h"

/* -- what functions compute and move ---------------------------------------------------------------- */

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
	const char *last;    /* name of TRAFFIC_L3: "LL" where it is the second of two levels */
	uint64_t line;       /* bytes, as the profile says; 64 if it does not */
	struct traffic_row total;
	struct traffic_row *rows; /* functions with operations, most first; the arena's */
	size_t n;
};

/* NULL, or what a profile lacks: "floating-point operations (events FlS FlD FlX)..." */
const char *traffic_lacks(const struct model *model);

/* Adds up a finished model that is no difference and lacks nothing; returns a status. */
int traffic_find(struct traffic *traffic, const struct model *model, struct arena *arena);

/* What a place is called: "L1". */
const char *traffic_place_name(const struct traffic *traffic, enum traffic_place place);

/* Operations a byte; negative: there are no bytes, or they are not known. */
double traffic_intensity(const struct traffic *traffic, const struct traffic_row *row,
			 enum traffic_place place);

/* Operations a cycle, where cycles were counted; negative: they were not. */
double traffic_rate(const struct traffic *traffic, const struct traffic_row *row);

/* -- roofs: what one core of a machine does at most in a cycle (lines "roof" of its text) ------------ */

struct roofs {
	char machine[MACHINEFILE_NAME_SIZE]; /* its name; empty: there is none, and no roof */
	double peak[N_TRAFFIC_KINDS];        /* operations a cycle; 0 = not known */
	double bytes[N_TRAFFIC_PLACES];      /* bytes a cycle; 0 = not known */
};

/* What a function is bound by. */
enum roof_bound {
	BOUND_BY_NOTHING, /* no roof is known */
	BOUND_BY_OPERATIONS,
	BOUND_BY_PLACE, /* plus enum traffic_place */
};

void roofs_of(struct roofs *roofs, const struct machinefile *machine);

/* The roofs of the built-in machine that a profile was made for ("desc: Machine:"); none if it names another one. */
void roofs_of_profile(struct roofs *roofs, const struct model *model);

/*
 * The most operations in a cycle that the roofs allow for a row's mix of precisions and its bytes, and what bounds
 * it; 0 if no roof is known.  Moving and computing may overlap: the slowest of them decides.
 */
double roofs_attainable(const struct roofs *roofs, const struct traffic *traffic,
			const struct traffic_row *row, int *bound);

/* -- the view (rooflineview.c) ----------------------------------------------------------------------- */

struct rooflineview {
	const struct traffic *traffic;
	const struct roofs *roofs;
	size_t shown; /* rows of traffic, the first of them */
};

/* Puts it into a document, without its format and version; in a page functions are numbers. */
void rooflineview_put(struct document *document, const struct rooflineview *view);

/* Columns of CSV. */
enum { N_ROOFLINEVIEW_FIELDS = 20 };
extern const char *const rooflineview_fields[N_ROOFLINEVIEW_FIELDS];

/* Draws it as SVG. */
void rooflineview_draw(FILE *out, const struct rooflineview *view);

#endif
