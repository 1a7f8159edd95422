/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which functions of a program have other counts when something that should not matter is
 * changed, and by which change.
 */
#ifndef CMDS_STABLE_STABILITY_H
#define CMDS_STABLE_STABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/stable/stablerun.h"
#include "profile/common/int128.h"
#include "profile/model/model.h"

/* -- causes, and runs with one thing changed ------------------------------- */

/* What counts may depend on; a run has one thing other than a stable run, to see whether they do. */
enum cause {
	CAUSE_RUN, /* nothing was changed: something that no run has under control */
	CAUSE_STACK,
	CAUSE_ENVIRONMENT,
	CAUSE_HEAP,
	CAUSE_LOAD,
	CAUSE_TIME,
	CAUSE_CLOCK,
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

/* -- what depends on them -------------------------------------------------- */

/* A function whose own count is not the same in all runs. */
struct unstable {
	const char *object, *file, *function; /* "???" = not known */
	uint64_t usual;                       /* the first run's count */
	uint64_t least, most;
	unsigned causes; /* bits of enum cause */
};

/* What runs of one cause came to. */
struct cause_sum {
	unsigned n_runs;
	uint64_t least, most; /* totals */
	size_t n_functions;   /* that had other counts; once all runs are there */
};

/* Fields are for reading. */
struct stability {
	const char *event;
	struct decimals decimals; /* of its counts */
	struct model base;        /* the first run */
	uint64_t total;           /* of the first run */
	uint64_t least, most;     /* totals of all runs */
	struct cause_sum causes[N_CAUSES];
	struct unstable *functions; /* after stability_finish(): by spread, the largest first */
	size_t n_functions, capacity;
	size_t n_listed;    /* the first so many spread by the threshold or more */
	bool has_threads;   /* the first run had several */
	size_t *of_base;    /* by function of base: index in functions + 1; 0 = none */
	struct arena names; /* of functions that the first run has not */
};

/*
 * Begins with the profiles of the first run, one for each of its n threads.  event may be a derived
 * one; NULL is metrics_main() of theirs.  Returns an exit code, having printed a message by the
 * command's name.  Release it in any case.
 */
int stability_begin(struct stability *stability, const char *command, const char *event,
		    const char *const *paths, size_t n);

/* Adds the profiles of another run; likewise. */
int stability_add(struct stability *stability, const char *command, enum cause cause,
		  const char *const *paths, size_t n);

/*
 * Whether there may be chance in what was seen so far: there are threads, or a function depends
 * on three things or more.
 */
bool stability_is_doubtful(const struct stability *stability);

/*
 * All runs are there.  threshold is in millionths of the total.  Where a count differs with nothing
 * changed, no other cause can be identified; if there are threads, they are the cause: which one runs when
 * another begins or wakes up is the system's choice.  Nor can a cause be identified where counts depend on turns.
 */
void stability_finish(struct stability *stability, uint64_t threshold);
void stability_release(struct stability *stability);

#endif
