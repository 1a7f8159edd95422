/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists, whose nodes are scattered over rarely used pools.  PART: as in hash.c. */
#include <stdalign.h>
#include <stdint.h>

enum { PARTS = 4, POOL = 300, USED = 120, ROUNDS = 200 };

struct node {
	alignas(64) struct node *next;
	uint64_t value[7];
};

#if PART == 0
struct node first[POOL];
#elif PART == 1
struct node second[POOL];
#elif PART == 2
struct node third[POOL];
#else
extern struct node first[], second[], third[];
static struct node *const pools[] = { first, second, third };
static uint64_t sum;

static void append(void)
{
	uint32_t seed = 7;

	for (unsigned pool = 0; pool < 3; pool++) {
		struct node *last = pools[pool];

		for (unsigned i = 0; i < USED; i++) {
			struct node *node =
				&pools[pool][(seed = seed * 1103515245 + 12345) >> 16 & 255];

			if (node == last || node->next || node->value[0])
				continue;
			last->next = node;
			node->value[0] = 1;
			last = node;
		}
	}
}

__attribute__((noinline)) void work(void)
{
	append();
	for (int round = 0; round < ROUNDS; round++)
		for (unsigned pool = 0; pool < 3; pool++)
			for (struct node *node = pools[pool]; node; node = node->next)
				sum += node->value[round & 3]++;
}

int main(void)
{
	work();
	return sum == 1;
}
#endif
