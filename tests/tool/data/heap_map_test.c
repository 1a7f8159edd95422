/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool/data/heap_map: against a list of blocks, each byte of a small address space asked for; all
 * sizes; its memory.
 */
#include "tool/data/heap_map.h"

#include <stdlib.h>

#include "tests/common/check.h"

enum { SPACE = 1 << 16, MAX_BLOCKS = 400 };

static size_t n_allocated;

static void *allocate(size_t size)
{
	n_allocated++;
	return calloc(1, size);
}

static void release(void *memory)
{
	n_allocated--;
	free(memory);
}

static struct heap_map map;

/* All blocks, in the order in which they were inserted. */
static struct naive_block {
	uint64_t start, size;
	uint32_t object;
} naive[MAX_BLOCKS];
static unsigned n_naive;

static void naive_drop(unsigned i)
{
	n_naive--;
	for (; i < n_naive; i++)
		naive[i] = naive[i + 1];
}

static void insert(uint64_t start, uint64_t size, uint32_t object)
{
	for (unsigned i = n_naive; i-- > 0;) {
		if (naive[i].start != start)
			continue;
		if (naive[i].size > size)
			break;
		naive_drop(i);
	}
	naive[n_naive++] = (struct naive_block){ start, size, object };
	CHECK_EQ_U64(heap_map_insert(&map, start, size, object)->object, object);
}

static void take(uint64_t start)
{
	unsigned i = n_naive;

	while (i > 0 && naive[i - 1].start != start)
		i--;
	CHECK(heap_map_remove(&map, start) == (i > 0));
	if (i > 0)
		naive_drop(i - 1);
}

static const struct naive_block *naive_find(uint64_t address)
{
	for (unsigned i = n_naive; i-- > 0;)
		if (address - naive[i].start < naive[i].size)
			return &naive[i];
	return NULL;
}

static uint64_t random_state = 7;

static uint64_t below(uint64_t limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (random_state >> 33) % limit;
}

static void compare_at(uint64_t address)
{
	const struct naive_block *want = naive_find(address);
	const struct heap_block *got = heap_map_find(&map, address);

	CHECK((want == NULL) == (got == NULL));
	if (want == NULL || got == NULL)
		return;
	CHECK_EQ_U64(got->start, want->start);
	CHECK_EQ_U64(got->size, want->size);
	CHECK_EQ_U64(got->object, want->object);
}

/* Blocks of all sizes that overlap, lie in others and begin where others do. */
TEST(any_blocks_as_in_a_list)
{
	heap_map_init(&map, allocate, release);
	for (unsigned round = 0; round < 3000; round++) {
		if (n_naive < MAX_BLOCKS - 1 && below(3) != 0)
			insert(below(SPACE / 16) * 16, 1 + below(UINT64_C(1) << (1 + below(15))),
			       (uint32_t)round);
		else if (n_naive > 0 && below(8) != 0)
			take(naive[below(n_naive)].start);
		else
			take(below(SPACE));
		CHECK_EQ_U64(map.n, n_naive);
		for (unsigned i = 0; i < 20; i++)
			compare_at(below(SPACE + 100));
	}
	for (uint64_t address = 0; address < SPACE; address++)
		compare_at(address);
	heap_map_release(&map);
	CHECK_EQ_U64(n_allocated, 0);
	n_naive = 0;
}

TEST(every_size_at_both_ends)
{
	heap_map_init(&map, allocate, release);
	for (unsigned bits = 0; bits < 63; bits++) {
		const uint64_t size = UINT64_C(1) << bits;

		for (unsigned more = 0; more < 2; more++) {
			const uint64_t start = UINT64_MAX - 2 * size;

			heap_map_insert(&map, start, size + more, bits);
			CHECK(heap_map_find(&map, start - 1) == NULL);
			CHECK(heap_map_find(&map, start) != NULL);
			CHECK(heap_map_find(&map, start + size + more - 1) != NULL);
			CHECK(heap_map_find(&map, start + size + more) == NULL);
			CHECK(heap_map_at(&map, start) != NULL);
			CHECK(heap_map_remove(&map, start));
			CHECK(!heap_map_remove(&map, start));
		}
	}
	CHECK_EQ_U64(heap_map_insert(&map, 64, 0, 1)->size, 1);
	CHECK(heap_map_find(&map, 64) != NULL && heap_map_find(&map, 65) == NULL);
	heap_map_release(&map);
	CHECK_EQ_U64(n_allocated, 0);
}

/* A place that is used again is another block. */
TEST(serials_tell_blocks_apart)
{
	const struct heap_block *first, *second;
	uint64_t serial;

	heap_map_init(&map, allocate, release);
	first = heap_map_insert(&map, 4096, 32, 1);
	serial = first->serial;
	CHECK(heap_map_remove(&map, 4096));
	CHECK(first->serial != serial);
	second = heap_map_insert(&map, 4096, 32, 2);
	CHECK(second->serial != serial && first->serial != serial);
	heap_map_release(&map);
}

/* Many small blocks: 48 bytes each at most, with all that finds them. */
TEST(many_are_found)
{
	enum { MANY = 300000 };

	heap_map_init(&map, allocate, release);
	for (uint64_t i = 0; i < MANY; i++)
		heap_map_insert(&map, (UINT64_C(1) << 32) + i * 48, 40, (uint32_t)i);
	for (uint64_t i = 0; i < MANY; i += 7)
		CHECK_EQ_U64(heap_map_find(&map, (UINT64_C(1) << 32) + i * 48 + 39)->object, i);
	CHECK(heap_map_find(&map, (UINT64_C(1) << 32) + 47) == NULL);
	for (uint64_t i = 0; i < MANY; i++)
		CHECK(heap_map_remove(&map, (UINT64_C(1) << 32) + i * 48));
	CHECK_EQ_U64(map.n, 0);
	heap_map_release(&map);
	CHECK_EQ_U64(n_allocated, 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(any_blocks_as_in_a_list),
		CHECK_TEST(every_size_at_both_ends),
		CHECK_TEST(serials_tell_blocks_apart),
		CHECK_TEST(many_are_found),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
