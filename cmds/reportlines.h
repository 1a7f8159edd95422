/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a report has of costs by line and of calls: lines of the functions that are detailed,
 * calls from them, and the sums of all calls between two functions.
 */
#ifndef CMDS_REPORTLINES_H
#define CMDS_REPORTLINES_H

#include "cmds/jsonstream.h"
#include "cmds/reportrows.h"
#include "cmds/reporttable.h"

/* Fields are for reading. */
struct reportlines {
	struct reporttable lines, calls, arcs;
};

/* Gathers them; returns a status.  To be released in any case. */
int reportlines_init(struct reportlines *lines, struct reportrows *rows);
void reportlines_release(struct reportlines *lines);

/* "arcs", "lines" and "line_calls" of the data. */
void reportlines_write(const struct reportlines *lines, struct jsonstream *json);

#endif
