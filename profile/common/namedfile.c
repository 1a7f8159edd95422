/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file is looked at before it is opened, since opening alone has effects on some devices, and
 * once more afterwards, since it may be another one by then.
 */
#include "profile/common/namedfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/statfs.h>
#include <unistd.h>

/* True for the kinds of file systems whose files the kernel makes up when they are read. */
static bool is_made_up(const struct statfs *status)
{
	static const unsigned types[] = {
		0x9fa0,     /* proc */
		0x62656572, /* sysfs */
		0x64626720, /* debugfs */
		0x74726163, /* tracefs */
		0x73636673, /* securityfs */
		0x27e0eb,   /* cgroup */
		0x63677270, /* cgroup2 */
		0xcafe4a11, /* bpf */
		0xde5e81e4, /* efivarfs */
		0x62656570, /* configfs */
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if ((unsigned)status->f_type == types[i])
			return true;
	return false;
}

static bool is_fine(const struct stat *status, const struct statfs *system, uint64_t most)
{
	if (!S_ISREG(status->st_mode) || is_made_up(system))
		errno = EINVAL;
	else if ((uint64_t)status->st_size > most)
		errno = EFBIG;
	else
		return true;
	return false;
}

bool namedfile_look(const char *path, uint64_t most, struct stat *status)
{
	struct statfs system;

	return stat(path, status) == 0 && statfs(path, &system) == 0 &&
	       is_fine(status, &system, most);
}

int namedfile_open(const char *path, uint64_t most, struct stat *status)
{
	struct statfs system;
	int fd, error;

	if (!namedfile_look(path, most, status))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (fstat(fd, status) == 0 && fstatfs(fd, &system) == 0 && is_fine(status, &system, most))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}
