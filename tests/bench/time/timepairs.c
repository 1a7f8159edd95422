/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timepairs: the same work done in two ways, the second one slower, for scripts/compare-time --pairs: a
 * model of cycles that is of use says which one.
 *
 * NAME-fast and NAME-slow give the same sum, unless order changes how doubles are rounded.
 */
#include "tests/bench/time/rounds.h"

#include <stdlib.h>

enum { ROWS = 1024 };

#define ITEMS ((size_t)1 << 16)

/* Keeps the compiler from doing both and choosing. */
static inline void here(void)
{
	__asm__ volatile("" ::: "memory");
}

static double *matrix;    /* ROWS x ROWS */
static size_t row_size;   /* of the matrix, elements */
static uint32_t *numbers; /* ITEMS */
static uint64_t random_state = 1;

static void set_up_matrix(size_t padding)
{
	row_size = ROWS + padding;
	matrix = allocate(ROWS * row_size, sizeof(*matrix));
	for (size_t i = 0; i < ROWS * row_size; i++)
		matrix[i] = (double)(i % 7);
}

static void set_up_numbers(size_t limit)
{
	numbers = allocate(ITEMS, sizeof(*numbers));
	for (size_t i = 0; i < ITEMS; i++)
		numbers[i] = random_below(&random_state, (uint32_t)limit);
}

/* -- order: a matrix by rows, or by columns -- */

static uint64_t order_fast(uint64_t turns)
{
	double sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ROWS; i++)
			for (size_t j = 0; j < ROWS; j++)
				sum += matrix[i * row_size + j];
	return (uint64_t)sum;
}

static uint64_t order_slow(uint64_t turns)
{
	double sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t j = 0; j < ROWS; j++)
			for (size_t i = 0; i < ROWS; i++)
				sum += matrix[i * row_size + j];
	return (uint64_t)sum;
}

/* -- padding: 32 columns, whose rows are all in the same set of a cache, or not -- */

static uint64_t padding_fast(uint64_t turns)
{
	double sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < 256; i++)
			sum += matrix[i * row_size + turn % 4];
	return (uint64_t)sum;
}

/* -- layout: a field of structs, or an array of its own -- */

static struct record {
	uint64_t value;
	char other[56];
} * records;
static uint64_t *values;

static void set_up_records(size_t unused)
{
	(void)unused;
	records = allocate(ITEMS, sizeof(*records));
	values = allocate(ITEMS, sizeof(*values));
	for (size_t i = 0; i < ITEMS; i++)
		records[i].value = values[i] = i;
}

static uint64_t layout_fast(uint64_t turns)
{
	uint64_t sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++)
			sum += values[i];
	return sum;
}

static uint64_t layout_slow(uint64_t turns)
{
	uint64_t sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++)
			sum += records[i].value;
	return sum;
}

/* -- container: an array, or a list all over memory -- */

static struct item {
	struct item *next;
	uint64_t value;
} * items;

static void set_up_items(size_t unused)
{
	uint32_t *order = allocate(ITEMS, sizeof(*order));

	set_up_records(unused);
	items = allocate(ITEMS, sizeof(*items));
	for (uint32_t i = 0; i < ITEMS; i++) {
		const uint32_t other = random_below(&random_state, i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	for (size_t i = 0; i < ITEMS; i++) {
		items[order[i]].value = i;
		items[order[i]].next = &items[order[(i + 1) % ITEMS]];
	}
	free(order);
}

static uint64_t container_slow(uint64_t turns)
{
	const struct item *item = items;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < turns * ITEMS; i++) {
		sum += item->value;
		item = item->next;
	}
	return sum;
}

/* -- lookup: a hash table, or a binary search -- */

static uint32_t *table; /* 2 * ITEMS, of even numbers: 1 is none */

static uint32_t table_place(uint32_t key)
{
	uint32_t place = key * UINT32_C(0x9e3779b1) >> 15;

	while (table[place] != 1 && table[place] != key)
		place = (place + 1) & (2 * ITEMS - 1);
	return place;
}

static void set_up_lookup(size_t unused)
{
	(void)unused;
	set_up_numbers(4 * ITEMS);
	table = allocate(2 * ITEMS, sizeof(*table));
	for (uint32_t i = 0; i < 2 * ITEMS; i++)
		table[i] = 1;
	for (uint32_t i = 0; i < ITEMS; i++)
		table[table_place(2 * i)] = 2 * i;
}

static uint64_t lookup_fast(uint64_t turns)
{
	uint64_t found = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++)
			found += table[table_place(numbers[i])] == numbers[i];
	return found;
}

static void set_up_search(size_t unused)
{
	(void)unused;
	set_up_numbers(4 * ITEMS);
	table = allocate(ITEMS, sizeof(*table));
	for (uint32_t i = 0; i < ITEMS; i++)
		table[i] = 2 * i;
}

static uint64_t lookup_slow(uint64_t turns)
{
	uint64_t found = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++) {
			uint32_t low = 0, high = ITEMS;

			while (high - low > 1) {
				const uint32_t middle = (low + high) / 2;

				if (table[middle] <= numbers[i]) {
					here();
					low = middle;
				} else {
					here();
					high = middle;
				}
			}
			found += table[low] == numbers[i];
		}
	return found;
}

/* -- filter: without branches, or with those that nobody can predict -- */

static uint64_t filter_fast(uint64_t turns)
{
	uint64_t sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++)
			sum += numbers[i] & -(uint64_t)(numbers[i] < 128);
	return sum;
}

