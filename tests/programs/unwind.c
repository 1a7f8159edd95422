/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	unwind HOW
 *
 * Leaves functions in other ways than by returning: HOW is jump, builtin,
 * contexts, contexts_up or signals.  Each function spins with a number of its
 * own, so that it can be seen what was charged to whom.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "spin.h"

#define APART __attribute__((noinline))

enum {
	N_TURNS = 1000,
	STACK_SIZE = 65536,
};

static void check(int failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	_exit(99);
}

/* --- longjmp() over three frames, five times --- */

static jmp_buf jump_buffer;

APART static void jump_three(void)
{
	spin(3);
	longjmp(jump_buffer, 1);
}

APART static void jump_two(void)
{
	jump_three();
	spin(100);
}

APART static void jump_one(void)
{
	jump_two();
	spin(100);
}

APART static void jump(void)
{
	for (volatile int i = 0; i < 5; i++) {
		if (setjmp(jump_buffer) == 0)
			jump_one();
		else
			spin(4);
	}
}

/* --- out of the midst of a recursion, to its fourth level --- */

static void *builtin_buffer[5];

APART static void builtin_throw(void)
{
	spin(5);
	__builtin_longjmp(builtin_buffer, 1);
}

APART static void builtin_recurse(volatile int level)
{
	if (level == 4) {
		if (__builtin_setjmp(builtin_buffer) == 0)
			builtin_recurse(level + 1);
		else
			spin(6);
	} else if (level == 8) {
		builtin_throw();
	} else {
		builtin_recurse(level + 1);
		spin(7);
	}
}

APART static void builtin(void)
{
	builtin_recurse(1);
	spin(8);
}

/* --- three contexts in turn --- */

static ucontext_t contexts[3];

APART static void coroutine_one(void)
{
	for (;;) {
		spin(9);
		check(swapcontext(&contexts[1], &contexts[2]) != 0, "swapcontext");
	}
}

APART static void coroutine_two(void)
{
	for (;;) {
		spin(10);
		check(swapcontext(&contexts[2], &contexts[0]) != 0, "swapcontext");
	}
}

static void make(int i, char *stack, void (*run)(void))
{
	check(getcontext(&contexts[i]) != 0, "getcontext");
	contexts[i].uc_stack.ss_sp = stack;
	contexts[i].uc_stack.ss_size = STACK_SIZE;
	contexts[i].uc_link = NULL;
	makecontext(&contexts[i], run, 0);
}

APART static void contexts_turns(void)
{
	for (int i = 0; i < N_TURNS; i++) {
		spin(11);
		check(swapcontext(&contexts[0], &contexts[1]) != 0, "swapcontext");
	}
}

/* One stack is above the other one, which way is up to order. */
static void contexts_in(int order)
{
	static char stacks[2][STACK_SIZE];

	make(1, stacks[order], coroutine_one);
	make(2, stacks[1 - order], coroutine_two);
	contexts_turns();
}

/* --- handlers: on a stack of their own, nested, and left by siglongjmp() --- */

static sigjmp_buf signal_buffer;

static void on_usr1(int signal)
{
	(void)signal;
	spin(12);
}

static void on_usr2(int signal)
{
	(void)signal;
	spin(13);
	raise(SIGUSR1);
	spin(14);
}

static void on_hup(int signal)
{
	(void)signal;
	raise(SIGUSR2);
	spin(15);
	siglongjmp(signal_buffer, 1);
}

/* Two handlers are left at once. */
static void on_term(int signal)
{
	(void)signal;
	spin(16);
	raise(SIGHUP);
	spin(100);
}

static void install(int signal, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	check(sigaction(signal, &action, NULL) != 0, "sigaction");
}

APART static void signals_raise(int signal)
{
	raise(signal);
	spin(17);
}

APART static void signals(void)
{
	static char stack[STACK_SIZE];
	const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };

	check(sigaltstack(&alternative, NULL) != 0, "sigaltstack");
	install(SIGUSR1, on_usr1, 0);
	install(SIGUSR2, on_usr2, SA_ONSTACK);
	install(SIGHUP, on_hup, 0);
	install(SIGTERM, on_term, SA_ONSTACK);
	for (volatile int i = 0; i < 10; i++) {
		signals_raise(SIGUSR1);
		signals_raise(SIGUSR2);
		if (sigsetjmp(signal_buffer, 1) == 0)
			signals_raise(SIGHUP);
		else
			spin(18);
		if (sigsetjmp(signal_buffer, 1) == 0)
			signals_raise(SIGTERM);
		else
			spin(19);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (strcmp(how, "jump") == 0)
		jump();
	else if (strcmp(how, "builtin") == 0)
		builtin();
	else if (strcmp(how, "contexts") == 0)
		contexts_in(0);
	else if (strcmp(how, "contexts_up") == 0)
		contexts_in(1);
	else if (strcmp(how, "signals") == 0)
		signals();
	else
		return 2;
	return 0;
}
