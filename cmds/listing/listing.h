/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of functions: which are worth showing, in which order, with those that they call and are
 * called by; files with their functions; and what is said about functions without source lines.
 */
#ifndef CMDS_LISTING_LISTING_H
#define CMDS_LISTING_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/listing/column.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* What lists and sources are made from. */
struct basis {
	const struct model *model;           /* finished */
	const struct self_costs *self_costs; /* of it */
	const struct columns *columns;
	const uint64_t *totals; /* by event: what percentages are of */
	struct arena *arena;    /* takes what is made */
};

/* -- functions --------------------------------------------------------------------------- */

/* In the order of the words of --tree. */
enum listing_tree {
	TREE_NONE = 0,
	TREE_CALLERS = 1,
	TREE_CALLEES = 2,
	TREE_BOTH = TREE_CALLERS | TREE_CALLEES,
};

struct listing_options {
	bool inclusive;  /* sort by, judge by and show what functions cost with all they call */
	double coverage; /* percent that the functions shown are to reach; below 0: by thresholds */
	size_t most;     /* functions to show, the most costly ones; 0 = no bound */
	enum listing_tree tree;
};

/* All calls between two functions. */
struct listing_link {
	uint32_t function; /* the other one */
	uint64_t count;
	const uint64_t *costs; /* inclusive */
};

struct listing_entry {
	uint32_t function;
	uint32_t cycle;        /* that it is in, 0 = none or not known */
	const uint64_t *costs; /* what is shown */
	bool is_partial;       /* costs are inclusive, but without what it calls within its cycle */
	const struct listing_link *callers, *callees; /* those that cost most first */
	size_t n_callers, n_callees;
};

/* Arrays are the arena's. */
struct listing {
	struct listing_entry *entries;
	size_t n;
	size_t n_functions; /* in all */
};

/*
 * Makes the list; inclusive may be NULL if it is not needed, then no cycles are
 * known.  Returns a status.
 */
int listing_make(struct listing *listing, const struct basis *basis,
		 const struct inclusive *inclusive, const struct listing_options *options);

/* <0, 0, >0: functions by name, file, object. */
int listing_compare_names(const struct model *model, uint32_t a, uint32_t b);

/* -- who calls whom ---------------------------------------------------------------------- */

struct call_edge {
	uint32_t caller, callee;
	uint64_t count;
	uint64_t *costs; /* inclusive, the arena's */
};

/* Private: sorted by caller; by_callee has the numbers of edges sorted by callee. */
struct call_edge_list {
	struct call_edge *all;
	size_t n, capacity;
	uint32_t *by_callee;
	size_t *first_by_caller, *first_by_callee; /* n_functions + 1 */
};

/*
 * Adds up calls of a finished model, of and by the functions f for which wanted[f] is
 * not 0, as the tree asks for.  Returns a status; to be released in any case.
 */
int call_edges_collect(struct call_edge_list *list, const struct model *model,
		       const uint32_t *wanted, enum listing_tree tree, struct arena *arena);
void call_edges_release(struct call_edge_list *list);

/* The callers or callees of a function, *n of them, not sorted, as an array of the arena's. */
struct listing_link *call_edges_of(const struct call_edge_list *list, uint32_t function,
				   bool callers, size_t *n, struct arena *arena);

/* -- files and functions in each other ------------------------------------------------------ */

/*
 * Self costs by source file and in it by function, or by function and in it by
 * source file.  Functions of one name are one here: what a function of a header costs
 * in all the programs' files that include it.
 */
struct nesting_inner {
	uint32_t name; /* number of a function's or file's name */
	const uint64_t *costs;
};

struct nesting_outer {
	uint32_t name;
	const uint64_t *costs;       /* of all in it */
	const uint64_t *cumulative;  /* of this and those before it */
	struct nesting_inner *inner; /* those that reach the threshold, most first */
	size_t n_inner;
	size_t n_hidden; /* those that do not */
};

/* Arrays are the arena's. */
struct nesting {
	bool by_function;            /* outer are functions */
	struct nesting_outer *outer; /* those that reach the threshold, most first */
	size_t n;
};

/* Makes it; returns a status. */
int nesting_make(struct nesting *nesting, const struct basis *basis, bool by_function);

/* -- functions without lines ---------------------------------------------------------------- */

/*
 * Objects without debug information: their code has costs, but no source lines.  The report says so once,
 * with what to do, if it matters.
 *
 * A function has none if its source file is not known.  Code of no object, which is made at run time,
 * does not count: nothing can be installed for it.
 *
 * Returns a sentence for people, without a full stop, which is the arena's: which share of the metric has no
 * lines, in which objects, and what helps, by what their files lack if these are here (cmds/object/lacking.h).  NULL if that share is below a tenth, if there are no shares, as the
 * metric is below 0 somewhere, if the profile records no source files at all, or is a difference.  totals are of
 * the model's events.
 */
const char *lineless_note(const struct model *model, const struct metric *metric,
			  const uint64_t *totals, struct arena *arena);

/*
 * The processor that was simulated, by its name ("AMD EPYC" of "Machine: host, AMD EPYC (AMD, family 26, model 2)"), else by
 * the preset's; its text is NULL if the profile does not say it.
 */
struct name processor_name(const struct model *model);

/*
 * Says, in a sentence like that, that functions of an object have addresses for names, if these have a tenth of the metric; and
 * what helps: which package of this machine's Debian has its symbols, if one does.  NULL if there is none; for profiles of this machine.
 */
const char *symbols_note(const struct model *model, const struct metric *metric, int128 whole,
			 struct arena *arena);

/* -- what a run did not count ----------------------------------------------------------------- */

/* True if cycles were not counted since the machine has no core: --cycles=yes is no advice then. */
bool lacks_core(const struct model *model);

/*
 * Says, in a sentence like that, how to see the functions of a Python program if only the interpreter was profiled;
 * where that has no symbols, the package that has them.  The interpreter is an object named python3.N, or
 * libpython3.N with a tenth of the metric, whose total is whole.  NULL if there is none.
 */
const char *python_note(const struct model *model, const struct metric *metric, int128 whole,
			struct arena *arena);

#endif
