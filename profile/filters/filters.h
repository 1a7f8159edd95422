/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums and differences of profiles, and parts of them: visitors that change what they
 * forward to another visitor, so that each works on files while they are read (in
 * constant memory) as well as on models.
 *
 * Addition needs no filter: a builder adds up whatever is reported to it.
 */
#ifndef PROFILE_FILTERS_FILTERS_H
#define PROFILE_FILTERS_FILTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/difference.h"
#include "profile/common/visitor.h"
#include "profile/model/model.h"

/* -- scaling: all counts and costs by a factor ------------------------------- */

/* Fields are private, but filter.visitor; not to be moved. */
struct scaling {
	struct visitor_filter filter;
	int64_t factor;
	uint64_t divisor;
	bool is_signed;     /* the input */
	bool told_negative; /* reported to the other visitor */
	struct part part;
	uint64_t costs[PROFILE_MAX_EVENTS];
	uint64_t summary[PROFILE_MAX_EVENTS];
	uint64_t totals[PROFILE_MAX_EVENTS];
};

/*
 * Forwards to `to` (borrowed) each count, cost, summary and total times factor, divided by
 * divisor (1 or more), rounded to the nearest number, halves away from 0.  With a
 * divisor of 1, sums stay sums.  A factor below 0 makes counts signed.
 * PROFILE_RANGE where a result is beyond 64 bits.
 */
void scaling_init(struct scaling *scaling, const struct visitor *to, int64_t factor,
		  uint64_t divisor);

/* -- folding: many functions into one, or into none -------------------------- */

/* Fields are private, but filter.visitor; not to be moved. */
struct folding {
	struct visitor_filter filter;
	bool (*keeps)(void *ctx, const struct place *place);
	void *ctx;
	bool drops;
	struct place place; /* as it was reported */
	bool kept;          /* the function of the place */
};

/*
 * Functions for which keeps() is false become one, "<rest>", of no object and no
 * file, at no position: self costs add up to what they were.  Calls to them become
 * calls to it, calls from them calls from it, calls among them are left out, their
 * jumps too.  With `drops`, there is no such function: what it would have is left
 * out, but calls to it stay, as calls to "<rest>" without a cost of its own, so that the
 * inclusive costs of those that are kept are what they were.
 *
 * keeps() may look at object, file and function of the place; it must say the
 * same of the same function each time.
 */
void folding_init(struct folding *folding, const struct visitor *to,
		  bool (*keeps)(void *ctx, const struct place *place), void *ctx, bool drops);

/*
 * A keeps() for the walk of a model; ctx is a struct folding_threshold.  A
 * function is kept if its inclusive cost is at least `least`, in the event.
 */
struct inclusive;
struct folding_threshold {
	const struct model *model;         /* that is walked */
	const struct inclusive *inclusive; /* of it */
	size_t event;                      /* index into inclusive's events */
	uint64_t least;
};
bool folding_keeps_above(void *threshold, const struct place *place);

/* -- filter_nonzero: records that are not all zero --------------------------------------- */

/*
 * Drops records that are all zero; of a difference, what did not change.  Can give the
 * profile another header on the way.
 */

/* Fields are private, but filter.visitor; not to be moved. */
struct filter_nonzero {
	struct visitor_filter filter;
	bool keeps_zeros;
	const struct part *header; /* NULL = the one reported */
	struct part part;
};

/*
 * Forwards to `to` (borrowed) all but costs that are all 0, calls with a count of 0 and
 * such costs, and jumps that were never made; with keeps_zeros, all.  If header
 * (borrowed) is not NULL, creator, cmd, pid, part, thread and desc lines are what it says.
 */
void filter_nonzero_init(struct filter_nonzero *nonzero, const struct visitor *to, bool keeps_zeros,
			 const struct part *header);

/* -- filter_renamed: functions of OLD under the names of NEW ----------------------------- */

/*
 * Gives functions of OLD the object and the name that they have in NEW, where a difference
 * says that they are the same: so a program that was renamed or moved can be subtracted.
 */

/* Fields are private, but filter.visitor; not to be moved. */
struct filter_renamed {
	struct visitor_filter filter;
	const struct difference *difference;
};

/* For a walk of the difference's OLD model; all else is forwarded to `to` (borrowed) unchanged. */
void filter_renamed_init(struct filter_renamed *moved, const struct difference *difference,
			 const struct visitor *to);

/* -- lines only --------------------------------------------------------------------------- */

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
