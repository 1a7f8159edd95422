/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what a process inherits, a line for each thing, as --keep of costgrind run names it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static const char *kind(int fd)
{
	struct stat stat;

	if (fstat(fd, &stat) != 0)
		return "closed";
	if (isatty(fd))
		return "terminal";
	return S_ISFIFO(stat.st_mode) ? "pipe" : S_ISREG(stat.st_mode) ? "file" : "device";
}

/* Bytes of arguments and environment, with the pointers to them. */
static size_t size_of(char **words)
{
	size_t size = 0;

	for (; *words; words++)
		size += strlen(*words) + 1 + sizeof(char *);
	return size;
}

static void print_limit(const char *name, __rlimit_resource_t which)
{
	struct rlimit limit;

	getrlimit(which, &limit);
	if (limit.rlim_cur == RLIM_INFINITY)
		printf(" %s unlimited", name);
	else
		printf(" %s %llu", name, (unsigned long long)limit.rlim_cur);
}

int main(int argc, char **argv)
{
	char host[256] = "", cwd[4096] = "";
	cpu_set_t cpus;
	int n = 0;
	mode_t mask = umask(0);
	struct sigaction action;

	(void)argc;
	umask(mask);
	printf("addresses %s\n", personality(0xffffffff) & ADDR_NO_RANDOMIZE ? "fixed" : "random");
	sched_getaffinity(0, sizeof(cpus), &cpus);
	printf("cpu %d\n", CPU_COUNT(&cpus));
	printf("cwd %s\n", getcwd(cwd, sizeof(cwd)));
	for (int fd = 3; fd < 64; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	printf("descriptors %d\n", n);
	printf("environment %zu",
	       size_of(argv) + size_of(environ) + strlen((const char *)getauxval(AT_EXECFN)) + 1);
	for (char **var = environ; *var; var++)
		printf(" %.*s", (int)strcspn(*var, "="), *var);
	gethostname(host, sizeof(host));
	printf("\nhost %s\n", host);
	printf("input %s\n", kind(0));
	printf("limits");
	print_limit("stack", RLIMIT_STACK);
	print_limit("data", RLIMIT_DATA);
	print_limit("files", RLIMIT_NOFILE);
	print_limit("core", RLIMIT_CORE);
	printf("\noutput %s %s\n", kind(1), kind(2));
	printf("pid %ld\n", (long)getpid());
	printf("program %s %s\n", argv[0], (const char *)getauxval(AT_EXECFN));
	sigaction(SIGUSR1, NULL, &action);
	printf("signals %s\n", action.sa_handler == SIG_IGN ? "ignored" : "default");
	printf("umask %03o\n", (unsigned)mask);
	printf("user %ld\n", (long)getuid());
	return 0;
}
