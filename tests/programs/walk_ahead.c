/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What prefetchers find: a stream, a stride, a list whose next node is prefetched; twice. */
#include <stdio.h>
#include <stdlib.h>

enum {
	WORDS = 1 << 15,
	STRIDE = 40, /* words */
	NODES = 2000,
};

struct node {
	struct node *next;
	long words[15];
};

static long array[WORDS];
static struct node nodes[NODES];

static long stream(void)
{
	long sum = 0;

	for (long i = 0; i < WORDS; i++)
		sum += array[i];
	return sum;
}

static long stride(void)
{
	long sum = 0;

	for (long i = 0; i < WORDS; i += STRIDE)
		sum += array[i];
	return sum;
}

/* The last node's next is NULL: prefetched, too. */
static __attribute__((noinline)) long chase(void)
{
	long sum = 0;

	for (const struct node *node = nodes; node; node = node->next) {
		__builtin_prefetch(node->next);
		sum += node->words[3];
	}
	return sum;
}

int main(void)
{
	long sums[2];

	for (long i = 0; i < WORDS; i++)
		array[i] = i;
	/* An order without steps: 7 and NODES have no common divisor. */
	for (long i = 0; i + 1 < NODES; i++)
		nodes[i * 7 % NODES].next = &nodes[(i + 1) * 7 % NODES];
	for (int i = 0; i < 2; i++)
		sums[i] = stream() + stride() + chase();
	printf("%ld %ld\n", sums[0], sums[1]);
	return 0;
}
