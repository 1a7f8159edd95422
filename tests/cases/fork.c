/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fork run: forks, and both processes work.  fork end: ends where it would
 * fork, by the very same instructions, so that what it has cost is what the
 * child of the other run begins with.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* By the last bit of 'r' and of 'e'; in one line of any cache. */
static const long calls[2] __attribute__((aligned(16))) = { SYS_fork, SYS_exit_group };

static int work(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

int main(int argc, char **argv)
{
	long result;

	(void)argc;
	work(1000);
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(calls[argv[1][0] & 1]), "D"(0)
			 : "rcx", "r11", "memory");
	if (result == 0) {
		work(10);
		return 3;
	}
	wait(NULL);
	work(100);
	return 0;
}
