/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind curve: data misses by size of cache, drawn. */
#ifndef CMDS_CURVE_CURVE_H
#define CMDS_CURVE_CURVE_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/cli/option.h"
#include "cmds/curve/curvelevels.h"
#include "cmds/curve/curvescope.h"
#include "cmds/curve/misscurve.h"
#include "cmds/emit/document.h"

extern const struct option_rule curve_options[];

int curve_main(int argc, char **argv);

struct curvereport {
	const struct misscurve *curve;
	const struct curvescope *scope;
	const struct curvelevels *levels;
	const struct document_backend *backend;
	FILE *out;
	bool color;
};

/* Writes it; false if memory ran out.  Errors of writing stay in the stream.  (curvereport.c) */
bool curvereport_print(const struct curvereport *report);

/* Draws it as SVG; backend and color do not matter.  Errors of writing stay in the stream.  (curvedrawing.c) */
void curvedrawing_print(const struct curvereport *report);

/* What it is of, for people: "function f, with all that it calls"; cut to fit. */
void curvereport_subject(char *text, size_t size, const struct curvescope *scope);

#endif
