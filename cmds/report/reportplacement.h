/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops in a report that could be placed better: those of its profile, not of an older one. */
#ifndef CMDS_REPORT_REPORTPLACEMENT_H
#define CMDS_REPORT_REPORTPLACEMENT_H

#include "cmds/emit/json.h"
#include "cmds/report/report.h"

/*
 * Writes "placement" of the data: null if that cannot be known, or code is not wanted.  Files are added to the
 * rows'.  Returns a status.
 */
int reportplacement_write(const struct report_input *input, struct reportrows *rows,
			  struct json *json);

#endif
