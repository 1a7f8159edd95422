/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of costgrind report share. */
#ifndef CMDS_REPORT_REPORT_H
#define CMDS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/gzipper.h"
#include "cmds/emit/json.h"
#include "cmds/object/objectfile.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/inclusive.h"
#include "profile/analysis/metric.h"
#include "profile/analysis/pathtree.h"
#include "profile/common/dictionary.h"
#include "profile/format/idtable.h"
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
	const struct pathtree *other_tree;   /* of the older profile, likewise */
	const char *title, *other_title;
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
 * Writes the data, and adds to taken.  Returns a status, of which PROFILE_EVENTS is that the event is not
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
	const struct env *env;
	struct dictionary strings;
	struct reportnames_list files, objects;
	struct reportnames_pair *pairs; /* by text; those behind the last one are none; owned */
	size_t pairs_capacity;
	bool failed; /* memory ran out; sticky, numbers are 0 then */
};

void reportnames_init(struct reportnames *names, const struct env *env);
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
 * The functions of a report: those of its profile, and of an older one that it is compared
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
	const struct env *env;
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

/* The number among the report's files of a file of a side's model. */
uint32_t reportrows_file(struct reportrows *rows, enum report_side side, uint32_t file);

/* The row of a function of another model, by its names on a side; MODEL_NO_FUNCTION if there is none. */
uint32_t reportrows_find(const struct reportrows *rows, enum report_side i,
			 const struct model *from, uint32_t number);

/* -- costs by place -------------------------------------------------------------------- */

/*
 * Costs by place: lines of functions, calls from them, calls between functions.  What is
 * added gathers until reporttable_fold(), which sorts it and makes one of those of one place.
 */

struct report_place {
	uint32_t row;  /* function */
	uint32_t file; /* of the report */
	uint64_t line;
	uint32_t to; /* row that is called; 0 if it is no call */
};

struct report_entry {
	struct report_place place;
	uint64_t counts[N_SIDES];
	size_t costs;   /* where they are in the table's */
	unsigned sides; /* that have it: 1 << side for each */
};

/* Fields are for reading. */
struct reporttable {
	const struct reportrows *rows;
	struct report_entry *entries; /* those before n are sorted and folded; owned */
	size_t n, n_all, capacity;
	uint64_t *costs; /* n_events numbers of each side; owned */
	size_t n_costs, costs_capacity;
	size_t folded_costs; /* of the entries before n */
	uint64_t *spare;     /* owned */
	size_t spare_capacity;
	bool is_packed;  /* costs are what is left behind a forecast: they may be below 0 */
	bool is_related; /* those of the older side are what is to be added to the main one's */
};

void reporttable_init(struct reporttable *table, const struct reportrows *rows);
void reporttable_release(struct reporttable *table);

/* Adds costs (of the side's model, by its events) and a count to a place.  False if memory ran out. */
bool reporttable_add(struct reporttable *table, const struct report_place *place,
		     enum report_side side, uint64_t count, const uint64_t *costs);

/* Sorts and adds up what came since the last time.  Returns a status. */
int reporttable_fold(struct reporttable *table);

/* An entry's costs on a side. */
static inline const uint64_t *reporttable_costs(const struct reporttable *table, size_t entry,
						enum report_side side)
{
	return table->costs + table->entries[entry].costs + side * table->rows->n_events;
}

/* Has the older side's counts and costs be what is to be added to those of the main side. */
void reporttable_relate(struct reporttable *table);

/* Writes the costs of a side as an array of columns. */
void reporttable_write_costs(const struct reporttable *table, enum report_side side,
			     const char *key, struct json *json);

/* What a column is of. */
enum report_column {
	COLUMN_ROW, /* as differences */
	COLUMN_FILE,
	COLUMN_TO,
	COLUMN_COUNT,
	COLUMN_OTHER_COUNT, /* of the older side */
};

void reporttable_write_column(const struct reporttable *table, enum report_column column,
			      const char *key, struct json *json);

/* Lines, as json_steps() does. */
void reporttable_write_lines(const struct reporttable *table, struct json *json);

/*
 * Writes what the older side has by the same entries: "count", if has_counts, and "costs"; if they
 * are related, "p_count" and "p_costs".
 */
void reporttable_write_other(const struct reporttable *table, bool has_counts, struct json *json);

/* -- lines and calls ------------------------------------------------------------------- */

/*
 * What a report has of costs by line and of calls: lines of the functions that are detailed,
 * calls from them, and the sums of all calls between two functions.
 */

/* Fields are for reading. */
struct reportlines {
	struct reporttable lines, calls, arcs;
	/*
	 * Calls are packed, inclusive costs left out, and costs of the older profile written as differences: what
	 * can be computed from others is not written (docs/REPORT.md).  Not if numbers are below 0, or too
	 * large for a double, on either side.
	 */
	bool is_packed;
};

/* Gathers them; returns a status.  To be released in any case. */
int reportlines_init(struct reportlines *lines, struct reportrows *rows);
void reportlines_release(struct reportlines *lines);

