/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	hooked HOW
 *
 * Calls functions whose calls are observed: HOW is allocator, threads, jumps, signals, contexts
 * or fork.  Arguments and results are the same in each run, but for the allocator's, which are printed.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

enum {
	STACK_SIZE = 65536,
	N_THREADS = 4,
};

static void check(int failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	_exit(99);
}

/* --- the C library's own --- */

/* Kept, because printing allocates. */
static char lines[1024];

static void note(const char *call, const void *result)
{
	size_t len = strlen(lines);

	snprintf(lines + len, sizeof(lines) - len, "%s = %p\n", call, result);
}

static void *volatile block;

static void allocate(void)
{
	char call[64];

	block = malloc(24);
	note("malloc(0x18)", block);
	snprintf(call, sizeof(call), "realloc(%p, 0x186a0)", block);
	block = realloc(block, 100000);
	note(call, block);
	free(block);
	block = calloc(3, 8);
	note("calloc(0x3, 0x8)", block);
	free(block);
	fputs(lines, stdout);
}

/* --- threads, all in the call at once; the last one does not return from it --- */

static pthread_barrier_t barrier;

APART static long works(long number)
{
	pthread_barrier_wait(&barrier);
	if (number == N_THREADS)
		pthread_exit(NULL);
	return 16 * number;
}

static void *work(void *number)
{
	return (void *)works((long)number);
}

static void start_threads(void)
{
	pthread_t threads[N_THREADS];

	pthread_barrier_init(&barrier, NULL, N_THREADS);
	for (long i = 0; i < N_THREADS; i++)
		check(pthread_create(&threads[i], NULL, work, (void *)(i + 1)), "pthread_create");
	for (int i = 0; i < N_THREADS; i++)
		check(pthread_join(threads[i], NULL), "pthread_join");
}

/* --- longjmp() --- */

static jmp_buf place;

APART static long deep(long n)
{
	if (n == 0)
		longjmp(place, 1);
	return deep(n - 1) + 1;
}

APART static long level(long n)
{
	return n == 0 ? 0 : level(n - 1) + 1;
}

static void jump(void)
{
	for (volatile int i = 0; i < 2; i++) {
		if (setjmp(place) == 0)
			deep(2);
		level(2);
	}
}

/* --- signal handlers: on a stack of their own below, and left by a jump --- */

static char signal_stack[STACK_SIZE];
static sigjmp_buf before;
static volatile int leave;

APART static long inside(long n)
{
	__asm__ volatile("");
	return n + 1;
}

APART static void handles(int number)
{
	inside(number);
	if (leave)
		siglongjmp(before, 1);
}

APART static long interrupted(long n)
{
	raise(SIGUSR1);
	return n + 1;
}

APART static long catches(long n)
{
	if (sigsetjmp(before, 1) == 0)
		interrupted(0x60);
	return n + 1;
}

static void interrupt(void)
{
	stack_t stack = { .ss_sp = signal_stack, .ss_size = sizeof(signal_stack) };
	struct sigaction action = { .sa_handler = handles, .sa_flags = SA_ONSTACK };

	check(sigaltstack(&stack, NULL), "sigaltstack");
	check(sigaction(SIGUSR1, &action, NULL), "sigaction");
	interrupted(0x20);
	leave = 1;
	if (sigsetjmp(before, 1) == 0)
		interrupted(0x30);
	inside(0x40);
	catches(0x50);
}

/* --- contexts, whose stacks are side by side --- */

static ucontext_t main_context, contexts[2];
static char stacks[2][STACK_SIZE];

APART static long gives(int which)
{
	check(swapcontext(&contexts[which], &main_context), "swapcontext");
	return which + 0x10;
}

APART static long runs(int which)
{
	return gives(which) + gives(which);
}

static void run(int which)
{
	runs(which);
}

static void change_contexts(void)
{
	for (int i = 0; i < 2; i++) {
		check(getcontext(&contexts[i]), "getcontext");
		contexts[i].uc_stack.ss_sp = stacks[i];
		contexts[i].uc_stack.ss_size = sizeof(stacks[i]);
		contexts[i].uc_link = &main_context;
		makecontext(&contexts[i], (void (*)(void))run, 1, i);
	}
	for (int i = 0; i < 6; i++)
		check(swapcontext(&main_context, &contexts[i % 2]), "swapcontext");
}

/* --- fork --- */

APART static long forks(int seven)
{
	pid_t child = fork();

	check(child < 0, "fork");
	if (child != 0)
		check(waitpid(child, NULL, 0) != child, "waitpid");
	return child == 0 ? seven + 1 : seven;
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "allocator", allocate }, { "threads", start_threads },    { "jumps", jump },
	{ "signals", interrupt },  { "contexts", change_contexts },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(argv[1], ways[i].name) == 0) {
			ways[i].run();
			return 0;
		}
	if (argc == 2 && strcmp(argv[1], "fork") == 0)
		return forks(7) == 7 ? 0 : 1;
	return 2;
}
