/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program with threads ends, by its first argument:
 *
 *	exit		a thread calls exit(5)
 *	group		a thread calls exit_group(9), while the first one waits for it
 *	fault		a thread writes to 0
 *	handled		a thread has handled SIGUSR1, and the first one exits with 0
 *	after_exit	a thread has ended by itself, with status 4; the first one aborts
 *	last		the first thread ends with status 7; another one, later, with 2
 *	region		a thread calls exit(1) in the middle of a region
 *	kill		the first thread has handled SIGUSR1, and sends SIGKILL to the process
 *	raise		the same to itself
 *	asks		a thread has asked for the time 301 times, and executed /bin/true
 *
 * Status 300 is 44 to the parent, as of "wide".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tool/costgrind.h"

static const char *how;
static pthread_t first;

static int is(const char *word)
{
	return strcmp(how, word) == 0;
}

static void handle(int number)
{
	(void)number;
}

static void ask(void)
{
	struct timespec now;
	pid_t child;

	for (int i = 0; i < 301; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
	child = fork();
	if (child == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

static void *run(void *unused)
{
	(void)unused;
	if (is("exit"))
		exit(5);
	if (is("group"))
		syscall(SYS_exit_group, 9);
	if (is("fault"))
		*(volatile int *)0 = 1;
	if (is("handled"))
		pthread_kill(pthread_self(), SIGUSR1);
	if (is("after_exit"))
		syscall(SYS_exit, 4);
	if (is("last")) {
		pthread_join(first, NULL);
		syscall(SYS_exit, 2);
	}
	if (is("asks"))
		ask();
	if (is("region")) {
		COSTGRIND_REGION_BEGIN("work");
		exit(1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	how = argc > 1 ? argv[1] : "";
	first = pthread_self();
	signal(SIGUSR1, handle);
	if (is("wide"))
		return 300;
	if (is("kill") || is("raise")) {
		raise(SIGUSR1);
		if (is("kill"))
			kill(getpid(), SIGKILL);
		raise(SIGKILL);
	}
	pthread_create(&thread, NULL, run, NULL);
	if (is("last"))
		syscall(SYS_exit, 7);
	pthread_join(thread, NULL);
	if (is("after_exit"))
		abort();
	return 0;
}
