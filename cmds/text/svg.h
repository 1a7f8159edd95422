/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What drawings in SVG have in common. */
#ifndef CMDS_TEXT_SVG_H
#define CMDS_TEXT_SVG_H

#include <stdio.h>

/* A text from a file, as text of XML: made harmless, and cut with dots behind it if it is long. */
void svg_text(FILE *out, const char *text);

/* The logarithm of a positive number to base 2, good to 2^-16; there is no need of the mathematical library. */
double svg_log2(double number);

#endif
