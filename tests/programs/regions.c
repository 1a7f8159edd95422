/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions of instructions that are counted by hand: regions SCENE...  Each SEVEN is seven instructions.  As C
 * and as C++.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/costgrind.h"

#define SEVEN              __asm__ volatile("nop; nop; nop; nop; nop; nop; nop")
#define OLD(request, name) VALGRIND_DO_CLIENT_REQUEST_STMT(request, (name), 0, 0, 0, 0)

enum { LINE = 64, LINES = 256, MANY = 4096 };

static char lines[MANY * LINE] __attribute__((aligned(4096)));

/* Four instructions a line. */
#define READ(from, n)                                                          \
 __asm__ volatile("leaq %0, %%rcx; movl %1, %%edx\n"                           \
		  "1: movb (%%rcx), %%al; addq $64, %%rcx; decl %%edx; jnz 1b" \
		  :                                                            \
		  : "m"(from), "i"(n)                                          \
		  : "rax", "rcx", "rdx", "cc", "memory")

static jmp_buf out;
static int pid;

/* A marker may share its block with branches, before it and after it. */
static void count(void)
{
	static const char *volatile given = "given";
	static volatile int which = 1;
	static const char *const names[] = { "first", "second" };
	const char *name = given;

	COSTGRIND_REGION_BEGIN("outer");
	COSTGRIND_REGION_BEGIN("empty");
	COSTGRIND_REGION_END("empty");
	SEVEN;
	COSTGRIND_REGION_BEGIN("inner");
	SEVEN;
	COSTGRIND_REGION_END("inner");
	COSTGRIND_REGION_END("outer");
	COSTGRIND_REGION_BEGIN("branches");
	__asm__ volatile("xorl %%eax, %%eax; jz 1f; nop; nop; 1: testl %%eax, %%eax; jnz 2f; 2:" ::
				 : "rax", "cc");
	COSTGRIND_REGION_END("branches");
	COSTGRIND_REGION_BEGIN(name);
	COSTGRIND_REGION_END(name);
	COSTGRIND_REGION_BEGIN(names[which]);
	COSTGRIND_REGION_END(names[which]);
	for (int i = 0; i < 1000; i++) {
		COSTGRIND_REGION_BEGIN("often");
		SEVEN;
		COSTGRIND_REGION_END("often");
	}
}

/* Costs are inclusive, but a region in itself is not counted twice. */
static void nest(void)
{
	COSTGRIND_REGION_BEGIN("in itself");
	SEVEN;
	COSTGRIND_REGION_BEGIN("in itself");
	SEVEN;
	COSTGRIND_REGION_END("in itself");
	SEVEN;
	COSTGRIND_REGION_END("in itself");
	COSTGRIND_REGION_BEGIN("left");
	SEVEN;
	COSTGRIND_REGION_BEGIN("right");
	SEVEN;
	COSTGRIND_REGION_END("left");
	SEVEN;
	SEVEN;
	COSTGRIND_REGION_END("right");
	COSTGRIND_REGION_BEGIN("odd: costs 1: <x>/\t y ");
	COSTGRIND_REGION_END("odd: costs 1: <x>/\t y ");
}

static void *enter(void *unused)
{
	COSTGRIND_REGION_BEGIN("shared");
	SEVEN;
	COSTGRIND_REGION_END("shared");
	return unused;
}

static void *leave_open(void *unused)
{
	COSTGRIND_REGION_BEGIN("left by a thread");
	SEVEN;
	return unused;
}

static void run(void *(*function)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, function, NULL);
	pthread_join(thread, NULL);
}

static void split(void)
{
	COSTGRIND_REGION_BEGIN("both");
	SEVEN;
	COSTGRIND_REGION_END("both");
	if (fork() == 0) {
		COSTGRIND_REGION_BEGIN("both");
		SEVEN;
		SEVEN;
		COSTGRIND_REGION_END("both");
		_exit(0);
	}
	wait(NULL);
}

static const char *jump(void)
{
	longjmp(out, 1);
	return "never";
}

/* A marker whose request does not come, and a region that is left. */
static void leave(void)
{
	COSTGRIND_REGION_BEGIN("around");
	if (setjmp(out) == 0)
		COSTGRIND_REGION_BEGIN(jump());
	COSTGRIND_REGION_END("around");
	OLD(VG_USERREQ__COSTGRIND_REGION_BEGIN, "old");
	SEVEN;
	OLD(VG_USERREQ__COSTGRIND_REGION_END, "old");
	if (setjmp(out) == 0) {
		COSTGRIND_REGION_BEGIN("left");
		SEVEN;
		jump();
	}
	COSTGRIND_REGION_BEGIN("behind");
	SEVEN;
	COSTGRIND_REGION_END("behind");
}

static void handle(int number)
{
	(void)number;
	COSTGRIND_REGION_BEGIN("handled");
	SEVEN;
	COSTGRIND_REGION_END("handled");
}

/* kill(pid, SIGUSR1) in four instructions. */
static void interrupt(void)
{
	signal(SIGUSR1, handle);
	COSTGRIND_REGION_BEGIN("interrupted");
	__asm__ volatile("movl $62, %%eax; movl %0, %%edi; movl $10, %%esi; syscall"
			 :
			 : "m"(pid)
			 : "rax", "rdi", "rsi", "rcx", "r11", "cc", "memory");
	SEVEN;
	COSTGRIND_REGION_END("interrupted");
}

static void write_parts(void)
{
	COSTGRIND_REGION_BEGIN("over three parts");
	SEVEN;
	COSTGRIND_DUMP("first");
	SEVEN;
	SEVEN;
	COSTGRIND_DUMP(NULL);
	SEVEN;
	COSTGRIND_ZERO;
	SEVEN;
	COSTGRIND_REGION_END("over three parts");
}

/* What is read in between is not what the region reads. */
static void refer(void)
{
	for (int i = 0; i < 3; i++) {
		COSTGRIND_REGION_BEGIN("read");
		READ(lines, LINES);
		COSTGRIND_REGION_END("read");
		READ(lines, MANY);
	}
	for (int i = 0; i < 2; i++) {
		READ(lines, LINES);
		COSTGRIND_COLD;
		COSTGRIND_REGION_BEGIN("again");
		READ(lines, LINES);
		COSTGRIND_REGION_END("again");
	}
}

int main(int argc, char **argv)
{
	pid = getpid();
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "count") == 0)
			count();
		else if (strcmp(argv[i], "nest") == 0)
			nest();
		else if (strcmp(argv[i], "enter") == 0)
			enter(NULL);
		else if (strcmp(argv[i], "thread") == 0)
			run(enter);
		else if (strcmp(argv[i], "open") == 0)
			run(leave_open);
		else if (strcmp(argv[i], "split") == 0)
			split();
		else if (strcmp(argv[i], "leave") == 0)
			leave();
		else if (strcmp(argv[i], "interrupt") == 0)
			interrupt();
		else if (strcmp(argv[i], "parts") == 0)
			write_parts();
		else if (strcmp(argv[i], "refer") == 0)
			refer();
	}
	return 0;
}
