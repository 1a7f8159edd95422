/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests in an order that the first argument gives, one letter each, from
 * recursion, threads and signal handlers:
 *
 *	schedule LETTERS [NAME]
 *
 * The same instructions are executed whatever the letters are.  Prints for each step the
 * thread and the handler (0 = none) that it was in, handlers numbered as they were entered.
 * NAME is the region's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tool/costgrind.h"

enum { MAX_STEPS = 256, NAP = 100000 /* us: by then another thread waits */ };

static unsigned long codes[128];
static const char *letters, *name = "region";
static struct {
	int thread, handler;
} steps[MAX_STEPS];
static int n_steps, n_handlers;
static __thread int thread_number, handler;
static volatile unsigned sink;

/* In each function anew: which one it is tells what is of a handler. */
#define STEP()                                                      \
 do {                                                               \
  unsigned long step_code = codes[(unsigned char)letters[n_steps]]; \
                                                                    \
  steps[n_steps].thread = thread_number;                            \
  steps[n_steps++].handler = handler;                               \
  VALGRIND_DO_CLIENT_REQUEST_STMT(step_code, name, 0, 0, 0, 0);     \
 } while (0)

#define WORK(n)                      \
 do {                                \
  for (unsigned i = 0; i < (n); i++) \
   sink += i * sink;                 \
 } while (0)

static void handle_inner(int number)
{
	int outer = handler;

	(void)number;
	handler = ++n_handlers;
	STEP();
	WORK(11);
	STEP();
	handler = outer;
}

static void handle_outer(int number)
{
	int outer = handler;

	(void)number;
	handler = ++n_handlers;
	WORK(5);
	STEP();
	WORK(7);
	syscall(200 /* tkill */, gettid(), SIGUSR2);
	STEP();
	handler = outer;
}

static __attribute__((noinline)) void leaf(unsigned n)
{
	WORK(n);
}

static __attribute__((noinline)) void recurse(unsigned depth)
{
	STEP();
	leaf(depth);
	if (depth != 0)
		recurse(depth - 1);
	leaf(20);
	STEP();
}

static void *run_thread(void *number)
{
	usleep(NAP);
	thread_number = (int)(long)number;
	STEP();
	recurse(2);
	raise(SIGUSR1);
	STEP();
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct {
		char letter;
		unsigned long code;
	} table[] = {
		{ '.', VG_USERREQ__RUNNING_ON_VALGRIND },
		{ 'd', VG_USERREQ__COSTGRIND_DUMP },
		{ 'z', VG_USERREQ__COSTGRIND_ZERO },
		{ 't', VG_USERREQ__COSTGRIND_TOGGLE_COLLECT },
		{ 's', VG_USERREQ__COSTGRIND_START_INSTRUMENTATION },
		{ 'p', VG_USERREQ__COSTGRIND_STOP_INSTRUMENTATION },
		{ 'b', VG_USERREQ__COSTGRIND_REGION_BEGIN },
		{ 'e', VG_USERREQ__COSTGRIND_REGION_END },
		{ 'w', VG_USERREQ__COSTGRIND_WARM_BEGIN },
		{ 'v', VG_USERREQ__COSTGRIND_WARM_END },
	};
	pthread_t thread;

	if (argc < 2)
		return 1;
	letters = argv[1];
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		codes[(unsigned char)table[i].letter] = table[i].code;
	signal(SIGUSR1, handle_outer);
	signal(SIGUSR2, handle_inner);
	thread_number = 1;
	STEP();
	recurse(3);
	raise(SIGUSR1);
	STEP();
	pthread_create(&thread, NULL, run_thread, (void *)2);
	pthread_join(thread, NULL);
	STEP();
	leaf(100);
	STEP();
	pthread_create(&thread, NULL, run_thread, (void *)3);
	pthread_join(thread, NULL);
	recurse(1);
	STEP();
	for (int i = 0; i < n_steps; i++)
		printf("%d %d\n", steps[i].thread, steps[i].handler);
	return 0;
}
