/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind roofline: floating-point operations by the bytes that they need, below the roofs of a machine. */
#ifndef CMDS_ROOFLINE_ROOFLINE_H
#define CMDS_ROOFLINE_ROOFLINE_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/cli/option.h"
#include "cmds/emit/document.h"
#include "cmds/roofline/roofs.h"
#include "cmds/roofline/traffic.h"

extern const struct option_rule roofline_options[];

int roofline_main(int argc, char **argv);

struct rooflinereport {
	const struct traffic *traffic;
	const struct roofs *roofs;
	size_t shown; /* rows of traffic that are wanted, the first of them */
	const struct document_backend *backend;
	FILE *out;
	bool color;
};

/* Operations a cycle, where cycles were counted; negative: they were not. */
double rooflinereport_rate(const struct traffic *traffic, const struct traffic_row *row);

/* Writes it; false if memory ran out.  Errors of writing stay in the stream.  (rooflinereport.c) */
bool rooflinereport_print(const struct rooflinereport *report);

/* Draws it as SVG; backend and color do not matter.  Errors of writing stay in the stream.  (rooflinedrawing.c) */
void rooflinedrawing_print(const struct rooflinereport *report);

#endif
