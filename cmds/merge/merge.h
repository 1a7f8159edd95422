/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What costgrind merge was asked to do; shared by the files that do it. */
#ifndef CMDS_MERGE_MERGE_H
#define CMDS_MERGE_MERGE_H

#include <stdbool.h>

#include "cmds/cli/cachegrind.h"
#include "cmds/cli/inputs.h"
#include "cmds/cli/naming.h"
#include "cmds/cli/option.h"
#include "cmds/cli/outfile.h"
#include "cmds/cli/progress.h"
#include "profile/common/rank_set.h"
#include "profile/format/emit.h"
#include "profile/format/reader.h"

/* -- the output ------------------------------------------------------------ */

/* Where a profile is written to, in one of two formats. */

enum profile_writer_format {
	PROFILE_WRITER_CALLGRIND,
	PROFILE_WRITER_CACHEGRIND,
};

/* Fields are private, but visitor and what is below it, to be read.  Not to be moved. */
struct profile_writer {
	const struct visitor *visitor; /* what is reported here is written */
	enum profile_writer_format format;
	struct outfile *file;
	struct emitter emitter;
	struct cachegrind cachegrind;
};

/*
 * Writes to a file that is open; names is the dictionaries of what will be reported.  Returns
 * a status (release it all the same).
 */
int profile_writer_init(struct profile_writer *writer, enum profile_writer_format format,
			struct outfile *file, const struct dictionary *names);
void profile_writer_release(struct profile_writer *writer);

/* -- merging ----------------------------------------------------------------- */

enum merge_kind {
	MERGE_SUM,
	MERGE_PARTS,   /* each input becomes a part */
	MERGE_THREADS, /* each input becomes a thread */
};

struct merge {
	const char *command; /* for messages */
	struct option_common common;
	struct naming naming;
	bool lenient;
	bool common_events;  /* only events that all inputs have */
	bool no_positions;   /* costs of functions only */
	unsigned statistics; /* see column_stats.h */
	enum merge_kind kind;
	enum profile_writer_format format;
	const char *output; /* NULL = standard output */
	struct inputs inputs;
	struct outfile file;
	struct progress progress;
	const char *ranks; /* list of those of which a profile is expected; NULL = as files say */
	struct rank_set present;  /* whose profiles there are, as far as they say it */
	struct rank_set expected; /* of which there should be one, as files say */
};

/* costgrind merge */
int merge_main(int argc, char **argv);

extern const struct option_rule merge_options[];

/*
 * Warns of what was skipped or is strange in a file that was read.  False, and a message, if it is no
 * profile or, unless lenient, one that is cut short, or if its names could not be changed.
 */
bool merge_judge_report(const struct merge *merge, const char *path,
			const struct reader_report *report);

/* What a file says of its totals cannot be right. */
void merge_warn_corrected(const struct merge *merge, const char *path);

/* Formulas of events that were left out, which were left out too. */
void merge_warn_lost(const struct merge *merge, size_t n_formulas);

/* Says that an input is about to be read, if that was asked for. */
void merge_print_progress(const struct merge *merge, size_t input);

/* Of a file whose events are not those of the first one. */
struct merged_header;
bool merge_events_fit(const struct merge *merge, const struct merged_header *header,
		      const char *path);

/* Warns of unlike machines or caches; false, and a message, if memory ran out. */
bool merge_note_unlike(const struct merge *merge, struct merged_header *header);

/* Takes what a header says of ranks into merge; false, and a message, if memory ran out. */
bool merge_note_ranks(struct merge *merge, const struct merged_header *header);

/*
 * Ends a profile that was passed to a profile writer with this status; false, and a message, if it
 * failed.
 */
bool merge_close(const struct merge *merge, struct profile_writer *writer, int status);

/* The message for a status that says it all; returns false. */
bool merge_fail(const struct merge *merge, int status);

/* Reads all inputs and writes what becomes of them to merge->file; false after a message. */
bool merge_series(struct merge *merge);
bool merge_statistics(struct merge *merge);

#endif
