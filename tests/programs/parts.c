/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests between calls whose costs are known, of instructions:
 *
 *	leaf(n)	2 n + 2
 *	mid(n)	leaf(n) + leaf(2 n) + 7, with both calls
 *
 *	parts WORD...
 *
 * A word is a number, for mid(), or a request: dump, zero, toggle, start, stop, +NAME and
 * -NAME of a region, warm, cold, desc, fault (a bad pointer), odd (a number that is none),
 * count (prints what COSTGRIND_COUNTER tells).  Or fd, which tells the first free descriptor, fill, which leaves no room in the folder disk,
 * empty, which gives it back, =COMMAND, which is a monitor command, fork (the child does the rest, the parent waits and ends), kill (a child
 * does it), true (a child executes /bin/true), signal (a handler does the rest), exec (the rest is done by
 * a new image, or if the next word is nothing, by this one), and many, a thousand times mid(1) and dump.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/costgrind.h"

__asm__(".type leaf, @function\n"
	"leaf:	mov %edi, %ecx\n"
	"1:	dec %ecx\n"
	"	jnz 1b\n"
	"	ret\n"
	".size leaf, . - leaf\n"
	".globl mid\n"
	".type mid, @function\n"
	"mid:	push %rdi\n"
	"	call leaf\n"
	"	pop %rdi\n"
	"	add %edi, %edi\n"
	"	call leaf\n"
	"	nop\n"
	"	ret\n"
	".size mid, . - mid\n");

void mid(unsigned n);

static void count(void)
{
	unsigned long long before = 0, after = 0;
	int known = COSTGRIND_COUNTER("Ir", &before);

	mid(100);
	known += COSTGRIND_COUNTER("Ir", &after);
	printf("%d %s %d\n", known, after - before >= 611 && after - before < 700 ? "611" : "wrong",
	       (int)COSTGRIND_COUNTER("Nothing", &after));
}

static void fill(void)
{
	static const char block[512];
	int fd = open("disk/rest", O_WRONLY | O_CREAT, 0600);

	while (write(fd, block, sizeof(block)) > 0)
		continue;
	close(fd);
}

static void split(void)
{
	pid_t child = fork();

	if (child != 0) {
		waitpid(child, NULL, 0);
		exit(0);
	}
}

/* Valgrind tells a program that kills itself from one that is killed. */
static void die(void)
{
	if (fork() == 0) {
		kill(getppid(), SIGKILL);
		_exit(0);
	}
	pause();
}

static void execute(void)
{
	pid_t child = fork();

	if (child == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

/* argv: the program, the word "exec", and the rest. */
static void replace(char **argv)
{
	const char *program = argv[0];

	if (argv[2] == NULL || strcmp(argv[2], "nothing") != 0)
		argv[1] = argv[0];
	else
		program = "/dev/null";
	execv(program, argv + 1);
}

static void write_many(void)
{
	for (int i = 0; i < 1000; i++) {
		mid(1);
		COSTGRIND_DUMP(NULL);
	}
}

static void act(const char *word)
{
	if (strcmp(word, "dump") == 0)
		COSTGRIND_DUMP("between");
	else if (strcmp(word, "zero") == 0)
		COSTGRIND_ZERO;
	else if (strcmp(word, "toggle") == 0)
		COSTGRIND_TOGGLE_COLLECT;
	else if (strcmp(word, "start") == 0)
		COSTGRIND_START_INSTRUMENTATION;
	else if (strcmp(word, "stop") == 0)
		COSTGRIND_STOP_INSTRUMENTATION;
	else if (strcmp(word, "warm") == 0)
		COSTGRIND_WARM_BEGIN;
	else if (strcmp(word, "cold") == 0)
		COSTGRIND_WARM_END;
	else if (strcmp(word, "desc") == 0)
		COSTGRIND_ADD_DESC("Input", "large\nfile");
	else if (strcmp(word, "fault") == 0)
		COSTGRIND_REGION_END((const char *)8);
	else if (strcmp(word, "odd") == 0)
		VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ_TOOL_BASE('C', 'S') + 999, 0, 0, 0, 0,
						0);
	else if (strcmp(word, "fill") == 0)
		fill();
	else if (strcmp(word, "empty") == 0)
		unlink("disk/rest");
	else if (strcmp(word, "fork") == 0)
		split();
	else if (strcmp(word, "fd") == 0)
		printf("%d\n", open("/dev/null", O_RDONLY));
	else if (strcmp(word, "nothing") == 0)
		return;
	else if (strcmp(word, "kill") == 0)
		die();
	else if (strcmp(word, "true") == 0)
		execute();
	else if (strcmp(word, "many") == 0)
		write_many();
	else if (strcmp(word, "count") == 0)
		count();
	else if (word[0] == '=')
		(void)VALGRIND_MONITOR_COMMAND(word + 1);
	else if (word[0] == '+')
		COSTGRIND_REGION_BEGIN(word + 1);
	else if (word[0] == '-')
		COSTGRIND_REGION_END(word + 1);
	else
		mid((unsigned)strtoul(word, NULL, 10));
}

static char **rest;

static void handle(int number)
{
	(void)number;
	while (*rest != NULL)
		act(*rest++);
	exit(0);
}

int main(int argc, char **argv)
{
	signal(SIGUSR1, handle);
	for (int i = 1; i < argc; i++) {
		rest = argv + i + 1;
		if (strcmp(argv[i], "signal") == 0)
			raise(SIGUSR1);
		if (strcmp(argv[i], "exec") != 0) {
			act(argv[i]);
			continue;
		}
		argv[i - 1] = argv[0];
		replace(argv + i - 1);
	}
	return 0;
}
