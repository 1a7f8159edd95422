/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	threadvars		three threads, one after the other, and the first one
 *
 * Each reads the lines of thread-local variables: of the program, and, with LIBRARY_VARIABLES, of a library,
 * which is this file too, with LIBRARY.  Lines have 64 bytes.
 */
#include <pthread.h>
#include <stdint.h>

#include "tool/costgrind.h"

#define APART __attribute__((noinline, noclone))

enum { N = 32, THREADS = 3 };

extern int library_read(void);

#ifdef LIBRARY
__thread volatile char of_library[64 * N] __attribute__((aligned(64), tls_model(MODEL)));
static __thread volatile char more_of_library[64 * N]
	__attribute__((aligned(64), tls_model(MODEL)));

APART int library_read(void)
{
	int sum = 0;

	for (int i = 0; i < N; i++)
		sum += of_library[64 * i];
	for (int i = 0; i < N / 2; i++)
		sum += more_of_library[64 * i];
	return sum;
}
#else
static __thread volatile char first[64 * N] __attribute__((aligned(64)));
static __thread volatile char second[64 * N] __attribute__((aligned(64))) = "initialised";
static volatile char *first_of_main;

static APART int read_first(void)
{
	int sum = 0;

	for (int i = 0; i < N; i++)
		sum += first[64 * i];
	return sum;
}

static APART int read_second(void)
{
	int sum = 0;

	for (int i = 0; i < N / 2; i++)
		sum += second[64 * i];
	return sum;
}

static APART int read_of_other(void)
{
	int sum = 0;

	for (int i = 0; i < N / 4; i++)
		sum += first_of_main[64 * i];
	return sum;
}

static void *run(void *argument)
{
	int sum = 0;

	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	sum += read_first() + read_second();
	if (argument != NULL)
		sum += read_of_other();
# ifdef LIBRARY_VARIABLES
	sum += library_read();
# endif
	return (void *)(intptr_t)sum;
}

int main(void)
{
	first_of_main = first;
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, run, &thread);
		pthread_join(thread, NULL);
	}
	return (int)(intptr_t)run(NULL);
}
#endif
