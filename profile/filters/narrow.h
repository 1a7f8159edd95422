/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters that leave out what some readers do not understand: all events but one, addresses. */
#ifndef PROFILE_FILTERS_NARROW_H
#define PROFILE_FILTERS_NARROW_H

#include <stdbool.h>
#include <stddef.h>

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
	uint64_t summary, totals;
	bool is_signed, told_negative;
};

/* `to` is borrowed, event is copied; NULL = the first event.  False if memory ran out. */
bool eventview_init(struct eventview *view, const struct visitor *to, const char *event);
void eventview_release(struct eventview *view);

/*
 * Forwards all but addresses and jumps: what readers of lines understand.
 *
 * Fields are private, but filter.visitor; not to be moved.
 */
struct lineview {
	struct visitor_filter filter;
	struct part part;
};

/* `to` is borrowed. */
void lineview_init(struct lineview *view, const struct visitor *to);

#endif
