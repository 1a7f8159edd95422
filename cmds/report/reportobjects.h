/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects of data in a report, by its data profile (docs/FORMAT.md). */
#ifndef CMDS_REPORT_REPORTOBJECTS_H
#define CMDS_REPORT_REPORTOBJECTS_H

#include "cmds/report/reportdata.h"
#include "cmds/report/reportrows.h"
#include "cmds/text/json.h"

/* Writes "data_objects" of the data; nothing at all if there are none.  Returns a status. */
int reportobjects_write(const struct report_input *input, const struct reportrows *rows,
			struct json *json);

#endif
