/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* O_TMPFILE */
#include "cmds/outfile.h"

#include <errno.h>
#include <fcntl.h>
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

/* Sets folder, and temporary as ".NAME.partial" in it. */
static bool make_names(struct outfile *file)
{
	const char *slash = strrchr(file->path, '/');
	const char *name = slash ? slash + 1 : file->path;
	int folder_len = slash ? (int)(slash - file->path) + 1 : 0;

	if (asprintf(&file->folder, "%.*s", folder_len ? folder_len : 1,
		     folder_len ? file->path : ".") < 0)
		file->folder = NULL;
	if (asprintf(&file->temporary, "%.*s.%s.partial", folder_len, file->path, name) < 0)
		file->temporary = NULL;
	return file->folder && file->temporary;
}

static void release(struct outfile *file)
{
	free(file->folder);
	free(file->temporary);
	file->folder = file->temporary = NULL;
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
	file->fd = open(file->temporary, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
	file->has_name = file->fd >= 0;
	return file->fd >= 0 ? 0 : errno;
}

int outfile_open(struct outfile *file, const char *path)
{
	struct stat status;
	int error;

	*file = (struct outfile){ .env = { env_alloc, env_release, env_write, file },
				  .path = path };
	if (!path || strcmp(path, "-") == 0) {
		file->path = NULL;
		file->fd = STDOUT_FILENO;
		file->is_direct = true;
		return 0;
	}
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		file->is_direct = true;
		file->fd = open(path, O_WRONLY | O_CLOEXEC);
		return file->fd >= 0 ? 0 : errno;
	}
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
	if (!error && !file->is_direct && rename(file->temporary, file->path) != 0)
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
