/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	itself WAY
 *
 * Runs spin(1000), executes itself in one of the ways below, and then runs spin(10) and says what it
 * seems to be.  If that fails, it says why and runs spin(100).  Without a way, it exits with 2.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spin.h"

static char *again[] = { "another name", "again", NULL };

static void execute(const char *path)
{
	execv(path, again);
}

static void execute_of(const char *process)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/exe", process);
	execute(path);
}

static void by_self(void)
{
	execute_of("self");
}

static void by_thread(void)
{
	execute_of("thread-self");
}

static void by_pid(void)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	execute_of(pid);
}

static void by_parent(void)
{
	char pid[16];
	int status;

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	if (fork() == 0) {
		execute_of(pid);
		return;
	}
	wait(&status);
	exit(WEXITSTATUS(status));
}

static void by_link(void)
{
	if (symlink("/proc/self/exe", "link") == 0)
		execute("link");
}

static int open_itself(int flags)
{
	return open("/proc/self/exe", flags | O_CLOEXEC);
}

static void by_descriptor(void)
{
	fexecve(open_itself(O_RDONLY), again, environ);
}

static void by_path_descriptor(void)
{
	syscall(SYS_execveat, open_itself(O_PATH), "", again, environ, AT_EMPTY_PATH);
}

/* A file in memory with the same contents. */
static int copy(void)
{
	int in = open_itself(O_RDONLY), out = memfd_create("image", MFD_CLOEXEC);
	char buffer[65536];
	ssize_t n;

	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, (size_t)n) != n)
			exit(3);
	return out;
}

static void by_memory(void)
{
	fexecve(copy(), again, environ);
}

static void by_memory_path(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", copy());
	execute(path);
}

static void write_script(int fd)
{
	static const char script[] = "#!/bin/sh\necho \"$0, $*\"\n";

	if (write(fd, script, sizeof(script) - 1) != sizeof(script) - 1)
		exit(3);
}

static void by_script(void)
{
	int fd = open("script", O_CREAT | O_WRONLY, 0700);

	write_script(fd);
	close(fd);
	if (dup2(open("script", O_RDONLY), 9) == 9)
		execute("/dev/fd/9");
}

static void by_memory_script(void)
{
	int fd = memfd_create("script", 0);

	write_script(fd);
	if (dup2(fd, 9) == 9)
		execute("/proc/self/fd/9");
}

static void by_memory_script_descriptor(void)
{
	int fd = memfd_create("script", 0);

	write_script(fd);
	if (dup2(fd, 9) == 9)
		fexecve(9, again, environ);
}

/* To the kernel, /proc/self/exe is Valgrind's tool: what is done to the file needs its name. */
static const char *own_path(void)
{
	static char path[4096];

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		exit(4);
	return path;
}

static void removed(void)
{
	if (unlink(own_path()) == 0)
		by_self();
}

/* Where the next page of memory will be. */
static void *next_page(void)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(page, 4096);
	return page;
}

/* Fails, and leaves the registers and the memory as they were. */
static void refused(void)
{
	static const char path[] = "/proc/self/exe";
	const char *argument = path;
	long result = SYS_execve;
	void *page = next_page();

	chmod(own_path(), 0600);
	__asm__ volatile("syscall"
			 : "+a"(result), "+D"(argument)
			 : "S"(again), "d"(environ)
			 : "rcx", "r11", "memory");
	errno = (int)-result;
	if (argument != path)
		puts("another argument");
	if (next_page() != page)
		puts("another page of memory");
}

/* An argv[0] that goes on in a page that is not mapped. */
static void unterminated(void)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(pages + 4096, 4096);
	memset(pages, 'a', 4096);
	again[0] = pages + 4000;
	by_self();
	again[0] = pages; /* longer than a name that is handed over */
	by_self();
}

/* Without an argument, not even argv[0]. */
static void by_nothing(void)
{
	again[0] = NULL;
	by_self();
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "self", by_self },
	{ "thread", by_thread },
	{ "pid", by_pid },
	{ "parent", by_parent },
	{ "link", by_link },
	{ "descriptor", by_descriptor },
	{ "path_descriptor", by_path_descriptor },
	{ "memory", by_memory },
	{ "memory_path", by_memory_path },
	{ "script", by_script },
	{ "memory_script", by_memory_script },
	{ "memory_script_descriptor", by_memory_script_descriptor },
	{ "removed", removed },
	{ "refused", refused },
	{ "unterminated", unterminated },
	{ "nothing", by_nothing },
};

static int be_again(const char *name)
{
	spin(10);
	printf("%s, %s\n", name, strrchr(own_path(), '/') + 1);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (strcmp(argv[1], "again") == 0)
		return be_again(argv[0]);
	spin(1000);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(ways[i].name, argv[1]) == 0)
			ways[i].run();
	printf("%s\n", strerror(errno));
	spin(100);
	return 1;
}
