/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A write barrier, as in garbage collectors: a page that can only be read, or is not
 * accessible, and a handler that lets the write go on.
 *
 *	write_barrier protect	the page is protected when the handler is there
 *	write_barrier map	it is mapped like that: the second fault counts
 *
 * At the fault, ecx must be 1 again: an instruction later it is 2.  Prints what was written.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static void unprotect(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	mprotect((void *)((unsigned long)info->si_addr & -PAGE), PAGE, PROT_READ | PROT_WRITE);
}

static void __attribute__((noinline)) write_one(int *page)
{
	__asm__ volatile("mov $1, %%ecx; mov %%ecx, (%0); mov $2, %%ecx"
			 :
			 : "r"(page)
			 : "ecx", "memory");
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = unprotect, .sa_flags = SA_SIGINFO };
	int maps = argc > 1 && strcmp(argv[1], "map") == 0;
	char *pages = mmap(NULL, 2 * PAGE, maps ? PROT_READ : PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	write_one((int *)&argc); /* is translated */
	sigaction(SIGSEGV, &action, NULL);
	if (!maps)
		mprotect(pages, 2 * PAGE, PROT_READ);
	for (int i = 0; i < 2; i++) {
		write_one((int *)(pages + i * PAGE));
		printf("%d\n", *(int *)(pages + i * PAGE));
	}
	return 0;
}
