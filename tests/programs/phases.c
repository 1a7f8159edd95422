/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phases FILE: works in early() until FILE exists, then in late() until it is killed.
 */
#include <unistd.h>

static volatile unsigned sum;

static __attribute__((noinline)) void early(void)
{
	for (unsigned i = 0; i < 300000; i++)
		sum += i;
}

static __attribute__((noinline)) void late(void)
{
	for (unsigned i = 0; i < 300000; i++)
		sum ^= i;
}

int main(int argc, char **argv)
{
	while (argc > 1 && access(argv[1], F_OK) != 0)
		early();
	for (;;)
		late();
}
