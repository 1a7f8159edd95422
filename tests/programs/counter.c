/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What COSTGRIND_COUNTER gives before and after a request.  cost() executes the same instructions
 * whatever the request is, so all differences of an event are equal.
 *
 *	counter requests		the cost, in Ir, of requests that do and do not set costs to zero
 *	counter events EVENT...		"EVENT COST" each, with empty caches
 *	counter threads			the first count of two threads, one after the other: 1 if it is small
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tool/costgrind.h"
#include <callgrind.h>

static __attribute__((noinline)) long long cost(const char *event, unsigned long request,
						unsigned long first, unsigned long second)
{
	unsigned long long before = 0, after = 0;
	int known = COSTGRIND_COUNTER(event, &before);

	(void)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, request, first, second, 0, 0, 0);
	known += COSTGRIND_COUNTER(event, &after);
	return known == 2 ? (long long)(after - before) : -1;
}

static void requests(void)
{
	static const unsigned long all[] = {
		VG_USERREQ__RUNNING_ON_VALGRIND, VG_USERREQ__COSTGRIND_DUMP,
		VG_USERREQ__COSTGRIND_ZERO,      VG_USERREQ__DUMP_STATS,
		VG_USERREQ__ZERO_STATS,          VG_USERREQ__RUNNING_ON_VALGRIND,
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		printf("%lld\n", cost("Ir", all[i], 0, 0));
}

static void events(char **names)
{
	for (; *names != NULL; names++) {
		long long n = 0;

		for (int i = 0; i < 4; i++)
			n = cost(*names, VG_USERREQ__COSTGRIND_EVICT, 0, ~0UL);
		printf("%s %lld\n", *names, n);
	}
}

static void *run(void *result)
{
	volatile int sum = 0;

	(void)COSTGRIND_COUNTER("Ir", result);
	for (int i = 0; i < 100000; i++)
		sum += i;
	return NULL;
}

static void threads(void)
{
	for (int i = 0; i < 2; i++) {
		unsigned long long count = 0;
		pthread_t thread;

		pthread_create(&thread, NULL, run, &count);
		pthread_join(thread, NULL);
		printf("%d\n", count > 0 && count < 100000);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "requests") == 0)
		requests();
	else if (argc > 1 && strcmp(argv[1], "events") == 0)
		events(argv + 2);
	else
		threads();
	return 0;
}
