/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of cg_annotate from Valgrind 3.21 on.  This is for python_*.c only. */
#ifndef CMDS_ANNOTATE_PYTHON_FORM_H
#define CMDS_ANNOTATE_PYTHON_FORM_H

#include "cmds/annotate/scriptform.h"

struct widths {
	size_t count, percent, cumulative;
};

/* A file or function, and in it functions or files. */
struct inner {
	struct name name;
	const uint64_t *counts;
};

struct outer {
	struct name name;
	uint32_t key; /* of its dictionary */
	uint64_t *counts;
	struct inner *inner; /* those that reach the threshold, sorted */
	size_t n_inner;
};

enum coverage_kind {
	LINES_KNOWN,
	LINES_UNKNOWN,
	NOT_IDENTICAL,
	UNREADABLE,
	BELOW_THRESHOLD,
	FILES_UNKNOWN,
	N_COVERAGE_KINDS
};

struct python_form {
	struct script_form *form;
	struct widths widths[PROFILE_MAX_EVENTS]; /* of the table at work, by event */
	struct script_lines lines;
	struct outer *files; /* those that are listed, sorted */
	size_t n_files;
	uint64_t *coverage[N_COVERAGE_KINDS];
	bool *is_done;          /* by file: its lines are in the coverage */
	uint32_t *names;        /* keys of names_of_files, sorted by file, then name */
	const char **filenames; /* of the file at work, as the profiles have them */
	size_t n_filenames;
};

/* The least and largest counts, and 0: one of them is the widest. */
struct extremes {
	int128 least, most;
};

/* Widens them by a row's. */
void python_note_extremes(const struct script_form *form, struct extremes *extremes,
			  const uint64_t *counts);

/* Columns of a table with these; cumulative NULL = there are no sums so far. */
void python_set_widths(struct python_form *python, const struct extremes *own,
		       const struct extremes *cumulative);

/* Print the title of a section, those of columns, and costs, with the blank behind them. */
void python_put_title(struct script_form *form, const char *title);
void python_put_titles(struct python_form *python, const char *before, const char *after);
void python_put_costs(struct python_form *python, const uint64_t *counts,
		      const uint64_t *cumulative);

/* Prints all sources, and what of the costs is in them.  Returns a status. */
int python_put_sources(struct python_form *python);

#endif
