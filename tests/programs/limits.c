/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	limits even|uneven	goes 10 times over 240 pages, one after the other, or as
 *				physical memory might have them: anywhere in 4 MiB
 *	limits threads		two threads go 1000 times over 24 KiB each
 *
 * For docs/SIMULATION.md: what a simulation does not see, and how much it is.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
	PAGE = 4096,
	LINE = 64,
	N_PAGES = 240,
	N_FRAMES = 1024,
	ROUNDS = 10,
	OWN = 24 * 1024,
	OWN_ROUNDS = 1000,
};

static char frames[N_FRAMES][PAGE] __attribute__((aligned(4096)));
static char own[2][OWN] __attribute__((aligned(4096)));
static unsigned places[N_FRAMES];

/* The pages' places: all in order, or the first of a shuffled deck. */
static void place(int shuffled)
{
	unsigned state = 1;

	for (unsigned i = 0; i < N_FRAMES; i++)
		places[i] = i;
	for (unsigned i = 0; shuffled && i < N_PAGES; i++) {
		unsigned other, page = places[i];

		state = state * 1103515245 + 12345;
		other = i + (state >> 16) % (N_FRAMES - i);
		places[i] = places[other];
		places[other] = page;
	}
}

static __attribute__((noinline)) void walk_pages(void)
{
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < N_PAGES; i++)
			for (int at = 0; at < PAGE; at += LINE)
				(void)*(volatile char *)&frames[places[i]][at];
}

static __attribute__((noinline)) void *walk_own(void *memory)
{
	for (int round = 0; round < OWN_ROUNDS; round++)
		for (int at = 0; at < OWN; at += LINE)
			(void)*(volatile char *)((char *)memory + at);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc == 2 && strcmp(argv[1], "threads") == 0) {
		if (pthread_create(&thread, NULL, walk_own, own[0]) != 0)
			return 1;
		walk_own(own[1]);
		return pthread_join(thread, NULL) != 0;
	}
	if (argc != 2) {
		fprintf(stderr, "usage: limits even|uneven|threads\n");
		return 2;
	}
	place(strcmp(argv[1], "uneven") == 0);
	walk_pages();
	return 0;
}
