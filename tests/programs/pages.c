/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First touches of pages: how many is said after each call (tests/tool/pages/faults.sh).  "own" prints how many minor faults
 * getrusage() has seen, of the first ones.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

enum { PAGE = 4096, PAGES = 64 };

static APART void write_pages(volatile char *first, int n)
{
	for (int i = 0; i < n; i++)
		first[i * PAGE] = 1;
}

static APART int read_pages(const volatile char *first, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += first[i * PAGE];
	return sum;
}

static APART void *map(void *where, int n, int protection)
{
	return mmap(where, (size_t)n * PAGE, protection,
		    MAP_PRIVATE | MAP_ANONYMOUS | (where != NULL ? MAP_FIXED : 0), -1, 0);
}

APART void first(char *pages) /* 12 */
{
	write_pages(pages, 10);
	write_pages(pages, 12);
	read_pages(pages, 12);
}

APART void reading(const char *pages) /* 5 */
{
	read_pages(pages, 5);
}

APART void again(char *pages) /* 12: mapped again, at the same place */
{
	write_pages(pages, 12);
}

APART void discarded(char *pages) /* 5 */
{
	write_pages(pages, 12);
}

APART void moved(char *pages) /* 2: 12 were moved */
{
	write_pages(pages, 14);
}

APART void protected(char *pages) /* 1 */
{
	write_pages(pages, 15);
}

APART void breaks(char *pages) /* 10; when the break has come back, 6 */
{
	write_pages(pages, 10);
}

APART void straddling(char *pages) /* 2 */
{
	uint64_t word = 1;

	memcpy(pages + PAGE - 4, &word, sizeof(word));
}

static char *volatile forbidden;

static void allow(int number)
{
	(void)number;
	mprotect(forbidden, PAGE, PROT_READ | PROT_WRITE);
}

APART void faulting(volatile char *page) /* 1: at the second try */
{
	*page = 1;
}

/* Code that returns, on a page of its own. */
static void write_code(char *page)
{
	*page = (char)0xc3;
}

APART void execute(char *page) /* 0, as it was written; 1, when it was discarded and read back */
{
	((void (*)(void))page)();
}

APART void child(char *pages) /* 1: 15 are its parent's */
{
	write_pages(pages, 16);
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

int main(int argc, char **argv)
{
	char *pages = map(NULL, PAGES, PROT_READ | PROT_WRITE);
	char *file, *end;
	FILE *temporary;
	long before;

	madvise(pages, PAGES * PAGE, MADV_NOHUGEPAGE);
	if (argc > 1 && strcmp(argv[1], "own") == 0) {
		faults();
		read_pages(pages + 60 * PAGE, 1); /* and so the code is there */
		write_pages(pages + 60 * PAGE, 1);
		before = faults();
		first(pages);
		printf("%ld\n", faults() - before);
		return 0;
	}
	first(pages);
	reading(pages + 20 * PAGE);
	munmap(pages, PAGES * PAGE);
	pages = map(pages, PAGES, PROT_READ | PROT_WRITE);
	again(pages);
	madvise(pages, 5 * PAGE, MADV_DONTNEED);
	discarded(pages);
	pages = mremap(pages, PAGES * PAGE, 2 * PAGES * PAGE, MREMAP_MAYMOVE);
	moved(pages);
	mprotect(pages, PAGES * PAGE, PROT_READ);
	mprotect(pages, PAGES * PAGE, PROT_READ | PROT_WRITE);
	protected(pages);

	end = (char *)(((uintptr_t)sbrk(0) + PAGE - 1) & -(uintptr_t)PAGE);
	brk(end + 10 * PAGE);
	breaks(end);
	brk(end + 4 * PAGE);
	brk(end + 10 * PAGE);
	breaks(end);

	straddling(map(NULL, 2, PROT_READ | PROT_WRITE));

	signal(SIGSEGV, allow);
	forbidden = map(NULL, 1, PROT_NONE);
	faulting(forbidden);

	temporary = tmpfile();
	fputc(0xc3, temporary);
	fflush(temporary);
	file = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, fileno(temporary),
		    0);
	write_code(file);
	execute(file);
	madvise(file, PAGE, MADV_DONTNEED);
	execute(file);
	execute(file);

	if (argc > 1 && strcmp(argv[1], "child") == 0) {
		if (fork() == 0) {
			child(pages);
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}
