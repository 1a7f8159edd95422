/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One process of a job.
 *
 *	job [NUMBER]
 *
 * The number is its rank if it is not given.  work() is called once and goes round 100 times, and 100 times
 * for each of the number.
 * The process whose rank JOB_KILLED has is killed from outside, by SIGKILL, before that; with MPI
 * (-DWITH_MPI), the others wait for it.  Rank 0 of MPI prints how many processes there are, and
 * how often all of them went round.
 */
#ifdef WITH_MPI
# include <mpi.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static long work(long rounds)
{
	volatile long done = 0;
	for (long i = 0; i < rounds; i++)
		done++;
	return done;
}

static long number_of(const char *text)
{
	return text ? strtol(text, NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	const char *killed = getenv("JOB_KILLED");
	long rank = number_of(getenv("SLURM_PROCID"));
	long done;
#ifdef WITH_MPI
	int mpi_rank = 0, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	rank = mpi_rank;
#endif
	if (killed && number_of(killed) == rank) {
		if (system("kill -9 $PPID"))
			return 1;
		pause();
	}
	done = work(100 * ((argc > 1 ? number_of(argv[1]) : rank) + 1));
#ifdef WITH_MPI
	long all = 0;
	MPI_Allreduce(&done, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d processes, %ld rounds\n", n, all);
	MPI_Finalize();
#endif
	return done <= 0;
}