/* "arcs", "lines" and "line_calls" of the data; costs of calls are lost.  Returns a status. */
int reportlines_write(struct reportlines *lines, struct json *json);

/* The same of "other", after that; there is an older profile. */
void reportlines_write_other(const struct reportlines *lines, struct json *json);

/* -- source ---------------------------------------------------------------------------- */

/* The stretches of source files that a report has: lines that cost, and those about them. */

enum { REPORTSOURCES_LINE = 1000 }; /* bytes of a line; of longer ones the rest is left out */

struct report_wanted {
	uint32_t file; /* of the report */
	uint64_t line;
};

/* A file that was taken in. */
struct report_file {
	char *path; /* resolved; owned */
	uint64_t n_lines;
};

/* Fields are private; {0} has none. */
struct reportsources {
	struct report_wanted *wanted; /* owned */
	size_t n, capacity;
	struct report_file *files; /* taken in; owned */
	size_t n_files, files_capacity;
};

void reportsources_release(struct reportsources *sources);

/* A line that is wanted, if it is not 0.  False if memory ran out. */
bool reportsources_add(struct reportsources *sources, uint32_t file, uint64_t line);

/*
 * "sources" of the data; files that are not there or are no text are left out, and what is
 * there is counted in taken.  Returns a status.
 */
int reportsources_write(struct reportsources *sources, const struct report_input *input,
			const struct reportnames *names, struct report_taken *taken,
			struct json *json);

/* "taken" and "refused" of the data: which files were read, and which were not allowed to be. */
void reportsources_write_files(const struct reportsources *sources,
			       const struct report_input *input, struct json *json);

/* -- the call tree --------------------------------------------------------------------- */

/* The call tree in a report, and that of the older profile by the same chains. */

/*
 * Chains that cost less than this share of the whole are folded, if --detail does not ask for less or more. They
 * are many: folded below 0.05 %, they were a fifth to half of the runs of interpreters.
 */
#define REPORTTREE_SHARE 0.00001

/* A node that is written; private. */
struct reporttree_node {
	uint32_t parent;
	int64_t row;  /* -1 = none */
	size_t costs; /* where those of the main side are; of the other: behind them */
	uint64_t inclusive[N_SIDES]; /* of the event that is judged by */
};

/* Fields are private. */
struct reporttree {
	const struct reportrows *rows;
	const struct pathtree *trees[N_SIDES];      /* NULL = there is none */
	size_t n_events, width;                     /* of one side, and of all */
	size_t events[N_SIDES][PROFILE_MAX_EVENTS]; /* of the tree's model, by the report's */
	struct reporttree_node *nodes;              /* owned */
	uint64_t *costs;                            /* owned */
	size_t n;
};

/*
 * Makes it of an exact tree in pre-order, of a model of its own, whose functions are found among the rows by
 * their names; those that are not found, and what was folded, are -1.  If other is not NULL, it is the older
 * profile's, and nodes are those of both.  Nodes that with all below them cost less than a share of
 * the whole, in both, are one below their parent.  Returns a status; to be released in any case,
 * also if it is {0}.
 */
int reporttree_make(struct reporttree *tree, const struct reportrows *rows,
		    const struct pathtree *main_tree, const struct pathtree *other, double share);
void reporttree_release(struct reporttree *tree);

/* "tree" of the data, null if there is none; and of "other", where related is as in reportchange_write(). */
void reporttree_write(const struct reporttree *tree, struct json *json);
void reporttree_write_other(const struct reporttree *tree, bool is_related, struct json *json);

/* -- events ---------------------------------------------------------------------------- */

/* What costs are measured in, as the page of a report reads it: events, and what is derived from them. */

/*
 * Writes "events", "event" and "derived" of an object: metrics are of these events, metrics->n_events of
 * them; main_metric is the one that is shown first.
 */
void reportevents_write(const struct model_event *const *events, const struct metrics *metrics,
			size_t main_metric, struct json *json);

/* -- the page -------------------------------------------------------------------------- */

/*
 * The page of a report: cmds/report/page/page.html with style and script in it, a policy that forbids
 * all other ones and the network, and the data, compressed by gzip, as base64.
 */

/* Bytes as base64 (RFC 4648, with padding, without line ends) on their way to a struct out. */
struct base64 {
	struct out *to;
	unsigned char rest[3]; /* bytes that wait for others */
	size_t n_rest;
};

/* Fields are private, but data.  Not to be moved. */
struct reportpage {
	struct out data; /* what is written here is the page's data */
	struct env data_env;
	struct gzipper gzipper;
	struct out compressed;
	struct env compressed_env;
	struct base64 base64;
	struct out page;
	const struct env *env;
	const char *title;
	size_t title_len;
	const char *next; /* of the frame */
};

/*
 * Begins a page that is written by env, which outlives it; the title is UTF-8 or is shown
 * as if it were, and is borrowed.  Errors stick until the end.
 */
void reportpage_begin(struct reportpage *page, const struct env *env, const char *title,
		      size_t title_len);

/* Ends it, and gives all memory back.  Returns the error, as out_flush() does. */
int reportpage_end(struct reportpage *page);

#endif
