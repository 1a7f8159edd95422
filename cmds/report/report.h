/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of costgrind report share. */
#ifndef CMDS_REPORT_REPORT_H
#define CMDS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/json.h"
#include "cmds/object/objectfile.h"
#include "profile/analysis/callgraph.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/inclusive.h"
#include "profile/analysis/metric.h"
#include "profile/common/dictionary.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"
#include "writer/out.h"

/* -- what a report is made of ---------------------------------------------------------- */

/* The data of a report: a profile, and an older one, as JSON (docs/REPORT.md). */

enum { REPORT_CONTEXT = 8 }; /* lines, or instructions, about each that costs */

/* What --detail is by default, in percent. */
#define REPORT_DETAIL 0.05

/* The formula of EstCyc by which code is chosen: mispredictions have to be set against misses. */
#define REPORT_ESTIMATE \
 METRIC_ESTIMATE_USUAL  \
 " + " EVENT_TEXT(EVENT_CYCLES_WRONG_BRANCH) " Bm"

/* What a report is made of; all is borrowed. */
struct report_input {
	const struct model *model;           /* finished; with lines */
	const struct model *parts;           /* the same with its parts apart; NULL = it has one */
	const struct difference *difference; /* to an older profile; NULL = none */
	const struct model *data;            /* its data profile, finished; NULL = none */
	const struct pathtree *tree;         /* a call tree, of a model of its own; NULL = none */
	const struct pathtree *other_tree;   /* the older profile's */
	const char *title, *other_title;
	const char *
		path; /* of the profile, as the user names it, for commands; NULL = none are proposed */
	double detail;        /* percent; functions of less have no lines and code */
	const char *event;    /* shown first, derived ones too; NULL = metrics_main() */
	const char *estimate; /* of EstCyc, as in metric.h; NULL = the usual one */
	bool no_source, no_code, no_data;
	struct read_policy *policy; /* by which sources are looked for; NULL if no_source */
	struct objectfile_options objects;
	struct name_rules *rules;            /* of names in debug information; NULL = they stay */
	const struct timespec *oldest;       /* modification of the profile; NULL = not known */
	const struct timespec *other_oldest; /* of the older one */
	const char *command;                 /* for messages */
	bool quiet;                          /* no warnings */
	bool verbose;                        /* name each source file */
};

/* What was taken in from elsewhere than the profile. */
struct report_taken {
	size_t n_files; /* of source */
	uint64_t n_lines;
};

/*
 * Writes the data, and adds to taken.  Returns a status: PROFILE_EVENTS if the event is not
 * there; errors of out stick there.
 */
int reportdata_write(const struct report_input *input, struct report_taken *taken, struct out *out);

/* -- texts ----------------------------------------------------------------------------- */

/* The texts of a report, each once, and which of them are files and objects. */

/* Texts with numbers of their own. */
struct reportnames_list {
	struct idtable numbers; /* by text */
	uint32_t *texts;        /* by number; owned */
	size_t n, capacity;
};

/* A text that is two others with "'" between: "f'main" of "f" and "main". */
struct reportnames_pair {
	uint32_t head, tail; /* 0, 0 = it is not */
};

/* Text 0 is "".  Fields are for reading. */
struct reportnames {
	struct dictionary strings;
	struct reportnames_list files, objects;
	struct reportnames_pair *pairs; /* by text; those after the last one are none; owned */
	size_t n_pairs, pairs_capacity;
};

void reportnames_init(struct reportnames *names);
void reportnames_release(struct reportnames *names);

/*
 * The number of a function's name.  With callers in it ("f'g'main") it is written as a pair, so that
 * each function is there once, not once for each of its callers.
 */
uint32_t reportnames_function(struct reportnames *names, const char *text, size_t len);

/* The numbers of a text, of a file, and of an object, which are made if they are new. */
uint32_t reportnames_text(struct reportnames *names, const char *text, size_t len);
uint32_t reportnames_file(struct reportnames *names, struct name name);
uint32_t reportnames_object(struct reportnames *names, struct name name);

/* "strings", "objects" and "files" of the data, last of all. */
void reportnames_write(const struct reportnames *names, struct json *json);

/* -- functions ------------------------------------------------------------------------- */

/*
 * The functions of a report: of its profile and of an older one that it is compared
 * with, in one table.  A side is one of the two.
 */

enum report_side {
	SIDE_MAIN,
	SIDE_OTHER, /* the older profile, if there is one */
	N_SIDES,
};

/* Of one side. */
struct reportrows_side {
	const struct model *model;         /* NULL = there is no such side */
	const struct inclusive *sums;      /* by its functions, by the report's events */
	size_t events[PROFILE_MAX_EVENTS]; /* of the model, by the report's events */
	uint64_t totals[PROFILE_MAX_EVENTS];
	uint32_t *functions; /* by row; MODEL_NO_FUNCTION = none; owned */
	uint32_t *rows;      /* by function; owned */
	uint32_t *files;     /* by file: number among the report's files; owned */
};

