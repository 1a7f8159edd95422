/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chains N: each chain of the calls a and b up to N + 1 of them, beginning with a: 2^(N + 1) - 1. */
#include <stdlib.h>

static volatile unsigned ended;

__attribute__((noinline)) void a(unsigned n);
__attribute__((noinline)) void b(unsigned n);

void a(unsigned n)
{
	if (n > 0) {
		a(n - 1);
		b(n - 1);
	}
	ended++;
}

void b(unsigned n)
{
	if (n > 0) {
		a(n - 1);
		b(n - 1);
	}
	ended++;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		a((unsigned)strtoul(argv[1], NULL, 10));
	return 0;
}
