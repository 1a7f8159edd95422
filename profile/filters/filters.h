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
#include "profile/analysis/metric.h"
#include "profile/common/heap.h"
#include "profile/common/visitor.h"
#include "profile/filters/merged_header.h"
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
 * Gives functions of OLD the object, the file and the name that they have in NEW, where a difference
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

/* -- definitions of events ------------------------------------------------------- */

/*
 * What a profile still says about its events when some of its columns are left out.  A formula that
 * names one of them would silently mean something else: readers take for 0 what is not there.
 */

/* Columns as they are, and as they will be; all is borrowed. */
struct definitions_columns {
	const char *const *before; /* names, as formulas have them */
	const bool *stays;         /* of each: formulas may still name it */
	size_t n_before;
	const char *const *after;
	size_t n_after;
};

/* Fields are for reading. */
struct definitions {
	struct part_event *all; /* owned; texts are those that were given */
	size_t n;
	size_t n_lost; /* formulas that were dropped, except for columns */
};

/*
 * Keeps, of n definitions, formulas of what stays and long names of columns; a formula of a
 * formula that was dropped is dropped too.  To be released in any case,
 * before more are kept.
 */
void definitions_keep(struct definitions *definitions, const struct part_event *from, size_t n,
		      const struct definitions_columns *columns);
void definitions_release(struct definitions *definitions);

/* -- one event ------------------------------------------------------------------- */

/*
 * Forwards one event only.  Counts below 0 of other events are none (Xdebug writes memory that was
 * given back next to times).
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
	struct arena arena;           /* of that, and of regions */
	struct part part;
	struct definitions definitions; /* of it; its n_lost is of one part */
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

/* -- other events and another header --------------------------------------------- */

/* A filter that gives one part another header, and other events in another order. */

/* The desc line that says which input a part was. */
#define EVENT_REMAP_INPUT "Input"

/* The desc line of a command line where cmd: cannot be. */
#define EVENT_REMAP_COMMAND "Command"

/*
 * Fields are private, but filter.visitor, cmd, pid, number, thread, only_lines, summary and input.
 * Not to be moved.
 */
struct event_remap {
	struct visitor_filter filter;
	const struct merged_header *header;
	struct header_number pid, number, thread; /* of the header; the header's at first */
	bool only_lines;                          /* positions are lines, whatever is reported */
	const uint64_t *summary; /* by the columns that are reported; NULL = the totals */
	const char *cmd;         /* of the header; the header's at first */
	bool cmd_as_desc;        /* it becomes a desc line: KCachegrind takes one cmd a file */
	const char *input;       /* the file's name, for a desc line; NULL = none */
	bool selects;            /* columns are chosen: else all are forwarded as they are */
	bool selects_first;      /* and are the first ones, in their order */
	size_t columns[PROFILE_MAX_EVENTS];
	size_t n_columns;
	struct part part;
	struct arena texts;             /* of desc lines and regions */
	struct part_desc *descs;        /* owned */
	struct definitions definitions; /* its n_lost is for reading at the end */

	const char *events[PROFILE_MAX_EVENTS];
	uint64_t costs[PROFILE_MAX_EVENTS];
	uint64_t told_summary[PROFILE_MAX_EVENTS], changed_totals[PROFILE_MAX_EVENTS];
};

/* header and `to` are borrowed; event_remap_release() at the end. */
void event_remap_init(struct event_remap *remap, const struct visitor *to,
		      const struct merged_header *header);
void event_remap_release(struct event_remap *remap);

/*
 * The columns that are reported are the header's events, in its order; those that
 * all of its parts have (or, unless `common`, all of them) are passed on, in
 * the order in which they are written.
 */
void event_remap_select(struct event_remap *remap, bool common);

#endif
