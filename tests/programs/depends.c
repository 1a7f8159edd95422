/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function for each thing that counts should not depend on and often do; each counts by its
 * own loop alone.  Arguments say which are called: "stack", "heap" and so on.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))

APART static void on_stack(void)
{
	volatile unsigned n;

	for (n = 1000 + 100 * (((uintptr_t)&n >> 4) % 7); n > 0; n--)
		;
}

APART static void on_environment(void)
{
	const char *user = getenv("USER");
	volatile unsigned n;

	for (n = 1000 + 100 * (user ? (unsigned char)user[strlen(user) - 1] : 0); n > 0; n--)
		;
}

APART static void on_heap(void)
{
	void *block = malloc(1);
	volatile unsigned n;

	for (n = 1000 + 100 * (((uintptr_t)block >> 4) % 7); n > 0; n--)
		;
	free(block);
}

APART static void on_load(void)
{
	volatile unsigned n;

	for (n = 1000 + 100 * (((uintptr_t)puts >> 12) % 7); n > 0; n--)
		;
}

APART static void on_time(void)
{
	volatile unsigned n;

	for (n = 1000 + 100 * (unsigned)(time(NULL) / 60 % 7); n > 0; n--)
		;
}

/* As a benchmark that runs for a time. */
APART static void on_clock(void)
{
	struct timespec begin, now;
	volatile unsigned n;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		for (n = 1000; n > 0; n--)
			;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 100000);
}

APART static void on_pid(void)
{
	volatile unsigned n;

	for (n = 1000 + 100 * ((unsigned)getpid() % 7); n > 0; n--)
		;
}

APART static void on_random(void)
{
	unsigned char byte = 0;
	volatile unsigned n;

	if (getrandom(&byte, 1, 0) != 1)
		abort();
	for (n = 1000 + 100 * byte; n > 0; n--)
		;
}

/* How far one thread gets while another one waits for a process is the kernel's choice. */
APART static void *on_threads(void *waits)
{
	volatile unsigned n = 0;

	while (*(volatile int *)waits)
		n++;
	return NULL;
}

static void start_threads(void)
{
	static volatile int waits = 1;
	pthread_t thread;

	if (pthread_create(&thread, NULL, on_threads, (void *)&waits) != 0 ||
	    system("sleep 0.02") != 0)
		abort();
	waits = 0;
	pthread_join(thread, NULL);
}

static const struct {
	const char *word;
	void (*call)(void);
} causes[] = {
	{ "stack", on_stack },
	{ "environment", on_environment },
	{ "heap", on_heap },
	{ "load", on_load },
	{ "clock", on_clock },
	{ "time", on_time },
	{ "pid", on_pid },
	{ "random", on_random },
	{ "threads", start_threads },
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (size_t j = 0; j < sizeof(causes) / sizeof(causes[0]); j++)
			if (strcmp(argv[i], causes[j].word) == 0)
				causes[j].call();
	return 0;
}
