/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two threads that lock the bus, 10 and 20 times, and reads of a set of D1 that has six
 * ways: walk(lines) reads that many lines, 4096 bytes apart, ten times over.
 */
#include <pthread.h>

static unsigned counter;
static volatile char memory[16 * 4096] __attribute__((aligned(4096)));

static __attribute__((noinline)) void bump(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		__asm__ volatile("lock incl %0" : "+m"(counter));
}

static __attribute__((noinline)) void walk(unsigned lines)
{
	for (unsigned round = 0; round < 10; round++)
		for (unsigned i = 0; i < lines; i++)
			(void)memory[i * 4096];
}

static __attribute__((noinline)) void walk_six(void)
{
	walk(6);
}

static __attribute__((noinline)) void walk_seven(void)
{
	walk(7);
}

static void *run(void *unused)
{
	bump(20);
	return unused;
}

int main(void)
{
	pthread_t thread;

	walk_six();
	walk_seven();
	bump(10);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	return 0;
}
