/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a profile into a builder, and what its headers say into a header. */
#ifndef CMDS_CLI_MERGE_READER_H
#define CMDS_CLI_MERGE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/cli/inputs.h"
#include "profile/common/heap.h"
#include "profile/filters/merged_header.h"
#include "profile/model/build.h"

/*
 * Set builder to lenient; the rest is private, but n_several and corrected.  Not to be moved.
 */
struct merge_reader {
	struct visitor_filter filter;
	struct builder *builder;      /* of model */
	struct model *model;          /* whose dictionaries names get their keys from */
	struct merged_header *header; /* NULL = none */
	uint64_t *summary; /* of the model's events, PROFILE_MAX_EVENTS numbers; NULL = none */
	struct progress *progress;    /* NULL = none is shown */
	bool lenient;                 /* skips what is not understood */
	struct reader_report *report; /* may be NULL */
	/* What the parts of the file at work have said so far; only while it is read. */
	struct arena texts;
	const char *cmd;
	uint64_t pid;
	bool has_pid;
	struct part_desc *caches;
	size_t n_caches;
	uint64_t n_costs;   /* since the place was reported */
	bool corrected;     /* what a part said of its totals cannot be right, so was not taken */
	uint64_t n_several; /* places that had several self costs, as Xdebug never writes */
};

/*
 * Reads a file and adds it to all of these.  To the summary, of each part, what
 * it says as summary:, else totals:, else what its costs add up to; the latter too of an
 * event of which less was said, or a number that wrapped.
 * Notes in the report what only the sums tell (model_note_totals()).
 * Returns a status, with error filled.
 */
int merge_reader_read(struct merge_reader *reader, const char *path, struct reader_report *report,
		      struct profile_error *error);

#endif
