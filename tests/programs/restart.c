/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same memory read before and after instrumentation was off: caches are warm, or empty. */
#include <valgrind/callgrind.h>

enum { LINES = 64, LINE = 64 };

static volatile char memory[LINES * LINE];

static __attribute__((noinline)) void walk(void)
{
	for (int i = 0; i < LINES; i++)
		memory[i * LINE]++;
}

int main(void)
{
	walk();
	CALLGRIND_STOP_INSTRUMENTATION;
	CALLGRIND_START_INSTRUMENTATION;
	walk();
	CALLGRIND_STOP_INSTRUMENTATION;
	return 0;
}
