/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads whose lines move between cores, in known ways:
 *
 *	cores false|padded	N_THREADS threads, each with a counter of its own, in one line or in a line each
 *	cores private		each reads its own 24 KiB, again and again
 *	cores handover		one writes 16 KiB, another one reads them
 *	cores reused	two count the same word; one frees its neighbour each time, and gets it again
 *	cores across	one counts a word on two lines; another one uses the first line once, and always the second
 *	cores one-core	three share a line; two of them also share a core, if there are two
 *	cores kernel		one reads a line that the kernel writes for another one
 *	cores fork		a thread forks; the child reads what another thread has written
 *	cores branches		a thread of core 0 forks; the child's next thread branches on core 1, as another one had
 *	cores many		1,000 threads, a few at a time, each with a counter in a line of its own
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	N_THREADS = 4,
	LINE = 64,
	ROUNDS = 100,
	STEPS = 50,                           /* between two barriers */
	OWN_WORDS = 24 * 1024 / sizeof(long), /* fits in a D1 of 32 KiB */
	HANDED_WORDS = 16 * 1024 / sizeof(long),
	MANY = 1000,
};

typedef void work(int number);

static struct counter {
	volatile long n;
	char rest[LINE - sizeof(long)];
} padded[N_THREADS] __attribute__((aligned(LINE)));
static volatile long together[LINE / sizeof(long)] __attribute__((aligned(LINE)));
static long own[N_THREADS][OWN_WORDS] __attribute__((aligned(LINE)));
static long handed[HANDED_WORDS] __attribute__((aligned(LINE)));
static struct __attribute__((packed)) {
	volatile long first;
	char before[LINE - sizeof(long) - 4];
	volatile long middle; /* 4 bytes are on the next line */
	char after[28];
	volatile long last;
} across __attribute__((aligned(LINE)));
static long *blocks[2]; /* in one line */
static char buffer[LINE] __attribute__((aligned(LINE)));
static volatile long total;
static pthread_barrier_t barrier;
static work *way;

static void meet(void)
{
	pthread_barrier_wait(&barrier);
}

static __attribute__((noinline)) void count(volatile long *counter)
{
	for (int i = 0; i < STEPS; i++)
		(*counter)++;
}

static __attribute__((noinline)) long sum(const long *words, int n)
{
	long result = 0;

	for (int i = 0; i < n; i++)
		result += words[i];
	return result;
}

static __attribute__((noinline)) void fill(long value)
{
	for (int i = 0; i < HANDED_WORDS; i++)
		handed[i] = value + i;
}

static void count_together(int number)
{
	for (int i = 0; i < ROUNDS; i++, meet())
		count(&together[number]);
}

static void count_padded(int number)
{
	for (int i = 0; i < ROUNDS; i++, meet())
		count(&padded[number].n);
}

static void read_own(int number)
{
	for (int i = 0; i < ROUNDS; i++, meet())
		total += sum(own[number], OWN_WORDS);
}

static void hand_over(int number)
{
	for (int i = 0; i < ROUNDS; i++, meet()) {
		if (number == 0)
			fill(i);
		meet();
		if (number == 1)
			total += sum(handed, HANDED_WORDS);
	}
}

static void allocate_blocks(void)
{
	blocks[1] = malloc(24);
	do {
		blocks[0] = blocks[1];
		blocks[1] = malloc(24);
	} while ((unsigned long)blocks[0] / LINE != (unsigned long)blocks[1] / LINE);
}

static void reuse_neighbour(int number)
{
	if (number == 0)
		allocate_blocks();
	meet();
	for (int i = 0; i < ROUNDS; i++, meet()) {
		if (number == 0)
			count(blocks[0]);
		meet();
		if (number == 1) {
			count(blocks[0]);
			free(blocks[1]);
			blocks[1] = malloc(24);
			count(blocks[1]);
		}
	}
}

