/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads that miss and fault, or whose memory is gone before the next miss: of pages that are unmapped, of a file that has been cut
 * short, and of loads that nothing uses.  Prints how many have faulted.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	TIMES = 500,
	PAGE = 4096,
};

static sigjmp_buf before;
static volatile long n_faults, sum;

static void go_on(int number)
{
	(void)number;
	n_faults++;
	siglongjmp(before, 1);
}

static __attribute__((noinline)) void load(const volatile long *first, const volatile long *second)
{
	if (sigsetjmp(before, 1) == 0)
		sum += *first + *second;
}

static __attribute__((noinline)) void load_for_nothing(const volatile long *place)
{
	if (sigsetjmp(before, 1) == 0)
		(void)*place;
}

static char *map(int file, size_t size)
{
	char *pages = mmap(NULL, size, PROT_READ,
			   file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);

	if (pages == MAP_FAILED)
		exit(1);
	return pages;
}

int main(void)
{
	const char *there = map(-1, 2 * TIMES * PAGE);
	FILE *file = tmpfile();
	const int number = file == NULL ? -1 : fileno(file);

	signal(SIGSEGV, go_on);
	signal(SIGBUS, go_on);
	for (long i = 0; i < TIMES; i++) {
		const long *one = (const long *)(there + 2 * i * PAGE), *other = one + PAGE / 8;
		char *gone = map(-1, PAGE), *cut;
		const long *place = (const long *)(gone + i * 64 % PAGE);

		load(one, place);
		munmap(gone, PAGE);
		load(place, other);
		load(one, place);
		load_for_nothing(place);
		load(other, one);
		if (number < 0 || ftruncate(number, PAGE) != 0)
			return 1;
		cut = map(number, PAGE);
		place = (const long *)(cut + i * 64 % PAGE);
		load(one, place);
		if (ftruncate(number, 0) != 0)
			return 1;
		load(other, one + 8);
		load(place, other + 8);
		load_for_nothing(place);
		load(one + 16, other + 16);
		munmap(cut, PAGE);
	}
	printf("%ld\n", n_faults);
	return 0;
}
