// SPDX-License-Identifier: GPL-3.0-or-later
// Data for the report's views of it: a list whose walk uses the first and the last of three lines of each client, and a table that
// is smoothed in floating point.
#include <stdio.h>
#include <stdlib.h>

enum { CLIENTS = 4000, CELLS = 65536, ROUNDS = 10, WALKS = 3 };

struct client {
	struct client *next;
	char name[128];
	long last_seen;
	int flags;
	double balance;
};

static float cells[CELLS];

static __attribute__((noinline)) struct client *add_client(struct client *first, long number)
{
	struct client *client = calloc(1, sizeof(*client)); /* allocated */

	if (!client)
		exit(1);
	client->next = first;
	client->last_seen = number;
	return client;
}

static __attribute__((noinline)) long count_idle(const struct client *client, long since)
{
	long n = 0;

	for (; client; client = client->next)
		n += client->last_seen < since;
	return n;
}

static __attribute__((noinline)) float smooth(void)
{
	float sum = 0;

	for (int i = 1; i < CELLS - 1; i++)
		sum += cells[i] = (cells[i - 1] + cells[i] * 2 + cells[i + 1]) * 0.25F;
	return sum;
}

int main(void)
{
	struct client *first = NULL;
	long n = 0;
	float sum = 0;

	for (long i = 0; i < CLIENTS; i++)
		first = add_client(first, i);
	for (int round = 0; round < ROUNDS; round++) {
		/* A better order of members has to be worth it, next to what smooth() costs. */
		for (int walk = 0; walk < WALKS; walk++)
			n += count_idle(first, round * 100L);
		sum += smooth();
	}
	printf("%ld %g\n", n, (double)sum);
	return 0;
}
