/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* sched_setaffinity() */
#include "cmds/stable/procstate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	STACK_BYTES = 8 << 20,
	FILES = 1024,
	FILES_AT_MOST = 4096,
};

void procstate_note(char *lost, size_t size, const char *phrase)
{
	size_t len = strlen(lost);

	if (len < size)
		snprintf(lost + len, size - len, "%s%s", len > 0 ? ", " : "", phrase);
}

/* Sets a soft limit and perhaps a hard one; false if the hard one is lower. */
static bool limit(__rlimit_resource_t which, rlim_t soft, rlim_t hard)
{
	struct rlimit limit;

	if (getrlimit(which, &limit) != 0)
		return false;
	if (hard < limit.rlim_max)
		limit.rlim_max = hard;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	return setrlimit(which, &limit) == 0 && limit.rlim_cur == soft;
}

/* Where Valgrind puts things goes by the first two. */
static void set_limits(char *lost, size_t size)
{
	if (!limit(RLIMIT_STACK, STACK_BYTES, RLIM_INFINITY))
		procstate_note(lost, size, "limit of the stack (its hard limit is below 8 MiB)");
	if (!limit(RLIMIT_DATA, RLIM_INFINITY, RLIM_INFINITY))
		procstate_note(lost, size, "limit of data (it has a hard limit)");
	if (!limit(RLIMIT_NOFILE, FILES, FILES_AT_MOST))
		procstate_note(lost, size, "limit of files (its hard limit is below 1024)");
	limit(RLIMIT_CORE, 0, RLIM_INFINITY);
}

/* The one that it is on: all of them would make two runs share the first. */
static void choose_processor(char *lost, size_t size)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu >= 0 && cpu < CPU_SETSIZE)
		CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		procstate_note(lost, size, "one processor");
}

static void reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL); /* not allowed for a few, which have no other way */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_one_by_one(void)
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)) != NULL) {
		int fd = (int)strtol(entry->d_name, NULL, 10);

		if (fd > STDERR_FILENO)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	if (folder)
		closedir(folder);
}

static void close_descriptors(void)
{
#ifdef SYS_close_range
	enum { MARK_ONLY = 4 }; /* CLOSE_RANGE_CLOEXEC, of Linux 5.11 */

	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, MARK_ONLY) == 0)
		return;
#endif
	close_one_by_one();
}

void procstate_apply(stable_items keep, char *lost, size_t size)
{
	if (!stable_items_have(keep, STABLE_ITEM_UMASK))
		umask(S_IWGRP | S_IWOTH);
	if (!stable_items_have(keep, STABLE_ITEM_LIMITS))
		set_limits(lost, size);
	if (!stable_items_have(keep, STABLE_ITEM_CPU))
		choose_processor(lost, size);
	/* Where it is not allowed, nothing is lost: Valgrind does not place at random. */
	if (!stable_items_have(keep, STABLE_ITEM_ADDRESSES))
		personality(PER_LINUX | ADDR_NO_RANDOMIZE);
	if (!stable_items_have(keep, STABLE_ITEM_DESCRIPTORS))
		close_descriptors();
	if (!stable_items_have(keep, STABLE_ITEM_SIGNALS))
		reset_signals();
}
