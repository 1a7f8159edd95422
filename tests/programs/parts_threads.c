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

static void *run_and_zero(void *unused)
{
	usleep(NAP);
	work(200);
	VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ_TOOL_BASE('C', 'T') + 1 /* ZERO_STATS */, 0, 0,
					0, 0, 0);
	return unused;
}

/* A region of the first thread's goes on while the second one sets its own counts to zero. */
static void zero_in_region(void)
{
	pthread_t thread;

	COSTGRIND_REGION_BEGIN("long");
	work(100000);
	pthread_create(&thread, NULL, run_and_zero, NULL);
	pthread_join(thread, NULL);
	work(50);
	COSTGRIND_REGION_END("long");
}

int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	if (argc > 1) {
		zero_in_region();
		return 0;
	}
	work(100);
	COSTGRIND_DUMP("of the first");
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	work(400);
	return 0;
}
