/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event of a profile: a visitor that forwards its costs only. */
#ifndef PROFILE_FILTERS_EVENTVIEW_H
#define PROFILE_FILTERS_EVENTVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/definitions.h"
#include "profile/common/visitor.h"

/*
 * Forwards one event only.  Counts below 0 of other events are none (Xdebug writes memory that was
 * given back beside times).
 *
 * Fields are private, but filter.visitor and found; not to be moved.
 */
struct eventview {
	struct visitor_filter filter;
	bool found;    /* some part has the event */
	char *event;   /* owned; NULL = the first one that comes */
	size_t column; /* of the event; PROFILE_MAX_EVENTS = none */
	const char *name;
	struct part part;
	struct definitions definitions; /* of it; n_lost is that of one part */
	size_t n_lost; /* formulas of other events, which are not forwarded; for reading at the end */
	uint64_t summary, totals;
	bool is_signed, told_negative;
};

/* `to` is borrowed, event is copied; NULL = the first event.  False if memory ran out. */
bool eventview_init(struct eventview *view, const struct visitor *to, const char *event);
void eventview_release(struct eventview *view);

#endif
