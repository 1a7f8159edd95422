/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of the heap whose types and misses by member follow by hand: tests/cmds/data/objecttypes.sh has the sums.  The cache
 * has 32 KiB, 8 ways and lines of 64 bytes.  What is gone through is larger, and is gone through ROUNDS times in
 * the order of its addresses: under LRU, each line misses once a round, with the member that is read of it first.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define APART    __attribute__((noinline, noclone))
#define before() __asm__ volatile("" ::: "memory")

enum { ROUNDS = 3, ITEMS = 4096, SLOTS = 8192, PAIRS = 4096, POINTS = 4096 };

static volatile long sink;

/* Of each its own line. */
static APART void *line(size_t size)
{
	void *block = aligned_alloc(64, size);

	if (!block)
		abort();
	return block;
}

/* --- a list: key is read first, then next --- */

struct item {
	struct item *next;
	long unused[5];
	long key;
	long end;
};

static APART struct item *new_item(long key, struct item *next)
{
	struct item *item = line(sizeof(*item));

	item->key = key;
	item->next = next;
	return item;
}

static APART long walk(const struct item *item)
{
	long sum = 0;

	while (item) {
		sum += item->key;
		before();
		item = item->next;
	}
	return sum;
}

/* --- an array, each slot a line; hash is read first, of every other one --- */

struct slot {
	uint64_t value;
	uint32_t hash, flags;
	char name[48];
};

static APART struct slot *new_slots(void)
{
	return line(SLOTS * sizeof(struct slot));
}

static APART long hashes(const struct slot *slots, size_t n)
{
	long sum = 0;

	for (size_t i = 0; i < n; i += 2) {
		sum += slots[i].hash;
		before();
	}
	return sum;
}

static APART long values(const struct slot *slots, size_t n)
{
	long sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += (long)slots[i].value;
		before();
	}
	return sum;
}

/* --- two numbers in eight bytes: left is read in two rounds of three --- */

struct pair {
	int left, right;
	struct pair *next;
	long unused[6];
};

static APART struct pair *new_pair(struct pair *next)
{
	struct pair *pair = line(sizeof(*pair));

	pair->next = next;
	pair->left = pair->right = 1;
	return pair;
}

static APART long lefts(const struct pair *pair)
{
	long sum = 0;

	for (; pair; pair = pair->next) {
		sum += pair->left;
		before();
	}
	return sum;
}

static APART long rights(const struct pair *pair)
{
	long sum = 0;

	for (; pair; pair = pair->next) {
		sum += pair->right;
		before();
	}
	return sum;
}

/* --- an array of elements that calloc() knows --- */

struct point {
	double x, y, z;
	double unused[5];
};

static APART struct point *new_points(void)
{
	return calloc(POINTS, sizeof(struct point));
}

static APART double zs(const struct point *points)
{
	double sum = 0;

	for (size_t i = 0; i < POINTS; i++)
		sum += points[i].z;
	return sum;
}

/* --- numbers --- */

static APART double *new_numbers(void)
{
	return line(POINTS * sizeof(double));
}

static APART double numbers(const double *of, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += of[i];
	return sum;
}

int main(void)
{
	struct item *items = NULL;
	struct pair *pairs = NULL;
	struct slot *slots = new_slots();
	struct point *points = new_points();
	double *doubles = new_numbers();

	for (long i = 0; i < ITEMS; i++)
		items = new_item(i, items);
	for (long i = 0; i < PAIRS; i++)
		pairs = new_pair(pairs);
	for (size_t i = 0; i < SLOTS; i++) {
		slots[i].value = i;
		slots[i].hash = (uint32_t)i;
	}
	for (size_t i = 0; i < POINTS; i++)
		doubles[i] = points[i].z = (double)i;
	for (int round = 0; round < ROUNDS; round++) {
		sink += walk(items);
		sink += hashes(slots, SLOTS);
		sink += values(slots, SLOTS);
		sink += round < 2 ? lefts(pairs) : rights(pairs);
		sink += (long)zs(points);
		sink += (long)numbers(doubles, POINTS);
	}
	return sink == 0;
}
