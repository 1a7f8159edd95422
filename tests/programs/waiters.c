/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	waiters N KB
 *
 * N threads wait while the main one writes to each line of that many KB of mapped memory.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
	STACK_SIZE = 65536,
	LINE_SIZE = 64,
};

static pthread_barrier_t begun, ended;

static void *wait_for_end(void *unused)
{
	pthread_barrier_wait(&begun);
	pthread_barrier_wait(&ended);
	return unused;
}

static __attribute__((noinline)) void touch(size_t size)
{
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(3);
	for (size_t i = 0; i < size; i += LINE_SIZE)
		memory[i]++;
}

int main(int argc, char **argv)
{
	pthread_attr_t small;
	pthread_t *threads;
	int n;

	if (argc < 3)
		return 2;
	n = (int)strtol(argv[1], NULL, 10);
	threads = calloc((size_t)n + 1, sizeof(*threads));
	pthread_barrier_init(&begun, NULL, (unsigned)n + 1);
	pthread_barrier_init(&ended, NULL, (unsigned)n + 1);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_SIZE);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], &small, wait_for_end, NULL) != 0)
			return 4;
	pthread_barrier_wait(&begun);
	touch((size_t)strtol(argv[2], NULL, 10) * 1024);
	pthread_barrier_wait(&ended);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
