/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that a command starts and waits for, with a temporary folder that goes with them. */
#define _GNU_SOURCE /* nftw(), sched_setaffinity() */
#include "cmds/stable/stable.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "profile/common/heap.h"

static int fail(const struct trials *trials, const char *what)
{
	complain(trials->command, "%s: %s", what, strerror(errno));
	return EXIT_FAILED;
}

int trials_init(struct trials *trials, const char *command)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	const char *parent = getenv("TMPDIR");
	struct sigaction action;
	sigset_t blocked;
	bool is_open;

	trials->command = command;
	trials->all = NULL;
	trials->n = trials->capacity = 0;
	trials->input = -1;
	trials->interrupted = 0;
	trials->first_cpu = sched_getcpu();
	if (trials->first_cpu >= CPU_SETSIZE)
		trials->first_cpu = 0;
	sigemptyset(&trials->signals);
	sigaddset(&trials->signals, SIGCHLD);
	/* Linux keeps a signal that is blocked even if it is ignored, as SIGHUP is by nohup. */
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&trials->signals, ends[i]);
	blocked = trials->signals;
	sigaddset(&blocked, SIGPIPE);
	sigprocmask(SIG_BLOCK, &blocked, &trials->mask);
	signal(SIGCHLD, SIG_DFL); /* whoever ignores it gets no status of children */
	snprintf(trials->folder, sizeof(trials->folder), "%s/costgrind.XXXXXX",
		 parent && parent[0] == '/' ? parent : "/tmp");
	if (!mkdtemp(trials->folder)) {
		int code = fail(trials, trials->folder);

		trials->folder[0] = '\0';
		return code;
	}
	trials->input = relay_input(&is_open);
	if (trials->input < 0)
		return fail(trials, "standard input");
	if (is_open) {
		warn(command, "standard input is a pipe from which nothing comes: the program "
			      "will read /dev/null");
		close(trials->input);
		trials->input = -1;
	}
	return EXIT_FINE;
}

static int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *place)
{
	(void)entry;
	(void)kind;
	(void)place;
	remove(path);
	return 0;
}

void trials_release(struct trials *trials)
{
	enum { DESCRIPTORS = 16 };

	/* Children of the program that were forked have written profiles, too. */
	if (trials->folder[0])
		nftw(trials->folder, remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
	if (trials->input > STDERR_FILENO)
		close(trials->input);
	free(trials->all);
	trials->all = NULL;
	if (trials->interrupted)
		raise(trials->interrupted); /* when it is let through */
	sigprocmask(SIG_SETMASK, &trials->mask, NULL);
}

/* The first place that none has that goes on. */
static size_t free_place(const struct trials *trials)
{
	size_t place = 0;

	for (size_t i = 0; i < trials->n;) {
		bool is_taken = trials->all[i].pid != 0 && trials->all[i].place == place;

		place += is_taken;
		i = is_taken ? 0 : i + 1;
	}
	return place;
}

pid_t trials_fork(struct trials *trials)
{
	pid_t child;

	fflush(stdout);
	trials->place = free_place(trials);
	child = fork();
	if (child == 0) {
		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &trials->mask, NULL);
	} else if (child < 0) {
		fail(trials, "fork");
	} else {
		setpgid(child, child); /* whichever of the two is first */
		trials->all = heap_grow(trials->all, &trials->capacity, trials->n + 1,
					sizeof(*trials->all));
		trials->all[trials->n++] =
			(struct trial_process){ .pid = child, .place = trials->place };
	}
	return child;
}

bool trials_redirect(const struct trials *trials, int out, int err)
{
	char path[64];
	int in = -1, null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	/* Each run reads from the beginning: a descriptor of its own, if the file can have one. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", trials->input);
	if (trials->input >= 0)
		in = open(path, O_RDONLY);
	if (in < 0)
		in = open("/dev/null", O_RDONLY);
	if (in < 0 || null < 0 || dup2(in, STDIN_FILENO) < 0)
		return false;
	if (in != STDIN_FILENO)
		close(in);
	/* Standard output first: `out` may be standard error. */
	return dup2(out >= 0 ? out : null, STDOUT_FILENO) >= 0 &&
	       dup2(err >= 0 ? err : null, STDERR_FILENO) >= 0;
}

void trials_take_processor(const struct trials *trials)
{
	cpu_set_t allowed, only;
	size_t place = trials->place, n;
	int before = trials->first_cpu;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return;
	/* Another command that does the same is elsewhere: the kernel has begun this one where there was room. */
	while (before-- > 0)
		place += CPU_ISSET(before, &allowed);
	n = (size_t)CPU_COUNT(&allowed);
	place %= n > 0 ? n : 1;
	CPU_ZERO(&only);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && place-- == 0)
			CPU_SET(cpu, &only);
	sched_setaffinity(0, sizeof(only), &only);
}

static size_t count_running(const struct trials *trials)
{
	size_t n = 0;

	for (size_t i = 0; i < trials->n; i++)
		n += trials->all[i].pid != 0;
	return n;
}

static void reap(struct trials *trials)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0)
		for (size_t i = 0; i < trials->n; i++)
			if (trials->all[i].pid == pid) {
				trials->all[i].pid = 0;
				trials->all[i].status = status;
				trials->all[i].usage = usage;
			}
}

bool trials_wait(struct trials *trials, size_t n)
{
	while (count_running(trials) > (trials->interrupted ? 0 : n)) {
		int number = sigwaitinfo(&trials->signals, NULL);

		if (number == SIGCHLD) {
			reap(trials);
		} else if (number > 0 && !trials->interrupted) {
			trials->interrupted = number;
			for (size_t i = 0; i < trials->n; i++)
				if (trials->all[i].pid != 0)
					kill(-trials->all[i].pid,
					     SIGKILL); /* and what it started ends with it */
		}
	}
	return !trials->interrupted;
}
