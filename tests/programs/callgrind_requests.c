/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of callgrind.h between calls, recursion among them. */
#include <stdio.h>
#include <valgrind/callgrind.h>

static volatile int sum;

static __attribute__((noinline)) void leaf(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}

static __attribute__((noinline)) void mid(int n)
{
	leaf(n);
	leaf(2 * n);
}

static __attribute__((noinline)) void recurse(int n)
{
	if (n != 0)
		recurse(n - 1);
	leaf(10);
}

int main(void)
{
	mid(1000);
	CALLGRIND_DUMP_STATS_AT("one");
	mid(500);
	CALLGRIND_TOGGLE_COLLECT;
	mid(700);
	CALLGRIND_TOGGLE_COLLECT;
	recurse(5);
	CALLGRIND_DUMP_STATS;
	mid(3);
	CALLGRIND_ZERO_STATS;
	mid(7);
	printf("%d\n", sum);
	return 0;
}
