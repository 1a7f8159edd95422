/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	naps STEP...
 *
 * System calls that take some time, each made by a function of its own:
 *
 *	alone	nap(300)
 *	often	nap_300us() and nap_900us() in turn, 200 times
 *	fill	fill() has the kernel write 64 MB of random bytes
 *	threads	a thread naps 300 ms, called by sleeper(), while the first one
 *		computes, in compute(); and another one of 100 ms as long as that
 *		waits, in await()
 *	handler	wait_for_byte() is interrupted after 200 ms by a handler that naps
 *		1000 ms, in nap_in_handler(), and then goes on to read a byte
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum {
	FILL_SIZE = 1 << 20,
	N_FILLS = 64,
};

static volatile int done;
static char bytes[FILL_SIZE];
static int ends[2]; /* of a pipe */

/* A system call that is made where it is inlined, not in libc. */
static inline __attribute__((always_inline)) long call(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

static inline __attribute__((always_inline)) void nap_ns(long ns)
{
	const struct timespec time = { ns / 1000000000, ns % 1000000000 };

	call(SYS_nanosleep, (long)&time, 0, 0);
}

static __attribute__((noinline)) void nap(long ms)
{
	nap_ns(ms * 1000000);
}

static __attribute__((noinline)) void nap_in_handler(void)
{
	nap_ns(1000000000);
}

static __attribute__((noinline)) void nap_300us(void)
{
	nap_ns(300000);
}

static __attribute__((noinline)) void nap_900us(void)
{
	nap_ns(900000);
}

static __attribute__((noinline)) void fill(void)
{
	for (int i = 0; i < N_FILLS; i++)
		call(SYS_getrandom, (long)bytes, FILL_SIZE, 0);
}

static __attribute__((noinline)) void wait_for_byte(void)
{
	call(SYS_read, ends[0], (long)bytes, 1);
}

static __attribute__((noinline)) void handle(int signal)
{
	(void)signal;
	nap_in_handler();
	call(SYS_write, ends[1], (long)bytes, 1);
}

static __attribute__((noinline)) void compute(void)
{
	while (!done)
		continue;
}

static __attribute__((noinline)) void await(void)
{
	call(SYS_read, ends[0], (long)bytes, 1);
}

static __attribute__((noinline)) void *sleeper(void *unused)
{
	nap(300);
	done = 1;
	nap(100);
	call(SYS_write, ends[1], (long)bytes, 1);
	return unused;
}

static void threads(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleeper, NULL) != 0)
		abort();
	compute();
	await();
	pthread_join(thread, NULL);
}

static void interrupt(void)
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_value = { 0, 200000 } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	wait_for_byte();
}

int main(int argc, char **argv)
{
	if (pipe(ends) != 0)
		return 1;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "alone") == 0)
			nap(300);
		for (int round = 0; strcmp(argv[i], "often") == 0 && round < 200; round++) {
			nap_300us();
			nap_900us();
		}
		if (strcmp(argv[i], "fill") == 0)
			fill();
		if (strcmp(argv[i], "threads") == 0)
			threads();
		if (strcmp(argv[i], "handler") == 0)
			interrupt();
	}
	return 0;
}
