/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Under Valgrind, twice() is redirected to a wrapper, which calls it.  Prints
 * how often each of them ran, and what came of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/valgrind.h>

static int n_wraps, n_calls;

__attribute__((noinline)) int twice(int x);
int I_WRAP_SONAME_FNNAME_ZU(NONE, twice)(int x);

int twice(int x)
{
	n_calls++;
	return 2 * x;
}

int I_WRAP_SONAME_FNNAME_ZU(NONE, twice)(int x)
{
	OrigFn function;
	int result;

	VALGRIND_GET_ORIG_FN(function);
	n_wraps++;
	CALL_FN_W_W(result, function, x);
	return result;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += twice(i);
	printf("%d %d %d\n", n_wraps, n_calls, sum);
	return 0;
}
