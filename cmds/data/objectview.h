/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A filter of data profiles in which objects have names that stay the same when sources change, so that two runs can
 * be compared: of blocks the functions that allocated them, without lines and sizes (objectname.h).  Others are
 * passed on as they are.  Objects of one name become one.
 */
#ifndef CMDS_DATA_OBJECTVIEW_H
#define CMDS_DATA_OBJECTVIEW_H

#include "profile/common/bytes.h"
#include "profile/common/visitor.h"

/* Fields are private. */
struct objectview {
	struct visitor_filter filter;
	struct bytes text; /* of the name that is passed on */
};

/* To be released. */
void objectview_init(struct objectview *view);
void objectview_release(struct objectview *view);

/* The visitor that shall be told what `to` is to have; as often as one likes, one after the other. */
const struct visitor *objectview_to(struct objectview *view, const struct visitor *to);

#endif