static uint64_t filter_slow(uint64_t turns)
{
	uint64_t sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++)
			if (numbers[i] < 128) {
				here();
				sum += numbers[i];
			}
	return sum;
}

/* -- division: by a constant, which is a multiplication, or by a variable -- */

static volatile uint64_t ten = 10;

static uint64_t division_fast(uint64_t turns)
{
	uint64_t sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++)
			sum += (numbers[i] + sum) / 10;
	return sum;
}

static uint64_t division_slow(uint64_t turns)
{
	const uint64_t divisor = ten;
	uint64_t sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++)
			sum += (numbers[i] + sum) / divisor;
	return sum;
}

/* -- accumulators: four sums, or one on which each addition waits -- */

static uint64_t accumulators_fast(uint64_t turns)
{
	double sums[4] = { 0, 0, 0, 0 };

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ROWS; i += 4)
			for (size_t k = 0; k < 4; k++)
				sums[k] += matrix[i + k];
	return (uint64_t)(sums[0] + sums[1] + sums[2] + sums[3]);
}

static uint64_t accumulators_slow(uint64_t turns)
{
	double sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ROWS; i++)
			sum += matrix[i];
	return (uint64_t)sum;
}

/* -- product: of matrices, rows innermost, or columns -- */

static double *product, *left, *right;

#define SIDE ((size_t)256)

static void set_up_product(size_t unused)
{
	(void)unused;
	product = allocate(SIDE * SIDE, sizeof(*product));
	left = allocate(SIDE * SIDE, sizeof(*left));
	right = allocate(SIDE * SIDE, sizeof(*right));
	for (size_t i = 0; i < SIDE * SIDE; i++)
		left[i] = right[i] = (double)(i % 5);
}

static uint64_t product_fast(uint64_t turns)
{
	memset(product, 0, SIDE * SIDE * sizeof(*product));
	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < SIDE; i++)
			for (size_t k = 0; k < SIDE; k++)
				for (size_t j = 0; j < SIDE; j++)
					product[i * SIDE + j] +=
						left[i * SIDE + k] * right[k * SIDE + j];
	return (uint64_t)product[SIDE + 1];
}

static uint64_t product_slow(uint64_t turns)
{
	memset(product, 0, SIDE * SIDE * sizeof(*product));
	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < SIDE; i++)
			for (size_t j = 0; j < SIDE; j++) {
				double sum = 0;

				for (size_t k = 0; k < SIDE; k++)
					sum += left[i * SIDE + k] * right[k * SIDE + j];
				product[i * SIDE + j] += sum;
			}
	return (uint64_t)product[SIDE + 1];
}

/* -- dispatch: objects by their kind, or as they come -- */

static NOINLINE uint64_t kind_one(uint64_t x)
{
	return x + 1;
}

static NOINLINE uint64_t kind_two(uint64_t x)
{
	return x + 2;
}

static NOINLINE uint64_t kind_three(uint64_t x)
{
	return x + 5;
}

static NOINLINE uint64_t kind_four(uint64_t x)
{
	return x + 7;
}

static int ascending(const void *a, const void *b)
{
	const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

	return (first > second) - (first < second);
}

static void set_up_kinds(size_t is_sorted)
{
	set_up_numbers(4);
	if (is_sorted)
		qsort(numbers, ITEMS, sizeof(*numbers), ascending);
}

static uint64_t dispatch(uint64_t turns)
{
	static uint64_t (*const kinds[4])(uint64_t) = { kind_one, kind_two, kind_three, kind_four };
	uint64_t sum = 0;

	for (uint64_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < ITEMS; i++)
			sum = kinds[numbers[i]](sum);
	return sum;
}

static const struct rounds sides[] = {
	{ "order-fast", 1, order_fast, set_up_matrix, 0 },
	{ "order-slow", 1, order_slow, set_up_matrix, 0 },
	{ "padding-fast", 4000, padding_fast, set_up_matrix, 8 },
	{ "padding-slow", 4000, padding_fast, set_up_matrix, 0 },
	{ "layout-fast", 10, layout_fast, set_up_records, 0 },
	{ "layout-slow", 10, layout_slow, set_up_records, 0 },
	{ "container-fast", 10, layout_fast, set_up_items, 0 },
	{ "container-slow", 10, container_slow, set_up_items, 0 },
	{ "lookup-fast", 5, lookup_fast, set_up_lookup, 0 },
	{ "lookup-slow", 5, lookup_slow, set_up_search, 0 },
	{ "filter-fast", 20, filter_fast, set_up_numbers, 256 },
	{ "filter-slow", 20, filter_slow, set_up_numbers, 256 },
	{ "division-fast", 10, division_fast, set_up_numbers, 1000 },
	{ "division-slow", 10, division_slow, set_up_numbers, 1000 },
	{ "accumulators-fast", 1000, accumulators_fast, set_up_matrix, 0 },
	{ "accumulators-slow", 1000, accumulators_slow, set_up_matrix, 0 },
	{ "product-fast", 1, product_fast, set_up_product, 0 },
	{ "product-slow", 1, product_slow, set_up_product, 0 },
	{ "dispatch-fast", 10, dispatch, set_up_kinds, 1 },
	{ "dispatch-slow", 10, dispatch, set_up_kinds, 0 },
};

int main(int argc, char **argv)
{
	return rounds_main(sides, sizeof(sides) / sizeof(sides[0]), argc, argv);
}
