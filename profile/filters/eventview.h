/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event of a profile: a visitor that forwards its costs only. */
#ifndef PROFILE_FILTERS_EVENTVIEW_H
#define PROFILE_FILTERS_EVENTVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/metric.h"
#include "profile/common/arena.h"
#include "profile/common/definitions.h"
#include "profile/common/visitor.h"

/*
 * Forwards one event only.  Counts below 0 of other events are none (Xdebug writes memory that was
 * given back beside times).
 *
 * An event that is no column may be a derived one (profile/analysis/metric.h), as far as the part's
 * header defines it before the costs: it is computed of each cost and call, and of the sums, and is
 * a column then.
 *
 * Fields are private, but filter.visitor, found and n_lost; not to be moved.
 */
struct eventview {
	struct visitor_filter filter;
	bool found;        /* some part has the event */
	const char *event; /* NULL = the first one that comes */
	char *first;       /* owned: its name, when it has come */
	size_t column;     /* of the event; PROFILE_MAX_EVENTS = none */
	const char *name;
	const struct metric *derived; /* of the part at work; NULL = a column, or nothing */
	struct arena arena;           /* of that */
	struct part part;
	struct definitions definitions; /* of it; its n_lost is that of one part */
	size_t n_lost; /* formulas of other events, which are not forwarded; for reading at the end */
	uint64_t summary, totals;
	bool is_signed, told_negative;
};

/*
 * `to` and event are borrowed; NULL = the first event.  Callbacks return PROFILE_RANGE if what is
 * derived is beyond 64 bits.
 */
void eventview_init(struct eventview *view, const struct visitor *to, const char *event);
void eventview_release(struct eventview *view);

#endif