/* Fields are for reading. */
struct reportrows {
	struct reportnames *names;
	size_t n, n_events;
	struct reportrows_side sides[N_SIDES];
	bool *is_detailed;    /* by row: costs enough for its lines and instructions; owned */
	struct inclusive own; /* of a report without an older profile */
};

/*
 * Makes them of a finished model, or of a difference (model is then its new one).  A row is detailed if of
 * any event on any side its self cost, or of main_metric, which is of the report's events, its inclusive
 * cost, is that share of the total or more (0 = all are).  Returns a status.  To be released in any case.
 */
int reportrows_init(struct reportrows *rows, const struct model *model,
		    const struct difference *difference, struct reportnames *names);
void reportrows_choose(struct reportrows *rows, double share, const struct metric *main_metric);
void reportrows_release(struct reportrows *rows);

/* How many sides there are. */
static inline unsigned reportrows_sides(const struct reportrows *rows)
{
	return rows->sides[SIDE_OTHER].model ? N_SIDES : 1;
}

/* Costs of a row on a side, n_events numbers, or NULL if it has no such function. */
const uint64_t *reportrows_self(const struct reportrows *rows, enum report_side side, size_t row);
const uint64_t *reportrows_inclusive(const struct reportrows *rows, enum report_side side,
				     size_t row);

/* How often a row's function is called by others; 0 if there is no such function. */
uint64_t reportrows_calls(const struct reportrows *rows, enum report_side side, size_t row);

/* The number among the report's files of a file of a side's model; of an older one that was renamed, the newer one's. */
uint32_t reportrows_file(struct reportrows *rows, enum report_side side, uint32_t file);

/*
 * The same of a file that a row's function of that side has lines in: if the function is in another file now, its own file
 * is that one, so that its lines are compared.
 */
uint32_t reportrows_file_in(struct reportrows *rows, enum report_side side, size_t row,
			    uint32_t file);

/* The row of a function of another model, by its names on a side; MODEL_NO_FUNCTION if there is none. */
uint32_t reportrows_find(const struct reportrows *rows, enum report_side i,
			 const struct model *from, uint32_t number);

/* Numbers that are computed while they are written: of n rows, in columns, as by event. */
struct reporttable {
	uint64_t (*at)(const void *ctx, size_t row, size_t column);
	const void *ctx;
	size_t n;
	bool is_signed;
};

/* Writes one column, an array. */
void reporttable_column(const struct reporttable *table, const char *key, size_t column,
			struct json *json);

/* Writes an array of columns; a column of only zeros is written as 0. */
void reporttable_costs(const struct reporttable *table, const char *key, size_t n_columns,
		       struct json *json);

/* -- what libraries cost ----------------------------------------------------------------- */

/*
 * "charges" of the data: self costs where library costs are charged to the first own callers, and in a Python program
 * the costs of C to its Python functions; and who the callers of functions that are detailed are.  Exact by a call tree that has all
 * events; by shares, which the metric of the report's events decides, if tree is NULL (profile/analysis/owncode.h; of Python
 * profile/analysis/pythonshare.h, which knows no callers of single functions).
 * Left out if there is nothing to charge, or an older profile.  Returns a status.
 */
int reportcharges_write(const struct reportrows *rows, const struct pathtree *tree,
			const struct metric *metric, struct json *json);

/* -- source ---------------------------------------------------------------------------- */

/* The stretches of source files that a report has: lines with costs, and those around them.  {0} is empty. */
struct reportsources {
	struct report_wanted *wanted; /* lines; owned */
	size_t n, capacity;
	struct report_file *files; /* that were read; owned */
	size_t n_files, files_capacity;
};

void reportsources_release(struct reportsources *sources);

/* Adds a line that is wanted, unless it is 0. */
void reportsources_add(struct reportsources *sources, uint32_t file, uint64_t line);

/*
 * "sources" of the data, and "taken" and "refused": which files were read, and which must not be.  Files that do not
 * exist or are no text are left out; the others are counted in taken.
 */
void reportsources_write(struct reportsources *sources, const struct report_input *input,
			 const struct reportnames *names, struct report_taken *taken,
			 struct json *json);

/* -- lines and calls ------------------------------------------------------------------- */

/*
 * Costs by line and calls: the lines of the functions that are detailed, the calls from these lines, and the sums
 * of all calls between two functions.
 */
struct reportlines;

/*
 * Gathers them into *made; returns a status.  To be freed in any case.  *is_packed: calls are packed, inclusive costs left
 * out, and costs of the older profile written as differences, since what can be computed from others is not
 * written (docs/REPORT.md).  Not if a number is below 0, or too large for a double, on either side.
 */
