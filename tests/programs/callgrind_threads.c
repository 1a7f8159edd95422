/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of callgrind.h by two threads, one after the other. */
#include <pthread.h>
#include <valgrind/callgrind.h>

static volatile int sum;

static __attribute__((noinline)) void work(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}

static __attribute__((noinline)) void second(void)
{
	work(20);
}

static __attribute__((noinline)) void third(void)
{
	work(30);
}

static void *run(void *unused)
{
	work(200);
	CALLGRIND_DUMP_STATS_AT("second");
	work(300);
	second();
	work(350);
	third();
	return unused;
}

int main(void)
{
	pthread_t thread;

	work(100);
	CALLGRIND_DUMP_STATS;
	work(110);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	work(400);
	CALLGRIND_ZERO_STATS;
	work(500);
	second();
	return 0;
}
