/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparison sorts of records with random keys: quicksort and heapsort by a
 * comparison that is called through a pointer, merge sort of the numbers of
 * records, then binary searches.  Half of the conditional branches cannot be
 * predicted.
 */
#include "tests/bench/bench.h"

#include <stdlib.h>

enum {
	RECORDS = 400000,
	SEARCHES = 400000,
	TEXT_SIZE = 8,
	FEW = 8, /* records that are sorted by insertion */
};

struct record {
	uint32_t key;
	uint32_t number; /* where it was at first */
	char text[TEXT_SIZE];
};

typedef int compare_records(const struct record *a, const struct record *b);

NOINLINE static int compare_keys(const struct record *a, const struct record *b)
{
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

NOINLINE static int compare_texts(const struct record *a, const struct record *b)
{
	for (size_t i = 0; i < TEXT_SIZE; i++) {
		if (a->text[i] != b->text[i])
			return a->text[i] < b->text[i] ? -1 : 1;
	}
	return compare_keys(a, b);
}

static void swap(struct record *a, struct record *b)
{
	struct record kept = *a;

	*a = *b;
	*b = kept;
}

NOINLINE static void insertion_sort(struct record *records, size_t n, compare_records *compare)
{
	for (size_t i = 1; i < n; i++) {
		struct record moving = records[i];
		size_t j = i;

		for (; j && compare(&moving, &records[j - 1]) < 0; j--)
			records[j] = records[j - 1];
		records[j] = moving;
	}
}

NOINLINE static void quicksort(struct record *records, size_t n, compare_records *compare)
{
	while (n > FEW) {
		struct record pivot = records[n / 2];
		size_t low = 0;
		size_t high = n - 1;

		for (;;) {
			while (compare(&records[low], &pivot) < 0)
				low++;
			while (compare(&pivot, &records[high]) < 0)
				high--;
			if (low >= high)
				break;
			swap(&records[low++], &records[high--]);
		}
		quicksort(records, low, compare);
		records += low;
		n -= low;
	}
	insertion_sort(records, n, compare);
}

/* Lets the record at i of a heap of n sink to where it belongs. */
NOINLINE static void sink(struct record *heap, size_t i, size_t n, compare_records *compare)
{
	struct record moving = heap[i];

	for (size_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
		if (child + 1 < n && compare(&heap[child], &heap[child + 1]) < 0)
			child++;
		if (compare(&moving, &heap[child]) >= 0)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moving;
}

static void heapsort(struct record *records, size_t n, compare_records *compare)
{
	for (size_t i = n / 2; i--;)
		sink(records, i, n, compare);
	while (n > 1) {
		swap(&records[0], &records[--n]);
		sink(records, 0, n, compare);
	}
}

/* Merges sorted runs of doubling length.  What is sorted are the numbers of records, n of them,
 * in a place for twice as many; returns in which half they are then. */
NOINLINE static const uint32_t *merge_sort(const struct record *records, uint32_t *numbers,
					   size_t n)
{
	uint32_t *from = numbers;
	uint32_t *to = numbers + n;

	for (size_t run = 1; run < n; run *= 2) {
		uint32_t *kept = from;

		for (size_t begin = 0; begin < n; begin += 2 * run) {
			size_t a = begin;
			size_t a_end = begin + run < n ? begin + run : n;
			size_t b = a_end;
			size_t b_end = a_end + run < n ? a_end + run : n;

			for (size_t i = begin; i < b_end; i++) {
				int first =
					b == b_end ||
					(a < a_end && records[from[a]].key <= records[from[b]].key);

				to[i] = first ? from[a++] : from[b++];
			}
		}
		from = to;
		to = kept;
	}
	return from;
}

static void records_init(struct record *records)
{
	uint64_t seed = 13;

	for (uint32_t i = 0; i < RECORDS; i++) {
		records[i].key = random_below(&seed, 4 * RECORDS);
		records[i].number = i;
		for (size_t j = 0; j < TEXT_SIZE; j++)
			records[i].text[j] = (char)('a' + random_below(&seed, 4));
	}
}

static void require_sorted(const struct record *records, compare_records *compare)
{
	for (size_t i = 1; i < RECORDS; i++)
		require(compare(&records[i - 1], &records[i]) < 0, "it is not sorted");
}

/* The first record whose key is not smaller, or RECORDS. */
static size_t search(const struct record *records, uint32_t key)
{
	size_t low = 0;
	size_t high = RECORDS;

	while (low < high) {
		size_t half = low + (high - low) / 2;

		if (records[half].key < key)
			low = half + 1;
		else
			high = half;
	}
	return low;
}

static uint64_t run_searches(const struct record *records, uint64_t sum)
{
	uint64_t seed = 17;

	for (int i = 0; i < SEARCHES; i++)
		sum = checksum_add(sum, search(records, random_below(&seed, 4 * RECORDS)));
	return sum;
}

int main(void)
{
	struct record *records = allocate(RECORDS, sizeof(*records));
	uint32_t *numbers = allocate(RECORDS, 2 * sizeof(*numbers));
	const uint32_t *sorted;
	uint64_t sum = 0;

	records_init(records);
	quicksort(records, RECORDS, compare_texts);
	require_sorted(records, compare_texts);
	for (uint32_t i = 0; i < RECORDS; i++) {
		sum = checksum_add(sum, records[i].number);
		numbers[i] = i;
	}
	sorted = merge_sort(records, numbers, RECORDS);
	for (size_t i = 0; i < RECORDS; i++)
		sum = checksum_add(sum, records[sorted[i]].number);
	heapsort(records, RECORDS, compare_keys);
	require_sorted(records, compare_keys);
	sum = run_searches(records, sum);
	free(numbers);
	free(records);
	return report("sort", sum);
}