int reportlines_make(struct reportlines **made, struct reportrows *rows, bool *is_packed);
void reportlines_free(struct reportlines *lines);

/* Adds the lines that cost or call. */
void reportlines_add_sources(const struct reportlines *lines, struct reportsources *sources);

/* "arcs", "lines" and "line_calls" of the data; costs of calls are lost. */
void reportlines_write(struct reportlines *lines, struct json *json);

/* The same of "other", after that; there is an older profile. */
void reportlines_write_other(const struct reportlines *lines, struct json *json);

/* -- the call tree --------------------------------------------------------------------- */

/* The call tree of a report, with the costs of the older profile by the same chains. */
struct reporttree;

/*
 * Makes it of an exact tree in pre-order, of a model of its own, whose functions are found among the rows by
 * their names.  If other is not NULL, it is the older profile's, and nodes come from both.  Nodes that with all below
 * them cost less than a share of the whole, in both, are one node below their parent.
 */
struct reporttree *reporttree_new(const struct reportrows *rows, const struct pathtree *main_tree,
				  const struct pathtree *other, double share);
void reporttree_free(struct reporttree *tree);

/* "tree" of the data, null if tree is NULL; and of "other", if is_related what has to be added to the main side's. */
void reporttree_write(const struct reporttree *tree, struct json *json);
void reporttree_write_other(const struct reporttree *tree, bool is_related, struct json *json);

/* -- machine code ---------------------------------------------------------------------- */

/* The machine code of the functions that are detailed. */
struct reportcode;

/*
 * Makes it into *made, without any code if the profile has no instructions.  The lines of source that it comes from are
 * added to sources.  Warnings are printed.  Returns a status; to be freed in any case.
 */
int reportcode_make(struct reportcode **made, const struct report_input *input,
		    struct reportrows *rows, struct reportsources *sources);
void reportcode_free(struct reportcode *code);

/* "code" of the data; and of "other", if is_related with what has to be added to the main side's costs. */
void reportcode_write(const struct reportcode *code, struct json *json);
void reportcode_write_other(const struct reportcode *code, bool is_related, struct json *json);

/* -- changes ------------------------------------------------------------------------------- */

/*
 * "changes": the functions whose self costs changed most from the older profile, a card each, the largest change first.  Metrics
 * are of the difference's events; metric is one of them.  Returns a status.
 */
int reportchanges_write(struct reportrows *rows, const struct difference *difference,
			const struct metrics *metrics, const struct metric *metric,
			struct json *json);

/* -- views ----------------------------------------------------------------------------- */

/*
 * "branches", "layout", "why", "types", "data_objects" and "roofline": what commands say about the profile; "changes", if there
 * is an older one, by a metric of the rows' events; and "regions" of both.  A member is left out if the profile has nothing to
 * show in it.  Files are added to the rows'.  Returns a status.
 */
int reportviews_write(const struct report_input *input, struct reportrows *rows,
		      const struct metrics *metrics, const struct metric *metric,
		      struct json *json);

/* -- alignment: what two lists have in common, in order: a longest common subsequence of their keys -- */

#define ALIGNMENT_NONE SIZE_MAX

/* A list of keys; those that are equal may be aligned. */
struct alignment_list {
	const uint32_t *keys;
	size_t n;
};

/*
 * Fills partners[i], for each i of a, with the place in b that it is aligned to, or ALIGNMENT_NONE.  Partners
 * rise with i, and their keys are equal.  *effort is how many pairs all calls together may compare; what this one needs
 * is subtracted.  Returns PROFILE_OK, or PROFILE_RANGE if it needs more: then nothing is filled.
 */
int alignment_make(const struct alignment_list *a, const struct alignment_list *b, size_t *effort,
		   size_t *partners);

/* -- events ---------------------------------------------------------------------------- */

/* What costs are measured in, as the page of a report reads it: events, and what is derived from them. */

/*
 * Writes "events", "event" and "derived" of an object: metrics are of metrics->n_events events of the model with these
 * numbers (NULL = all); main_metric is shown first.
 */
void reportevents_write(const struct model *model, const size_t *events,
			const struct metrics *metrics, size_t main_metric, struct json *json);

/* -- the page -------------------------------------------------------------------------- */

/*
 * The page of a report: cmds/report/page/page.html with style and script in it, a policy that forbids
 * any others and the network, and the data, compressed by gzip, as base64.
 */
struct reportpage;

/*
 * Begins a page that is written by env; both arguments outlive it.  The title is UTF-8 or is shown as if it were.  The
 * page's data is to be written to *data.  Errors stick until the end.
 */
struct reportpage *reportpage_new(const struct env *env, const char *title, struct out **data);

/* Ends and frees it.  Returns the error, as out_flush() does. */
int reportpage_end(struct reportpage *page);

#endif
