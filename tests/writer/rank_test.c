/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer/rank: which variable counts, which values are ranks, how many ranks there are. */
#include "writer/rank.h"

#include <stdio.h>
#include <string.h>

#include "tests/common/check.h"

/* The environment: "NAME=value", ended by NULL. */
static const char *const *variables;

static const char *lookup(const char *name)
{
	size_t len = strlen(name);

	for (const char *const *v = variables; *v; v++)
		if (strncmp(*v, name, len) == 0 && (*v)[len] == '=')
			return *v + len + 1;
	return NULL;
}

/* "VARIABLE number first n", of up to five variables. */
static const char *found(const char *const environment[6])
{
	static char text[96];
	struct rank rank;

	variables = environment;
	rank_find(&rank, lookup);
	if (!rank.variable)
		return "none";
	if (!rank.is_number)
		snprintf(text, sizeof(text), "%s bad %s", rank.variable, rank.text);
	else
		snprintf(text, sizeof(text), "%s %u %u %u", rank.variable, rank.number, rank.first,
			 rank.n);
	return text;
}

#define FOUND(...) found((const char *const[6]){ __VA_ARGS__ })

/* What each launcher sets. */
TEST(launchers)
{
	CHECK_STR(FOUND("PATH=/bin"), "none");
	CHECK_STR(FOUND("OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4", "PMIX_RANK=3"),
		  "PMIX_RANK 3 0 4");
	CHECK_STR(FOUND("OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4"),
		  "OMPI_COMM_WORLD_RANK 3 0 4");
	CHECK_STR(FOUND("PMI_RANK=0", "PMI_SIZE=64"), "PMI_RANK 0 0 64");
	CHECK_STR(FOUND("PMIX_RANK=1", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=8"),
		  "PMIX_RANK 1 0 8");
	CHECK_STR(FOUND("SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=8", "SLURM_NTASKS=8"),
		  "SLURM_PROCID 1 0 8");
	/* A batch script is one process, however many tasks it asked for. */
	CHECK_STR(FOUND("SLURM_PROCID=0", "SLURM_NTASKS=8"), "SLURM_PROCID 0 0 0");
	CHECK_STR(FOUND("JOB_COMPLETION_INDEX=12"), "JOB_COMPLETION_INDEX 12 0 0");
	CHECK_STR(FOUND("AWS_BATCH_JOB_ARRAY_INDEX=2", "AWS_BATCH_JOB_ARRAY_SIZE=3"),
		  "AWS_BATCH_JOB_ARRAY_INDEX 2 0 3");
	CHECK_STR(FOUND("CI_NODE_INDEX=3", "CI_NODE_TOTAL=3"), "CI_NODE_INDEX 3 1 3");
}

/* The first that is set counts, though others say more. */
TEST(order)
{
	CHECK_STR(FOUND("CI_NODE_INDEX=1", "SLURM_PROCID=4", "PMI_RANK=7"), "PMI_RANK 7 0 0");
	CHECK_STR(FOUND("CI_NODE_INDEX=1", "SLURM_PROCID="), "CI_NODE_INDEX 1 1 0");
	/* mpirun within a step of Slurm's: the ranks are mpirun's. */
	CHECK_STR(FOUND("PMIX_RANK=5", "SLURM_STEP_NUM_TASKS=2", "OMPI_COMM_WORLD_SIZE=6"),
		  "PMIX_RANK 5 0 6");
}

TEST(values)
{
	CHECK_STR(FOUND("PMI_RANK=999999999"), "PMI_RANK 999999999 0 0");
	CHECK_STR(FOUND("PMI_RANK=1000000000"), "PMI_RANK bad 1000000000");
	CHECK_STR(FOUND("PMI_RANK=-1"), "PMI_RANK bad -1");
	CHECK_STR(FOUND("PMI_RANK=3 ", "SLURM_PROCID=1"), "PMI_RANK bad 3 ");
	/* A size that cannot be is none. */
	CHECK_STR(FOUND("PMI_RANK=4", "PMI_SIZE=4"), "PMI_RANK 4 0 0");
	CHECK_STR(FOUND("PMI_RANK=4", "PMI_SIZE=x"), "PMI_RANK 4 0 0");
	CHECK_STR(FOUND("CI_NODE_INDEX=0", "CI_NODE_TOTAL=3"), "CI_NODE_INDEX 0 1 0");
}

static const char *list(uint32_t first, uint32_t last)
{
	static char text[RANK_LIST_SIZE];

	uint32_t len = rank_list(text, first, last);

	CHECK_EQ_U64(len, strlen(text));
	return text;
}

TEST(lists)
{
	CHECK_STR(list(0, 0), "0");
	CHECK_STR(list(0, 1), "0-1");
	CHECK_STR(list(100, 117), "100-117");
	CHECK_STR(list(RANK_MAX - 1, RANK_MAX), "999999998-999999999");
}

static const char *expanded(const char *name)
{
	static char text[64];
	size_t len = rank_expand(NULL, name, "12");

	CHECK_EQ_U64(rank_expand(text, name, "12"), len);
	CHECK_EQ_U64(strlen(text), len);
	CHECK_EQ_U64(rank_is_in(name), strcmp(text, name) != 0);
	return text;
}

TEST(names)
{
	CHECK_STR(expanded("out.%r"), "out.12");
	CHECK_STR(expanded("%r/%r%p.%q{r}"), "12/12%p.%q{r}");
	CHECK_STR(expanded("%%r"), "%%r");
	CHECK_STR(expanded("%%%r%"), "%%12%");
	CHECK_STR(expanded(""), "");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(launchers), CHECK_TEST(order), CHECK_TEST(values),
		CHECK_TEST(lists),     CHECK_TEST(names),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
