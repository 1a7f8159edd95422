/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a report shows of data: types, objects, and operations with the bytes that they need.  Those of its profile, not of an
 * older one.  Each writes a member of the data, or nothing at all if the profile does not have what it is of; and returns a
 * status.
 */
#ifndef CMDS_REPORT_REPORTVIEWS_H
#define CMDS_REPORT_REPORTVIEWS_H

#include "cmds/emit/json.h"
#include "cmds/report/report.h"

/* "types": of data and members of structs, by what instructions refer to.  */
int reporttypes_write(const struct report_input *input, const struct reportrows *rows,
		      struct json *json);

/* "data_objects", by the data profile (docs/FORMAT.md).  */
int reportobjects_write(const struct report_input *input, const struct reportrows *rows,
			struct json *json);

/* "roofline", with the roofs of the machine that the profile names, if it is built in.  (reportroofline.c) */
int reportroofline_write(const struct report_input *input, const struct reportrows *rows,
			 struct json *json);

#endif
