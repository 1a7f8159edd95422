/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* O_TMPFILE */
#include "cmds/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *env_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void env_release(void *ctx, void *memory)
{
	(void)ctx;
	free(memory);
}

static int env_write(void *ctx, const void *data, size_t len)
{
	const struct outfile *file = ctx;
	const char *p = data;

	while (len > 0) {
		ssize_t written = write(file->fd, p, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return errno;
		p += written;
		len -= (size_t)written;
	}
	return 0;
}

/* What a link says, seen from the folder that it is in; NULL if memory ran out. */
static char *follow(const char *link, const char *said)
{
	const char *slash = strrchr(link, '/');
	int folder = said[0] == '/' || !slash ? 0 : (int)(slash - link) + 1;
	char *path;

	return asprintf(&path, "%.*s%s", folder, link, said) < 0 ? NULL : path;
}

/* The descriptor that a name in /dev or /proc stands for, -1 if none. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t len = strlen(folders[i]);
		char *end;

		if (strncmp(path, folders[i], len) == 0 && path[len] != '\0') {
			long fd = strtol(path + len, &end, 10);

			return *end == '\0' && fd >= 0 && fd <= INT_MAX ? (int)fd : -1;
		}
	}
	return -1;
}

/*
 * Sets target to what path leads to, link by link; *fd is the descriptor that this
 * stands for, or -1.  0 or an errno.
 */
static int find_target(struct outfile *file, int *fd)
{
	enum { MAX_LINKS = 40 };
	char said[PATH_MAX];

	file->target = strdup(file->path);
	for (int i = 0; file->target && i < MAX_LINKS; i++) {
		ssize_t len;
		char *next;

		*fd = descriptor_of(file->target);
		if (*fd >= 0)
			return 0;
		len = readlink(file->target, said, sizeof(said) - 1);
		if (len < 0)
			return 0;
		said[len] = '\0';
		next = follow(file->target, said);
		free(file->target);
		file->target = next;
	}
	return file->target ? ELOOP : ENOMEM;
}

/*
 * Sets folder, and temporary as ".NAME.PID.partial" in it, since others may write it too; with as much of
 * NAME as may be.
 */
static bool make_names(struct outfile *file)
{
	const char *slash = strrchr(file->target, '/');
	const char *name = slash ? slash + 1 : file->target;
	int folder_len = slash ? (int)(slash - file->target) + 1 : 0;

	if (asprintf(&file->folder, "%.*s", folder_len ? folder_len : 1,
		     folder_len ? file->target : ".") < 0)
		file->folder = NULL;
	if (asprintf(&file->temporary, "%.*s.%.200s.%ld.partial", folder_len, file->target, name,
		     (long)getpid()) < 0)
		file->temporary = NULL;
	return file->folder && file->temporary;
}

static void release(struct outfile *file)
{
	free(file->folder);
	free(file->temporary);
	free(file->target);
	file->folder = file->temporary = file->target = NULL;
	file->fd = -1;
}

/* Opens a file beside path, without a name if that can be. */
static int open_temporary(struct outfile *file)
{
	if (!make_names(file))
		return ENOMEM;
	file->fd = open(file->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	if (file->fd >= 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != EISDIR)
		return errno;
	/* Of a process that had this id and died. */
	if (unlink(file->temporary) != 0 && errno != ENOENT)
		return errno;
	file->fd = open(file->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
	file->has_name = file->fd >= 0;
	return file->fd >= 0 ? 0 : errno;
}

/* Opens what is not to be replaced, by a descriptor or as it is named; 0 or an errno. */
static int open_direct(struct outfile *file, int fd)
{
	file->is_direct = true;
	file->fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0)
			   : open(file->target, O_WRONLY | O_CLOEXEC);
	return file->fd >= 0 ? 0 : errno;
}

int outfile_open(struct outfile *file, const char *path)
{
	struct stat status;
	int error, fd = -1;

	*file = (struct outfile){ .env = { env_alloc, env_release, env_write, file },
				  .path = path };
	if (!path || strcmp(path, "-") == 0) {
		file->path = NULL;
		file->fd = STDOUT_FILENO;
		file->is_direct = true;
		return 0;
	}
	error = find_target(file, &fd);
	if (!error && (fd >= 0 || (stat(file->target, &status) == 0 && !S_ISREG(status.st_mode))))
		error = open_direct(file, fd);
	else if (!error)
		error = open_temporary(file);
	if (error)
		release(file);
	return error;
}

const char *outfile_name(const struct outfile *file)
{
	return file->path ? file->path : "standard output";
}

/* Has the file its temporary name. */
static int give_name(struct outfile *file)
{
	char self[64];

	if (file->has_name)
		return 0;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
	if (unlink(file->temporary) != 0 && errno != ENOENT)
		return errno;
	if (linkat(AT_FDCWD, self, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) != 0)
		return errno;
	file->has_name = true;
	return 0;
}

int outfile_commit(struct outfile *file)
{
	int error = 0;

	if (!file->is_direct)
		error = give_name(file);
	/* Standard output stays open: others may have something to say there. */
	if (file->path && close(file->fd) != 0 && !error)
		error = errno;
	if (!error && !file->is_direct && rename(file->temporary, file->target) != 0)
		error = errno;
	if (error && file->has_name)
		unlink(file->temporary);
	release(file);
	return error;
}

void outfile_discard(struct outfile *file)
{
	if (file->path && file->fd >= 0)
		close(file->fd);
	if (file->has_name)
		unlink(file->temporary);
	release(file);
}
