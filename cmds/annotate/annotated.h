/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Source files with what their lines cost: which are chosen, where they are
 * found, what their lines and the calls from them cost, and how much of all
 * costs is thereby shown.
 */
#ifndef CMDS_ANNOTATE_ANNOTATED_H
#define CMDS_ANNOTATE_ANNOTATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/code/callwork.h"
#include "cmds/listing/listing.h"
#include "cmds/source/sourcetext.h"

struct annotated_options {
	bool automatic;           /* files of what reaches the threshold */
	const char *const *named; /* files that the user wants */
	size_t n_named;
	struct read_policy *policy;    /* by which they are looked for */
	uint64_t context;              /* lines to show about each that has costs */
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
};

struct annotated_line {
	uint64_t number;       /* 0 = of no particular line */
	const uint64_t *costs; /* zeros, if there are only calls */
	bool has_costs;
	const struct annotated_call *calls; /* those that cost most first */
	size_t n_calls;
};

struct annotated_file {
	const char *name;      /* as recorded, or as the user said if nothing is known of it */
	uint32_t file;         /* number of the name */
	bool is_known;         /* it is in the profile */
	bool is_named;         /* by the user; else it was chosen automatically */
	bool is_found;         /* and in text */
	bool is_refused;       /* it is there, but may not be read (cmds/source/read_policy.h) */
	bool is_stale;         /* changed after the profile was made */
	const uint64_t *costs; /* all that is recorded of it */
	struct sourcetext text;
	struct annotated_line *lines; /* by number; 0 may be the first */
	size_t n_lines;
	size_t n_past_end; /* of them, the last ones: numbers that the file has not */
};

/* Where the costs are. */
enum coverage_kind {
	COVERAGE_SHOWN,      /* lines of sources that are shown */
	COVERAGE_PAST_END,   /* lines past the end of such sources */
	COVERAGE_LINELESS,   /* in such sources, but in no particular line */
	COVERAGE_NOT_FOUND,  /* sources chosen, but not found */
	COVERAGE_REFUSED,    /* sources chosen, but not to be read */
	COVERAGE_NOT_CHOSEN, /* sources not chosen: below the threshold, or not asked for */
	COVERAGE_UNKNOWN,    /* code of no known source file */
	N_COVERAGE,
};

/* Memory is the arena's, but texts. */
struct annotated {
	struct annotated_file *files; /* the user's first, in their order; then by costs */
	size_t n;
	uint64_t context;
	uint64_t *coverage[N_COVERAGE]; /* counts by event */
};

/*
 * Makes it, of files of functions in the listing among others; returns a status.  To
 * be released, also after a failure.
 */
int annotated_make(struct annotated *annotated, const struct basis *basis,
		   const struct listing *listing, const struct annotated_options *options);
void annotated_release(struct annotated *annotated);

/* What there is to print of a file that is found, from its first line on. */
enum annotated_kind {
	ROW_GAP,      /* the mark of a gap: number is the line on this side of it */
	ROW_LINE,     /* a line of the file; line is NULL if it has no costs and calls */
	ROW_CALL,     /* a call from the line before */
	ROW_PAST_END, /* a line that the file has not */
	ROW_LINELESS, /* what has no line */
};

struct annotated_row {
	enum annotated_kind kind;
	uint64_t number;
	const char *text; /* of the line, text_len bytes */
	size_t text_len;
	const struct annotated_line *line;
	const struct annotated_call *call;
};

/* Private. */
struct annotated_walk {
	const struct annotated_file *file;
	uint64_t context;
	size_t next;      /* index of the next line with costs */
	size_t end;       /* index of the first line past the end of the text */
	size_t next_call; /* of the current line */
	uint64_t at;      /* last line of the text that was shown */
	uint64_t until;   /* last line of this run */
	bool end_mark;    /* to be made behind the run */
	bool lineless_done;
	const struct annotated_line *current; /* calls of it are to come */
};

void annotated_walk_init(struct annotated_walk *walk, const struct annotated *annotated,
			 const struct annotated_file *file);

/* The next row; false at the end. */
bool annotated_walk_next(struct annotated_walk *walk, struct annotated_row *row);

#endif
