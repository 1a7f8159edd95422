/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Works, and then waits for a byte of standard input, again and again until there is none.  If the
 * first word is "thread", a second thread does nothing but wait.
 */
#include <pthread.h>
#include <string.h>
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

static void *wait_always(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1 && strcmp(argv[1], "thread") == 0 &&
	    pthread_create(&thread, NULL, wait_always, NULL) != 0)
		return 1;
	do
		twice();
	while (wait_here() == 1);
	return 0;
}
