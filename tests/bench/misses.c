/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * misses: kernels that miss for one reason each, with a version in which it is mended.  docs/MISSES.md goes through them.
 *
 *	misses KERNEL before|after [ROUNDS]	runs it, and prints the least time of a round in microseconds and a sum
 *
 * conflict	sums columns of a matrix whose rows are 4 KiB apart; after: whose rows are a line longer
 * capacity	transposes a matrix; after: a few columns at a time
 * cold		has fresh memory for each message, freed with the last one; after: one buffer for all
 */
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNEL __attribute__((noinline)) static

/* -- conflict ------------------------------------------------------------------------------ */

enum { ROWS = 64, ROW = 512, PADDED = ROW + 8 };

alignas(64) static double rows[ROWS][ROW];
alignas(64) static double padded[ROWS][PADDED];

KERNEL double conflict_before(void)
{
	double sum = 0;

	for (int column = 0; column < ROW; column++)
		for (int row = 0; row < ROWS; row++)
			sum += rows[row][column];
	return sum;
}

KERNEL double conflict_after(void)
{
	double sum = 0;

	for (int column = 0; column < ROW; column++)
		for (int row = 0; row < ROWS; row++)
			sum += padded[row][column];
	return sum;
}

/* -- capacity ------------------------------------------------------------------------------ */

enum { N = 600, WIDE = N + 8, BLOCK = 24 }; /* rows of whole lines, not of a power of two */

alignas(64) static float from[N][WIDE], to[N][WIDE];

KERNEL double capacity_before(void)
{
	for (int row = 0; row < N; row++)
		for (int column = 0; column < N; column++)
			to[column][row] = from[row][column];
	return to[1][2];
}

KERNEL double capacity_after(void)
{
	for (int block = 0; block < N; block += BLOCK)
		for (int row = 0; row < N; row++)
			for (int column = block; column < block + BLOCK; column++)
				to[column][row] = from[row][column];
	return to[1][2];
}

/* -- cold ---------------------------------------------------------------------------------- */

enum { MESSAGE = 16384, MESSAGES = 1024 };

KERNEL unsigned encode(unsigned char *message, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < MESSAGE; i++)
		message[i] = (unsigned char)(i * n);
	for (unsigned i = 0; i < MESSAGE; i++)
		sum += message[i];
	return sum;
}

KERNEL double cold_before(void)
{
	static unsigned char *messages[MESSAGES];
	unsigned sum = 0;

	for (unsigned n = 0; n < MESSAGES; n++) {
		messages[n] = malloc(MESSAGE);
		sum += encode(messages[n], n);
	}
	for (unsigned n = 0; n < MESSAGES; n++)
		free(messages[n]);
	return sum;
}

KERNEL double cold_after(void)
{
	static unsigned char message[MESSAGE];
	unsigned sum = 0;

	for (unsigned n = 0; n < MESSAGES; n++)
		sum += encode(message, n);
	return sum;
}

/* ------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	double (*before)(void), (*after)(void);
} kernels[] = {
	{ "conflict", conflict_before, conflict_after },
	{ "capacity", capacity_before, capacity_after },
	{ "cold", cold_before, cold_after },
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

int main(int argc, char **argv)
{
	const long rounds = argc > 3 ? strtol(argv[3], NULL, 10) : 20;
	double least = 1e12, sum = 0;

	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < ROW; column++)
			rows[row][column] = padded[row][column] = row ^ column;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			from[i][j] = (float)(i ^ j);

	for (size_t i = 0; argc > 2 && i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		double (*run)(void) = strcmp(argv[2], "after") == 0 ? kernels[i].after
								    : kernels[i].before;

		if (strcmp(argv[1], kernels[i].name) != 0)
			continue;
		for (long round = 0; round < rounds; round++) {
			const double begin = now();

			sum += run();
			if (now() - begin < least)
				least = now() - begin;
		}
		printf("%s %s: %.1f us, %g\n", argv[1], argv[2], least, sum);
		return 0;
	}
	fprintf(stderr, "usage: misses conflict|capacity|cold before|after [ROUNDS]\n");
	return 2;
}
