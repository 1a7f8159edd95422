/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A visitor that gives functions of OLD the object and the name that they have in NEW,
 * where a difference says that they are the same functions: so that a program that
 * is called otherwise, or is elsewhere, can be subtracted.
 */
#ifndef PROFILE_FILTERS_MOVED_H
#define PROFILE_FILTERS_MOVED_H

#include "profile/analysis/difference.h"
#include "profile/common/visitor.h"

/* Fields are private, but filter.visitor; not to be moved. */
struct moved {
	struct visitor_filter filter;
	const struct difference *difference;
};

/* For a walk of the difference's OLD model, whose visitor `to` (borrowed) is told the rest. */
void moved_init(struct moved *moved, const struct difference *difference, const struct visitor *to);

#endif
