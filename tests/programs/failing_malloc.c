/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * To be preloaded: the FAIL_AT-th allocation fails, and all after it if FAIL_ALL is set.
 * Without FAIL_AT, tells on standard error how many there were.  Those of Capstone and elfutils are
 * left out: these do not look whether they have got memory, or do not tell it from a damaged file.
 */
#define _GNU_SOURCE /* dladdr() */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static unsigned long count, fail_at;
static int fail_all;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FAIL_AT");

	fail_at = text ? strtoul(text, NULL, 10) : 0;
	fail_all = getenv("FAIL_ALL") != NULL;
	count = 0;
}

__attribute__((destructor)) static void end(void)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "allocations: %lu\n", count);

	if (fail_at == 0 && write(STDERR_FILENO, text, (size_t)len) < 0)
		fail_all = 0;
}

static int fails(const void *caller)
{
	Dl_info info;

	if (dladdr(caller, &info) != 0 &&
	    (strstr(info.dli_fname, "/libcapstone.") || strstr(info.dli_fname, "/libdw") ||
	     strstr(info.dli_fname, "/libelf") ||
	     /* libdw has its trees made by libc */
	     (info.dli_sname && strstr(info.dli_sname, "tsearch"))))
		return 0;
	count++;
	if (fail_at == 0 || count < fail_at || (count > fail_at && !fail_all))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
