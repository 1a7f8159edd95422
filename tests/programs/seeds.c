/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One request in the midst of calls that are known, to be taken for where counting begins:
 *
 *	seeds PLACE REQUEST
 *
 * The same instructions are executed whatever the request is: zero, with which calls that
 * are active are known because they were seen, or start.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tool/costgrind.h"

#define APART __attribute__((noinline, noclone))

static unsigned long code; /* of the request, the first time */
static volatile unsigned sink;
static volatile int turn;
static jmp_buf place;

static APART void leaf(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}

static APART void mark(void)
{
	unsigned long once = code;

	leaf(3);
	code = VG_USERREQ__RUNNING_ON_VALGRIND;
	VALGRIND_DO_CLIENT_REQUEST_STMT(once, 0, 0, 0, 0, 0);
	leaf(5);
	sink++;
}

static APART void inner(void)
{
	mark();
	leaf(7);
}

static APART void middle(void)
{
	leaf(11);
	inner();
	leaf(13);
}

/* --- recursion --- */

static APART void recurse(unsigned depth)
{
	if (depth == 0)
		middle();
	else
		recurse(depth - 1);
	leaf(2);
}

static void odd(unsigned depth);

static APART void even(unsigned depth)
{
	if (depth == 0)
		middle();
	else
		odd(depth - 1);
	leaf(depth);
}

static APART void odd(unsigned depth)
{
	even(depth - 1);
	recurse(1);
}

/* --- frames of other kinds --- */

static APART void aligned(unsigned n)
{
	volatile char bytes[32] __attribute__((aligned(64)));

	bytes[n % 32] = 1;
	middle();
	leaf(bytes[n % 32]);
}

static APART void growing(unsigned n)
{
	volatile char *bytes = __builtin_alloca(n * 16);

	bytes[n] = 1;
	middle();
	leaf(bytes[n]);
}

static inline __attribute__((always_inline)) void inlined(unsigned n)
{
	leaf(n);
	middle();
}

static APART void with_inlined(unsigned n)
{
	inlined(n + 1);
	leaf(n);
}

static int compare(const void *a, const void *b)
{
	const int *left = a, *right = b;

	if (turn++ == 3)
		middle();
	leaf(1);
	return *left - *right;
}

static void sort(void)
{
	int numbers[] = { 5, 3, 8, 1, 9, 2 };

	qsort(numbers, 6, sizeof(numbers[0]), compare);
}

static APART void jumper(unsigned depth)
{
	if (depth > 0) {
		jumper(depth - 1);
		return;
	}
	middle();
	longjmp(place, 1);
}

static void jump(void)
{
	if (setjmp(place) == 0)
		jumper(3);
	leaf(17);
}

/* called() is jumped to: who did that is on no stack. */
static APART int called(unsigned n)
{
	middle();
	leaf(n);
	return (int)sink;
}

static APART int tail(unsigned n)
{
	leaf(n);
	return called(n + 1);
}

/* Without unwind information, and with a frame pointer that points nowhere. */
__asm__(".text\n"
	".type bare, @function\n"
	"bare:	push %rbp\n"
	"	lea 64(%rsp), %rbp\n"
	"	call bare_middle\n"
	"	pop %rbp\n"
	"	ret\n"
	".size bare, . - bare\n");

void bare(void);
void bare_middle(void);

void bare_middle(void)
{
	middle();
	leaf(1);
}

static APART void around_bare(void)
{
	bare();
	leaf(19);
}

/* --- handlers --- */

static void handle_inner(int number)
{
	(void)number;
	middle();
	leaf(23);
}

static void handle_outer(int number)
{
	(void)number;
	leaf(29);
	raise(SIGUSR2);
	leaf(31);
}

static void handle_jump(int number)
{
	(void)number;
	middle();
	siglongjmp(place, 1);
}

/* A stack of its own, above all others or below; it has one that does not matter otherwise. */
static void install(int number, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_flags = flags };

	action.sa_handler = handler;
	sigaction(number, &action, NULL);
}

static void give_stack(void)
{
	stack_t stack = { .ss_size = 65536 };

	stack.ss_sp = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaltstack(&stack, NULL);
}

static void signals(int flags)
{
	install(SIGUSR1, handle_outer, flags);
	install(SIGUSR2, handle_inner, flags);
	raise(SIGUSR1);
	leaf(37);
}

static void signal_jump(void)
{
	install(SIGUSR1, handle_jump, 0);
	if (sigsetjmp(place, 1) == 0)
		raise(SIGUSR1);
	leaf(41);
}

/* --- threads --- */

enum { NAP = 100000 /* us: by then other threads wait */ };

static int words[2], answers[2];

static APART void wait_for_word(void)
{
	char word;

	if (read(words[0], &word, 1) == 1)
		leaf(43);
	leaf(47);
}

static void *wait_in_thread(void *unused)
{
	wait_for_word();
	leaf(53);
	if (write(answers[1], "w", 1) == 1)
		wait_for_word();
	return unused;
}

/* Counting begins while another thread waits in a system call, and ends with the program. */
static void threads(void)
{
	pthread_t thread;
	char word;

	if (pipe(words) != 0 || pipe(answers) != 0)
		exit(99);
	pthread_create(&thread, NULL, wait_in_thread, NULL);
	usleep(NAP);
	middle();
	if (write(words[1], "w", 1) != 1 || read(answers[0], &word, 1) != 1)
		exit(99);
	usleep(NAP);
}

static void *mark_in_thread(void *unused)
{
	usleep(NAP);
	middle();
	return unused;
}

static void from_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, mark_in_thread, NULL);
	pthread_join(thread, NULL);
	leaf(59);
}

/* --- */

static void act(const char *name)
{
	if (strcmp(name, "plain") == 0)
		middle();
	else if (strcmp(name, "recursion") == 0)
		recurse(4);
	else if (strcmp(name, "deep") == 0)
		recurse(100000);
	else if (strcmp(name, "mutual") == 0)
		even(6);
	else if (strcmp(name, "aligned") == 0)
		aligned(3);
	else if (strcmp(name, "growing") == 0)
		growing(30);
	else if (strcmp(name, "inlined") == 0)
		with_inlined(3);
	else if (strcmp(name, "library") == 0)
		sort();
	else if (strcmp(name, "jump") == 0)
		jump();
	else if (strcmp(name, "tail") == 0)
		tail(3);
	else if (strcmp(name, "bare") == 0)
		around_bare();
	else if (strcmp(name, "signals") == 0)
		signals(0);
	else if (strcmp(name, "alternate") == 0) {
		give_stack();
		signals(SA_ONSTACK);
	} else if (strcmp(name, "signal_jump") == 0)
		signal_jump();
	else if (strcmp(name, "threads") == 0)
		threads();
	else if (strcmp(name, "from_thread") == 0)
		from_thread();
	leaf(61);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	code = strcmp(argv[2], "zero") == 0 ? VG_USERREQ__COSTGRIND_ZERO
					    : VG_USERREQ__COSTGRIND_START_INSTRUMENTATION;
	act(argv[1]);
	leaf(67);
	return 0;
}
