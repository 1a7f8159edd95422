/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	threads HOW COUNT TIMES [PROGRAM]
 *
 * COUNT threads each run the known loop, spin(TIMES); HOW says when, and what
 * else happens.  Nothing depends on the order in which threads get to run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spin.h"

enum {
	MAX_THREADS = 200,
};

static int count;
static unsigned times;
static char *program;
static pthread_t threads[MAX_THREADS];
static pthread_barrier_t begun, ended; /* of all threads and the main one */
static sem_t handled;                  /* posted by the signal handler */

static void check(int failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	_exit(99);
}

static void start(int i, void *(*run)(void *))
{
	check(pthread_create(&threads[i], NULL, run, NULL) != 0, "pthread_create");
}

static void join(int i)
{
	check(pthread_join(threads[i], NULL) != 0, "pthread_join");
}

static void *spin_once(void *unused)
{
	(void)unused;
	spin(times);
	return NULL;
}

static void one_after_another(void)
{
	for (int i = 0; i < count; i++) {
		start(0, spin_once);
		join(0);
	}
}

/* All threads are there before the first ends; begun and ended let the main thread in between. */
static void *spin_between_barriers(void *unused)
{
	(void)unused;
	spin(times);
	pthread_barrier_wait(&begun);
	pthread_barrier_wait(&ended);
	spin(times);
	return NULL;
}

static void start_all(void *(*run)(void *))
{
	for (int i = 0; i < count; i++)
		start(i, run);
}

static void join_all(void)
{
	for (int i = 0; i < count; i++)
		join(i);
}

static void together(void)
{
	start_all(spin_between_barriers);
	pthread_barrier_wait(&begun);
	pthread_barrier_wait(&ended);
	join_all();
}

/* While all threads wait; goes on if it fails. */
static void exec_among_threads(void)
{
	char *argv[] = { program, NULL };

	start_all(spin_between_barriers);
	pthread_barrier_wait(&begun);
	execv(program, argv);
	printf("exec: %s\n", strerror(errno));
	fflush(stdout);
	pthread_barrier_wait(&ended);
	join_all();
}

static void *exec_in_thread(void *unused)
{
	(void)unused;
	exec_among_threads();
	return NULL;
}

static void exec_by_other_thread(void)
{
	pthread_t thread;

	check(pthread_create(&thread, NULL, exec_in_thread, NULL) != 0, "pthread_create");
	check(pthread_join(thread, NULL) != 0, "pthread_join");
}

/* The child has the one thread that forked. */
static void fork_among_threads(void)
{
	pid_t pid;

	start_all(spin_between_barriers);
	pthread_barrier_wait(&begun);
	pid = fork();
	check(pid < 0, "fork");
	if (pid == 0) {
		spin(times);
		_exit(0);
	}
	check(waitpid(pid, NULL, 0) != pid, "waitpid");
	pthread_barrier_wait(&ended);
	join_all();
}

static volatile int stop;

static void *spin_until_stopped(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&begun);
	while (!stop)
		spin(times);
	return NULL;
}

/* The threads that the child does not have are in the midst of calls; it makes one of its own. */
static void fork_among_running(void)
{
	pid_t pid;

	start_all(spin_until_stopped);
	pthread_barrier_wait(&begun);
	for (int i = 0; i < 10; i++)
		sched_yield();
	pid = fork();
	check(pid < 0, "fork");
	if (pid == 0) {
		spin(times);
		start(0, spin_once);
		join(0);
		_exit(0);
	}
	check(waitpid(pid, NULL, 0) != pid, "waitpid");
	stop = 1;
	join_all();
}

static void handler(int signal)
{
	(void)signal;
	spin(times);
	sem_post(&handled);
}

static void install_handler(void)
{
	struct sigaction action = { .sa_handler = handler };

	check(sigaction(SIGUSR1, &action, NULL) != 0, "sigaction");
}

static void *raise_ten_times(void *unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++)
		raise(SIGUSR1);
	return NULL;
}

static void signals_from_inside(void)
{
	install_handler();
	start_all(raise_ten_times);
	join_all();
}

static void *wait_in_vain(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&begun);
	while (pause() != 0)
		continue;
	return NULL;
}

/* To threads that sleep in a system call; each signal is waited for, so that none is lost. */
static void signals_from_outside(void)
{
	install_handler();
	start_all(wait_in_vain);
	pthread_barrier_wait(&begun);
	for (int i = 0; i < 10 * count; i++) {
		check(pthread_kill(threads[i % count], SIGUSR1) != 0, "pthread_kill");
		while (sem_wait(&handled) != 0)
			check(errno != EINTR, "sem_wait");
	}
	exit(0);
}

/* --- ends; the others wait --- */

static void *exit_process(void *unused)
{
	(void)unused;
	spin(times);
	exit(7);
}

static void *exit_process_at_once(void *unused)
{
	(void)unused;
	spin(times);
	_exit(7);
}

static void *read_null(void *unused)
{
	int value;

	(void)unused;
	spin(times);
	__asm__ volatile("movl (%1), %0" : "=r"(value) : "r"(0UL));
	spin(times + (value != 0));
	return NULL;
}

static void *kill_process(void *unused)
{
	(void)unused;
	spin(times);
	kill(getpid(), SIGTERM);
	while (pause() != 0)
		continue;
	return NULL;
}

static void end_among_threads(void *(*end)(void *))
{
	pthread_t thread;

	start_all(wait_in_vain);
	pthread_barrier_wait(&begun);
	check(pthread_create(&thread, NULL, end, NULL) != 0, "pthread_create");
	while (pause() != 0)
		continue;
}

static void end_by_exit(void)
{
	end_among_threads(exit_process);
}

static void end_at_once(void)
{
	end_among_threads(exit_process_at_once);
}

static void end_by_fault(void)
{
	end_among_threads(read_null);
}

static void end_by_signal(void)
{
	end_among_threads(kill_process);
}

static void *spin_after_main(void *main_thread)
{
	check(pthread_join(*(pthread_t *)main_thread, NULL) != 0, "pthread_join");
	spin(times);
	return NULL;
}

/* The process ends with its last thread, which is not the first one. */
static void main_ends_first(void)
{
	static pthread_t main_thread;
	pthread_t thread;

	main_thread = pthread_self();
	check(pthread_create(&thread, NULL, spin_after_main, &main_thread) != 0, "pthread_create");
	pthread_exit(NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "one_after_another", one_after_another },
	{ "together", together },
	{ "exec", exec_among_threads },
	{ "exec_by_other_thread", exec_by_other_thread },
	{ "fork", fork_among_threads },
	{ "fork_among_running", fork_among_running },
	{ "signals_from_inside", signals_from_inside },
	{ "signals_from_outside", signals_from_outside },
	{ "end_by_exit", end_by_exit },
	{ "end_at_once", end_at_once },
	{ "end_by_fault", end_by_fault },
	{ "end_by_signal", end_by_signal },
	{ "main_ends_first", main_ends_first },
};

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	count = (int)strtol(argv[2], NULL, 10);
	times = (unsigned)strtol(argv[3], NULL, 10);
	program = argv[4];
	sem_init(&handled, 0, 0);
	pthread_barrier_init(&begun, NULL, (unsigned)count + 1);
	pthread_barrier_init(&ended, NULL, (unsigned)count + 1);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(ways[i].name, argv[1]) == 0) {
			ways[i].run();
			return 0;
		}
	return 2;
}
