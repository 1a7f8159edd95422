/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What profiles say about the run itself: how much of it was collected, how it ended, what was left out.
 *
 *	desc: Collected: 3 of 7,012,334 instructions
 *	desc: Ended: exit 0				or "signal 11"
 *	desc: Not profiled: 2 programs: /bin/sh, /usr/bin/gcc
 *	desc: Time asked: 12,345 times
 *	desc: Instrumentation: off for a part of the run
 *	desc: Salvaged: line 64: ...
 *
 * All of them are optional.  A line that has another form says nothing.  Each number covers one part; over
 * several parts they add up, but programs that were not profiled, which count once each: if there are more than the named ones, at least that many.  Of several ends the worst counts, and one part that ran without instrumentation, or that
 * was cut short, is enough to say so. So neither the order of the parts matters, nor which of them were merged before.
 */
#ifndef PROFILE_COMMON_DESC_H
#define PROFILE_COMMON_DESC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"
#include "profile/common/visitor.h"
#include "writer/rank.h"

#define COLLECTED_DESC    "Collected"
#define ENDED_DESC        "Ended"
#define NOT_PROFILED_DESC "Not profiled"
#define TIME_ASKED_DESC   "Time asked"
#define UNCOUNTED_DESC    "Instrumentation"

enum {
	RUN_FACTS_NAMES = 8, /* programs that are named, at most */
	RUN_FACTS_LINES = 6, /* that run_facts_print() makes, at most */
};

/* The value of the first of n desc lines that has a type; NULL if none has. */
static inline const char *desc_value(const struct part_desc *descs, size_t n, const char *type)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(descs[i].type, type) == 0)
			return descs[i].value;
	return NULL;
}

/* The same, of a part's lines. */
static inline const char *part_desc_of(const struct part *part, const char *type)
{
	return desc_value(part->descs, part->n_descs, type);
}

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

/* Adds what a part says. */
void run_facts_add(struct run_facts *facts, const struct part *part, struct arena *arena);

/* Adds that a file was cut short, as its line would: text says what was wrong. */
void run_facts_add_salvaged(struct run_facts *facts, const char *text, struct arena *arena);

/* True if a desc line is one of these and has its form, so that facts say it. */
bool run_facts_has(const struct part_desc *desc);

/* The facts as desc lines; returns how many. */
size_t run_facts_print(const struct run_facts *facts, struct part_desc lines[RUN_FACTS_LINES],
		       struct arena *arena);

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

/* -- ranks ----------------------------------------------------------------------- */

/* Ranks of a job, as lists have them: "0,17,100-110" (writer/rank.h). */

struct rank_range {
	uint32_t first, last;
};

/* Invariant: ranges are in ascending order, with a rank between two of them that is in neither. */
struct rank_set {
	struct rank_range *ranges; /* owned */
	size_t n, capacity;
};

/* What a list is, for messages. */
#define RANK_LIST_FORM "ranks such as 0,17,100-110"

/* Takes no memory yet. */
void rank_set_init(struct rank_set *set);
void rank_set_release(struct rank_set *set);

/* True if a text is a list: numbers up to RANK_MAX, ranges whose end is not before their beginning. */
bool rank_set_is_list(const char *text);

/* Adds the ranks of a list, of a range, or of another set. */
void rank_set_add_list(struct rank_set *set, const char *list);
void rank_set_add(struct rank_set *set, uint32_t first, uint32_t last);
void rank_set_add_set(struct rank_set *set, const struct rank_set *other);

bool rank_set_has(const struct rank_set *set, uint32_t rank);

/* How many ranks are in it. */
uint64_t rank_set_count(const struct rank_set *set);

/* Adds to set the ranks of one that another lacks, or has too. */
void rank_set_add_difference(struct rank_set *set, const struct rank_set *one,
			     const struct rank_set *other);
void rank_set_add_common(struct rank_set *set, const struct rank_set *one,
			 const struct rank_set *other);

/* Adds the list of the ranks to a text: the shortest one, in ascending order. */
void rank_set_print(const struct rank_set *set, struct bytes *text);

/* -- curves of misses by size ---------------------------------------------------- */

/* The desc line that says which lines misses by size of cache were taken from: "exact", or "sampled, one line of 8". */

#define CURVE_DESC "Miss curve"

/* How many lines each sampled one represents: 1 if it is exact; 0: the value does not say. */
static inline uint64_t curve_desc_weight(const char *value)
{
	static const char sampled[] = "sampled, one line of ";
	const char *number = value + sizeof(sampled) - 1;

	if (strcmp(value, "exact") == 0)
		return 1;
	/* strtoull() takes "-3" for a large number. */
	return strncmp(value, sampled, sizeof(sampled) - 1) == 0 && *number >= '1' && *number <= '9'
		       ? strtoull(number, NULL, 10)
		       : 0;
}

#endif
