/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings: what those in SVG have in common, and arrows next to rows of text. */
#ifndef CMDS_EMIT_DRAWING_H
#define CMDS_EMIT_DRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* -- SVG -------------------------------------------------------------------------------- */

/* A text from a file, as text of XML: made harmless, and cut, with dots at its end, if it is long. */
void svg_text(FILE *out, const char *text);

/* A line of a class of the drawing's style, between two places. */
void svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2);

/* Begins a text at a place, anchored at its start, middle or end; and ends it. */
void svg_begin_text(FILE *out, const char *class, const char *anchor, double x, double y);
void svg_end_text(FILE *out);

/*
 * Begins a drawing of a size, with its title and colours for light and for dark screens; styles are CSS of its own
 * classes, besides title, small, page, grid and axis.  A title is plain words, and a text from a file after them, or
 * NULL.  It is one file without references to others, and ends with svg_end().
 */
void svg_begin(FILE *out, double width, double height, const char *title, const char *more,
	       const char *light_style, const char *dark_style);
void svg_end(FILE *out);

/* The heading at the top left; and begins the line below it, a text. */
void svg_heading(FILE *out, const char *title, const char *more);
void svg_begin_note(FILE *out);

/* A plot in a drawing: where it is, and which values are at its edges. */
struct svg_plot {
	FILE *out;
	double left, top, right, bottom; /* places */
	double least_x, most_x;          /* values at left and right */
	double least_y, most_y;          /* values at bottom and top */
};

double svg_x(const struct svg_plot *plot, double value);
double svg_y(const struct svg_plot *plot, double value);

/* Lines of the grid at a value; each begins its label, a text. */
void svg_begin_column(const struct svg_plot *plot, double value);
void svg_begin_row(const struct svg_plot *plot, double value);

/* What is on the axes: the x axis at a distance below the plot, the y axis at a place. */
void svg_x_title(const struct svg_plot *plot, double below, const char *title);
void svg_y_title(const struct svg_plot *plot, double x, const char *title);

/* A circle of a radius; begins what it says when it is pointed at. */
void svg_begin_point(const struct svg_plot *plot, double x, double y, const char *radius);
void svg_end_point(const struct svg_plot *plot);

/* The logarithm of a positive number to base 2, good to 2^-16, without the mathematical library. */
double svg_log2(double number);

/* -- arrows next to rows of text ---------------------------------------------------------- */

/*
 * Arrows next to rows of text: each has a lane, and none touches another one in its lane.
 *
 *	/--   a
 *	|/->  b
 *	|\--  c
 *	\-->  d
 */

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
 * The drawing next to the next row, n_lanes + 2 characters and a NUL; nothing if there are no
 * lanes.  Rows are drawn in order, from 0.
 */
void arrows_row(struct arrow_drawing *drawing, size_t row, char text[ARROWS_MAX_LANES + 3]);

/* The drawing between the last row and the next one. */
void arrows_between(const struct arrow_drawing *drawing, size_t last,
		    char text[ARROWS_MAX_LANES + 3]);

#endif
