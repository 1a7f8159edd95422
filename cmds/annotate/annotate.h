/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind annotate: what profiles say, for people and programs.
 *
 *	annotate.c            options, and the way from files to output
 *	annotation.c          all that is shown, as data
 *	annotated.c           sources with costs of their lines: data, and their view
 *	annotationview.c      the document: totals, and what views of functions, lines and code share
 *	functionsview.c       lists of functions
 *	pythonlist.c          the list of functions of a Python program
 *	summary.c             what people read first: what ran, what it cost, and which calls of libraries to look at
 *	codeview.c            machine code
 *	regionview.c          --by=region: regions that the program named
 *	rankbalance.c         --by=rank: how evenly the ranks of a job share the work
 */
#ifndef CMDS_ANNOTATE_ANNOTATE_H
#define CMDS_ANNOTATE_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "cmds/cli/loader.h"
#include "cmds/cli/option.h"
#include "cmds/code/codework.h"
#include "cmds/code/machinecode.h"
#include "cmds/data/objects.h"
#include "cmds/emit/document.h"
#include "cmds/listing/costcells.h"
#include "cmds/listing/listing.h"
#include "cmds/placement/placement.h"
#include "cmds/source/sources.h"
#include "cmds/types/typecosts.h"
#include "cmds/why/findings.h"
#include "profile/analysis/regionpair.h"

/* costgrind annotate.  Returns an exit code. */
int annotate_main(int argc, char **argv);

/*
 * Prints what costs most in a profile that was just made: a screen of text on standard output, as wide as that is.
 */
int annotate_briefly(const char *path);

extern const struct option_rule annotate_options[];

/* The rates of a run and what they mean, for the help: row i; false after the last. */
bool run_rate_explain(size_t i, const char **label, const char **part, const char **whole);

/* The rest is for cmds/annotate only. */

/* -- annotated sources ----------------------------------------------------------------------- */

struct annotated_options {
	bool automatic; /* files of what reaches the threshold */
	bool is_few; /* of those only what has a hundredth of all costs, and own sources, if there are any */
	const char *const *named; /* files that the user wants */
	size_t n_named;
	struct read_policy *policy;    /* by which they are looked for */
	uint64_t context;              /* lines to show about each that has costs */
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
};

struct annotated_line {
	uint64_t number; /* 0 = of no particular line */
	uint64_t *costs; /* zeros, if there are only calls */
	bool has_costs;
	const struct annotated_call *calls; /* those that cost most first */
	size_t n_calls;
};

