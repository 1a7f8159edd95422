/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The project of the gate in docs/EVENTS.md (tests/tool/alloc/gate.sh); with MORE, work() allocates once more. */
#include <stdlib.h>
#include <unistd.h>

static void *volatile kept;

static __attribute__((noinline, noclone)) void work_once(void)
{
	kept = malloc(100);
	free(kept);
}

static __attribute__((noinline, noclone)) void work(int n)
{
	for (int i = 0; i < n; i++)
		work_once();
#ifdef MORE
	kept = malloc(1);
#endif
	if (write(1, "", 0) != 0)
		_exit(1);
}

int main(void)
{
	work(10);
	return 0;
}
