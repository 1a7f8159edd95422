/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	lifetime HOW COUNT
 *
 * Executes, COUNT times, code that does not last: HOW says what becomes of it.
 * All of it is made here, byte by byte, and but for what is on the stack it
 * is at PLACE, so that its counts can be derived by hand.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define APART __attribute__((noinline))

#define NOP     "\x90"
#define RET     "\xc3"
#define SYSCALL "\x0f\x05"
#define UD2     "\x0f\x0b"
#define LOAD    "\x8b\x00" /* mov (%rax),%eax */

enum {
	PLACE = 0x10000000,
	SIZE = 4096,
	ALL_ACCESS = PROT_READ | PROT_WRITE | PROT_EXEC,
	CODE_ACCESS = PROT_READ | PROT_EXEC,
};

static unsigned count;
static sigjmp_buf buffer;

static void check(int failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	_exit(99);
}

static char *place(void)
{
	return (char *)(uintptr_t)PLACE;
}

static void unmap(void)
{
	check(munmap(place(), SIZE) != 0, "munmap");
}

/* Anonymous memory instead of what was there. */
static void map(void)
{
	check(mmap(place(), SIZE, ALL_ACCESS, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		      MAP_FAILED,
	      "mmap");
}

/* The beginning of a file instead of what was there. */
static void map_file(int fd)
{
	check(mmap(place(), SIZE, CODE_ACCESS, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED,
	      "mmap");
}

/* A file with such code. */
static int make_file(const char *name, const char *code)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	check(fd < 0, name);
	check(ftruncate(fd, SIZE) != 0, name);
	check(pwrite(fd, code, strlen(code), 0) != (ssize_t)strlen(code), name);
	return fd;
}

/* Calls code, with rax, rdi and so on as for a system call; returns rax. */
static long call(const char *code, long rax, const long arguments[6])
{
	register long r10 __asm__("r10") = arguments[3];
	register long r8 __asm__("r8") = arguments[4];
	register long r9 __asm__("r9") = arguments[5];
	long rdi = arguments[0];

	/* The stack below its pointer may hold something. */
	__asm__ volatile("sub $128, %%rsp\n\tcall *%[code]\n\tadd $128, %%rsp"
			 : "+a"(rax), "+D"(rdi)
			 : [code] "b"(code), "S"(arguments[1]), "d"(arguments[2]), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory", "cc");
	return rax;
}

static long call_simply(const char *code)
{
	static const long arguments[6];

	return call(code, 0, arguments);
}

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(buffer, 1);
}

static void install(int signal, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	check(sigaction(signal, &action, NULL) != 0, "sigaction");
}

/* New memory each time, with one of three codes in turn. */
APART static void unmapped(void)
{
	static const char *const codes[] = { NOP NOP RET, NOP RET, RET };

	for (unsigned i = 0; i < count; i++) {
		map();
		memcpy(place(), codes[i % 3], strlen(codes[i % 3]) + 1);
		call_simply(place());
		call_simply(place());
		unmap();
	}
}

/* Two files in turn, each mapped over the other. */
APART static void mapped_over(void)
{
	const int fds[2] = { make_file("one", NOP NOP RET), make_file("two", NOP RET) };

	for (unsigned i = 0; i < count; i++) {
		map_file(fds[i % 2]);
		call_simply(place());
		call_simply(place());
	}
}

/* The code itself maps another file over itself, and goes on in it. */
APART static void mapped_by_itself(void)
{
	const int fds[2] = { make_file("one", SYSCALL RET), make_file("two", SYSCALL NOP NOP RET) };

	map_file(fds[0]);
	for (unsigned i = 0; i < count; i++) {
		const long arguments[6] = { PLACE,          SIZE,
					    CODE_ACCESS,    MAP_PRIVATE | MAP_FIXED,
					    fds[1 - i % 2], 0 };

		check(call(place(), SYS_mmap, arguments) != PLACE, "mmap");
	}
}

/* The code itself unmaps itself. */
APART static void unmapped_by_itself(void)
{
	const int fd = make_file("one", SYSCALL RET);
	const long arguments[6] = { PLACE, SIZE };

	install(SIGSEGV, on_fault);
	for (volatile unsigned i = 0; i < count; i++) {
		map_file(fd);
		if (sigsetjmp(buffer, 1) == 0)
			call(place(), SYS_munmap, arguments);
	}
}

static int handler_fd;

/* What was interrupted is no more; it goes on in other code. */
static void map_another(int signal)
{
	(void)signal;
	map_file(handler_fd);
}

/* A fault, whose handler maps another file over the code. */
APART static void mapped_by_handler(void)
{
	const int fd = make_file("one", NOP NOP LOAD UD2);

	handler_fd = make_file("two", UD2 NOP NOP RET);
	install(SIGSEGV, map_another);
	for (unsigned i = 0; i < count; i++) {
		map_file(fd);
		call_simply(place());
	}
}

/* An instruction on the stack with another operand each time. */
APART static void stack(void)
{
	char code[64] __attribute__((aligned(64))) = "\xb8    " RET; /* mov $...,%eax */
	char *page = (char *)((uintptr_t)code & -(uintptr_t)SIZE);

	check(mprotect(page, SIZE, ALL_ACCESS) != 0, "mprotect");
	for (unsigned i = 0; i < count; i++) {
		memcpy(code + 1, &i, sizeof(i));
		check(call_simply(code) != (long)i, "code on the stack");
	}
}

/* A loop that changes its own first instruction, which it has executed, in each turn. */
APART static void changed_by_itself(void)
{
	static const unsigned char code[] = {
		0xb8, 0,    0,    0,    0,          /* 00: mov $0,%eax */
		0xff, 0x05, 0xf6, 0xff, 0xff, 0xff, /* 05: incl -10(%rip) */
		0xff, 0xcf,                         /* 0b: dec %edi */
		0x75, 0xf1,                         /* 0d: jnz 00 */
		0xc3,                               /* 0f: ret */
	};
	const long arguments[6] = { count };

	map();
	memcpy(place(), code, sizeof(code));
	check(call(place(), 0, arguments) != (long)count - 1, "code that changes itself");
}

static uint32_t waits, wakes; /* futexes; the value stays 0 */

/* Waits in the code, which then is no more. */
static void *wait_in_code(void *unused)
{
	const long arguments[6] = { (long)(intptr_t)&waits, FUTEX_WAIT };

	(void)unused;
	if (sigsetjmp(buffer, 1) == 0)
		call(place(), SYS_futex, arguments);
	return NULL;
}

/* A thread is in a system call when the code with that call is gone; it goes on in other code. */
APART static void mapped_by_thread(void)
{
	const int fds[2] = { make_file("one", SYSCALL RET), make_file("two", RET NOP UD2) };

	install(SIGILL, on_fault);
	for (unsigned i = 0; i < count; i++) {
		pthread_t thread;

		map_file(fds[0]);
		check(pthread_create(&thread, NULL, wait_in_code, NULL) != 0, "pthread_create");
		/* Once it can be moved to the other futex, it waits. */
		while (syscall(SYS_futex, &waits, FUTEX_CMP_REQUEUE, 0, 1, &wakes, 0) != 1)
			sched_yield();
		map_file(fds[1]);
		call_simply(place());
		check(syscall(SYS_futex, &wakes, FUTEX_WAKE, 1) != 1, "futex");
		check(pthread_join(thread, NULL) != 0, "pthread_join");
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "unmapped", unmapped },
	{ "mapped_over", mapped_over },
	{ "mapped_by_itself", mapped_by_itself },
	{ "unmapped_by_itself", unmapped_by_itself },
	{ "mapped_by_handler", mapped_by_handler },
	{ "mapped_by_thread", mapped_by_thread },
	{ "stack", stack },
	{ "changed_by_itself", changed_by_itself },
};

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	count = (unsigned)strtoul(argv[2], NULL, 10);
	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name) == 0) {
			ways[i].run();
			return 0;
		}
	}
	return 2;
}
