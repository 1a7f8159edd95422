/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrows beside rows of text: each has a lane, and none touches another one in its lane.
 *
 *	/--   a
 *	|/->  b
 *	|\--  c
 *	\-->  d
 */
#ifndef CMDS_EMIT_ARROWS_H
#define CMDS_EMIT_ARROWS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	ARROWS_MAX_LANES = 10,
	ARROWS_NO_LANE = ARROWS_MAX_LANES, /* no room for it */
};

struct arrow {
	size_t from, to; /* rows; an arrow to its own row is none */
	unsigned lane;   /* 0 = next to the text */
};

/*
 * Gives lanes to n arrows among n_rows rows, the shortest ones next to the text, and sorts them by the
 * first row they touch.  *n_lanes is how many are in use.
 */
void arrows_place(struct arrow *arrows, size_t n, size_t n_rows, unsigned *n_lanes);

/* What there is to draw, row by row.  Fields are private. */
struct arrow_drawing {
	const struct arrow *arrows;
	size_t n, next;
	unsigned n_lanes;
	const struct arrow *active[ARROWS_MAX_LANES]; /* by lane */
};

void arrows_begin(struct arrow_drawing *drawing, const struct arrow *arrows, size_t n,
		  unsigned n_lanes);

/*
 * The drawing beside the next row, n_lanes + 2 characters and a NUL; nothing if there are no
 * lanes.  Rows are drawn in order, from 0.
 */
void arrows_row(struct arrow_drawing *drawing, size_t row, char text[ARROWS_MAX_LANES + 3]);

/* The drawing between the last row and the next one. */
void arrows_between(const struct arrow_drawing *drawing, size_t last,
		    char text[ARROWS_MAX_LANES + 3]);

#endif
