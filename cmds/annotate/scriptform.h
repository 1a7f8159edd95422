/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The annotate scripts' output, byte for byte but where docs/COMPATIBILITY.md says otherwise: that of
 * the scripts in Perl (callgrind_annotate, and cg_annotate up to Valgrind 3.20), and that of the one in
 * Python (cg_annotate from 3.21 on).
 */
#ifndef CMDS_ANNOTATE_SCRIPTFORM_H
#define CMDS_ANNOTATE_SCRIPTFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "cmds/annotate/scriptsums.h"
#include "cmds/code/read_policy.h"
#include "profile/common/int128.h"
#include "profile/model/model.h"

enum { SCRIPT_FORM_NAMED = 256 };

struct script_key {
	size_t event;
	double threshold; /* percent */
	const char *text; /* of the threshold, as it was given */
};

/* What is printed, and how.  All is borrowed, but what is private. */
struct script_form {
	bool is_callgrind; /* callgrind_annotate, else cg_annotate */
	char *const *argv; /* as given, NULL ends it */
	FILE *out;         /* errors stay in it */
	struct script_sums *sums;
	const struct model *model; /* of the same files */
	struct read_policy *policy;
	const char *const *paths; /* of the profiles */
	size_t n_paths;
	const struct timespec *oldest; /* modification of these; NULL = not known */

	size_t shown[PROFILE_MAX_EVENTS]; /* events */
	size_t n_shown;
	struct script_key keys[PROFILE_MAX_EVENTS]; /* of sorting */
	size_t n_keys;
	const char *threshold; /* --threshold, of Callgrind's that together is reached */
	double threshold_value;
	bool has_key_thresholds;
	bool percents, automatic, inclusive;
	bool shows_callers, shows_callees;
	uint64_t context;         /* lines */
	const char *const *named; /* sources */
	size_t n_named;

	uint64_t totals[PROFILE_MAX_EVENTS]; /* by event of the sums */
	bool is_calculated;                  /* they are a sum of costs */
	size_t n_total;                      /* those behind are not there */
	/* The rest is private to the forms. */
	struct arena arena;
};

/* Print it all.  Return a status: PROFILE_OK, PROFILE_NO_MEMORY or PROFILE_RANGE. */
int script_form_perl(struct script_form *form);
int script_form_python(struct script_form *form);

/* -- for the forms -------------------------------------------------------------------------- */

extern const char script_form_rule[]; /* a line of dashes */

/* A count, signed if those of the sums are. */
static inline int128 script_form_count(const struct script_form *form, uint64_t count)
{
	return int128_of(count, form->sums->is_signed);
}

/* Percent of the total of an event, which is not 0, as floating-point division has it. */
double script_form_percent(const struct script_form *form, size_t event, uint64_t count);

/* Begins a warning; script_form_end_warning() has the line below it. */
void script_form_begin_warning(struct script_form *form);
void script_form_end_warning(struct script_form *form);

/* Prints a name, or a string, with control characters made visible. */
void script_form_name(struct script_form *form, struct name name);
void script_form_text(struct script_form *form, const char *text);

/*
 * Numbers below n in the order of compare(), which gets pointers to two of them; the arena's, NULL if
 * memory ran out.
 */
uint32_t *script_form_sort(struct script_form *form, size_t n,
			   int (*compare)(const void *a, const void *b, void *ctx), void *ctx);

/* Rows of the table of lines, sorted by file, then line. */
struct script_lines {
	uint32_t *rows;
	size_t n;
};

/* All lines, the arena's; false if memory ran out. */
bool script_form_sort_lines(struct script_form *form, struct script_lines *lines);

/* Those of a file: the first, and how many. */
size_t script_form_lines_of(const struct script_form *form, const struct script_lines *lines,
			    uint32_t file, size_t *n);

/* The number of a line. */
uint64_t script_form_line(const struct script_form *form, uint32_t row);

/*
 * From where to where lines are shown: those that have costs, sorted in at[0..n-1], and `context`
 * lines about each.  Spans of lines that meet are one.  The next one from *i on.
 */
struct script_span {
	int64_t low, high;
};

struct script_span script_form_span(const struct script_form *form, const uint32_t *rows, size_t n,
				    size_t *i);

/* Prints the number of a line with which a span begins or ends. */
void script_form_mark(struct script_form *form, int64_t line);

#endif
