/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point operations and the bytes that they need in a report: those of its profile, not of an older one. */
#ifndef CMDS_REPORT_REPORTROOFLINE_H
#define CMDS_REPORT_REPORTROOFLINE_H

#include "cmds/report/reportdata.h"
#include "cmds/report/reportrows.h"
#include "cmds/text/json.h"

/*
 * Writes "roofline" of the data; nothing at all if the profile has no operations or no bytes.  The
 * roofs are those of the machine that the profile names, if it is built in.  Returns a status.
 */
int reportroofline_write(const struct report_input *input, const struct reportrows *rows,
			 struct json *json);

#endif
