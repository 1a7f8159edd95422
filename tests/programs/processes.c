/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does what its arguments say, one after the other: processes that come about in
 * odd places, with requests around them.
 *
 *	processes spin 10 fork spin 20 end dump spin 30
 *
 * The steps between one of fork, orphan, daemon, handler and its "end" are done by the
 * child, or in a signal handler.  A child ends there.  Only fork waits for its child.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spin.h"
#include "steps.h"
#include "tool/costgrind.h"

enum { NAP = 10000 /* us */ };

static char **run_steps(char **words);

static char **words_in_handler;
static int ends[2];
static struct timespec noted;

static void check(int failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	_exit(99);
}

static unsigned number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 0);
}

static int is_block(const char *word)
{
	return strcmp(word, "fork") == 0 || strcmp(word, "orphan") == 0 ||
	       strcmp(word, "daemon") == 0 || strcmp(word, "handler") == 0;
}

static char **behind_end(char **words)
{
	for (int depth = 1; *words != NULL; words++) {
		if (is_block(*words))
			depth++;
		else if (strcmp(*words, "end") == 0 && --depth == 0)
			return words + 1;
	}
	return words;
}

/* --- processes --- */

static void be_child(char **words)
{
	run_steps(words);
	_exit(0);
}

static char **step_fork(char **words)
{
	pid_t pid = fork();

	check(pid < 0, "fork");
	if (pid == 0)
		be_child(words);
	while (waitpid(pid, NULL, 0) < 0)
		check(errno != EINTR, "waitpid");
	return behind_end(words);
}

/* Goes on in both; the parent when the child has ended. */
static char **step_fork_on(char **words)
{
	pid_t pid = fork();

	check(pid < 0, "fork");
	while (pid != 0 && waitpid(pid, NULL, 0) < 0)
		check(errno != EINTR, "waitpid");
	return words;
}

/* Its steps begin when the parent has ended. */
static char **step_orphan(char **words)
{
	pid_t parent = getpid(), pid = fork();

	check(pid < 0, "fork");
	if (pid != 0)
		return behind_end(words);
	while (getppid() == parent)
		usleep(NAP);
	be_child(words);
	return words;
}

/* As daemons are made: a grandchild in a session of its own, with nothing open, in the root. */
static char **step_daemon(char **words)
{
	pid_t pid = fork();

	check(pid < 0, "fork");
	if (pid != 0) {
		waitpid(pid, NULL, 0);
		return behind_end(words);
	}
	setsid();
	if (fork() != 0)
		_exit(0);
	check(chdir("/") != 0, "chdir");
	for (int fd = 0; fd < 2048; fd++)
		close(fd);
	syscall(SYS_close_range, 0U, ~0U, 0);
	be_child(words);
	return words;
}

/* exec PROGRAM ARGUMENTS... [else STEPS...] */
static char **step_exec(char **words)
{
	execve(words[0], words, environ);
	while (*words != NULL && strcmp(*words, "else") != 0)
		words++;
	return *words != NULL ? words + 1 : words;
}

static char **step_system(char **words)
{
	check(system(words[0]) < 0, "system");
	return words + 1;
}

/* --- handlers and threads --- */

static void handle(int number)
{
	(void)number;
	run_steps(words_in_handler);
}

static char **step_handler(char **words)
{
	words_in_handler = words;
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
	return behind_end(words);
}

static void *run_thread(void *times)
{
	char word = 0;

	spin((unsigned)(size_t)times);
	check(write(ends[1], &word, 1) != 1, "write");
	for (;;)
		pause();
	return NULL;
}

/* thread N: one that does that many turns, and waits for ever. */
static char **step_thread(char **words)
{
	pthread_t thread;
	char word;

	check(pipe(ends) != 0, "pipe");
	pthread_create(&thread, NULL, run_thread, (void *)(size_t)number(words[0]));
	check(read(ends[0], &word, 1) != 1, "read");
	return words + 1;
}

/* --- what takes time, and tells it --- */

static char **step_spin(char **words)
{
	spin(number(words[0]));
	return words + 1;
}

static char **step_note(char **words)
{
	clock_gettime(CLOCK_MONOTONIC, &noted);
	return words;
}

/* True if it is later than the noted time. */
static char **step_compare(char **words)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	puts(now.tv_sec > noted.tv_sec ||
			     (now.tv_sec == noted.tv_sec && now.tv_nsec > noted.tv_nsec)
		     ? "later"
		     : "earlier");
	fflush(stdout);
	return words;
}

static char **step_chdir(char **words)
{
	check(chdir(words[0]) != 0, words[0]);
	return words + 1;
}

/* --- requests --- */

static char **step_dump(char **words)
{
	COSTGRIND_DUMP("step");
	return words;
}

static char **step_start(char **words)
{
	COSTGRIND_START_INSTRUMENTATION;
	return words;
}

static char **step_stop(char **words)
{
	COSTGRIND_STOP_INSTRUMENTATION;
	return words;
}

static char **step_begin(char **words)
{
	COSTGRIND_REGION_BEGIN(words[0]);
	return words + 1;
}

static char **step_leave(char **words)
{
	COSTGRIND_REGION_END(words[0]);
	return words + 1;
}

/* skip TIMES PATTERN */
static char **step_skip(char **words)
{
	for (unsigned i = 0; i < number(words[0]); i++)
		COSTGRIND_SKIP_OBJECT(words[1]);
	return words + 2;
}

/* --- */

static const struct step steps[] = {
	{ "spin", step_spin },     { "fork", step_fork },       { "fork_on", step_fork_on },
	{ "orphan", step_orphan }, { "daemon", step_daemon },   { "exec", step_exec },
	{ "system", step_system }, { "handler", step_handler }, { "thread", step_thread },
	{ "note", step_note },     { "compare", step_compare }, { "chdir", step_chdir },
	{ "dump", step_dump },     { "start", step_start },     { "stop", step_stop },
	{ "begin", step_begin },   { "leave", step_leave },     { "skip", step_skip },
};

static char **run_steps(char **words)
{
	return steps_run(steps, sizeof(steps) / sizeof(steps[0]), "processes", words);
}

int main(int argc, char **argv)
{
	(void)argc;
	run_steps(argv + 1);
	return 0;
}
