/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of data, and members of structs, in a report: those of its profile, not of an older one. */
#ifndef CMDS_REPORT_REPORTTYPES_H
#define CMDS_REPORT_REPORTTYPES_H

#include "cmds/report/reportdata.h"
#include "cmds/report/reportrows.h"
#include "cmds/text/json.h"

/*
 * Writes "types" of the data; nothing at all if the profile does not say what instructions refer to, or
 * no type was found.  Returns a status.
 */
int reporttypes_write(const struct report_input *input, const struct reportrows *rows,
		      struct json *json);

#endif
