/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which process of a job of many this is: its rank, and which ranks there are, by the environment
 * variables that launchers set.
 *
 *	desc: Rank: 3
 *	desc: Ranks: 0-7
 *
 * Rank: the process's number; of a sum of profiles, the numbers of all that are in it.  Ranks: those from
 * which there should be a profile.  Both are lists of numbers and ranges, "0,17,100-110".
 */
#ifndef WRITER_RANK_H
#define WRITER_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of the desc lines. */
#define RANK_DESC          "Rank"
#define RANK_EXPECTED_DESC "Ranks"

enum {
	RANK_DIGITS = 9,      /* that a rank may have */
	RANK_MAX = 999999999, /* the largest one */
	RANK_LIST_SIZE = 24,  /* bytes of "<rank>-<rank>" with its NUL */
};

/*
 * The variables, in the order in which they are looked at, each with the first rank that it counts from
 * and with the variables that say how many there are; the first of these counts, NULL is none.
 *
 * Open MPI sets PMIX_RANK as well as its own; Slurm sets it under --mpi=pmix, and PMI_RANK and PMI_SIZE under
 * --mpi=pmi2, as MPICH's launcher does.  SLURM_NTASKS says what was asked for: it is also set for a batch
 * script, which runs once, as rank 0.  SLURM_STEP_NUM_TASKS is of the step that srun has started.
 * Kubernetes does not say how many completions a job has.  GitLab counts from 1.
 */
#define RANK_VARIABLES(ROW)                                            \
 ROW("PMIX_RANK", 0, "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS")   \
 ROW("PMI_RANK", 0, "PMI_SIZE", NULL)                                  \
 ROW("OMPI_COMM_WORLD_RANK", 0, "OMPI_COMM_WORLD_SIZE", NULL)          \
 ROW("SLURM_PROCID", 0, "SLURM_STEP_NUM_TASKS", NULL)                  \
 ROW("JOB_COMPLETION_INDEX", 0, NULL, NULL)                            \
 ROW("AWS_BATCH_JOB_ARRAY_INDEX", 0, "AWS_BATCH_JOB_ARRAY_SIZE", NULL) \
 ROW("CI_NODE_INDEX", 1, "CI_NODE_TOTAL", NULL)

/* Their names, for messages. */
#define RANK_NAME(name, first, size, other_size) " " name
#define RANK_VARIABLE_NAMES                      "one of" RANK_VARIABLES(RANK_NAME) " to be set"

struct rank {
	const char *variable; /* the first that is set and not empty; static; NULL = none */
	const char *text;     /* its value, as looked up */
	bool is_number;       /* that is a rank; what follows is valid */
	uint32_t number;
	uint32_t first, n; /* the job has n ranks from first on; n = 0: how many is not known */
};

/* Finds it by lookup(), which returns the value of a variable; NULL = it is not set. */
void rank_find(struct rank *rank, const char *(*lookup)(const char *name));

/*
 * Writes a name of a file with the number for each %r in it, and a NUL; anything else after a %,
 * such as "%%", stays.  Returns the length; to may be NULL, then nothing is written.
 */
size_t rank_expand(char *to, const char *name, const char *number);

/* True if there is a %r in it. */
bool rank_is_in(const char *name);

/* Writes "<first>-<last>", or one number if these are the same; returns the length. */
uint32_t rank_list(char text[RANK_LIST_SIZE], uint32_t first, uint32_t last);

#endif
