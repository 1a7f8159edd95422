/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threadpairs: what two threads do to each other's lines, in two variants: as it is often written, and mended.
 *
 *	threadpairs			the names of the programs
 *	threadpairs NAME shared|mended ROUNDS
 *					has two threads call run_NAME() with that many rounds each, and prints how long that
 *					took, in nanoseconds, and a sum
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	N_THREADS = 2,
	LINE = 64,
	N = 2048, /* elements of 8 bytes */
};

/* Of thread number `me`. */
struct share {
	long rounds;
	int me;
	int is_mended;
};

static struct padded {
	volatile uint64_t n;
	char rest[LINE - sizeof(uint64_t)];
} padded[N_THREADS] __attribute__((aligned(LINE)));
static volatile uint64_t adjacent[N_THREADS] __attribute__((aligned(LINE)));

/* Counters side by side; a line each. */
static uint64_t run_counters(const struct share *share)
{
	volatile uint64_t *own = share->is_mended ? &padded[share->me].n : &adjacent[share->me];

	for (long i = 0; i < share->rounds * N; i++)
		++*own;
	return *own;
}

static struct sums {
	uint64_t x, y, xx, yy, xy; /* 40 bytes, as in Phoenix's linear regression */
} sums[N_THREADS] __attribute__((aligned(LINE)));
static struct {
	struct sums sums;
	char rest[2UL * LINE - sizeof(struct sums)];
} apart[N_THREADS] __attribute__((aligned(LINE)));
static unsigned char points[N];

static void add_point(volatile struct sums *to, uint64_t x, uint64_t y)
{
	to->x += x;
	to->y += y;
	to->xx += x * x;
	to->yy += y * y;
	to->xy += x * y;
}

/* Sums of 40 bytes for each thread in an array; two lines each. */
static uint64_t run_regression(const struct share *share)
{
	volatile struct sums *own = share->is_mended ? &apart[share->me].sums : &sums[share->me];

	for (long round = 0; round < share->rounds; round++)
		for (int i = 0; i + 1 < N; i += 2)
			add_point(own, points[i], points[i + 1]);
	return own->xy;
}

static struct {
	volatile uint64_t limit, n_done;
} task __attribute__((aligned(LINE)));
static struct {
	volatile uint64_t limit;
	char rest[LINE - sizeof(uint64_t)];
	volatile uint64_t n_done;
} task_apart __attribute__((aligned(LINE)));

/* A limit that one thread reads, next to what the other one counts; in another line. */
static uint64_t run_limit(const struct share *share)
{
	volatile uint64_t *limit = share->is_mended ? &task_apart.limit : &task.limit;
	volatile uint64_t *n_done = share->is_mended ? &task_apart.n_done : &task.n_done;
	uint64_t sum = 0;

	for (long i = 0; i < share->rounds * N; i++)
		if (share->me == 0)
			++*n_done;
		else
			sum += *limit;
	return sum;
}

static volatile uint64_t elements[N] __attribute__((aligned(LINE)));

/* Every other element is a thread's; a half of them is. */
static uint64_t run_columns(const struct share *share)
{
	const int half = N / N_THREADS;

	for (long round = 0; round < share->rounds; round++)
		for (int i = 0; i < half; i++)
			elements[share->is_mended ? share->me * half + i
						  : i * N_THREADS + share->me] += 1;
	return elements[0];
}

static _Atomic uint64_t together;

/* One atomic counter; a counter for each thread, added up at the end. */
static uint64_t run_atomic(const struct share *share)
{
	if (share->is_mended) {
		for (long i = 0; i < share->rounds * N; i++)
			++padded[share->me].n;
		atomic_fetch_add(&together, padded[share->me].n);
		return 0;
	}
	for (long i = 0; i < share->rounds * N; i++)
		atomic_fetch_add_explicit(&together, 1, memory_order_relaxed);
	return 0;
}

/* Both threads go through all of an array and write to it; each does twice as much with its own half. */
static uint64_t run_passes(const struct share *share)
{
	const int half = N / N_THREADS;
	const int from = share->is_mended ? share->me * half : 0;

	for (long pass = 0; pass < share->rounds; pass++)
		for (int i = 0; i < N; i++)
			elements[share->is_mended ? from + i % half : i] += 1;
	return elements[from];
}

static const struct {
	const char *name;
	uint64_t (*run)(const struct share *share);
} programs[] = {
	{ "counters", run_counters }, { "regression", run_regression }, { "limit", run_limit },
	{ "columns", run_columns },   { "atomic", run_atomic },         { "passes", run_passes },
};

enum { N_PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static pthread_barrier_t barrier;

struct started {
	uint64_t (*run)(const struct share *share);
	struct share share;
	uint64_t sum;
};

static void *start(void *argument)
{
	struct started *started = argument;

	pthread_barrier_wait(&barrier);
	started->sum = started->run(&started->share);
	return NULL;
}

static uint64_t run(uint64_t (*run)(const struct share *share), int is_mended, long rounds)
{
	struct started started[N_THREADS];
	pthread_t threads[N_THREADS];
	uint64_t sum = 0;

	pthread_barrier_init(&barrier, NULL, N_THREADS);
	for (int i = 0; i < N_THREADS; i++) {
		started[i] = (struct started){ run, { rounds, i, is_mended }, 0 };
		if (pthread_create(&threads[i], NULL, start, &started[i]) != 0)
			exit(2);
	}
	for (int i = 0; i < N_THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += started[i].sum;
	}
	return sum;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < N_PROGRAMS; i++) {
		struct timespec before, after;
		uint64_t sum;

		if (argc == 1)
			puts(programs[i].name);
		if (argc != 4 || strcmp(argv[1], programs[i].name) != 0)
			continue;
		memset(points, 3, sizeof(points));
		clock_gettime(CLOCK_MONOTONIC, &before);
		sum = run(programs[i].run, strcmp(argv[2], "mended") == 0,
			  strtol(argv[3], NULL, 10));
		clock_gettime(CLOCK_MONOTONIC, &after);
		printf("%lld %llu\n",
		       (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec -
			       before.tv_nsec,
		       (unsigned long long)sum);
		return 0;
	}
	return argc == 1 ? 0 : 2;
}
