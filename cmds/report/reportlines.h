/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a report has of costs by line and of calls: lines of the functions that are detailed,
 * calls from them, and the sums of all calls between two functions.
 */
#ifndef CMDS_REPORT_REPORTLINES_H
#define CMDS_REPORT_REPORTLINES_H

#include <stdbool.h>

#include "cmds/emit/json.h"
#include "cmds/report/reportrows.h"
#include "cmds/report/reporttable.h"

/* Fields are for reading. */
struct reportlines {
	struct reporttable lines, calls, arcs;
	/*
	 * Calls are packed, inclusive costs left out, and costs of the older profile written as differences: what
	 * can be computed from others is not written (docs/REPORT.md).  Not if numbers are below 0, or too
	 * large for a double, on either side.
	 */
	bool is_packed;
};

/* Gathers them; returns a status.  To be released in any case. */
int reportlines_init(struct reportlines *lines, struct reportrows *rows);
void reportlines_release(struct reportlines *lines);

/* "arcs", "lines" and "line_calls" of the data; costs of calls are lost.  Returns a status. */
int reportlines_write(struct reportlines *lines, struct json *json);

/* The same of "other", after that; there is an older profile. */
void reportlines_write_other(const struct reportlines *lines, struct json *json);

#endif
