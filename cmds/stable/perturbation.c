/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/stable/perturbation.h"

#include <string.h>

const struct cause_text cause_texts[N_CAUSES] = {
	[CAUSE_RUN] = { "run", "nothing was changed", false },
	[CAUSE_STACK] = { "stack", "size of the environment, and so the stack's address", false },
	[CAUSE_ENVIRONMENT] = { "environment", "other values of HOME, USER, TERM, TZ", false },
	[CAUSE_HEAP] = { "heap", "address of the heap", false },
	[CAUSE_LOAD] = { "load", "addresses of libraries and mappings", false },
	[CAUSE_TIME] = { "time", "the date", true },
	[CAUSE_PID] = { "pid", "the number of the process", false },
	[CAUSE_THREADS] = { "threads", "when threads take turns", false },
	[CAUSE_RANDOM] = { "random", "random numbers of the system", true },
};

/*
 * Shifts are such that alignment to 16, 32 and 64 bytes and the page are others at least once.
 * The heap is never at the beginning of a page (PERTURBATION_HEAP), where malloc would save a
 * call of brk, which is no dependence.  The pid has more digits, date and time of day are others,
 * in another year.  With shorter blocks of code a turn, which is so many blocks, is shorter.
 */
const struct perturbation perturbations[] = {
	{ CAUSE_RUN, { .stack = 0 } },
	{ CAUSE_RUN, { .stack = 0 } },
	{ CAUSE_STACK, { .stack = 16 } },
	{ CAUSE_STACK, { .stack = 56 } },
	{ CAUSE_STACK, { .stack = 5000 } },
	{ CAUSE_ENVIRONMENT, { .other_environment = true } },
	{ CAUSE_HEAP, { .option = "--heap-shift=1072" } },
	{ CAUSE_HEAP, { .option = "--heap-shift=77840" } },
	{ CAUSE_LOAD, { .option = "--load-shift=17" } },
	{ CAUSE_TIME, { .option = "--clock-start=1807412521" } },
	{ CAUSE_PID, { .pid = 23456 } },
	{ CAUSE_THREADS, { .option = "--vex-guest-max-insns=17" } },
	{ CAUSE_RANDOM, { .option = "--seed=1" } },
};

const size_t n_perturbations = sizeof(perturbations) / sizeof(perturbations[0]);

bool causes_add(unsigned *set, const char *list)
{
	while (true) {
		size_t len = strcspn(list, ",");
		unsigned i = 0;

		while (i < N_CAUSES && (strncmp(cause_texts[i].word, list, len) != 0 ||
					cause_texts[i].word[len] != '\0'))
			i++;
		if (i == N_CAUSES)
			return false;
		*set |= 1U << i;
		if (list[len] == '\0')
			return true;
		list += len + 1;
	}
}
