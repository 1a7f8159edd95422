/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations, bytes and allocations in all that calls, threads and handlers do to costs of calls.  What each function costs:
 *
 *	straight	per round 20000 reads of 16 bytes, in code that jumps backwards once
 *	leaf		2 operations in double precision, 16 bytes read but for its return address, 8 written
 *	text		1000 bytes read and written, by rep
 *	give		a block of 24 bytes allocated and freed
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static char buffer[1000], other[1000] __attribute__((aligned(16)));
static double numbers[2], sum;
static jmp_buf back;

NOINLINE static void leaf(void)
{
	__asm__ volatile(
		"movsd %0, %%xmm0; addsd %1, %%xmm0; mulsd %%xmm0, %%xmm0; movsd %%xmm0, %2"
		:
		: "m"(numbers[0]), "m"(numbers[1]), "m"(sum)
		: "xmm0", "memory");
}

NOINLINE static void text(void)
{
	const char *from = buffer;
	char *to = other;
	long n = sizeof(buffer);

	__asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(n) : : "memory");
}

NOINLINE static void give(void)
{
	void *volatile block = malloc(24);

	free(block);
}

NOINLINE static void straight(long rounds)
{
	__asm__ volatile("0: .rept 20000; movups %1, %%xmm1; .endr; dec %0; jnz 0b"
			 : "+r"(rounds)
			 : "m"(other[0])
			 : "xmm1", "cc");
}

/* More than 32 bits have, and then calls. */
NOINLINE static void overflow(long rounds)
{
	leaf();
	straight(rounds);
	leaf();
}

NOINLINE static void deep(int n)
{
	leaf();
	if (n > 0)
		deep(n - 1);
	if (n % 10 == 3)
		give();
	if (n % 50 == 7)
		text();
	leaf();
}

NOINLINE static void handler(int signal)
{
	deep(20);
	if (signal == SIGUSR2)
		longjmp(back, 1);
}

NOINLINE static void signals(void)
{
	for (volatile int i = 0; i < 10; i++) {
		leaf();
		raise(SIGUSR1);
		if (setjmp(back) == 0) {
			sigset_t set;

			sigemptyset(&set);
			sigaddset(&set, SIGUSR2);
			sigprocmask(SIG_UNBLOCK, &set, NULL);
			raise(SIGUSR2);
		}
		leaf();
	}
}

NOINLINE static void jump_out(int n)
{
	leaf();
	if (n == 0)
		longjmp(back, 1);
	jump_out(n - 1);
}

NOINLINE static void jumps(void)
{
	for (volatile int i = 0; i < 10; i++)
		if (setjmp(back) == 0)
			jump_out(i);
}

static void *work(void *argument)
{
	for (int i = 0; i < 40; i++) {
		deep(30);
		if (i % 10 == 0)
			usleep(1);
	}
	return argument;
}

NOINLINE static void threads(void)
{
	pthread_t all[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&all[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(all[i], NULL);
}

int main(int argc, char **argv)
{
	const struct sigaction action = { .sa_handler = handler };

	if (argc > 1 && strcmp(argv[1], "overflow") == 0) {
		overflow(atol(argv[2]));
		return 0;
	}
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	for (int i = 0; i < 20; i++)
		deep(200);
	signals();
	jumps();
	if (argc > 1)
		threads();
	return 0;
}
