/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memmem() */
#include "cmds/stable/progpath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/stable/sandbox.h"

/* Folders of programs that were installed. */
static const char *const system_folders[] = {
	"/usr/",    "/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/",
	"/libx32/", "/opt/", "/nix/",  "/gnu/", "/snap/",  NULL,
};

static bool is_of_system(const char *path)
{
	for (size_t i = 0; system_folders[i]; i++)
		if (strncmp(path, system_folders[i], strlen(system_folders[i])) == 0)
			return true;
	return false;
}

static bool has(const char *data, size_t len, const char *text)
{
	return memmem(data, len, text, strlen(text)) != NULL;
}

/* How much of what is around a program the bytes of it say that it needs. */
static enum progpath_move judge(const char *data, size_t len)
{
	if (len > 2 && data[0] == '#' && data[1] == '!')
		return PROGPATH_FOLDER;
	if (has(data, len, "$ORIGIN/.."))
		return PROGPATH_PARENT;
	return has(data, len, "$ORIGIN") || has(data, len, ".gnu_debuglink") ? PROGPATH_FOLDER
									     : PROGPATH_FILE;
}

static enum progpath_move look_into(const char *path)
{
	enum progpath_move move = PROGPATH_FILE;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	char *data;

	if (fd < 0 || fstat(fd, &stat) != 0 || stat.st_size <= 0) {
		if (fd >= 0)
			close(fd);
		return move;
	}
	data = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return move;
	move = judge(data, (size_t)stat.st_size);
	munmap(data, (size_t)stat.st_size);
	return move;
}

/* Cuts a path's last n names off; returns what is behind the cut, without the slash. */
static const char *cut(char *path, unsigned n)
{
	size_t end = strlen(path);

	for (unsigned i = 0; i < n; i++) {
		const char *slash = memrchr(path, '/', end);

		if (!slash || slash == path)
			return "";
		end = (size_t)(slash - path);
	}
	path[end] = '\0';
	return path + end + 1;
}

static int make_absolute(char *path, const char *found)
{
	char folder[LAUNCH_PATH];

	if (found[0] == '/')
		return (size_t)snprintf(path, LAUNCH_PATH, "%s", found) < LAUNCH_PATH
			       ? 0
			       : ENAMETOOLONG;
	if (!getcwd(folder, sizeof(folder)))
		return errno;
	while (strncmp(found, "./", 2) == 0)
		found += 2;
	return (size_t)snprintf(path, LAUNCH_PATH, "%s/%s", folder, found) < LAUNCH_PATH
		       ? 0
		       : ENAMETOOLONG;
}

/* Chooses what is mounted, and names the program as it is then. */
static int place(struct progpath *program)
{
	char top[LAUNCH_PATH];
	const char *rest;

	memcpy(top, program->real, sizeof(top));
	memcpy(program->top, program->real, sizeof(program->top));
	if (program->move == PROGPATH_FILE) {
		snprintf(program->moved, sizeof(program->moved), "%s", SANDBOX_PROGRAM);
		return 0;
	}
	rest = cut(top, program->move == PROGPATH_PARENT ? 2 : 1);
	if (*rest == '\0') { /* too near to the root */
		program->move = PROGPATH_STAYS;
		return 0;
	}
	memcpy(program->top, top, sizeof(program->top));
	return (size_t)snprintf(program->moved, sizeof(program->moved), "%s/%s", SANDBOX_TREE,
				rest) < sizeof(program->moved)
		       ? 0
		       : ENAMETOOLONG;
}

int progpath_find(struct progpath *program, const char *name, bool stays)
{
	char found[LAUNCH_PATH];
	char *real;
	struct stat stat_;
	int error;

	if (!launch_find(name, found, sizeof(found)))
		return strchr(name, '/') && access(name, F_OK) == 0 ? EACCES : ENOENT;
	if (stat(found, &stat_) == 0 && S_ISDIR(stat_.st_mode))
		return EISDIR;
	error = make_absolute(program->path, found);
	if (error)
		return error;
	real = realpath(program->path, NULL);
	if (!real)
		return errno;
	snprintf(program->real, sizeof(program->real), "%s", real);
	free(real);
	program->move = PROGPATH_STAYS;
	if (!stays && !is_of_system(program->path) && !is_of_system(program->real))
		program->move = look_into(program->real);
	return place(program);
}
