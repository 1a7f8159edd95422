/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs until it is killed, three calls deep. */
static volatile unsigned sum;

static __attribute__((noinline)) void work(void)
{
	for (unsigned i = 0; i < 300000; i++)
		sum += i;
}

static __attribute__((noinline)) void outer(int n)
{
	if (n != 0)
		outer(n - 1);
	for (;;)
		work();
}

int main(void)
{
	outer(2);
	return 0;
}
