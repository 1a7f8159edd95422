/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coroutines HOW PLACE: ping and pong take turns, and neither goes back to main before ping is
 * done.  HOW they switch:
 *
 *	contexts	swapcontext()
 *	jumps		a jump to where the other one was, as Boost does it; they begin in the midst
 *			of a function
 *	longjmp		to where the other one called setjmp()
 *
 * coroutines threads: as Go does it, a coroutine goes on in a second thread, while the first one waits
 * on a third stack, in a function that the coroutine has called there.
 *
 * PLACE of their stacks: up and down, in which order they lie in one array; apart, in
 * mappings of their own; local, in a variable of main().
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "spin.h"

#define APART __attribute__((noinline, noclone))

enum {
	TURNS = 100,
	SIZE = 16384,
	MAIN = 2,
};

static void (*switch_to)(int from, int to);
static int turns;

APART static void yield_to(int from, int to)
{
	switch_to(from, to);
	__asm__ volatile("");
}

APART static void ping(void)
{
	while (turns++ < TURNS) {
		spin(5);
		yield_to(0, 1);
	}
	yield_to(0, MAIN);
}

APART static void pong(void)
{
	for (;;) {
		spin(7);
		spin(8);
		yield_to(1, 0);
	}
}

/* --- by contexts ------------------------------------------------------------------- */

static ucontext_t contexts[3];

static void switch_contexts(int from, int to)
{
	swapcontext(&contexts[from], &contexts[to]);
}

static void make_contexts(char *const *stacks)
{
	for (int i = 0; i < 2; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stacks[i];
		contexts[i].uc_stack.ss_size = SIZE;
		makecontext(&contexts[i], i == 0 ? ping : pong, 0);
	}
	switch_to = switch_contexts;
}

/* --- by jumps ---------------------------------------------------------------------- */

/* The stack pointers of those that wait; what is there are six registers and an address. */
static uint64_t *waiting[3];

void jump(uint64_t **from, uint64_t *to);
extern const char trampoline[];
__asm__("	.text\n"
	"	.type	jump, @function\n"
	"jump:\n"
	"	push	%rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
	"	mov	%rsp, (%rdi)\n"
	"	mov	%rsi, %rsp\n"
	"	pop	%r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\n"
	"	pop	%rcx\n"
	"	jmp	*%rcx\n"
	"	.size	jump, . - jump\n"
	"	.type	make, @function\n"
	"make:\n"
	"	ret\n"
	"trampoline:\n"
	"	call	*%rbx\n"
	"	ud2\n"
	"	.size	make, . - make\n");

static void switch_by_jump(int from, int to)
{
	jump(&waiting[from], waiting[to]);
}

static void make_jumps(char *const *stacks)
{
	for (int i = 0; i < 2; i++) {
		uint64_t *sp = (uint64_t *)(void *)(stacks[i] + SIZE) - 10;

		memset(sp, 0, 10 * sizeof(*sp));
		sp[4] = (uint64_t)(i == 0 ? ping : pong);
		sp[6] = (uint64_t)trampoline;
		waiting[i] = sp;
	}
	switch_to = switch_by_jump;
}

/* --- by longjmp() ------------------------------------------------------------------ */

static sigjmp_buf places[3];
static int has_begun[3];

APART static void switch_by_longjmp(int from, int to)
{
	has_begun[from] = 1;
	if (sigsetjmp(places[from], 0) != 0)
		return;
	if (has_begun[to])
		siglongjmp(places[to], 1);
	jump(&waiting[from], waiting[to]);
}

static void make_longjmp(char *const *stacks)
{
	make_jumps(stacks);
	switch_to = switch_by_longjmp;
}

/* --- in two threads ---------------------------------------------------------------- */

enum { SECOND = 1 };

static char third_stack[65536] __attribute__((aligned(64)));

void leave_on(uint64_t **from, char *stack, void (*function)(void));
__asm__("	.type	leave_on, @function\n"
	"leave_on:\n"
	"	push	%rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
	"	mov	%rsp, (%rdi)\n"
	"	mov	%rsi, %rsp\n"
	"	call	*%rdx\n"
	"	ud2\n"
	"	.size	leave_on, . - leave_on\n");

static void *run_second(void *nothing)
{
	jump(&waiting[SECOND], waiting[0]);
	spin(4);
	return nothing;
}

static void schedule(void)
{
	static uint64_t *never;
	pthread_t thread;

	pthread_create(&thread, NULL, run_second, NULL);
	pthread_join(thread, NULL);
	jump(&never, waiting[MAIN]);
}

APART static void travel(void)
{
	spin(5);
	leave_on(&waiting[0], third_stack + sizeof(third_stack), schedule);
	spin(6);
	jump(&waiting[0], waiting[SECOND]);
}

APART static void run_in_threads(char *stack)
{
	uint64_t *sp = (uint64_t *)(void *)(stack + SIZE) - 10;

	memset(sp, 0, 10 * sizeof(*sp));
	sp[4] = (uint64_t)travel;
	sp[6] = (uint64_t)trampoline;
	waiting[0] = sp;
	jump(&waiting[MAIN], sp);
}

/* --- places ------------------------------------------------------------------------ */

static char array[2][SIZE];

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "", *place = argc > 2 ? argv[2] : "";
	char local[2][SIZE];
	char *stacks[2] = { local[0], local[1] };

	for (int i = 0; i < 2; i++) {
		if (strcmp(place, "up") == 0)
			stacks[i] = array[i];
		else if (strcmp(place, "down") == 0)
			stacks[i] = array[1 - i];
		else if (strcmp(place, "apart") == 0)
			stacks[i] = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	if (strcmp(how, "threads") == 0) {
		run_in_threads(array[0]);
		spin(3);
		return 0;
	}
	if (strcmp(how, "contexts") == 0)
		make_contexts(stacks);
	else if (strcmp(how, "jumps") == 0)
		make_jumps(stacks);
	else
		make_longjmp(stacks);
	yield_to(MAIN, 0);
	spin(3);
	printf("%d\n", turns);
	return 0;
}
