/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works, and then waits for a byte of standard input, again and again until there is none. */
#include <unistd.h>

static volatile unsigned sum;

static __attribute__((noinline)) void leaf(void)
{
	for (unsigned i = 0; i < 1000; i++)
		sum += i;
}

static __attribute__((noinline)) void twice(void)
{
	leaf();
	leaf();
}

static __attribute__((noinline)) int wait_here(void)
{
	char byte;

	return (int)read(STDIN_FILENO, &byte, 1);
}

int main(void)
{
	do
		twice();
	while (wait_here() == 1);
	return 0;
}
