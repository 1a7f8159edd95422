/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What kind of branch it is, by how often it was executed, taken and mispredicted, and by whom it
 * would have been.  All thresholds are here; docs/BRANCHES.md explains them.
 */
#ifndef CMDS_BRANCHES_BRANCHKIND_H
#define CMDS_BRANCHES_BRANCHKIND_H

#include <stdbool.h>
#include <stdint.h>

/* Percent of what comes first, unless another unit is said. */
enum {
	/* loop exit: jumps back at least so many times for each time that it does not */
	BRANCH_LOOP_TURNS = 2, /* times */
	/* ... and each time that it does not is mispredicted about once */
	BRANCH_LOOP_LEAST = 50,
	BRANCH_LOOP_MOST = 150,
	/* biased: so few executions are mispredicted, and by a counter of its own, too */
	BRANCH_FEW_MISSES = 1,
	/* ... or so few go the other way than most, of which that many are mispredicted */
	BRANCH_FEW_OTHERS = 10,
	BRANCH_AS_STATIC = 80,
	/* correlated: a counter of its own mispredicts so many times as often as the machine does */
	BRANCH_COUNTER_WORSE = 200,
	/* data-dependent: mispredicted for so much of what the best static choice is, ... */
	BRANCH_NEAR_STATIC = 60,
	/* ... and its own history mispredicts so much of what the machine does */
	BRANCH_NEAR_HISTORY = 60,
};

/* Hard to predict: Lin and Tarsa 2019, of 30 million instructions. */
enum {
	BRANCH_SLICE = 30000000,
	BRANCH_HARD_EXECUTED = 15000,
	BRANCH_HARD_MISSED = 1, /* percent */
};

enum branch_kind {
	BRANCH_UNSORTED, /* that is not known without taken or detail */
	BRANCH_BIASED,
	BRANCH_LOOP_EXIT,
	BRANCH_CORRELATED,
	BRANCH_DATA,
	BRANCH_MIXED, /* none of these */
	BRANCH_INDIRECT_JUMP,
	BRANCH_INDIRECT_CALL,
	BRANCH_INDIRECT, /* one of these two */
	BRANCH_RETURN,
};

/* Of a conditional branch.  taken and the two behind it are 0 where they are not known. */
struct branch_counts {
	uint64_t executed, missed;
	uint64_t taken;
	uint64_t by_counter, by_history; /* mispredicted by these */
	bool has_taken, has_detail;      /* detail: by_counter and by_history */
	bool is_backward;                /* it jumps to an address before its own */
};

enum branch_kind branchkind_find(const struct branch_counts *counts);

/* "data-dependent"; NULL of BRANCH_UNSORTED. */
const char *branchkind_name(enum branch_kind kind);

/* Executions that the best choice mispredicts that never changes. */
static inline uint64_t branch_static_misses(const struct branch_counts *counts)
{
	uint64_t others = counts->executed - counts->taken;

	return counts->taken < others ? counts->taken : others;
}

/*
 * Whether a branch is hard to predict, in a run of so many instructions.  What is asked for in 30 million
 * instructions is asked for in each 30 million of a longer run, on average, and in all of a shorter one.
 */
bool branchkind_is_hard(uint64_t executed, uint64_t missed, uint64_t instructions);

#endif
