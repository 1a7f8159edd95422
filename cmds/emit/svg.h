/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What drawings in SVG have in common. */
#ifndef CMDS_EMIT_SVG_H
#define CMDS_EMIT_SVG_H

#include <stdio.h>

/* A text from a file, as text of XML: made harmless, and cut with dots behind it if it is long. */
void svg_text(FILE *out, const char *text);

/* A line of a class of the drawing's style, between two places (x, y). */
void svg_line(FILE *out, const char *class, const double from[2], const double to[2]);

/* Begins a text at a place, anchored at its start, middle or end; and ends it. */
void svg_begin_text(FILE *out, const char *class, const char *anchor, double x, double y);
void svg_end_text(FILE *out);

/* The logarithm of a positive number to base 2, good to 2^-16; there is no need of the mathematical library. */
double svg_log2(double number);

#endif
