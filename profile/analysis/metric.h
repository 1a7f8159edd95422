/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What profiles are measured by: their events, and what is derived from them by
 * adding, subtracting and weighting.
 *
 * Derived are the events that a profile defines ("event: x = formula"), and, if the events for
 * them were recorded, DERIVED_EVENTS of writer/shared/events.h: misses, hits, and estimated cycles, whose
 * formula can be set.
 *
 * Values are whole numbers whose last digits may be decimals: of formulas whose weights have some,
 * and of what is counted in tenths, as cycles are.
 *
 * In a formula, what was not recorded is left out, as KCachegrind does, if anything
 * was (but see is_strict).
 *
 * A count of 0 may mean two things: it did not happen, or it cannot happen there.
 * The latter is so where the event's reference has a count of 0 too: a line that
 * never read memory cannot miss when it reads.
 */
#ifndef PROFILE_ANALYSIS_METRIC_H
#define PROFILE_ANALYSIS_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"
#include "writer/shared/events.h"

struct metric_term {
	size_t event;   /* index into the costs that are measured */
	int64_t factor; /* at most 2^20, or at least -2^20 */
};

struct metric {
	const char *name;
	const char *long_name;     /* NULL = none is known */
	const char *formula;       /* NULL: it is an event, its only term */
	struct metric_term *terms; /* of each event one at most */
	size_t n_terms;
	size_t *references; /* events; the metric can happen where one is not 0 */
	size_t n_references;
	bool always; /* no reference is known: it can happen everywhere */
	bool is_self_only; /* an event of it has no inclusive costs (event_is_inclusive()): self costs are all there is */
	struct decimals decimals; /* of its values */
};

/* What long names say about metrics that are counted in tenths. */
#define METRIC_TENTHS " (tenths)"

/*
 * True if an event, or a derived one that has become one, is counted in tenths of what people see: by its name, or its
 * long name.
 */
bool metric_is_tenths(const char *name, const char *long_name);

/* The formula of EstCyc by cycles of a hit in L1, in the last level, and in memory, each a text. */
#define METRIC_ESTIMATE_OF(l1, ll, ram) l1 " L1hit + " ll " LLhit + " ram " RAMhit"
#define METRIC_ESTIMATE_USUAL                                                 \
 METRIC_ESTIMATE_OF(EVENT_TEXT(EVENT_CYCLES_L1), EVENT_TEXT(EVENT_CYCLES_LL), \
		    EVENT_TEXT(EVENT_CYCLES_RAM))

/* What can be measured; all is borrowed. */
struct metric_source {
	const struct model_event *events;
	size_t n_events;
	/* Definitions; of one name the first counts, and more than what is known in general. */
	const struct model_derived *derived;
	size_t n_derived;
	bool is_strict; /* makes only metrics that leave nothing out */
	/*
	 * The formula of EstCyc, weighted (profile/common/event_names.h), in which what is counted in tenths
	 * counts as people see it; NULL = METRIC_ESTIMATE_USUAL.
	 */
	const char *estimate;
};

/* All that a model has, with a formula of EstCyc or NULL; what it points to is the model's. */
static inline struct metric_source metric_source_of(const struct model *model, const char *estimate)
{
	return (struct metric_source){
		.events = model->events,
		.n_events = model->n_events,
		.derived = model->derived,
		.n_derived = model->n_derived,
		.estimate = estimate,
	};
}

/* Memory is the arena's that was given; fields are for reading. */
struct metrics {
	struct metric *all; /* events in their order, then derived ones */
	size_t n;
	size_t n_events; /* the first of them */
	bool has_own_estimate;
};

/*
 * Makes the metrics of costs with these events, and of the definitions those that can be
 * computed from them; texts stay borrowed.
 */
void metrics_init(struct metrics *metrics, const struct metric_source *source, struct arena *arena);

/* The same for n events known by name only; source has none. */
void metrics_init_names(struct metrics *metrics, const char *const *names, size_t n,
			const struct metric_source *source, struct arena *arena);

/*
 * The number of a metric by its name (len bytes), or by another name of the same event;
 * n if there is none.
 */
size_t metrics_find(const struct metrics *metrics, const char *name, size_t len);

/* The same metric itself, by a whole text; NULL if there is none. */
const struct metric *metrics_named(const struct metrics *metrics, const char *name);

/*
 * The number of the metric that a run is first judged by, wherever nothing else was asked for: EstCyc, if
 * its formula was given; else cycles; else estimated ones, as the profile's own formula has them if it is
 * Callgrind's CEst; else instructions, else the first event; of a difference as increases and decreases
 * (METRIC_UP), their increase.  There is one event at least.
 */
size_t metrics_main(const struct metrics *metrics);

/*
 * What names of columns end in where a difference is written as increases and decreases: IrUp, IrDown.
 * Together they say what Ir alone says about other profiles.
 */
#define METRIC_UP   "Up"
#define METRIC_DOWN "Down"

/* The number of the other one of such a pair; n if there is none. */
size_t metrics_other_way(const struct metrics *metrics, size_t number);

/*
 * Part i of what cycles were spent on, which people read next to the whole; each part is two where increases and decreases are
 * counted apart.  n if there are no more, or the metric is not the machine's cycles.
 */
size_t metrics_cycle_part(const struct metrics *metrics, size_t number, size_t i);

/*
 * What is wrong with the formula of EstCyc that these metrics were made with: a text of the
 * arena's, or static; NULL if nothing is.  totals are what a program cost, which is never below 0; NULL for a
 * difference.
 */
const char *metrics_estimate_wrong(const struct metrics *metrics, const char *estimate,
				   const uint64_t *totals, struct arena *arena);

/* True if a profile itself defines an event of this name by a formula. */
bool metrics_is_defined(const struct model *model, const char *name);

/* True if all metrics of a list, "Ir,Dr", are there. */
bool metrics_have(const struct metrics *metrics, const char *names);

/* The metric's value of costs, one of each event. */
int128 metric_value(const struct metric *metric, const uint64_t *costs, bool is_signed);

/* The factor of an event in a metric; 0 if it has none. */
int64_t metric_factor(const struct metric *metric, size_t event);

/* True if it could have happened: its value is not 0, or a reference is not. */
bool metric_can_happen(const struct metric *metric, const uint64_t *costs, bool is_signed);

#endif
