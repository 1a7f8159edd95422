/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of a program, each with one thing other than in a stable run, to see
 * which counts depend on it.
 */
#ifndef CMDS_STABLE_PERTURBATION_H
#define CMDS_STABLE_PERTURBATION_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/stable/stablerun.h"

/* What counts may depend on. */
enum cause {
	CAUSE_RUN, /* nothing was changed: something that no run has under control */
	CAUSE_STACK,
	CAUSE_ENVIRONMENT,
	CAUSE_HEAP,
	CAUSE_LOAD,
	CAUSE_TIME,
	CAUSE_PID,
	CAUSE_THREADS,
	CAUSE_RANDOM,
	N_CAUSES,
};

extern const struct cause_text {
	const char *word;    /* for --causes, and tables */
	const char *meaning; /* for the report */
	bool needs_machine;  /* is seen with --deterministic=yes only */
} cause_texts[N_CAUSES];

/* Options for Valgrind that all runs have. */
#define PERTURBATION_HEAP    "--heap-shift=16"
#define PERTURBATION_THREADS "--separate-threads=yes"

struct perturbation {
	enum cause cause;
	struct stablerun_shift shift;
};

/* All of them: the first is the run that others are compared with. */
extern const struct perturbation perturbations[];
extern const size_t n_perturbations;

/* Adds the causes of a list "A,B" to a set of bits; false if a word is none. */
bool causes_add(unsigned *set, const char *list);

#endif
