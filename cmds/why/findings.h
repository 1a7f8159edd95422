/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings: what stands out in a profile, with its place, its share, its numbers, what it is not, and what to do.
 * They are made once, for costgrind why and for the page of costgrind report.
 *
 * Each part of the cycles is a kind of finding.  A finding is about one place: a line that the program's authors can change, or
 * a function where its lines are not known.  What libraries cost is charged to the lines that called them (origins.c), as
 * nobody changes libraries.
 */
#ifndef CMDS_WHY_FINDINGS_H
#define CMDS_WHY_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/code/accesses.h"
#include "cmds/emit/document.h"
#include "cmds/object/codeobject.h"
#include "cmds/source/sources.h"
#include "profile/analysis/callgraph.h"
#include "profile/analysis/inclusive.h"
#include "profile/analysis/metric.h"
#include "profile/analysis/owncode.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"

/* -- whose code it is, and who called it (origins.c) --------------------------------------------------- */

/* Functions of one name, file and object are a family, whatever callers and levels of recursion are in their names. */
struct why_family {
	uint32_t function; /* of the model: the first of them */
	const char *name;  /* "walk" of "walk'main"; the arena's */
	/* Of the program's authors: not of a library, or of a header of the system; machine code, so not of Python. */
	bool is_own;
	bool is_loader; /* of the dynamic loader */
	uint64_t *self; /* by event, all of the family; the arena's */
};

/* All calls of one function from one line.  Doubles are exact below 2^53, and what is made of them are shares. */
struct why_call {
	uint32_t caller, callee; /* functions */
	uint32_t file;
	uint64_t line; /* 0 = not known */
	uint64_t count;
	double cost; /* inclusive, of the metric that shares are of */
	double instructions, references, misses, last_misses,
		memory; /* inclusive: Ir, Drefs, D1m, DLm, CyMem */
	bool is_inlined; /* no instruction calls: the compiler put the callee's code there (--inline=calls) */
};

/* Fields are for reading.  Memory is the arena's, except the arrays that are owned. */
struct origins {
	const struct model *model;
	struct why_family *families; /* owned */
	size_t n_families, families_capacity;
	uint32_t *family_of; /* by function; owned */
	/* Where no function is the authors' own, the program's functions count as own code, and the libraries' do not. */
	struct owncode owncode;
	bool has_own;           /* some are the authors' */
	bool is_python;         /* functions of Python are among them: C is charged to these */
	bool *file_is_own;      /* by file, what owncode_file_is_own() says: lines ask; owned */
	struct inclusive sums;  /* of all events */
	struct why_call *calls; /* by callee, then caller, file and line; owned */
	size_t n_calls, calls_capacity;
	size_t *first_into; /* calls of function i are first_into[i]..first_into[i + 1] - 1; owned */
	struct arena *arena;
};

static inline bool origins_file_is_own(const struct origins *origins, uint32_t file)
{
	return file != DICTIONARY_UNKNOWN && origins->file_is_own[file];
}

/*
 * The own lines at which code of libraries was inlined, by debug information.  {0} knows none.  Private, but objects.
 */
struct callsites {
	const struct model *model;
	struct code_objects *objects; /* borrowed; NULL = none are opened */
	struct idtable known;         /* by object and address: number in all */
	struct callsite {
		uint32_t file; /* DICTIONARY_UNKNOWN = there is none */
		uint64_t line;
	} * all; /* owned */
	size_t n, capacity;
};

/* model and objects outlive it; to be released. */
void callsites_init(struct callsites *sites, const struct model *model,
		    struct code_objects *objects);
void callsites_release(struct callsites *sites);

/* The own file and line at which the code at an address was inlined; false if that is not known.  Opens the object. */
bool callsites_find(struct callsites *sites, uint32_t object, uint64_t address, uint32_t *file,
		    uint64_t *line);

/* A line of own code, with what is charged to it. */
struct origin {
	uint32_t family, file;
	uint64_t line;
	double amount;
};

/* {0} is empty. */
struct origin_list {
	struct origin *all; /* owned; those with most first */
	size_t n, capacity;
	int128 cost;    /* of all that was charged */
	double charged; /* what the lines have of it; the rest has no own caller */
};

/* Of a finished model; main_metric is what shares are of.  Returns a status; to be released in any case. */
int origins_init(struct origins *origins, const struct model *model, const struct metrics *metrics,
		 const struct metric *main_metric, struct callsites *sites, struct arena *arena);
void origins_release(struct origins *origins);

/*
 * Charges what a set of functions of libraries costs (is_in[i] of function i), themselves, to lines of own code.  To be released.
 */
void origins_charge(struct origin_list *list, const struct origins *origins, const bool *is_in,
		    const struct metric *metric);

/* The same of what calls of a set from outside of it cost, with all that they call; the set may be own code. */
void origins_charge_calls(struct origin_list *list, const struct origins *origins,
			  const bool *is_in);

/* How often a set of functions is called from outside of it. */
uint64_t origins_count(const struct origins *origins, const bool *is_in);
void origin_list_release(struct origin_list *list);

/* -- findings (findings.c) ---------------------------------------------------------------------------------- */