static void count_across(int number)
{
	for (int i = 0; i < ROUNDS; i++, meet()) {
		for (int step = 0; number == 0 && step < STEPS; step++)
			across.middle++;
		meet();
		if (number == 1 && i == 0)
			across.first++;
		for (int step = 0; number == 1 && step < STEPS; step++)
			across.last++;
	}
}

/* Threads 0 and 2 have one core: 2 finds the line that 0 took. It uses thread 1's word at first only. */
static void share_core(int number)
{
	static const int turns[] = { 1, 0, 2 };

	for (int i = 0; i < ROUNDS; i++)
		for (int turn = 0; turn < 3; turn++, meet())
			if (turns[turn] == number)
				count(&together[number == 0 ? 2 : number == 2 && i != 0]);
}

static __attribute__((noinline)) long look(void)
{
	return *(volatile long *)buffer;
}

static void ask_kernel(int number)
{
	for (int i = 0; i < ROUNDS; i++, meet()) {
		int ends[2];

		if (number == 0 && (pipe(ends) != 0 || write(ends[1], "some text", 9) != 9 ||
				    read(ends[0], buffer, sizeof(buffer)) != 9 ||
				    close(ends[0]) != 0 || close(ends[1]) != 0))
			_exit(1);
		meet();
		if (number == 1)
			total += look();
	}
}

static void fork_one(int number)
{
	int status = 0;

	if (number == 0)
		fill(1);
	meet();
	if (number == 1) {
		pid_t child = fork();

		if (child == 0)
			_exit(sum(handed, HANDED_WORDS) == 0);
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
			_exit(1);
	}
	meet();
}

/* Takes both sides of a branch, in no order that a cold predictor knows. */
static __attribute__((noinline)) long wander(void)
{
	static unsigned char ways[256];
	unsigned state = 1;
	long n = 0;

	for (int i = 0; i < 256; i++)
		ways[i] = (state = state * 1103515245 + 12345) >> 16 & 1;
	for (int turn = 0; turn < 20; turn++)
		for (int i = 0; i < 256; i++)
			if (ways[i])
				n += 3;
			else
				n ^= i;
	return n;
}

static void *wander_alone(void *n)
{
	*(long *)n = wander();
	return NULL;
}

static void fork_between_branches(int number)
{
	int status = 0;

	if (number == 0)
		total += wander();
	meet();
	if (number == N_THREADS - 1) {
		pid_t child = fork();

		if (child == 0) {
			pthread_t thread;
			long n = 0;

			if (pthread_create(&thread, NULL, wander_alone, &n) == 0)
				pthread_join(thread, NULL);
			_exit(n == 0);
		}
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
			_exit(1);
	}
	meet();
}

static void *run(void *number)
{
	way((int)(long)number);
	return NULL;
}

static void *run_once(void *number)
{
	count(&padded[(long)number % N_THREADS].n);
	return NULL;
}

static int run_threads(int n, void *(*start)(void *number))
{
	pthread_t threads[N_THREADS];

	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, start, (void *)i) != 0)
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		work *way;
		int n_threads;
	} ways[] = {
		{ "false", count_together, N_THREADS },
		{ "padded", count_padded, N_THREADS },
		{ "private", read_own, N_THREADS },
		{ "handover", hand_over, 2 },
		{ "reused", reuse_neighbour, 2 },
		{ "across", count_across, 2 },
		{ "one-core", share_core, 3 },
		{ "kernel", ask_kernel, 2 },
		{ "fork", fork_one, 2 },
		{ "branches", fork_between_branches, N_THREADS },
	};
	int status = 0;

	for (size_t i = 0; argc == 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name) != 0)
			continue;
		way = ways[i].way;
		pthread_barrier_init(&barrier, NULL, (unsigned)ways[i].n_threads);
		return run_threads(ways[i].n_threads, run);
	}
	if (argc != 2 || strcmp(argv[1], "many") != 0)
		return 2;
	for (int i = 0; i < MANY / N_THREADS; i++)
		status |= run_threads(N_THREADS, run_once);
	return status;
}
