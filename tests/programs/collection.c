/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders about collection (monitor commands) that come while a handler runs, and while another
 * thread waits in the kernel.  leaf(n) is 2 n + 2 instructions.
 *
 *	handler		30	on from the middle of a handler on
 *	main		40	after it, in what it has interrupted
 *	other		50	in a thread that was waiting when the order came
 *	late		70	in a thread that begins later
 *	main		80, 90	off and on again, whatever a toggle says
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "valgrind.h"

__asm__(".type leaf, @function\n"
	"leaf:	mov %edi, %ecx\n"
	"1:	dec %ecx\n"
	"	jnz 1b\n"
	"	ret\n"
	".size leaf, . - leaf\n");

void leaf(unsigned n);

static int go[2], ready[2];

static __attribute__((noinline)) void order(const char *command)
{
	(void)VALGRIND_MONITOR_COMMAND(command);
}

static void handle(int signal)
{
	(void)signal;
	leaf(20);
	order("collection on");
	leaf(30);
}

static __attribute__((noinline)) void *other(void *unused)
{
	char byte = 'x';

	leaf(15);
	if (write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1)
		leaf(50);
	return unused;
}

static void *late(void *unused)
{
	leaf(70);
	return unused;
}

static void run(pthread_t *thread, void *(*start)(void *unused))
{
	if (pthread_create(thread, NULL, start, NULL) != 0)
		_exit(1);
}

int main(void)
{
	pthread_t first, second;
	char byte = 'x';

	if (pipe(go) != 0 || pipe(ready) != 0)
		return 1;
	signal(SIGUSR1, handle);
	leaf(10);
	run(&first, other);
	if (read(ready[0], &byte, 1) != 1)
		return 1;
	raise(SIGUSR1);
	leaf(40);
	if (write(go[1], &byte, 1) != 1)
		return 1;
	pthread_join(first, NULL);
	run(&second, late);
	pthread_join(second, NULL);
	order("collection off");
	leaf(80);
	order("status internal");
	order("collection on");
	leaf(90);
	order("dump");
	order("collection auto");
	leaf(100);
	order("dump");
	return 0;
}