struct annotated_file {
	const char *name;      /* as recorded, or as the user said if nothing is known about it */
	uint32_t file;         /* number of the name */
	bool is_known;         /* it is in the profile */
	bool is_named;         /* by the user; else it was chosen automatically */
	bool is_found;         /* and in text */
	bool is_refused;       /* it is there, but may not be read (cmds/source/sources.h) */
	bool is_stale;         /* changed after the profile was made */
	bool calls_much;       /* own functions in it are worth it with all that they call */
	const uint64_t *costs; /* all that is recorded of it; NULL if it is not known */
	struct sourcetext text;
	struct annotated_line *lines; /* by number; 0 may be the first; owned */
	size_t n_lines;
	size_t n_past_end; /* of them, the last ones: numbers that the file does not have */
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

/* Memory is the arena's, except texts and lines. */
struct annotated {
	struct annotated_file *files; /* the user's first, in their order; then by costs */
	size_t n;
	uint64_t context;
	uint64_t *coverage[N_COVERAGE]; /* counts by event */
};

/*
 * Makes it, of files of functions in the listing among others; inclusive costs may be NULL: then own sources are only those that
 * cost much themselves.  Returns a status.  To be released, also after a failure.
 */
int annotated_make(struct annotated *annotated, const struct basis *basis,
		   const struct listing *listing, const struct inclusive *inclusive,
		   const struct annotated_options *options);
void annotated_release(struct annotated *annotated);

/*
 * Warns by the command's name, and proposes --source-map with both folders, if most of the sources that
 * were not found, but have counterparts whose paths end alike, have them in one folder: where others were
 * found, or the working directory.
 */
void moved_sources_warn(const struct annotated *annotated, const char *command);

/* -- an annotation --------------------------------------------------------------------------- */

struct rendering;

/* Sections of a document that --by asks for; each prints nothing if the annotation has no such thing. */
void objects_section(struct rendering *rendering);
void types_section(struct rendering *rendering);
void regions_section(struct rendering *rendering);

/*
 * What a document is about, in the order of the words of --by: the NAME of BY_NAME, its word, the function that puts its
 * section (NULL: ranks have a document of their own, annotate_ranks()), and what the help says, where line feeds come
 * before lines.  Option, help, completion and render() take it from here.
 */
#define ANNOTATION_BY(ROW)                                                                    \
 ROW(OBJECT, "object", objects_section,                                                       \
     "\nobject: objects of data that the program misses on, where in them and by whom, of a"  \
     "\nprofile that names a data profile, or of that; ")                                     \
 ROW(TYPE, "type", types_section,                                                             \
     "type: types of data, and members of"                                                    \
     "\nstructs, that instructions refer to; no functions and sources are then shown, unless" \
     "\noptions ask for them; ")                                                              \
 ROW(REGION, "region", regions_section,                                                       \
     "region: what each region of the program cost with all that"                             \
     "\nwas called in it; ")                                                                  \
 ROW(RANK, "rank", NULL,                                                                      \
     "rank: how evenly the ranks of a job share the work of each"                             \
     "\nfunction, of profiles of one rank each")

#define ANNOTATION_BY_NAME(name, word, put, help) BY_##name,
enum annotation_by { ANNOTATION_BY(ANNOTATION_BY_NAME) BY_FUNCTION };

struct annotation_options {
	const char *command; /* for messages */
	struct column_choice choice;
	struct listing_options listing;
	struct annotated_options annotated;
	struct machinecode_options code;
	struct placement_options placement;
	struct typecosts_options types;
	enum annotation_by by;
	const char *region; /* if BY_REGION: the pattern of those shown; NULL = all */
	struct findings_options findings;
	bool wants_findings;
	bool shows_code;       /* machine code is asked for */
	bool shows_bytes;      /* of it */
	bool shows_layout;     /* placement of hot loops is asked for */
	bool list_functions;   /* the list of functions */
	bool list_by_file;     /* file:function */
	bool list_by_function; /* function:file */
	bool percents;         /* next to counts */
	bool difference;       /* of two profiles, NEW - OLD */
	bool brief;            /* text without a preamble and metrics */
	bool is_run; /* text below what a program just printed: without its name, numbers as 40.3 M */
	size_t most_c; /* of a Python program: C functions to list below the Python ones; 0 = one list of all */
	bool quiet;   /* no warnings on standard error */
	bool verbose; /* name each source file that is not read */
};

/* Where the totals come from. */
enum annotation_totals {
	TOTALS_SAID,       /* the files said them, in summary: or totals: */
	TOTALS_CALCULATED, /* they did not: sum of all costs */
	TOTALS_CORRECTED, /* what they said about some events cannot be: there, the sum of all costs */
};

/* What a run cost in all: what its profile says, if that can be. Numbers of the model's events, the arena's. */
struct program_totals {
	const uint64_t *costs;
	enum annotation_totals kind;
	const uint64_t *outside; /* of the costs, what no function has; NULL = nothing */
};

/* What the totals show about the whole run: hits, misses per thousand instructions, rates, cycles. */
enum run_rate_kind {
	RUN_RATE_COUNT,    /* part */
	RUN_RATE_QUOTIENT, /* part / whole */
	RUN_RATE_PERCENT,  /* 100 * part / whole */
	RUN_RATE_PER_KILO, /* 1000 * part / whole */
};

struct run_rate {
	const char *key;   /* "l1_hits": for programs */
	const char *label; /* "L1 hits" */
	enum run_rate_kind kind;
	bool is_sum; /* of others that are there */
	int128 part;
	struct decimals decimals; /* of a count */
	double ratio;             /* of others; NaN if the whole is 0 */
};

enum { RUN_RATES_MAX = 32 };

/* Calls of a library from own code (profile/analysis/owncode.h). */
struct own_call {
	uint32_t caller, callee;
	uint64_t count;
	uint64_t line;  /* from which calls cost most; 0 = not known */
	size_t n_lines; /* from which there are calls, of the caller's own file */
	const uint64_t *costs;
};

enum { OWN_CALLS_MAX = 5 };

struct annotation {
	struct placement placement;  /* if shows_layout */
	struct object_costs objects; /* if BY_OBJECT */
	struct object_types object_types;
	struct type_costs types;     /* if BY_TYPE */
	struct region_pairs regions; /* if BY_REGION, sorted; costs by the model's events */
	struct findings findings;
	struct run_rate rates[RUN_RATES_MAX];
	size_t n_rates;
	const struct annotation_options *options;
	const struct model *model;
	const char *lineless; /* which code has no lines, for people; NULL = that does not matter */
	const char *
		python; /* how to see the functions of a Python program; NULL = it is none, or they are there */
	const char *
		symbols; /* whose functions have no names, and what helps, of a run; NULL = they have */
	struct program_totals totals; /* that percentages are of */
	struct listing listing;
	struct nesting by_file, by_function;
	struct self_costs self_costs;
	struct arena arena;
	struct columns columns;
	struct inclusive inclusive; /* if has_inclusive, or has_bounds */
	struct annotated annotated;
	struct machinecode code;
	/* Known if is_few: */
	struct own_call own_calls[OWN_CALLS_MAX]; /* those that cost most first */
	size_t n_own_calls;
	bool has_no_own_calls; /* there is no own code in them: they are calls of the hottest function */
	/* Entries of the listing that are of Python, the first ones, with the C below them; 0 = costs of entries are their own. */
	size_t n_python;
	uint32_t python_imports; /* of them, that which is all imports, or MODEL_NO_FUNCTION */
	bool *chases; /* by entry of the listing: it waits for memory in a pointer chase; NULL = not known */
	bool is_few;        /* people see few columns: nobody chose any */
	bool has_findings;  /* they are made */
	bool has_inclusive; /* inclusive costs, or callers and callees, were asked for */
	bool has_bounds;    /* inclusive_bound() is known: calls may be shown */
	bool has_sources;   /* sources were asked for */
	bool has_code, has_layout, has_types; /* these were asked for, and are made */
};

/*
 * Makes all that the options ask for of a finished model with an event at least; options
 * and model outlive it.  Returns an exit code, a message was printed unless it is
 * EXIT_FINE.  To be released in any case.
 */
int annotation_make(struct annotation *annotation, const struct model *model,
		    const struct annotation_options *options);
void annotation_release(struct annotation *annotation);

/* -- the document ---------------------------------------------------------------------------- */

struct rendering {
	const struct annotation *annotation;
	const struct document_backend *backend;
	FILE *out;    /* errors stay in it */
	bool color;   /* text only */
	size_t width; /* text only: that lines are fitted to (cmds/emit/fitted.h) */
	/* The rest is private to views. */
	struct arena arena; /* for what is needed on the way */
	struct document document;
	struct costcells cells;
	uint64_t *clipped;  /* costs of the call at work */
	uint32_t recursive; /* its callee, if its costs are clipped, else MODEL_NO_FUNCTION */
	bool has_clipped;   /* some call of the section */
	/* Of the list of functions with few columns. */
	struct name *short_names; /* by key; owned */
	const char **places;      /* where functions are, in full, as far as it was asked; owned */
	size_t room_of_place;     /* of where a function is, with marks after it */
};

/* Prints an annotation. */
void render(struct rendering *rendering);

/* For people: what ran, and what it cost; the calls of libraries that own code makes. */
void summary_put(struct rendering *rendering);
void own_calls_put(struct rendering *rendering);

/* The same of a run: what costs most, and why, in the words of costgrind why. */
void first_finding_put(struct rendering *rendering);

/* True if a profile has functions of Python (--python=yes). */
bool python_is_listed(const struct model *model);

/*
 * Replaces the listing of an annotation with few columns, whose inclusive costs are known: functions of Python come first, with
 * the C below them, and then at most that many of C.
 */
void python_list_make(struct annotation *annotation, size_t most_c);

/* The regions that the options ask for.  Returns a status. */
int regions_make(struct annotation *annotation);

/* The calls of libraries from own code that cost most, of an annotation with few columns. */
int own_calls_make(struct annotation *annotation);

/* The line of a function's own file that costs most, by what is sorted by: where to look first.  0 = none is known. */
uint64_t function_line(const struct annotation *annotation, uint32_t function);

/* "d.c:4"; "libc" of a function whose file is not known.  The text is the arena's. */
const char *function_place(const struct model *model, uint32_t function, uint64_t line,
			   struct arena *arena);

/* Where a function of Python is defined: "app.py:14", and " def" on demand; "app.py" of "<module>", "json/__init__.py". */
const char *python_place(const struct model *model, uint32_t function, bool says_def,
			 struct arena *arena);

/* Sections; nothing if they were not asked for. */
void functions_view(struct rendering *rendering);
void nesting_view(struct rendering *rendering, const struct nesting *nesting);
void code_view(struct rendering *rendering);
void sources_view(struct rendering *rendering);

/* The function's three names; unknown ones are "???". */
struct annotation_names {
	struct name function, file, object;
	bool has_object; /* some object was named in the profile, and this one is known */
};

struct annotation_names annotation_names(const struct annotation *annotation, uint32_t function);

/*
 * Makes names short enough for a line of `room` columns, 0 = any, `used` of them are taken: folders go first,
 * then what is in the function's name.  The text is the arena's.
 */
void render_fold(struct rendering *rendering, struct annotation_names *names, size_t room,
		 size_t used);

/*
 * The first columns of rows of functions: a name with words about it for people, function, file and object for
 * programs.  What follows render_names() are words for people; then render_places() puts the other two cells.
 */
#define FUNCTION_COLUMNS(title_)                                                 \
 { .title = (title_), .key = "function", .field = "function", .is_left = true }, \
	 { .key = "file", .field = "file" },                                     \
 {                                                                               \
  .key = "object", .field = "object"                                             \
 }
#define COUNTS_COLUMN                \
 {                                   \
  .key = "counts", .is_counts = true \
 }
#define COLUMNS(columns_) .columns = (columns_), .n = sizeof(columns_) / sizeof((columns_)[0])

struct cell render_name(struct name name);
struct cell render_count(const struct rendering *rendering, uint64_t count);

/* An address as programs get it: many readers of JSON have no integers of 64 bits. */
enum { RENDER_ADDRESS = 24 };

struct cell render_address(char text[RENDER_ADDRESS], uint64_t address);

/* For people: "file:function", " [object]", " (1,234x)". */
void render_function(struct rendering *rendering, const struct annotation_names *names);
void render_object(struct rendering *rendering, const struct annotation_names *names);
void render_times(struct rendering *rendering, uint64_t count);

/* For programs: the cells of file and object. */
void render_places(struct rendering *rendering, const struct annotation_names *names);

/* What people see of the costs of a call, and in `recursive` whether it is less; valid until the next call. */
const uint64_t *render_clip(struct rendering *rendering, uint32_t caller, uint32_t callee,
			    const uint64_t *costs);

/*
 * Begins a row of calls, by a function or any (MODEL_NO_FUNCTION).  Within a recursion, what an inner call
 * costs is in all outer ones, too: people see no more than inclusive_bound(), and render_recursion() marks
 * such calls in the cell.
 */
void render_call_costs(struct rendering *rendering, uint32_t caller, uint32_t callee,
		       const uint64_t *costs);
void render_recursion(struct rendering *rendering);

/* Ends a section: what the marks in it mean, if there are any. */
void render_recursion_note(struct rendering *rendering);

/*
 * A call from a line or an instruction, in the table of that: a row "=> file:function (1,234x)", `used` columns
 * from the left.
 */
void render_call(struct rendering *rendering, const struct annotated_call *call, const char *arrows,
		 int indent);

/* For programs: such calls, a table in the row of a line or an instruction; place is its cell of that field. */
void render_calls(struct rendering *rendering, const struct annotated_call *calls, size_t n,
		  const char *field, struct cell place);

/* -- ranks ----------------------------------------------------------------------------------- */

struct rankbalance;

/*
 * How evenly the ranks of a job share the work, by function, of a finished model that keeps parts apart
 * (separate_parts); the arena's.  most is how many functions are listed, 0 = all whose cost in some rank
 * reaches the threshold of the largest rank's total.  *wrong is NULL, or why it cannot be made, a message in
 * the arena or static: the choice of columns does not fit (*is_usage is then true), or parts are not of one
 * rank each.
 */
const struct rankbalance *rankbalance_make(const struct model *model,
					   const struct column_choice *choice, size_t most,
					   struct arena *arena, const char **wrong, bool *is_usage);

void rankbalance_print(const struct rankbalance *balance, const struct document_backend *backend,
		       FILE *out, bool color, size_t width);

#endif
