/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data misses by size of cache, as a profile has them in the columns M64K to M256M: where they fall, and
 * from which size on hardly any are left; which machines have such caches; and the view of them.
 *
 *	drop	a size that misses less than the next smaller one by 10 % of what the smallest misses, or more
 *	knee	drops at adjacent sizes, as one: from the size before the first to the last
 *	fits	the smallest size at which all but the cold misses are at most 5 % of what the smallest size
 *		misses.  No size avoids cold misses, of what was never touched before.  Where they were not
 *		counted (D1cold), they are taken to be what the largest size misses, but 0 for that size
 *		itself.
 */
#ifndef CMDS_CURVE_CURVE_H
#define CMDS_CURVE_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmds/emit/document.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* -- the curve ------------------------------------------------------------------------------------ */

enum {
	MISSCURVE_MOST = 32, /* sizes */
	MISSCURVE_DROP = 10, /* percent */
	MISSCURVE_LEFT = 5,  /* percent */
};

struct misscurve_point {
	uint64_t size; /* bytes */
	size_t event;  /* of the model */
	uint64_t misses;
};

/* Numbers of points. */
struct misscurve_knee {
	size_t before, at;
};

struct misscurve {
	size_t n; /* sizes that were recorded, ascending */
	struct misscurve_point points[MISSCURVE_MOST];
	uint64_t weight; /* one line of this many was sampled, in the least exact part; 1: exact, 0: not known */
	bool has_references, has_cold;
	uint64_t references; /* reads and writes */
	uint64_t cold;
	uint64_t most; /* misses of any size */
	size_t n_knees;
	struct misscurve_knee knees[MISSCURVE_MOST];
	size_t fits; /* a point, or n: no size is known to fit */
};

/* Finds the columns of a model, and how many lines were sampled; returns how many columns there are.  Nothing else is filled. */
size_t misscurve_find(struct misscurve *curve, const struct model *model);

/* Fills in the rest by costs, one for each event of the model; there is at least one column. */
void misscurve_fill(struct misscurve *curve, const struct model *model, const uint64_t *costs);

/* -- levels of caches of machines ------------------------------------------------------------------ */

enum {
	CURVELEVELS_MACHINES = 32,
	CURVELEVELS_MOST = CURVELEVELS_MACHINES * 4, /* L1D, L2, L3, L4 */
};

struct curvelevel {
	const char *
		machine; /* "zen4"; levels have the same pointer if and only if they are of one machine */
	const char *name; /* "L2"; static */
	uint64_t size;    /* bytes */
};

/* Levels of one machine are adjacent, the first level (of data) first. */
struct curvelevels {
	size_t n;
	struct curvelevel all[CURVELEVELS_MOST];
};

/*
 * Finds the levels of n machines, at most CURVELEVELS_MACHINES: each word is one for machinesource_read()
 * (cmds/machine/machine.h).  If n is 0, of all that are built in and have caches.  The machines' names are the arena's.
 * Returns an exit code, after a message by the command's name if it is not EXIT_FINE.
 */
int curvelevels_find(struct curvelevels *levels, const char *command, const char *const *words,
		     size_t n, struct arena *arena);

/*
 * Of each machine the first level that holds a size, or (holds is false) the last before it that does not, except
 * the first level, which is too small for nearly all that a curve shows.  By size; of one size in order.
 */
void curvelevels_choose(const struct curvelevels *levels, uint64_t size, bool holds,
			struct curvelevels *chosen);

/* -- whose costs: the program's, a function's, or a line's ------------------------------------------ */

enum curvescope_kind {
	SCOPE_PROGRAM,
	SCOPE_FUNCTION,
	SCOPE_LINE,
};

struct curvescope {
	enum curvescope_kind kind;
	const char *word;  /* as it was given, FUNCTION or FILE:LINE; borrowed */
	size_t file_len;   /* of a line: bytes of FILE in it */
	uint64_t line;     /* of a line */
	bool is_inclusive; /* of a function, with all that it calls */
	const char *name;  /* of the function, or FILE:LINE, as in the profile; the arena's */
	const char *file;  /* of the function; NULL = several, not known, or no function */
};

/* What a word, or NULL, asks for. */
void curvescope_init(struct curvescope *scope, const char *word, bool is_inclusive);

/*
 * Finds it in a finished model, with lines if a line is wanted, and adds up its costs, one for each event.
 *
 * A function is the one whose name is the word, else the only one that contains it.  Costs of several functions of
 * one name are added up, but not inclusive ones.  FILE is a file's name, or its last components.
 * Returns an exit code, after a message by the command's name if it is not EXIT_FINE.
 */
int curvescope_add(struct curvescope *scope, const char *command, const struct model *model,
		   uint64_t *costs, struct arena *arena);

/* -- the view (curveview.c) ------------------------------------------------------------------------ */

struct curveview {
	const struct misscurve *curve;
	const struct curvescope *scope;
	const struct curvelevels *levels;
};

/* Puts it into a document, without its format and version. */
void curveview_put(struct document *document, const struct curveview *view);

/* Columns of CSV. */
enum { N_CURVEVIEW_FIELDS = 9 };
extern const char *const curveview_fields[N_CURVEVIEW_FIELDS];

/* Draws it as SVG. */
void curveview_draw(FILE *out, const struct curveview *view);

#endif
