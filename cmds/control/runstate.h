/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a running target, as its monitor prints it: "status internal" of Callgrind
 * and costgrind, "status functions" of costgrind (tool/control/status.h).
 *
 * Lines are NAME: VALUES.  Lines of other names are passed over, so that a newer Valgrind
 * may say more; a line that is not of its form is an error.
 *
 * Costs are arrays of counts by event, n_events of them, and behind these of how many
 * the target reported; the others, at the end, are 0.
 */
#ifndef CMDS_CONTROL_RUNSTATE_H
#define CMDS_CONTROL_RUNSTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/common/int128.h"

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
	 * Whether what runs is collected: "on", "off" or "off in threads 2 3".  NULL: not reported, as
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
 * Reads it.  Returns NULL, or what is wrong, a static text that stands behind "answer: ".
 * env, which outlives the state, gives the memory.  Release the state in either case.
 */
const char *runstate_read(struct runstate *state, const char *text, size_t len,
			  const struct env *env);
void runstate_release(struct runstate *state);

/* Whether it was reported that something of what runs is not collected. */
bool runstate_drops(const struct runstate *state);

/* The number of an event, n_events if it is not recorded. */
size_t runstate_event(const struct runstate *state, const char *name, size_t len);

#endif
