/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The branches in a report: those of its profile, not of an older one. */
#ifndef CMDS_REPORT_REPORTBRANCHES_H
#define CMDS_REPORT_REPORTBRANCHES_H

#include "cmds/emit/json.h"
#include "cmds/report/report.h"

/*
 * Writes "branches" of the data: null if the profile has none.  Files are added to the rows'.  Returns a
 * status.
 */
int reportbranches_write(const struct report_input *input, struct reportrows *rows,
			 struct json *json);

#endif
