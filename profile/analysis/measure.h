/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What profiles are measured by: their events, and what is derived from them by
 * adding, subtracting and weighting.
 *
 * Derived are the events that a profile defines ("event: x = formula"), and, where the events for
 * them were recorded, those of writer/shared/events.h: misses, hits, and estimated cycles, of which
 * the weights can be set.
 *
 * In a formula, what was not recorded is left out, as KCachegrind does, if anything
 * was (but see is_strict).
 *
 * A count of 0 may mean two things: it did not happen, or it cannot happen there.
 * The latter is so where the event's reference has a count of 0 too: a line that
 * never read memory cannot miss when it reads.
 */
#ifndef PROFILE_ANALYSIS_MEASURE_H
#define PROFILE_ANALYSIS_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/common/int128.h"
#include "profile/model/model.h"

struct measure_term {
	size_t event;   /* index into the costs that are measured */
	int64_t factor; /* at most 2^20, or at least -2^20 */
};

struct measure {
	const char *name;
	const char *long_name;      /* NULL = none is known */
	const char *formula;        /* NULL: it is an event, its only term */
	struct measure_term *terms; /* of each event one at most */
	size_t n_terms;
	size_t *references; /* events; the measure can happen where one is not 0 */
	size_t n_references;
	bool always; /* no reference is known: it can happen everywhere */
};

/* Cycles for the estimate; at most 1,000,000 each. */
struct measure_weights {
	unsigned l1, ll, ram, branch;
};

/* What can be measured; all is borrowed. */
struct measure_source {
	const struct model_event *events;
	size_t n_events;
	/* Definitions; of one name the first counts, and more than what is known in general. */
	const struct model_derived *derived;
	size_t n_derived;
	bool is_strict; /* makes only measures of which nothing is left out */
	const struct measure_weights *weights; /* NULL = EVENT_CYCLES_L1 and so on */
};

/* Memory is the arena's that was given; fields are for reading. */
struct measures {
	struct measure *all; /* events in their order, then derived ones */
	size_t n;
	size_t n_events; /* the first of them */
};

/*
 * Makes the measures of costs with these events, and of the definitions those that can be
 * computed from them; texts stay borrowed.  False if memory ran out.
 */
bool measures_init(struct measures *measures, const struct measure_source *source,
		   struct arena *arena);

/*
 * The number of a measure by its name (len bytes), or by another name of the same event;
 * n if there is none.
 */
size_t measures_find(const struct measures *measures, const char *name, size_t len);

/* Whether all measures of a list, "Ir,Dr", are there. */
bool measures_have(const struct measures *measures, const char *names);

/* The measure's value of costs, one of each event. */
int128 measure_value(const struct measure *measure, const uint64_t *costs, bool is_signed);

/* Whether it could have happened: its value is not 0, or a reference is not. */
bool measure_can_happen(const struct measure *measure, const uint64_t *costs, bool is_signed);

#endif
