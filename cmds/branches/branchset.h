/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branches of a profile: by address, whatever functions, callers and levels of recursion have it; or
 * by line, where the profile has no instructions.
 */
#ifndef CMDS_BRANCHES_BRANCHSET_H
#define CMDS_BRANCHES_BRANCHSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/int128.h"
#include "profile/model/model.h"

/* The events that are asked for; those of a class are neighbours. */
enum branch_event {
	BRANCH_BC,
	BRANCH_BCM,
	BRANCH_BI,
	BRANCH_BIM,
	BRANCH_BR,
	BRANCH_BRM,
	BRANCH_BCT,
	BRANCH_BCB,
	BRANCH_BCH,
	N_BRANCH_EVENTS,
};

/* Which branches they are of. */
enum branch_class { BRANCHES_CONDITIONAL, BRANCHES_INDIRECT, BRANCHES_RETURN, N_BRANCH_CLASSES };

/* What was executed at one place. */
struct branch_place {
	uint32_t object, file;
	uint32_t function; /* one of the profile that has it */
	uint64_t address;  /* 0 = by line */
	uint64_t line;     /* 0 = not known */
	uint64_t counts[N_BRANCH_EVENTS];
};

/* Fields are for reading.  {0} may be released. */
struct branch_set {
	struct branch_place *places; /* owned; by first appearance */
	size_t n, capacity;
	bool has[N_BRANCH_EVENTS];
	uint64_t totals[N_BRANCH_EVENTS];
	uint64_t instructions; /* Ir of the run; 0 = not recorded */
};

/*
 * Gathers the branches of a finished model whose counts are not signed.  Returns a status.  To be released in
 * any case.
 */
int branchset_make(struct branch_set *set, const struct model *model);
void branchset_release(struct branch_set *set);

/* The event of its executions; the one behind it is that of its mispredictions. */
static inline enum branch_event branch_executed_event(enum branch_class of)
{
	static const enum branch_event events[N_BRANCH_CLASSES] = { BRANCH_BC, BRANCH_BI,
								    BRANCH_BR };

	return events[of];
}

static inline uint64_t branch_executed(const struct branch_place *place, enum branch_class kind)
{
	return place->counts[branch_executed_event(kind)];
}

static inline uint64_t branch_missed(const struct branch_place *place, enum branch_class kind)
{
	return place->counts[branch_executed_event(kind) + 1];
}

/* "conditional", "indirect", "return" */
static inline const char *branch_class_name(enum branch_class of)
{
	static const char *const names[N_BRANCH_CLASSES] = { "conditional", "indirect", "return" };

	return names[of];
}

/* Executed or mispredicted in all: of all classes. */
static inline int128 branchset_total(const struct branch_set *set, bool is_missed)
{
	int128 sum = 0;

	for (int i = 0; i < N_BRANCH_CLASSES; i++)
		sum += set->totals[branch_executed_event((enum branch_class)i) + is_missed];
	return sum;
}

#endif
