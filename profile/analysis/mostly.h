/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What cycles were mostly spent on, in a word: a part of Cyc (CYCLE_PARTS of writer/shared/events.h), and where that is
 * memory, the level that costs most.
 *
 * What a level costs is how often it served a read, times its cycles, which a profile has in its line "desc: Core:";
 * where it has none, 14 of L2, 50 of the last cache after it and 300 of memory, for their proportion.  A line that is
 * written counts a quarter of that, as nobody waits for more than its transfer.
 *
 * Of what is core bound, string instructions are told apart: rep movsb is one instruction, whatever it copies.
 */
#ifndef PROFILE_ANALYSIS_MOSTLY_H
#define PROFILE_ANALYSIS_MOSTLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/event_names.h"
#include "profile/model/model.h"

enum { MOSTLY_PARTS = 6, MOSTLY_LEVELS = 4 };

/* Fields are private, but parts, events and n: the parts of Cyc that were recorded, and their events. */
struct mostly {
	const struct cycle_part *parts[MOSTLY_PARTS];
	size_t events[MOSTLY_PARTS];
	size_t n;
	/* Levels after the first: level i served what level i - 1 missed and it did not; the last one is memory. */
	struct {
		const char *word;
		/* Events, of reads and of writes; n_events: nothing, as what memory missed. */
		size_t asked[2], missed[2];
		uint64_t cycles;
	} levels[MOSTLY_LEVELS];
	size_t n_levels;
	size_t instructions, rounds; /* events: Ir, Rep; n_events: not counted */
	size_t n_events;
};

/* Of the events of a model; false if it has no cycles, then every word is "". */
bool mostly_init(struct mostly *mostly, const struct model *model);

/* The word of costs by the model's events, which are not signed: "core", "L3"; "" if they have no cycles.  Static. */
const char *mostly_word(const struct mostly *mostly, const uint64_t *costs);

/* True if the rounds of rep instructions are most of what the core executes: then it is bound by these, not by its width. */
bool mostly_is_string(const struct mostly *mostly, const uint64_t *costs);

/* The level that costs most: "L2", "L3", "LL", "DRAM"; NULL if none is known. */
const char *mostly_level(const struct mostly *mostly, const uint64_t *costs);

/* The same of the levels before memory. */
const char *mostly_cache(const struct mostly *mostly, const uint64_t *costs);

/* The numbers of parts that are not 0, the largest first, into an array of MOSTLY_PARTS; returns how many. */
size_t mostly_order(const struct mostly *mostly, const uint64_t *costs, size_t *order);

#endif
