/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts and threads of a report's profile, and what its functions cost in each. */
#ifndef CMDS_REPORT_REPORTPARTS_H
#define CMDS_REPORT_REPORTPARTS_H

#include "cmds/emit/json.h"
#include "cmds/report/reportrows.h"

/* Numbers of functions' costs by part at most; with more, only the totals are in the report. */
enum { REPORTPARTS_MOST = 20 * 1000 * 1000 };

/*
 * "headers", "parts", "parts_self" and "parts_inclusive" of the data; apart is the model with its
 * parts apart, NULL if it has one.  Returns a status.
 */
int reportparts_write(const struct reportrows *rows, const struct model *apart, struct json *json);

/*
 * "headers": lines that the parts of a model agree on, but for those of a part, and the folder with its
 * seal.  Returns a status.
 */
int reportparts_write_headers(const struct model *model, struct json *json);

#endif
