/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who calls whom, from which line, how often and at what cost, in the first
 * event of a model: for formats that are graphs of functions.
 */
#ifndef PROFILE_ANALYSIS_CALLGRAPH_H
#define PROFILE_ANALYSIS_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/inclusive.h"
#include "profile/model/model.h"

/* Calls of one function by another one from one line. */
struct callgraph_arc {
	uint32_t caller, callee; /* functions of the model */
	uint64_t line;           /* in the caller; 0 = not known */
	uint64_t count;
	uint64_t cost; /* inclusive */
	bool is_back;  /* without these arcs there is no cycle; set by callgraph_sort() */
};

/* Fields are for reading.  Counts are not signed. */
struct callgraph {
	const struct model *model;
	const struct env *env;
	struct inclusive sums;      /* of the first event */
	size_t n;                   /* functions */
	struct callgraph_arc *arcs; /* by caller, callee, line; each once */
	size_t n_arcs;
	size_t *first;    /* arcs of caller i are first[i]..first[i + 1] - 1 */
	size_t *incoming; /* numbers of arcs, by callee, then caller, line */
	size_t *first_in; /* those of callee i are first_in[i]..first_in[i + 1] - 1 */
	uint32_t *order;  /* callers before callees; NULL before callgraph_sort() */
	size_t n_back;    /* arcs that are is_back */
};

/* Of a finished model that has an event.  Returns a status; release it in any case. */
int callgraph_init(struct callgraph *graph, const struct model *model);
void callgraph_release(struct callgraph *graph);

/*
 * Sets order and is_back: arcs to the function itself, and in each cycle those that lead
 * back to where a search from the outside came through, which takes costly arcs first.
 */
bool callgraph_sort(struct callgraph *graph);

static inline uint64_t callgraph_self(const struct callgraph *graph, uint32_t function)
{
	return inclusive_self(&graph->sums, function)[0];
}

static inline uint64_t callgraph_inclusive(const struct callgraph *graph, uint32_t function)
{
	return inclusive_of(&graph->sums, function)[0];
}

/*
 * Where a function is: its least line with a cost in its own file, else with a call; 0 if
 * there is none.
 */
uint64_t callgraph_line(const struct callgraph *graph, uint32_t function);

#endif
