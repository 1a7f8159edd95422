/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header of a sum of profiles.  A field stays if all of the parts that were
 * added agree on it: cmd, pid, part, thread, each desc line; but of ranks (writer/rank.h), all that
 * some part has are listed, and of unlike machines, if each part has one, the names: "skylake + zen4"; of curves
 * of misses, the line of the least exact one; facts of runs, and that a file was cut short, are added up (desc.h).  So the order of
 * the inputs does not matter, nor whether some were merged before others:
 * each operation here is commutative and associative.
 *
 * Lists (events, desc lines, definitions of events) keep their order if it was the
 * same in all parts; else they are sorted: events as costgrind writes them, unknown
 * ones by name after them; the rest by bytes.
 */
#ifndef PROFILE_FILTERS_MERGED_HEADER_H
#define PROFILE_FILTERS_MERGED_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/desc.h"
#include "profile/common/region.h"
#include "profile/model/model.h"

/* The desc line that names a data profile; a sum has the lines of all its profiles, if each has one. */
#define DATA_PROFILE_DESC "Data profile"

/* The desc line that says how many profiles a sum is of. */
#define MERGED_HEADER_DESC "Merged profiles"

struct header_number {
	bool has;
	uint64_t value;
};

/* Fields are for reading; texts are in the arena, arrays are owned. */
struct merged_header {
	struct arena arena;
	size_t n_parts; /* added */

	const char *cmd; /* NULL = none, or several */
	struct header_number pid, number, thread;
	struct part_desc *descs;
	size_t n_descs;
	size_t descs_capacity;
	struct rank_set ranks;    /* whose profiles were added, by their desc lines */
	struct rank_set expected; /* whose profiles there should be, by the same */
	struct run_facts facts;   /* what the parts say about their runs */
	struct part_desc *caches; /* of each type that some part has, one */
	size_t n_caches, caches_capacity;
	const char **machines; /* of parts, each text once, sorted */
	size_t n_machines, machines_capacity;
	size_t n_with_machine; /* parts */
	const char *curve;   /* of how many lines the least exact one is; NULL = no part has one */
	size_t n_with_curve; /* parts */
	struct part_desc *data; /* lines that name data profiles, each once, by first appearance */
	size_t n_data, data_capacity;
	size_t n_with_data;             /* parts */
	struct regions regions;         /* by the header's events */
	struct part_event *definitions; /* of one name, one */
	size_t n_definitions, definitions_capacity;

	const char *events[PROFILE_MAX_EVENTS]; /* by first appearance */
	uint64_t n_having[PROFILE_MAX_EVENTS];  /* parts that have it */
	size_t n_events;
	bool same_events;   /* all parts have these, in this order */
	bool caches_differ; /* two parts have a cache of one type, but not the same */

	uint64_t merged; /* profiles, see merged_header_count() */
	uint64_t file_merged;
	bool has_file;
};

void merged_header_init(struct merged_header *header);
void merged_header_release(struct merged_header *header);

/* Another input begins: its parts count as one profile, or as many as its desc line says. */
void merged_header_begin_file(struct merged_header *header);

/* Adds a part, as it is at part_end().  Returns a status. */
int merged_header_add(struct merged_header *header, const struct part *part);

/*
 * In what machines and caches of parts are unlike, as a text: "machines: skylake, zen4", with their descriptions if
 * there is one name; "caches".  NULL: in nothing.  In the arena, or static.
 */
const char *merged_header_unlike(struct merged_header *header);

/* True if a desc line is of a cache: "desc: I1 cache: ...". */
bool merged_header_is_cache(const struct part_desc *desc);

/* The index of an event in header->events, by its name or its old name; n_events if it is none. */
size_t merged_header_find(const struct merged_header *header, const char *name);

/* How many profiles have been added. */
uint64_t merged_header_count(const struct merged_header *header);

/* True if all parts so far have the same events, in whatever order. */
bool merged_header_events_agree(const struct merged_header *header);

/*
 * The events that all parts have (or, unless `common`, that some have), in the
 * order in which they are to be written, as indexes into header->events.
 * Returns how many.
 */
size_t merged_header_order(const struct merged_header *header, bool common,
			   size_t order[PROFILE_MAX_EVENTS]);

#endif
