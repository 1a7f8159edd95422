/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a running target, as its monitor prints it: "status internal" of Callgrind
 * and costgrind, "status functions" of costgrind (tool/control/status.h).
 *
 * Lines are NAME: VALUES.  Lines of other names are skipped, so that a newer Valgrind
 * may say more; a line that is not of its form is an error.
 *
 * Costs are arrays of counts by event, n_events of them, followed by how many
 * the target reported; the others, at the end, are 0.
 */
#ifndef CMDS_CONTROL_RUNSTATE_H
#define CMDS_CONTROL_RUNSTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/common/cost.h"
#include "profile/common/heap.h"

enum { RUNSTATE_EVENTS = 64 }; /* at most */

/* A function on a stack, and its call of the next one. */
struct runframe {
	const char *function;
	uint64_t calls;        /* how often that call was made; of the innermost one 0 */
	const uint64_t *costs; /* what all of them have cost, by event; of the innermost one NULL */
};

struct runthread {
	unsigned number;
	uint64_t *totals;        /* by event */
	struct runframe *frames; /* the outermost first */
	size_t n_frames;
	size_t room, next; /* private: of frames, and the least number that the next one may have */
};

struct runfunction {
	const char *object, *name;
	const uint64_t *costs; /* its own, by event */
};

/* All that is pointed to is the arena's, but the arrays themselves, which are of env. */
struct runstate {
	struct arena arena;
	const struct env *env;
	bool instrumenting; /* if not, nothing else is known */
	/*
	 * What is collected of what runs: "on", "off" or "off in threads 2 3".  NULL: not reported, as
	 * Callgrind does.
	 */
	const char *collection;
	unsigned part; /* parts written so far */
	uint64_t executed_blocks, executed_calls;
	uint64_t blocks, calls, functions, contexts; /* distinct ones */
	const char *events[RUNSTATE_EVENTS];
	struct decimals decimals[RUNSTATE_EVENTS]; /* of their counts (derivedcosts.h) */
	size_t n_events;
	size_t n_recorded; /* the first of them; the others are derived (derivedcosts.h) */
	size_t main_event; /* that is shown first */
	uint64_t *totals; /* by event, of all threads, those that are over too; NULL: not reported */
	struct runthread *threads;
	size_t n_threads, threads_room;
	struct runfunction *hottest; /* only of "status functions" */
	size_t n_hottest, hottest_room;
};

/*
 * Reads it.  Returns NULL, or what is wrong, a static text to follow "answer: ".
 * env, which outlives the state, gives the memory.  Release the state in either case.
 */
const char *runstate_read(struct runstate *state, const char *text, size_t len,
			  const struct env *env);
void runstate_release(struct runstate *state);

/* True if it was reported that something of what runs is not collected. */
bool runstate_drops(const struct runstate *state);

/* The number of an event, n_events if it is not recorded. */
size_t runstate_event(const struct runstate *state, const char *name, size_t len);

/* -- what is derived -------------------------------------------------------------------- */

/*
 * The state of a running target, with what is derived from its events (profile/analysis/metric.h) as events
 * of their own, after the recorded ones: annotate, report and diff know the same ones.
 */

/*
 * Adds them to a state that was just read, to all of its costs, and says which one the run is judged by.
 * What is below 0 is 0.  They are left out if there is no room for them all.  What a row of costs
 * did not report is 0 then.
 */
void derivedcosts_add(struct runstate *state);

/* -- between two looks ------------------------------------------------------------------ */

/*
 * What functions have cost between two looks at a running target, those first that cost
 * most.  Functions of one name in one object are one.
 */

struct hotfunction {
	const char *object, *name; /* the later state's */
	uint64_t *costs;           /* as in cmds/control/runstate.h */
};

struct hotlist {
	struct arena arena;
	struct hotfunction *functions; /* those with any cost */
	size_t n;
	uint64_t *totals; /* their sum */
	/* The counts began anew: the costs are since the last part, not since the last look. */
	bool is_anew;
};

/*
 * Compares two states of one target; before may be NULL.  sort_by is the number of an
 * event; of functions of the same cost the name decides.  Both states must live on.
 */
void hotlist_make(struct hotlist *list, const struct runstate *before, const struct runstate *now,
		  size_t sort_by);
void hotlist_release(struct hotlist *list);

/* -- columns ---------------------------------------------------------------------------- */

/*
 * Columns of costs by the events of a running target, aligned: the rows are measured first,
 * then printed.
 */

/* Fields are private, but events and n. */
struct costcolumns {
	const struct runstate *state;   /* borrowed */
	size_t events[RUNSTATE_EVENTS]; /* numbers of those shown, in order */
	size_t n;
	size_t widths[RUNSTATE_EVENTS]; /* by event */
};

/*
 * Chooses the events that list names ("Ir,Dr"), or, if it is NULL, the one that is shown first
 * and all that are recorded.  Those that are not
 * recorded are left out: the first of them is *missing, with *missing_len bytes, else NULL.
 * A list that leaves nothing is as NULL.
 */
void costcolumns_init(struct costcolumns *columns, const struct runstate *state, const char *list,
		      const char **missing, size_t *missing_len);

/* Makes room for a row; costs may be NULL. */
void costcolumns_measure(struct costcolumns *columns, const uint64_t *costs);

/*
 * Leaves out the last events, but not the first one, so that a row has width columns at most;
 * when all rows are measured.
 */
void costcolumns_fit(struct costcolumns *columns, size_t width);

/* Print names, or costs with commas, each followed by a blank; a dot is what was not reported. */
void costcolumns_names(const struct costcolumns *columns, FILE *out);
void costcolumns_row(const struct costcolumns *columns, FILE *out, const uint64_t *costs);

#endif
