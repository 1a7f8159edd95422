/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a program for which system calls fail, as they do on file systems that are not here, or end it
 * at once, as if the machine had stopped there.
 *
 *	refusing fallocate=EOPNOTSUPP pwrite64=kill -- COMMAND ARGUMENTS...
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	MAX_RULES = 16,
};

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
	{ "renameat", SYS_renameat },
	{ "fallocate", SYS_fallocate },
	{ "memfd_create", SYS_memfd_create },
	{ "pwrite64", SYS_pwrite64 },
	{ "linkat", SYS_linkat },
	{ "rename", SYS_rename },
	{ "fchown", SYS_fchown },
};

static const struct {
	const char *name;
	unsigned action;
} actions[] = {
	{ "EBUSY", SECCOMP_RET_ERRNO | EBUSY },   { "EIO", SECCOMP_RET_ERRNO | EIO },
	{ "ENOSYS", SECCOMP_RET_ERRNO | ENOSYS }, { "EOPNOTSUPP", SECCOMP_RET_ERRNO | EOPNOTSUPP },
	{ "EPERM", SECCOMP_RET_ERRNO | EPERM },   { "EXDEV", SECCOMP_RET_ERRNO | EXDEV },
	{ "kill", SECCOMP_RET_KILL_PROCESS },
};

static void die(const char *what)
{
	fprintf(stderr, "refusing: %s\n", what);
	exit(99);
}

static unsigned call_of(const char *rule, size_t len)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strlen(calls[i].name) == len && memcmp(calls[i].name, rule, len) == 0)
			return calls[i].number;
	die(rule);
	return 0;
}

static unsigned action_of(const char *name)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (strcmp(actions[i].name, name) == 0)
			return actions[i].action;
	die(name);
	return 0;
}

int main(int argc, char **argv)
{
	struct sock_filter filter[2 * MAX_RULES + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = { 1, filter };
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *equals = strchr(argv[i], '=');

		if (!equals || i > MAX_RULES)
			die(argv[i]);
		filter[program.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, call_of(argv[i], (size_t)(equals - argv[i])), 0,
			1);
		filter[program.len++] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action_of(equals + 1));
	}
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (i + 1 >= argc)
		die("expected -- and a command");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		die(strerror(errno));
	execvp(argv[i + 1], argv + i + 1);
	die(strerror(errno));
}
