/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A linked list, a hash table and nodes of a B-tree, whose misses can be counted by hand: tests/cmds/types/types.sh has the
 * sums.  The cache has 32 KiB, 8 ways and lines of 64 bytes, so 64 sets.  Each structure is larger, and gone through in
 * the order of its addresses, ROUNDS times after it was made: under LRU, each line misses once a round, with the
 * member that is read of it first.  `before` keeps compilers from another order of reads.
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
# error this is C
#endif

#define before() __asm__ volatile("" ::: "memory")
#define LINE     __attribute__((aligned(64)))

enum { ROUNDS = 3, ITEMS = 4096, ENTRIES = 8192, LEVELS = 1024, KEYS = 15 };

/* -- a list: of each item, key is read first, then next ---------------------------------------- */

struct LINE item {
	struct item *next;
	long unused[5];
	long key;
};

static struct item items[ITEMS];

static __attribute__((noinline)) long walk(const struct item *item)
{
	long sum = 0;

	while (item) {
		sum += item->key;
		before();
		item = item->next;
	}
	return sum;
}

/* -- a table: a bucket, an eighth of a line, and in it one entry: hash, then value -------------- */

struct LINE entry {
	uint64_t value;
	struct entry *next;
	uint32_t hash;
};

struct table {
	struct entry **buckets;
	size_t mask;
};

static struct entry entries[ENTRIES];
static struct entry *slots[ENTRIES] LINE;

static __attribute__((noinline)) uint64_t find(const struct table *table, uint32_t hash)
{
	const struct entry *entry = table->buckets[hash & table->mask];

	for (; entry; entry = entry->next) {
		before();
		if (entry->hash == hash)
			break;
		before();
	}
	before();
	return entry ? entry->value : 0;
}

/* -- a B-tree: of each level the count, keys up to the last, and the last child ----------------- */

struct LINE level {
	long n;                     /* line 0 */
	long keys[KEYS];            /* lines 0 and 1 */
	struct level *children[16]; /* lines 2 and 3 */
};

static struct level levels[LEVELS];

static __attribute__((noinline)) long descend(const struct level *level, long key)
{
	long depth = 0;

	while (level) {
		long i = 0, n = level->n;

		before();
		while (i < n && level->keys[i] < key) {
			i++;
			before();
		}
		level = level->children[i];
		depth++;
	}
	return depth;
}

int main(void)
{
	struct table table = { slots, ENTRIES - 1 };
	long sum = 0;

	for (size_t i = 0; i < ITEMS; i++) {
		items[i].next = i + 1 < ITEMS ? &items[i + 1] : NULL;
		items[i].key = (long)i;
	}
	for (uint32_t i = 0; i < ENTRIES; i++) {
		entries[i].hash = i;
		entries[i].value = i;
		slots[i] = &entries[i];
	}
	for (size_t i = 0; i < LEVELS; i++) {
		levels[i].n = KEYS;
		for (int key = 0; key < KEYS; key++)
			levels[i].keys[key] = key;
		levels[i].children[KEYS] = i + 1 < LEVELS ? &levels[i + 1] : NULL;
	}
	for (int round = 0; round < ROUNDS; round++)
		sum += walk(items);
	for (int round = 0; round < ROUNDS; round++)
		for (uint32_t i = 0; i < ENTRIES; i++)
			sum += (long)find(&table, i);
	for (int round = 0; round < ROUNDS; round++)
		sum += descend(levels, KEYS);
	return sum == 0;
}
