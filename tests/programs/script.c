/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does what its arguments say, one after the other, so that a test reads as
 * a list of steps:
 *
 *	script spin 1000 fork spin 10 end spin 100 exit 3
 *
 * The steps between "fork" (or "clone") and its "end" are the child's, which
 * exits with status 0 after them; the parent waits for it first.  A step
 * that prepares something and fails ends the run with status 99.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spin.h"
#include "steps.h"

static char **run_steps(char **words);

static void check(int failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	_exit(99);
}

static int number(const char *text)
{
	return (int)strtol(text, NULL, 0);
}

/* --- costs and ends --- */

static char **step_spin(char **words)
{
	spin((unsigned)number(words[0]));
	return words + 1;
}

static char **step_exit(char **words)
{
	exit(number(words[0]));
}

static char **step_exit_at_once(char **words)
{
	_exit(number(words[0]));
}

static char **step_abort(char **words)
{
	(void)words;
	abort();
}

static char **step_raise(char **words)
{
	raise(number(words[0]));
	return words + 1;
}

static char **step_read_null(char **words)
{
	uint32_t value; /* used, or else Valgrind leaves the read out */

	__asm__ volatile("movl (%1), %0" : "=r"(value) : "r"((uintptr_t)0));
	return words + value;
}

static char **step_jump_null(char **words)
{
	__asm__ volatile("jmp *%0" ::"r"((uintptr_t)0));
	return words;
}

static char **step_divide_by_zero(char **words)
{
	__asm__ volatile("xorl %%ecx, %%ecx\n\tdivl %%ecx" ::: "eax", "ecx", "edx", "cc");
	return words;
}

static char **step_undefined(char **words)
{
	__asm__ volatile("ud2");
	return words;
}

/* Behind the end of a mapped file there is nothing: SIGBUS. */
static char **step_bus_error(char **words)
{
	int fd = open(words[0], O_RDWR | O_CREAT, 0600);
	volatile char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	check(mapped == MAP_FAILED, "mmap");
	*mapped = 1;
	return words + 1;
}

/* Without end, though the compiler cannot know, and none of the frames can be left out. */
static __attribute__((noinline)) int overflow(volatile char *above)
{
	volatile char frame[4096];

	frame[0] = *above;
	if (frame[0] != 0)
		return 0;
	return overflow(frame) + frame[0];
}

static char **step_overflow_stack(char **words)
{
	volatile char first = 0;

	return words + overflow(&first);
}

/* --- processes --- */

static char **behind_end(char **words)
{
	for (int depth = 1; *words != NULL; words++) {
		if (strcmp(*words, "fork") == 0 || strcmp(*words, "clone") == 0)
			depth++;
		else if (strcmp(*words, "end") == 0 && --depth == 0)
			return words + 1;
	}
	return words;
}

/* Tells it if the child has not ended by itself. */
static void wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		check(errno != EINTR, "waitpid");
	if (WIFSIGNALED(status))
		printf("child: signal %d\n", WTERMSIG(status));
	fflush(stdout);
}

static char **child_or_parent(pid_t pid, char **words)
{
	check(pid < 0, "fork");
	if (pid == 0) {
		run_steps(words);
		_exit(0);
	}
	wait_for(pid);
	return behind_end(words);
}

static char **step_fork(char **words)
{
	return child_or_parent(fork(), words);
}

static char **step_clone(char **words)
{
	return child_or_parent((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), words);
}

static char **step_vfork(char **words)
{
	pid_t pid = vfork();

	check(pid < 0, "vfork");
	if (pid == 0)
		_exit(0);
	wait_for(pid);
	return words;
}

static char **step_spawn(char **words)
{
	char *argv[] = { words[0], NULL };
	pid_t pid;

	if (posix_spawn(&pid, words[0], NULL, NULL, argv, environ) == 0)
		wait_for(pid);
	return words + 1;
}

/* system TIMES COMMAND */
static char **step_system(char **words)
{
	for (int i = 0; i < number(words[0]); i++)
		check(system(words[1]) < 0, "system");
	return words + 2;
}

/* The program and all the other words as its arguments; comes back only to say why not. */
static char **exec_failed(char **words)
{
	printf("exec: %s\n", strerror(errno));
	fflush(stdout);
	while (*words != NULL && strcmp(*words, "else") != 0)
		words++;
	return *words != NULL ? words + 1 : words;
}

/* exec PROGRAM ARGUMENTS... [else STEPS...] */
static char **step_exec(char **words)
{
	execve(words[0], words, environ);
	return exec_failed(words);
}

static char **step_execvp(char **words)
{
	execvp(words[0], words);
	return exec_failed(words);
}

/* By the descriptor of the program instead of its name. */
static char **step_fexecve(char **words)
{
	int fd = open(words[0], O_RDONLY);

	check(fd < 0, words[0]);
	syscall(SYS_execveat, fd, "", words, environ, AT_EMPTY_PATH);
	return exec_failed(words);
}

/* Addresses at which there is nothing. */
static char **step_exec_nothing(char **words)
{
	char *nowhere = (char *)8;

	syscall(SYS_execve, nowhere, nowhere, nowhere);
	syscall(SYS_execve, "/bin/true", nowhere, nowhere);
	syscall(SYS_execve, NULL, NULL, NULL);
	return words;
}

/* --- files --- */

static char **step_print(char **words)
{
	puts(words[0]);
	fflush(stdout);
	return words + 1;
}

static char **step_print_pid(char **words)
{
	printf("%d\n", (int)getpid());
	fflush(stdout);
	return words;
}

