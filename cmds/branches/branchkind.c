/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of questions matters: a loop's exit is as rare as what a biased branch does seldom, and is
 * mispredicted as often as the best static choice would be, which data-dependent ones are, too.
 */
#include "cmds/branches/branchkind.h"

#include <stddef.h>

#include "profile/common/int128.h"

/* Whether a part is at least so many percent of a whole. */
static bool reaches(uint64_t part, unsigned percent, uint64_t whole)
{
	return (int128)part * 100 >= (int128)whole * percent;
}

static bool is_loop_exit(const struct branch_counts *counts)
{
	uint64_t exits = counts->executed - counts->taken;

	return counts->is_backward && exits > 0 && counts->taken / BRANCH_LOOP_TURNS >= exits &&
	       reaches(counts->missed, BRANCH_LOOP_LEAST, exits) &&
	       !reaches(counts->missed, BRANCH_LOOP_MOST, exits);
}

static bool is_biased(const struct branch_counts *counts)
{
	uint64_t others = branch_static_misses(counts);

	if (!reaches(counts->missed, BRANCH_FEW_MISSES, counts->executed) &&
	    (counts->has_detail ? !reaches(counts->by_counter, BRANCH_FEW_MISSES, counts->executed)
				: !reaches(others, BRANCH_FEW_MISSES, counts->executed)))
		return true;
	return !reaches(others, BRANCH_FEW_OTHERS, counts->executed) &&
	       reaches(counts->missed, BRANCH_AS_STATIC, others);
}

enum branch_kind branchkind_find(const struct branch_counts *counts)
{
	if (!counts->has_taken)
		return BRANCH_UNSORTED;
	if (is_loop_exit(counts))
		return BRANCH_LOOP_EXIT;
	if (is_biased(counts))
		return BRANCH_BIASED;
	if (!counts->has_detail)
		return BRANCH_UNSORTED;
	if (reaches(counts->by_counter, BRANCH_COUNTER_WORSE, counts->missed))
		return BRANCH_CORRELATED;
	if (reaches(counts->missed, BRANCH_NEAR_STATIC, branch_static_misses(counts)) &&
	    reaches(counts->by_history, BRANCH_NEAR_HISTORY, counts->missed))
		return BRANCH_DATA;
	return BRANCH_MIXED;
}

const char *branchkind_name(enum branch_kind kind)
{
	switch (kind) {
	case BRANCH_UNSORTED:
		break;
	case BRANCH_BIASED:
		return "biased";
	case BRANCH_LOOP_EXIT:
		return "loop exit";
	case BRANCH_CORRELATED:
		return "correlated";
	case BRANCH_DATA:
		return "data-dependent";
	case BRANCH_MIXED:
		return "mixed";
	case BRANCH_INDIRECT_JUMP:
		return "indirect jump";
	case BRANCH_INDIRECT_CALL:
		return "indirect call";
	case BRANCH_INDIRECT:
		return "indirect";
	case BRANCH_RETURN:
		return "return";
	}
	return NULL;
}

bool branchkind_is_hard(uint64_t executed, uint64_t missed, uint64_t instructions)
{
	uint64_t slice = instructions > BRANCH_SLICE ? instructions : BRANCH_SLICE;

	return (int128)executed * BRANCH_SLICE >= (int128)slice * BRANCH_HARD_EXECUTED &&
	       reaches(missed, BRANCH_HARD_MISSED, executed);
}
