/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker ROUNDS [STATUS|-SIGNAL [TEXT]]: that much work, then that end. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static long work(long rounds)
{
	volatile long sum = 0;

	for (long i = 0; i < rounds; i++)
		sum += i * i;
	return sum;
}

int main(int argc, char **argv)
{
	const int end = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
	int c;

	printf("on standard output %ld\n", work(strtol(argv[1], NULL, 10)));
	fprintf(stderr, "on standard error %s\n", argc > 3 ? argv[3] : "");
	while ((c = getchar()) != EOF)
		work(c);
	if (end < 0)
		raise(-end);
	return end;
}