/* setenv NAME VALUE */
static char **step_setenv(char **words)
{
	check(setenv(words[0], words[1], 1) != 0, "setenv");
	return words + 2;
}

static char **step_chdir(char **words)
{
	check(chdir(words[0]) != 0, words[0]);
	return words + 1;
}

static char **step_mkdir(char **words)
{
	check(mkdir(words[0], 0755) != 0, words[0]);
	return words + 1;
}

static char **step_rmdir(char **words)
{
	check(rmdir(words[0]) != 0, words[0]);
	return words + 1;
}

/* rename OLD NEW */
static char **step_rename(char **words)
{
	check(rename(words[0], words[1]) != 0, words[0]);
	return words + 2;
}

static char **step_open(char **words)
{
	check(open(words[0], O_WRONLY | O_CREAT | O_APPEND, 0644) < 0, words[0]);
	return words + 1;
}

static char **step_close(char **words)
{
	check(close(number(words[0])) != 0, "close");
	return words + 1;
}

/* All that a process can have open, as daemons do; whether it is open or not. */
static char **step_close_all(char **words)
{
	for (int fd = 0; fd < 2048; fd++)
		close(fd);
	syscall(SYS_close_range, 0U, ~0U, 0);
	return words;
}

/* --- limits and identity --- */

/* Only the soft limit, which is the one that counts. */
static void set_limit(int resource, const char *soft)
{
	struct rlimit limit;

	check(getrlimit((__rlimit_resource_t)resource, &limit) != 0, "getrlimit");
	limit.rlim_cur = (rlim_t)number(soft);
	check(setrlimit((__rlimit_resource_t)resource, &limit) != 0, "setrlimit");
}

static char **step_limit_file_size(char **words)
{
	set_limit(RLIMIT_FSIZE, words[0]);
	return words + 1;
}

static char **step_limit_open_files(char **words)
{
	set_limit(RLIMIT_NOFILE, words[0]);
	return words + 1;
}

static char **step_chroot(char **words)
{
	check(chroot(words[0]) != 0, "chroot");
	return words + 1;
}

static char **step_setuid(char **words)
{
	check(setuid((uid_t)number(words[0])) != 0, "setuid");
	return words + 1;
}

/* It may fail: not every machine allows it. */
static char **step_unshare(char **words)
{
	(void)!unshare(CLONE_FS | CLONE_FILES);
	(void)!unshare(CLONE_NEWUSER);
	(void)!unshare(CLONE_NEWNS);
	return words;
}

static char **step_seccomp_strict(char **words)
{
	check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0, "seccomp");
	return words;
}

/* What is no mode is refused. */
static char **step_seccomp_refused(char **words)
{
	check(prctl(PR_SET_SECCOMP, 77) == 0, "seccomp");
	return words;
}

#define KILLED_FOR(number)                            \
 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
	 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

/* Opening or renaming a file kills, once this is in force. */
static struct sock_fprog no_files(void)
{
	static struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		KILLED_FOR(SYS_open),
		KILLED_FOR(SYS_openat),
		KILLED_FOR(SYS_creat),
		KILLED_FOR(SYS_rename),
		KILLED_FOR(SYS_renameat),
		KILLED_FOR(SYS_renameat2),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0, "no_new_privs");
	return (struct sock_fprog){ sizeof(filter) / sizeof(filter[0]), filter };
}

static char **step_seccomp_filter(char **words)
{
	const struct sock_fprog program = no_files();

	check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0, "seccomp");
	return words;
}

/* The system call of that name, which Valgrind may not know. */
static char **step_seccomp_call(char **words)
{
	const struct sock_fprog program = no_files();
	long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);

	puts(result == 0 ? "in force" : strerror(errno));
	fflush(stdout);
	return words;
}

/* --- */

static const struct step steps[] = {
	{ "spin", step_spin },
	{ "exit", step_exit },
	{ "_exit", step_exit_at_once },
	{ "abort", step_abort },
	{ "raise", step_raise },
	{ "read_null", step_read_null },
	{ "jump_null", step_jump_null },
	{ "divide_by_zero", step_divide_by_zero },
	{ "undefined", step_undefined },
	{ "bus_error", step_bus_error },
	{ "overflow_stack", step_overflow_stack },
	{ "fork", step_fork },
	{ "clone", step_clone },
	{ "vfork", step_vfork },
	{ "spawn", step_spawn },
	{ "system", step_system },
	{ "exec", step_exec },
	{ "execvp", step_execvp },
	{ "fexecve", step_fexecve },
	{ "exec_nothing", step_exec_nothing },
	{ "print", step_print },
	{ "print_pid", step_print_pid },
	{ "setenv", step_setenv },
	{ "chdir", step_chdir },
	{ "mkdir", step_mkdir },
	{ "rmdir", step_rmdir },
	{ "rename", step_rename },
	{ "open", step_open },
	{ "close", step_close },
	{ "close_all", step_close_all },
	{ "limit_file_size", step_limit_file_size },
	{ "limit_open_files", step_limit_open_files },
	{ "chroot", step_chroot },
	{ "setuid", step_setuid },
	{ "unshare", step_unshare },
	{ "seccomp_strict", step_seccomp_strict },
	{ "seccomp_refused", step_seccomp_refused },
	{ "seccomp_filter", step_seccomp_filter },
	{ "seccomp_call", step_seccomp_call },
};

static char **run_steps(char **words)
{
	return steps_run(steps, sizeof(steps) / sizeof(steps[0]), "script", words);
}

int main(int argc, char **argv)
{
	(void)argc;
	run_steps(argv + 1);
	return 0;
}
