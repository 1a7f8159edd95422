/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles read for a sum, with what their headers say; and one written in Cachegrind's own format.
 */
#ifndef CMDS_CLI_PROFILEIO_H
#define CMDS_CLI_PROFILEIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/cli/inputs.h"
#include "profile/common/heap.h"
#include "profile/filters/merged_header.h"
#include "profile/model/build.h"
#include "profile/model/model.h"

/* -- reading ---------------------------------------------------------------------------- */

/* Reads a profile into a builder, and what its headers say into a header. */

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
	uint64_t n_costs; /* since the place was reported */
	bool corrected;   /* what a part said about its totals cannot be right, so was not taken */
	uint64_t n_several; /* places that had several self costs, as Xdebug never writes */
};

/*
 * Reads a file and adds it to all of these.  The summary gets each part's summary: line, else its totals:,
 * else the sum of its costs; the sum also for an event that the line leaves out, or if a
 * number wrapped.
 * Notes in the report what only the sums tell (model_note_totals()).
 * Returns a status, with error filled.
 */
int merge_reader_read(struct merge_reader *reader, const char *path, struct reader_report *report,
		      struct profile_error *error);

/* -- Cachegrind's format ---------------------------------------------------------------- */

/*
 * A visitor that writes what is reported to it in Cachegrind's own format, in the form of
 * cg_merge: for cg_annotate, cg_diff and cg_merge, which read no other.
 *
 * The format has files, functions and lines.  So what is reported of several
 * objects or instructions is added up, the lines of inlined code are of a
 * function of their file, as in Cachegrind, and calls and jumps are left out.
 * "summary:" is what the lines add up to, since these readers refuse all else.
 */

/* Fields are private, but visitor and n_dropped.  Not to be moved. */
struct cachegrind {
	struct visitor_filter filter;
	uint64_t n_dropped; /* calls and jumps that were left out */
	const struct env *env;
	struct model model;
	struct builder builder;
	struct part part;
};

/*
 * Writes with env->write, when all has been reported.  names is
 * the dictionaries that the reported keys are of.
 */
void cachegrind_init(struct cachegrind *cachegrind, const struct env *env,
		     const struct dictionary *names);
void cachegrind_release(struct cachegrind *cachegrind);

/* Writes it; an empty profile is an empty file.  Returns 0, an error of writer/out.h, or OUT_MISUSE if a sum is beyond 64 bits. */
int cachegrind_finish(struct cachegrind *cachegrind);

#endif
