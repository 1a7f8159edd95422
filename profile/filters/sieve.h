/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A visitor that lets through what is not 0: of a difference, what differs.
 * It can give the profile another header on the way.
 */
#ifndef PROFILE_FILTERS_SIEVE_H
#define PROFILE_FILTERS_SIEVE_H

#include <stdbool.h>

#include "profile/common/visitor.h"

/* Fields are private, but filter.visitor; not to be moved. */
struct sieve {
	struct visitor_filter filter;
	bool keeps_zeros;
	const struct part *header; /* NULL = as it is told */
	struct part part;
};

/*
 * Tells `to` (borrowed) all but costs that are all 0, calls with a count of 0 and
 * such costs, and jumps that were never made; with keeps_zeros, all.  If header
 * (borrowed) is not NULL, creator, cmd, pid, part, thread and desc lines are what it says.
 */
void sieve_init(struct sieve *sieve, const struct visitor *to, bool keeps_zeros,
		const struct part *header);

#endif
