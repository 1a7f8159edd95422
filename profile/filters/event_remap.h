/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A filter that gives one part another header, and other events in another order.
 */
#ifndef PROFILE_FILTERS_EVENT_REMAP_H
#define PROFILE_FILTERS_EVENT_REMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/definitions.h"
#include "profile/common/visitor.h"
#include "profile/filters/merged_header.h"

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
	struct bytes rank_lists;        /* two of ranks, each with its NUL */
	struct arena facts;             /* texts of lines of facts */
	struct part_desc *descs;        /* owned, of the header's env */
	struct definitions definitions; /* its n_lost is for reading at the end */
	char merged[24];                /* decimal number */
	const char *events[PROFILE_MAX_EVENTS];
	uint64_t costs[PROFILE_MAX_EVENTS];
	uint64_t told_summary[PROFILE_MAX_EVENTS], changed_totals[PROFILE_MAX_EVENTS];
};

/* header and `to` are borrowed; event_remap_release() at the end. */
void event_remap_init(struct event_remap *remap, const struct visitor *to,
		      const struct merged_header *header);
void event_remap_release(struct event_remap *remap);

/*
 * The columns that are reported are the header's events, in its order; those
 * that all of its parts have (or, unless `common`, all of them) are passed on, in
 * the order in which they are written.
 */
void event_remap_select(struct event_remap *remap, bool common);

#endif
