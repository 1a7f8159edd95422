/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints where heap, break, libc, a mapping, the program and its stack are, in decimal. */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	uintptr_t start = (uintptr_t)sbrk(0);
	uintptr_t heap = (uintptr_t)malloc(1);
	uintptr_t map =
		(uintptr_t)mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int local = 0;

	printf("%ju %ju %ju %ju %ju %ju\n", (uintmax_t)start, (uintmax_t)heap, (uintmax_t)puts,
	       (uintmax_t)map, (uintmax_t)(uintptr_t)main, (uintmax_t)(uintptr_t)&local);
	/* More than the core keeps for the heap. */
	for (int i = 0; i < 10000; i++) {
		char *block = malloc(1000);

		if (!block)
			return 1;
		memset(block, i, 1000);
	}
	return 0;
}
