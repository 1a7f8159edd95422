/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header of a sum of profiles.  A field stays if all of the parts that were
 * added agree on it: cmd, pid, part, thread, each desc line.  So the order of
 * the inputs does not matter, nor whether some were merged before others:
 * each operation here is commutative and associative.
 *
 * Lists (events, desc lines, definitions of events) keep their order if it was the
 * same in all parts; else they are sorted: events as costgrind writes them, unknown
 * ones by name behind; the rest by bytes.
 */
#ifndef PROFILE_FILTERS_HEADING_H
#define PROFILE_FILTERS_HEADING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/model/model.h"

/* The desc line that says how many profiles a sum is of. */
#define HEADING_MERGED "Merged profiles"

struct heading_number {
	bool has;
	uint64_t value;
};

/* Fields are for reading; texts and arrays are in the arena. */
struct heading {
	struct arena arena;
	size_t n_parts;   /* added */
	bool keeps_first; /* desc lines and cmd are those of the first part, as in cg_merge */

	const char *cmd; /* NULL = none, or several */
	struct heading_number pid, number, thread;
	struct part_desc *descs;
	size_t n_descs;
	struct part_desc *caches; /* of each type that some part has, one */
	size_t n_caches, caches_capacity;
	struct part_event *definitions; /* of one name, one */
	size_t n_definitions;

	const char *events[PROFILE_MAX_EVENTS]; /* by first appearance */
	uint64_t n_having[PROFILE_MAX_EVENTS];  /* parts that have it */
	size_t n_events;
	bool same_events;   /* all parts have these, in this order */
	bool caches_differ; /* two parts have a cache of one type, but not the same */

	uint64_t merged; /* profiles, see heading_count() */
	uint64_t file_merged;
	bool has_file;
};

void heading_init(struct heading *heading, const struct env *env);
void heading_release(struct heading *heading);

/* Another input begins: its parts count as one profile, or as many as its desc line says. */
void heading_begin_file(struct heading *heading);

/* Adds a part, as it is at part_end().  Returns a status. */
int heading_add(struct heading *heading, const struct part *part);

/* Whether a desc line is of a cache: "desc: I1 cache: ...". */
bool heading_is_cache(const struct part_desc *desc);

/* The index of an event in heading->events, by its name or its old name; n_events if it is none. */
size_t heading_find(const struct heading *heading, const char *name);

/* How many profiles have been added. */
uint64_t heading_count(const struct heading *heading);

/* Whether all parts so far have the same events, in whatever order. */
bool heading_events_agree(const struct heading *heading);

/*
 * The events that all parts have (or, unless `common`, that some have), in the
 * order in which they are to be written, as indexes into heading->events.
 * Returns how many.
 */
size_t heading_order(const struct heading *heading, bool common, size_t order[PROFILE_MAX_EVENTS]);

#endif
