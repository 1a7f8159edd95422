/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benchmarks as regions, for tests of costgrind bench.  What is else in another build of it:
 *
 *	ROUNDS=N	of the one called crc/64: <a, b>, 1000 if it is not said
 *	PADDING		code and data before what is measured: as if it were linked anew
 *	MANY=N		more benchmarks, called many/0 to many/N-1
 *	NAME="..."	of the one called sort
 *	EMPTY, OPEN	that one has no instructions, or does not end
 *	LEFT		it has only those that a harness could have
 *	FORKS		a child does crc/64 once more, in a region that another one is around, and one called child; another child
 *			becomes another program in a region
 *	NESTED		crc/64 is in a region called outer
 *	STATUS=N	the program's exit status; CRASHES: a signal ends it
 *
 *	benchmarks [--list | NAME...]	prints the names, or does only these
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "costgrind.h"

#ifndef ROUNDS
# define ROUNDS 1000
#endif
#ifndef NAME
# define NAME "sort"
#endif
#ifndef MANY
# define MANY 0
#endif
#ifndef STATUS
# define STATUS 0
#endif

enum { NUMBERS = 400 };

static const char crc_name[] = "crc/64: <a, b>";
static volatile uint32_t sink;

#ifdef PADDING
char padding_data[4321] = { 1 };

__attribute__((noinline, aligned(64))) void padding(void);
void padding(void)
{
	__asm__ volatile(".fill 1234, 1, 0x90");
}
#endif

__attribute__((noinline)) static uint32_t crc(const unsigned char *data, size_t len)
{
	uint32_t sum = ~0u;

	for (size_t i = 0; i < len; i++) {
		sum ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
	}
	return ~sum;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int is_wanted(int argc, char **argv, const char *name)
{
	int is_found = argc < 2;

	for (int i = 1; i < argc; i++)
		is_found |= strcmp(argv[i], name) == 0;
	return is_found;
}

static void do_crc(void)
{
	static unsigned char data[64];

	memset(data, 7, sizeof(data));
	sink += crc(data, sizeof(data));
	COSTGRIND_REGION_BEGIN(crc_name);
	for (int i = 0; i < ROUNDS; i++)
		sink += crc(data, 1);
	COSTGRIND_REGION_END(crc_name);
}

static void do_sort(void)
{
	int *numbers = malloc(NUMBERS * sizeof(*numbers));

	for (int i = 0; numbers && i < NUMBERS; i++)
		numbers[i] = i * 263 % NUMBERS;
	COSTGRIND_REGION_BEGIN(NAME);
#ifdef LEFT
	sink += 1;
#elif !defined(EMPTY)
	qsort(numbers, NUMBERS, sizeof(*numbers), compare);
#endif
#ifndef OPEN
	COSTGRIND_REGION_END(NAME);
#endif
	free(numbers);
}

#ifdef FORKS
static void do_forks(void)
{
	char *const args[] = { (char *)"true", NULL };

	COSTGRIND_REGION_BEGIN("parent");
	sink += 1;
	if (fork() == 0) {
		COSTGRIND_REGION_BEGIN("child");
		sink += 1;
		COSTGRIND_REGION_END("child");
		do_crc();
		_exit(0);
	}
	if (fork() == 0) {
		execv("/bin/true", args);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	COSTGRIND_REGION_END("parent");
}
#endif

int main(int argc, char **argv)
{
	const int lists = argc == 2 && strcmp(argv[1], "--list") == 0;

	if (lists)
		printf("%s\n%s\n", crc_name, NAME);
	else if (is_wanted(argc, argv, crc_name)) {
#ifdef NESTED
		COSTGRIND_REGION_BEGIN("outer");
#endif
		do_crc();
#ifdef NESTED
		COSTGRIND_REGION_END("outer");
#endif
	}
	if (!lists && is_wanted(argc, argv, NAME))
		do_sort();
	for (int i = 0; i < MANY; i++) {
		char name[32];

		snprintf(name, sizeof(name), "many/%d", i);
		if (lists)
			puts(name);
		else if (is_wanted(argc, argv, name)) {
			COSTGRIND_REGION_BEGIN(name);
			for (int j = 0; j < 10; j++)
				sink += (uint32_t)j;
			COSTGRIND_REGION_END(name);
		}
	}
#ifdef FORKS
	do_forks();
#endif
#ifdef CRASHES
	abort();
#endif
	if (!lists)
		puts("all of it is done");
	return STATUS;
}
