/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What profiles say of the run itself: how much of it was collected, how it ended, what was left out.
 *
 *	desc: Collected: 3 of 7,012,334 instructions
 *	desc: Ended: exit 0				or "signal 11"
 *	desc: Not profiled: 2 programs: /bin/sh, /usr/bin/gcc
 *	desc: Time asked: 12,345 times
 *	desc: Instrumentation: off for a part of the run
 *	desc: Salvaged: line 64: ...
 *
 * All of them are optional.  A line that has another form says nothing.  Each number covers one part; over
 * several parts they add up, but programs that were not profiled, each of which counts once: of more than those named, at least so many.  Of several ends the worst counts, and one part that ran without instrumentation, or that
 * was cut short, is enough to say so. So neither the order of the parts matters, nor which of them were merged before.
 */
#ifndef PROFILE_COMMON_RUN_FACTS_H
#define PROFILE_COMMON_RUN_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/common/visitor.h"

#define COLLECTED_DESC    "Collected"
#define ENDED_DESC        "Ended"
#define NOT_PROFILED_DESC "Not profiled"
#define TIME_ASKED_DESC   "Time asked"
#define UNCOUNTED_DESC    "Instrumentation"

enum {
	RUN_FACTS_NAMES = 8, /* programs that are named, at most */
	RUN_FACTS_LINES = 6, /* that run_facts_print() makes, at most */
};

/* {0} is what no part says.  Texts are in the arena of run_facts_add(). */
struct run_facts {
	size_t n_parts;               /* added */
	size_t n_collected;           /* of them: say how much was collected */
	uint64_t collected, executed; /* instructions, of these */
	const char *end;              /* NULL = not said */
	uint64_t not_profiled; /* different programs not profiled, of the part that has most */
	const char *names[RUN_FACTS_NAMES]; /* of these, the first by bytes */
	size_t n_names;
	bool has_more_names;
	const char *uncounted; /* that instructions ran which nothing counted; NULL = not said */
	const char *salvaged;  /* what was wrong with a file that was cut short; NULL = not said */
	uint64_t time_asked;   /* times; 0 = not said: it was rarely, or time was real */
};

/* Adds what a part says.  False if memory ran out. */
bool run_facts_add(struct run_facts *facts, const struct part *part, struct arena *arena);

/* Adds that a file was cut short, as its line would: text says what was wrong.  False if memory ran out. */
bool run_facts_add_salvaged(struct run_facts *facts, const char *text, struct arena *arena);

/* True if a desc line is one of these and has its form, so that facts say it. */
bool run_facts_has(const struct part_desc *desc);

/* The facts as desc lines; returns how many.  *failed becomes true if memory ran out. */
size_t run_facts_print(const struct run_facts *facts, struct part_desc lines[RUN_FACTS_LINES],
		       struct arena *arena, bool *failed);

/* True if it is known how much was collected: all parts say it. */
static inline bool run_facts_know_collected(const struct run_facts *facts)
{
	return facts->n_parts > 0 && facts->n_collected == facts->n_parts;
}

/*
 * True if the share of instructions that NEW collected is less than a hundredth of OLD's share.
 * False if one of them does not say.
 */
bool run_facts_share_fell(const struct run_facts *old_facts, const struct run_facts *new_facts);

/* True if an end, which may be NULL, is a signal. */
bool run_facts_is_signal(const char *end);

#endif
