/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three small programs whose references are unlike each other:
 *
 *	traced tree	pointers: a binary tree of random keys, made, searched, freed
 *	traced matrix	strides: a product of matrices, a transposition, a modify of each element
 *	traced sort	places that data decide: records of 20 bytes, which straddle lines, sorted
 *			through a pointer to a function
 *
 * They read nothing that differs from run to run.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NODES = 700,
	ORDER = 20,
	RECORDS = 450,
	RECORD_SIZE = 20,
};

static uint32_t random_next(void)
{
	static uint32_t state = 12345;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

struct node {
	struct node *left, *right;
	uint32_t key;
	char filler[44]; /* as large as a line, and not aligned to one */
};

static struct node **find(struct node **link, uint32_t key)
{
	while (*link != NULL && (*link)->key != key)
		link = key < (*link)->key ? &(*link)->left : &(*link)->right;
	return link;
}

static void free_tree(struct node *node)
{
	if (node == NULL)
		return;
	free_tree(node->left);
	free_tree(node->right);
	free(node);
}

static unsigned long tree(void)
{
	struct node *root = NULL;
	unsigned long found = 0;

	for (int i = 0; i < NODES; i++) {
		uint32_t key = random_next();
		struct node **link = find(&root, key);

		if (*link != NULL)
			continue;
		*link = calloc(1, sizeof(**link));
		if (*link == NULL)
			exit(1);
		(*link)->key = key;
	}
	for (int i = 0; i < NODES; i++)
		found += *find(&root, random_next()) != NULL;
	free_tree(root);
	return found;
}

static double a[ORDER][ORDER], b[ORDER][ORDER], c[ORDER][ORDER];

static unsigned long matrix(void)
{
	for (int i = 0; i < ORDER; i++)
		for (int j = 0; j < ORDER; j++) {
			a[i][j] = i + j;
			b[i][j] = i - j;
		}
	for (int i = 0; i < ORDER; i++)
		for (int j = 0; j < ORDER; j++)
			for (int k = 0; k < ORDER; k++)
				c[i][j] += a[i][k] * b[k][j];
	for (int i = 0; i < ORDER; i++)
		for (int j = 0; j < ORDER; j++)
			a[j][i] = c[i][j];
	/* By single bytes: reads that are written back. */
	for (size_t i = 0; i < sizeof(a); i++)
		((volatile unsigned char *)a)[i]++;
	return (unsigned long)a[ORDER - 1][1];
}

static int compare(const void *left, const void *right)
{
	uint64_t x, y;

	memcpy(&x, left, sizeof(x));
	memcpy(&y, right, sizeof(y));
	return x < y ? -1 : x > y;
}

static unsigned long sort(void)
{
	static unsigned char records[RECORDS][RECORD_SIZE];
	uint32_t number;

	for (int i = 0; i < RECORDS; i++)
		for (int j = 0; j < RECORD_SIZE; j += 4) {
			number = random_next();
			memcpy(&records[i][j], &number, sizeof(number));
		}
	qsort(records, RECORDS, RECORD_SIZE, compare);
	memcpy(&number, records[RECORDS / 2], sizeof(number));
	return number;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		unsigned long (*run)(void);
	} programs[] = { { "tree", tree }, { "matrix", matrix }, { "sort", sort } };

	for (size_t i = 0; argc == 2 && i < sizeof(programs) / sizeof(programs[0]); i++)
		if (strcmp(argv[1], programs[i].name) == 0)
			return printf("%lu\n", programs[i].run()) < 0;
	return 2;
}
