/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/stable/trials.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/stable/relay.h"

static int fail(const struct trials *trials, const char *what)
{
	complain(trials->command, "%s: %s", what, strerror(errno));
	return EXIT_FAILED;
}

static void choose_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
}

int trials_init(struct trials *trials, const char *command)
{
	const char *parent = getenv("TMPDIR");
	bool is_open;
	sigset_t set;

	*trials = (struct trials){ .command = command, .input = -1 };
	snprintf(trials->folder, sizeof(trials->folder), "%s/costgrind.XXXXXX",
		 parent && parent[0] == '/' ? parent : "/tmp");
	if (!mkdtemp(trials->folder)) {
		int code = fail(trials, trials->folder);

		trials->folder[0] = '\0';
		return code;
	}
	trials->signals = calloc(1, sizeof(set));
	if (!trials->signals)
		return fail(trials, "signals");
	choose_signals(&set);
	sigprocmask(SIG_BLOCK, &set, trials->signals);
	signal(SIGCHLD, SIG_DFL); /* whoever ignores it gets no status of children */
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

/* The name of run i's profile, or the beginning of it: path has LAUNCH_PATH bytes. */
static void trials_profile(const struct trials *trials, size_t i, char *path)
{
	snprintf(path, LAUNCH_PATH, "%.*s/profile.%zu", LAUNCH_PATH - 32, trials->folder, i);
}

bool trials_thread(const struct trials *trials, size_t i, unsigned thread, char *path)
{
	snprintf(path, LAUNCH_PATH, "%.*s/profile.%zu-%02u", LAUNCH_PATH - 64, trials->folder, i,
		 thread);
	return access(path, R_OK) == 0;
}

/* Children of the program that were forked have written profiles, too. */
static void remove_folder(const struct trials *trials)
{
	DIR *folder = trials->folder[0] ? opendir(trials->folder) : NULL;
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	if (trials->folder[0])
		rmdir(trials->folder);
}

void trials_release(struct trials *trials)
{
	remove_folder(trials);
	if (trials->input > STDERR_FILENO)
		close(trials->input);
	if (trials->interrupted)
		raise(trials->interrupted); /* when it is let through */
	if (trials->signals)
		sigprocmask(SIG_SETMASK, trials->signals, NULL);
	free(trials->signals);
}

/* Each run reads from the beginning: a descriptor of its own, if the file can have one. */
static bool open_input(const struct trials *trials)
{
	char path[64];
	int fd = -1;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", trials->input);
	if (trials->input >= 0)
		fd = open(path, O_RDONLY);
	if (fd < 0)
		fd = open("/dev/null", O_RDONLY);
	if (fd < 0 || (fd != STDIN_FILENO && dup2(fd, STDIN_FILENO) < 0))
		return false;
	if (fd != STDIN_FILENO)
		close(fd);
	return true;
}

static bool drop_output(bool is_heard)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	return fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 &&
	       (is_heard || dup2(fd, STDERR_FILENO) >= 0);
}

bool trials_start(struct trials *trials, const struct stablerun *run, bool is_heard)
{
	size_t i = trials->n;
	pid_t child;

	fflush(stdout);
	child = i < TRIALS_MAX ? fork() : -1;
	if (child == 0) {
		char path[LAUNCH_PATH];
		struct stablerun own = *run;

		sigprocmask(SIG_SETMASK, trials->signals, NULL);
		trials_profile(trials, i, path);
		own.out_file = path;
		if (!open_input(trials) || !drop_output(is_heard))
			_exit(fail(trials, "/dev/null"));
		_exit(stablerun(&own));
	}
	if (child < 0) {
		fail(trials, "fork");
		return false;
	}
	trials->pids[trials->n++] = child;
	return true;
}

static size_t count_running(const struct trials *trials)
{
	size_t n = 0;

	for (size_t i = 0; i < trials->n; i++)
		n += trials->pids[i] != 0;
	return n;
}

static void reap(struct trials *trials)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (size_t i = 0; i < trials->n; i++)
			if (trials->pids[i] == pid) {
				trials->pids[i] = 0;
				trials->statuses[i] = status;
			}
}

static void interrupt(struct trials *trials, int number)
{
	trials->interrupted = number;
	for (size_t i = 0; i < trials->n; i++)
		if (trials->pids[i] != 0)
			kill(trials->pids[i], SIGKILL); /* what it has started ends with it */
}

bool trials_wait(struct trials *trials, size_t at_most)
{
	sigset_t set;

	choose_signals(&set);
	while (count_running(trials) > (trials->interrupted ? 0 : at_most)) {
		int number = sigwaitinfo(&set, NULL);

		if (number == SIGCHLD)
			reap(trials);
		else if (number > 0 && !trials->interrupted)
			interrupt(trials, number);
	}
	return !trials->interrupted;
}
