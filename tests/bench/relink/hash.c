/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words are counted in hash tables: of each of six tables a few entries are asked for far more often than others.
 *
 * PART is which object of the program this is; parts can be linked in any order.
 */
#include <stdalign.h>
#include <stdint.h>

enum { PARTS = 4, SLOTS = 1024, LOOKUPS = 60000 };

struct entry {
	alignas(64) uint32_t key;
	uint32_t count;
	uint64_t last[6];
};

#if PART == 0
struct entry nouns[SLOTS], verbs[SLOTS];
#elif PART == 1
struct entry names[SLOTS], numbers[SLOTS];
#elif PART == 2
struct entry marks[SLOTS], rest[SLOTS];
#else
extern struct entry nouns[], verbs[], names[], numbers[], marks[], rest[];
struct entry *const tables[] = { nouns, verbs, names, numbers, marks, rest };

static uint32_t seed = 1;

static uint32_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

__attribute__((noinline)) void work(void)
{
	for (unsigned i = 0; i < LOOKUPS; i++) {
		/* Half of all lookups are of 16 keys, a quarter of 32 others, and so on. */
		uint32_t few = draw(), bits = 4 + (unsigned)__builtin_ctz(draw() | 32);
		uint32_t key = few % (1U << bits) + (1U << bits);
		struct entry *table = tables[few >> 16 & 3 ? few >> 20 & 1 : few >> 20 & 3 | 2];
		uint32_t slot = key % SLOTS;

		while (table[slot].key != key && table[slot].key != 0)
			slot = slot + 1 < SLOTS ? slot + 1 : 0;
		table[slot].key = key;
		table[slot].count++;
		table[slot].last[i % 6] = i;
	}
}

int main(void)
{
	work();
	return nouns[0].count > LOOKUPS;
}
#endif
