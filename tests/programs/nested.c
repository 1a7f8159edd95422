/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nested DEPTH: levels of recursion; in each, the kernel takes 2,147,479,552 bytes for /dev/null, the most that a
 * system call moves: nobody touches them.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define MOST 2147479552L

static int to;
static void *from;

static __attribute__((noinline)) long level(long n)
{
	long moved;

	__asm__ volatile("syscall"
			 : "=a"(moved)
			 : "0"(SYS_write), "D"((long)to), "S"(from), "d"(MOST)
			 : "rcx", "r11", "memory");
	return moved + (n > 1 ? level(n - 1) : 0);
}

int main(int argc, char *argv[])
{
	long depth = argc > 1 ? atol(argv[1]) : 1;

	to = open("/dev/null", O_WRONLY);
	from = mmap(NULL, MOST, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return to < 0 || from == MAP_FAILED || level(depth) != depth * MOST;
}
