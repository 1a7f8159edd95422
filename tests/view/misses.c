/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that miss for reasons which are known: see tests/view/report_reasons.sh. */
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 8000, BIG = 1 << 20, PAGE = 4096, NODES = 2000, ROWS = 500, COLUMNS = 505 };

struct node {
	struct node *next;
	char rest[120];
};

double vector[ELEMENTS];
char big[BIG];
struct node nodes[NODES];
double matrix[ROWS][COLUMNS];

/* 64,000 B in order: more than D1 holds. */
__attribute__((noipa)) static double sweep(void)
{
	double sum = 0;

	for (int i = 0; i < ELEMENTS; i++)
		sum += vector[i];
	return sum;
}

/* Each element is in the same set. */
__attribute__((noipa)) static int strided(void)
{
	int sum = 0;

	for (size_t i = 0; i < 64; i++)
		sum += big[i * PAGE];
	return sum;
}

/* The same by a stride that the compiler does not know. */
__attribute__((noipa)) static int walk(size_t stride)
{
	const char *at = big;
	int sum = 0;

	for (size_t i = 0; i < 64; i++, at += stride)
		sum += *at;
	return sum;
}

/* By columns; each stays in D1 until all of its lines are used. */
__attribute__((noipa)) static double columns(void)
{
	double sum = 0;

	for (size_t column = 0; column < COLUMNS; column++)
		for (size_t row = 0; row < ROWS; row++)
			sum += matrix[row][column];
	return sum;
}

/* One node after the other, in no order. */
__attribute__((noipa)) static struct node *chase(struct node *node, int steps)
{
	while (steps-- > 0)
		node = node->next;
	return node;
}

/* The first time that these bytes are read. */
__attribute__((noipa)) static int bytes(void)
{
	int sum = 0;

	for (int i = 0; i < BIG; i++)
		sum += big[i];
	return sum;
}

int main(void)
{
	unsigned at = 0;
	double sum = 0;

	/* 7 and NODES have no common divisor: one round through all. */
	for (int i = 0; i < NODES; i++) {
		unsigned next = (at + 7 * 97) % NODES;

		nodes[at].next = &nodes[next];
		at = next;
	}
	sum += bytes();
	for (int i = 0; i < 100; i++)
		sum += sweep();
	for (int i = 0; i < 2000; i++)
		sum += strided() + walk(PAGE);
	sum += columns();
	return printf("%g %d\n", sum, chase(nodes, 200000) == nodes) < 0;
}
