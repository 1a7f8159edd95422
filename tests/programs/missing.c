/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that are asked for once and again: evicted, pushed out by others, before and after profiles in between, in a child,
 * in threads.  Each function but sweep() reads 64 lines; sweep() pushes all of them out of a first level.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/costgrind.h"

enum { PAGE = 4096, LINES = 64, LINE = 64, SWEPT = 4096 };

typedef volatile unsigned char bytes;

static bytes memory[LINES * LINE] __attribute__((aligned(PAGE)));
static bytes other[LINES * LINE] __attribute__((aligned(PAGE)));
static bytes third[LINES * LINE] __attribute__((aligned(PAGE)));
static bytes swept[SWEPT * LINE] __attribute__((aligned(PAGE)));

static __attribute__((noinline)) void sweep(void)
{
	for (int i = 0; i < SWEPT; i++)
		(void)swept[i * LINE];
}

#define TOUCH(name, what)                         \
 static __attribute__((noinline)) void name(void) \
 {                                                \
  for (int i = 0; i < LINES; i++)                 \
   (void)what[i * LINE];                          \
 }

TOUCH(first, memory)
TOUCH(again, memory)
TOUCH(partly_evicted, memory)
TOUCH(swept_out, memory)
TOUCH(after_dump, memory)
TOUCH(after_zero, memory)
TOUCH(all_evicted, memory)
TOUCH(parents_in_child, memory)
TOUCH(own_of_child, other)
TOUCH(own_of_parent, other)
TOUCH(of_thread, third)
TOUCH(after_thread, third)

static void *run(void *unused)
{
	of_thread();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pid_t child;

	first();
	again();
	COSTGRIND_EVICT(memory + 10 * LINE + 63, 2 * LINE); /* ends in lines 10 to 12 */
	partly_evicted();
	sweep();
	swept_out();
	COSTGRIND_DUMP("middle");
	sweep();
	after_dump();
	COSTGRIND_ZERO;
	sweep();
	after_zero();
	COSTGRIND_EVICT(memory, sizeof(memory));
	all_evicted();
	child = fork();
	if (child == 0) {
		sweep();
		parents_in_child();
		own_of_child();
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		return 1;
	own_of_parent();
	if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0)
		return 1;
	sweep();
	after_thread();
	return 0;
}