/* In the order of the table of kinds. */
enum finding_kind {
	FINDING_CORE,
	FINDING_DEPENDENCIES,
	FINDING_FRONT_END,
	FINDING_BRANCHES,
	FINDING_MEMORY,
	FINDING_CONFLICTS,
	FINDING_TLB,
	FINDING_MIXED,
	FINDING_ALLOCATIONS,
	FINDING_COPIES,
	FINDING_LIBRARY,
	FINDING_CALLS,
	FINDING_CALLER,
	FINDING_PLACEMENT,
	FINDING_PYTHON,
	FINDING_LOADER,
	FINDING_DATA,
	FINDING_LAYOUT,
	N_FINDING_KINDS,
};

/* "memory"; and the class of cards on the page (cmds/report/page/page.css). */
const char *finding_kind_name(enum finding_kind kind);
const char *finding_kind_class(enum finding_kind kind);

enum {
	FINDING_TEXTS = 8, /* of each sort, at most */
	FINDING_COUNTS = 12,
};

struct finding_texts {
	const char *all[FINDING_TEXTS];
	size_t n;
};

/* What an event, or a derived one, counted at the place. */
struct finding_count {
	const struct metric *metric;
	int128 value;
};

/* A part of what the place costs.  Texts are static. */
struct finding_part {
	const char *event, *term, *page_class;
	double share; /* percent of all parts */
};

/* A line that has a share of it. */
struct finding_line {
	const char *file, *function;
	uint32_t function_number, file_number; /* in the model */
	uint64_t line;
	double share;       /* percent of what the finding is about */
	const char *source; /* without blanks around it; NULL = not there, or not to be read */
};

/* Texts are the findings'. */
struct finding {
	int128 cost; /* of the metric that shares are of */
	enum finding_kind kind;
	uint32_t family;   /* of the function that is named */
	uint32_t function; /* that, in the model; MODEL_NO_FUNCTION = it is about data */
	uint32_t callee;   /* MODEL_NO_FUNCTION = no call is meant */
	uint32_t file;
	uint64_t line;    /* 0 = it is about a function */
	bool is_effect;   /* copies of objects make most of it: it comes after these */
	size_t n_others;  /* more functions that have code of the line */
	const char *data; /* what data it is about: "struct node"; NULL = none */
	const char *object,
		*type; /* of data: the object, after what it is in, or the type; NULL = not that */
	const char *title;          /* some words: "Waits for L3" */
	const char *claim;          /* a sentence */
	const char *event;          /* that shows it */
	const uint64_t *costs;      /* of the place, by event; NULL = it is about no place */
	struct finding_line *lines; /* the first one is the place; the arena's */
	size_t n_lines;
	struct finding_count counts[FINDING_COUNTS];
	size_t n_counts;
	struct finding_part *parts; /* the largest first; the arena's */
	size_t n_parts;
	struct finding_texts facts;     /* sentences */
	struct finding_texts ruled_out; /* the same: what it is not */
	const char *advice;             /* NULL = none that is known to help */
	const char *next;               /* a command that shows more; NULL = none */
};

struct type_costs; /* cmds/types/typecosts.h */

struct findings_options {
	const char *
		profile; /* as the user names it, for commands; NULL = not known, then none are given */
	const char *function; /* only what is about it, a name, * and ? are wild; NULL = all */
	struct objectfile_options objects;
	const char *estimate;           /* the formula of EstCyc (metric.h); NULL = the usual one */
	bool no_code;                   /* objects are not opened */
	bool has_data;                  /* findings of data are wanted, too */
	const struct type_costs *types; /* of the model, if they are made already; NULL = not */
	const struct model
		*data; /* the data profile, finished; NULL = none, unless the model is one */
	const struct pathtree
		*tree; /* the run's call tree, by which C is charged to Python; NULL = none */
	struct read_policy *policy;    /* by which sources are read; NULL = none are */
	struct name_rules *rules;      /* of names in debug information; NULL = they stay */
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
};

/* Fields are for reading.  Not to be moved. */
struct findings {
	const struct model *model;
	const struct findings_options *options;
	struct metrics metrics;
	const struct metric *metric; /* that shares are of */
	bool has_cycles;             /* it is the machine's cycles */
	bool is_of_data;             /* the model is a data profile: its functions are objects */
	uint64_t totals[PROFILE_MAX_EVENTS];
	int128 whole;
	struct finding *all; /* owned; those that cost most first */
	size_t n, capacity;
	bool is_known; /* a function of that name is in the profile, or none was asked for */
	int128 self, inclusive; /* of the function that was asked for */
	struct origins origins;
	struct callsites sites;
	struct code_objects objects;
	struct arena arena;
};

/*
 * Makes them, of a finished model with lines, whose counts are not signed, and whose events are of costs; options outlive it.  Returns a
 * status.  To be released in any case.
 */
int findings_make(struct findings *findings, const struct model *model,
		  const struct findings_options *options);
void findings_release(struct findings *findings);

/* "74.9 %", "<0.1 %": a share of the whole. */
enum { SHARE_TEXT = 32 };
void share_print(char text[SHARE_TEXT], double part, double whole);

/* -- the view (whyview.c) ------------------------------------------------------------------------------ */

/* Puts them into a document, without its format and version; in a page functions and files are numbers. */
void whyview_put(struct document *document, const struct findings *findings);

/* Puts "findings" alone, the first ones, for documents that say themselves what shares are of. */
void whyview_put_list(struct document *document, const struct findings *findings, size_t most);

/* Columns of CSV. */
enum { N_WHYVIEW_FIELDS = 13 };
extern const char *const whyview_fields[N_WHYVIEW_FIELDS];

#endif
