/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the pictures of docs/VIEWERS.md are of: makes numbers, sorts them by a
 * recursive quicksort, and looks them up by halves.  There are loops, branches
 * that go both ways, recursion, and a table that does not fit into D1.
 */
#include <stdio.h>

enum {
	COUNT = 20000,
	LOOKUPS = 30000,
};

static unsigned numbers[COUNT], seed;

__attribute__((noinline)) static unsigned next_random(void)
{
	seed = seed * 1103515245 + 12345;
	return seed >> 8;
}

__attribute__((noinline)) static void fill(void)
{
	for (int i = 0; i < COUNT; i++)
		numbers[i] = next_random();
}

__attribute__((noinline)) static int partition(int low, int high)
{
	unsigned pivot = numbers[(low + high) / 2];

	for (;; low++, high--) {
		while (numbers[low] < pivot)
			low++;
		while (numbers[high] > pivot)
			high--;
		if (low >= high)
			return high;

		unsigned number = numbers[low];

		numbers[low] = numbers[high];
		numbers[high] = number;
	}
}

__attribute__((noinline)) static void sort(int low, int high)
{
	if (low >= high)
		return;

	int middle = partition(low, high);

	sort(low, middle);
	sort(middle + 1, high);
}

__attribute__((noinline)) static int find(unsigned number)
{
	int low = 0, high = COUNT - 1;

	while (low < high) {
		int middle = (low + high) / 2;

		if (numbers[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return numbers[low] == number;
}

__attribute__((noinline)) static int look_up(void)
{
	int found = 0;

	for (int i = 0; i < LOOKUPS; i++)
		found += find(next_random());
	return found;
}

int main(void)
{
	fill();
	sort(0, COUNT - 1);
	seed = 0;
	printf("%d found\n", look_up());
	return 0;
}
