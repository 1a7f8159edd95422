/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A difference as increases and decreases: a visitor that makes two columns of each event, IrUp and
 * IrDown of Ir, of which one has what was above 0 and the other what was below, without its
 * sign.  For readers that know no counts below 0 (KCachegrind takes them for 0).
 *
 * Up - Down is the difference, of each record and so of each sum of them.
 */
#ifndef CMDS_DIFF_UPDOWN_H
#define CMDS_DIFF_UPDOWN_H

#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/common/visitor.h"

enum { UPDOWN_MAX_EVENTS = PROFILE_MAX_EVENTS / 2 };

/* Fields are private, but filter.visitor; not to be moved. */
struct updown {
	struct visitor_filter filter;
	struct arena arena; /* of texts in the header */
	struct part part;
	const char *events[PROFILE_MAX_EVENTS];
	uint64_t costs[PROFILE_MAX_EVENTS];
	uint64_t totals[PROFILE_MAX_EVENTS];
};

/*
 * For a walk of a model with counts below 0, as one part; forwards to `to` (borrowed):
 *
 * - costs and calls, but those that cost nothing.  Calls of no count have 1, since readers take
 *   others for none;
 * - totals, made of the costs; no summary, no jumps;
 * - derived events, if they are sums of columns: EstCycUp is what adds up of IrUp and so on; estimated
 *   cycles even if the profile does not define them.
 *
 * part() returns PROFILE_EVENTS if there are more than UPDOWN_MAX_EVENTS.
 */
void updown_init(struct updown *updown, const struct visitor *to);
void updown_release(struct updown *updown);

#endif
