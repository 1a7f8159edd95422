/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signal handlers that are left by a jump, between requests:
 *
 *	leaving toggle|warm|region	first() second() third(), the second between two
 *	leaving text			a text that is mapped and cannot be read
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tool/costgrind.h"

static sigjmp_buf place;
static volatile unsigned sum;

__attribute__((noinline)) static void first(void)
{
	sum++;
}

__attribute__((noinline)) static void second(void)
{
	sum++;
}

__attribute__((noinline)) static void third(void)
{
	sum++;
}

static void handle(int number)
{
	(void)number;
	siglongjmp(place, 1);
}

static void interrupt(void)
{
	if (sigsetjmp(place, 1) == 0)
		raise(SIGUSR1);
}

static void try_text(void)
{
	char *page;
	int fd = open("cut", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (ftruncate(fd, 4096) != 0)
		return;
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED || ftruncate(fd, 0) != 0)
		return;
	COSTGRIND_REGION_BEGIN(page);
	COSTGRIND_DUMP((const char *)8);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	signal(SIGUSR1, handle);
	first();
	if (strcmp(way, "text") == 0)
		try_text();
	else if (strcmp(way, "toggle") == 0)
		COSTGRIND_TOGGLE_COLLECT;
	else if (strcmp(way, "warm") == 0)
		COSTGRIND_WARM_BEGIN;
	else
		COSTGRIND_REGION_BEGIN("region");
	interrupt();
	second();
	if (strcmp(way, "toggle") == 0)
		COSTGRIND_TOGGLE_COLLECT;
	else if (strcmp(way, "warm") == 0)
		COSTGRIND_WARM_END;
	else if (strcmp(way, "region") == 0)
		COSTGRIND_REGION_END("region");
	third();
	return 0;
}
