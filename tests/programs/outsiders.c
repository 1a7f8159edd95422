/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learns once or more of everything that may differ from run to run and cannot
 * be made the same.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void handle(int signal)
{
	(void)signal;
}

static void *idle(void *arg)
{
	return arg;
}

static void read_one(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		abort();
}

static void through(int ends[2])
{
	if (write(ends[1], "x", 1) != 1)
		abort();
	read_one(ends[0]);
}

/* The child's signal comes from outside, and so does the one of its end. */
static void child(void)
{
	pid_t parent = getpid(), pid;
	int ends[2];

	signal(SIGUSR1, handle);
	signal(SIGCHLD, handle);
	if (pipe(ends) != 0)
		abort();
	pid = fork();
	if (pid == 0) {
		kill(parent, SIGUSR1);
		_exit(0);
	}
	while (waitpid(pid, NULL, 0) != pid)
		;
	through(ends);
}

static void terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
		abort();
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (write(master, "x\n", 2) != 2)
		abort();
	read_one(slave);
}

static void notices(void)
{
	struct inotify_event event[16];
	int fd = inotify_init();

	inotify_add_watch(fd, ".", IN_CREATE);
	close(open("created", O_CREAT | O_WRONLY, 0600));
	unlink("created");
	if (read(fd, event, sizeof(event)) <= 0)
		abort();
}

static void random_copy(void)
{
	int ends[2], fd = open("/dev/urandom", O_RDONLY);
	char bytes[8];

	/* Kernels differ in whether they do it; it counts if they do. */
	if (pipe(ends) == 0 && splice(fd, NULL, ends[1], NULL, 8, 0) == 8 &&
	    read(ends[0], bytes, 8) == 8)
		puts("spliced");
}

int main(void)
{
	struct itimerval soon = { { 0, 0 }, { 1000, 0 } };
	struct timex timex = { .modes = 0 };
	pthread_t thread;
	int ends[2];

	child();
	pthread_create(&thread, NULL, idle, NULL);
	pthread_join(thread, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		abort();
	through(ends);
	terminal();
	notices();
	close(open("/proc/self/status", O_RDONLY));
	adjtimex(&timex);
	random_copy();
	signal(SIGUSR2, handle);
	raise(SIGUSR2);
	kill(getpid(), SIGUSR2);
	return 0;
}
