/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread that writes a part, between two of the first thread's. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "tool/costgrind.h"

enum { NAP = 100000 /* us: by then the first thread waits */ };

static volatile unsigned sum;

static __attribute__((noinline)) void work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sum += i;
}

static void *run(void *unused)
{
	usleep(NAP);
	work(200);
	COSTGRIND_DUMP("of the second");
	work(300);
	return unused;
}

int main(void)
{
	pthread_t thread;

	work(100);
	COSTGRIND_DUMP("of the first");
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	work(400);
	return 0;
}
