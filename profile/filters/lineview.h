/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A visitor that tells another one the same without addresses and jumps: what
 * readers of lines understand.
 */
#ifndef PROFILE_FILTERS_LINEVIEW_H
#define PROFILE_FILTERS_LINEVIEW_H

#include "profile/common/visitor.h"

/* Fields are private, but filter.visitor; not to be moved. */
struct lineview {
	struct visitor_filter filter;
	struct part part;
};

/* `to` is borrowed. */
void lineview_init(struct lineview *view, const struct visitor *to);

#endif
