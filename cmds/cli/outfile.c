/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* O_TMPFILE, fallocate(), memfd_create() */
#include "cmds/cli/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "profile/common/heap.h"

int write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t written = write(fd, p, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return errno;
		p += written;
		len -= (size_t)written;
	}
	return 0;
}

static int env_write(void *ctx, const void *data, size_t len)
{
	const struct outfile *file = ctx;

	return write_all(file->fd, data, len);
}

/* The descriptor that a name in /dev or /proc is, -1 if none. */
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

/* The folder that a name is in, up to and with the slash, on the heap. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? heap_copy_part(path, (size_t)(slash - path) + 1) : heap_copy(".");
}

/*
 * True if it is another user's in a folder that all may write but not clear, such as /tmp: what the
 * kernel's fs.protected_symlinks and its kin are about, which may be switched off.
 */
static bool is_foreign(const char *path, const struct stat *status)
{
	const mode_t shared = S_ISVTX | S_IWOTH;
	struct stat where;
	char *folder;
	bool known;

	if (status->st_uid == geteuid())
		return false;
	folder = folder_of(path);
	known = stat(folder, &where) == 0;
	free(folder);
	return known && (where.st_mode & shared) == shared && where.st_uid != status->st_uid;
}

/* True if it is in /proc, whose links to folders only the kernel can follow: they have no text. */
static bool is_magic(const char *path)
{
	char *folder = folder_of(path);
	struct statfs status;
	bool is_proc = statfs(folder, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;

	free(folder);
	return is_proc;
}

/*
 * Finds the first link on the way: *len is where its name ends in path, 0 if there is none, said
 * its text.  0 or an errno.
 */
static int find_link(const char *path, size_t *len, char said[PATH_MAX])
{
	size_t end = 0;

	for (*len = 0; path[end] != '\0' && *len == 0;) {
		struct stat status;
		bool is_link, is_there;
		char *prefix;
		int error = 0;

		end += strspn(path + end, "/");
		end += strcspn(path + end, "/");
		prefix = heap_copy_part(path, end);
		is_there = lstat(prefix, &status) == 0;
		is_link = is_there && S_ISLNK(status.st_mode) &&
			  (path[end] == '\0' || !is_magic(prefix));
		/* A folder is not one that leads elsewhere, whoever made it. */
		if (is_there && (is_link || path[end] == '\0') && is_foreign(prefix, &status))
			error = OUTFILE_FOREIGN;
		if (is_link && !error) {
			ssize_t n = readlink(prefix, said, PATH_MAX - 1);

			error = n < 0 ? errno : 0;
			said[n < 0 ? 0 : n] = '\0';
			*len = end;
		}
		free(prefix);
		if (!is_there || error)
			return error;
	}
	return 0;
}

/*
 * Sets target to what path leads to, link by link, folders too; *fd is the descriptor that this
 * is, or -1.  0 or an errno.
 */
static int find_target(struct outfile *file, int *fd)
{
	enum { MAX_LINKS = 40 };
	char said[PATH_MAX];

	file->target = heap_copy(file->path);
	for (int i = 0; i < MAX_LINKS; i++) {
		size_t len, folder;
		char *next;
		int error;

		*fd = descriptor_of(file->target);
		if (*fd >= 0)
			return 0;
		error = find_link(file->target, &len, said);
		if (error || len == 0)
			return error;
		file->linked |= file->target[len] == '\0';
		/* What the link says in place of its name, seen from the folder that it is in. */
		folder = said[0] == '/' ? 0 : len;
		while (folder > 0 && file->target[folder - 1] != '/')
			folder--;
		next = heap_print("%.*s%s%s", (int)folder, file->target, said, file->target + len);
		free(file->target);
		file->target = next;
	}
	return ELOOP;
}

static struct outfile *last_opened; /* and those before it, until they are released */

/* A file that is open when the program ends, as it does without memory, is not whole. */
static void remove_temporaries(void)
{
	for (const struct outfile *file = last_opened; file; file = file->before)
		if (file->has_name && file->opener == getpid())
			unlink(file->temporary);
}

static void release(struct outfile *file)
{
	struct outfile **at = &last_opened;

	while (*at && *at != file)
		at = &(*at)->before;
	if (*at)
		*at = file->before;
	free(file->folder);
	free(file->temporary);
	free(file->target);
	file->folder = file->temporary = file->target = NULL;
	file->fd = -1;
}

/*
 * Opens a file next to path, without a name if that can be; else as ".NAME.PID.partial", since others may
 * write it too, with as much of NAME as may be.
 */
static int open_temporary(struct outfile *file)
{
	static bool is_registered;
	const char *slash = strrchr(file->target, '/');
	const char *name = slash ? slash + 1 : file->target;

	file->folder = folder_of(file->target);
	file->temporary = heap_print("%s.%.200s.%ld.partial", slash ? file->folder : "", name,
				     (long)getpid());
	if (!is_registered)
		is_registered = atexit(remove_temporaries) == 0;
	file->opener = getpid();
	file->before = last_opened;
	last_opened = file;
	file->fd = open(file->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	if (file->fd >= 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != EISDIR)
		return errno;
	/* Of a process that had this id and died. */
	if (unlink(file->temporary) != 0 && errno != ENOENT)
		return errno;
	file->fd = open(file->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
	file->has_name = file->fd >= 0;
	return file->fd >= 0 ? 0 : errno;
}

/* True if a file of this name can be replaced by another one. */
static bool is_replaceable(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_nlink == 1 && status->st_size != 0;
}

/* Opens what is to take the place of the target, which is a regular file or not there; 0 or an errno. */
static int open_place(struct outfile *file, bool exists, const struct stat *status)
{
	int error;

	file->overwrites = exists && (file->linked || !is_replaceable(status));
	if (file->overwrites && access(file->target, W_OK) != 0)
		return errno;
	error = open_temporary(file);
	if (!error || !exists || access(file->target, W_OK) != 0)
		return error;
	file->overwrites = true;
	free(file->temporary);
	file->temporary = NULL;
	file->denied = error;
	file->fd = memfd_create("costgrind", MFD_CLOEXEC);
	return file->fd >= 0 ? 0 : error;
}

int outfile_open(struct outfile *file, const char *command, const char *path)
{
	struct stat status;
	int error, fd = -1;
	bool exists;

	*file = (struct outfile){ .env = { heap_env.alloc, heap_env.release, env_write, file },
				  .command = command,
				  .path = path };
	/* A file that gets too large for the limit is an error as any other, and no death. */
	signal(SIGXFSZ, SIG_IGN);
	if (!path || strcmp(path, "-") == 0) {
		file->path = NULL;
		file->fd = STDOUT_FILENO;
		file->is_direct = true;
		return 0;
	}
	error = find_target(file, &fd);
	exists = !error && fd < 0 && stat(file->target, &status) == 0;
	/* What is not to be replaced, by a descriptor or as it is named. */
	if (!error && (fd >= 0 || (exists && !S_ISREG(status.st_mode)))) {
		file->is_direct = true;
		file->fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0)
				   : open(file->target, O_WRONLY | O_CLOEXEC);
		error = file->fd >= 0 ? 0 : errno;
	} else if (!error) {
		error = open_place(file, exists, &status);
	}
	if (error)
		release(file);
	return error;
}

const char *outfile_reason(int error)
{
	return error == OUTFILE_FOREIGN
		       ? "another user's file or link, in a directory that all may write"
		       : strerror(error);
}

const char *outfile_name(const struct outfile *file)
{
	return file->path ? file->path : "standard output";
}

/* Gives the file its temporary name. */
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

/* Gives the new file mode and owner of the old one, as far as possible; true if it has both. */
static bool lend_rights(const struct outfile *file, const struct stat *old)
{
	mode_t mode = old->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
	struct stat now;
	bool all = true;

	if (fstat(file->fd, &now) != 0)
		return false;
	/* The group by itself: one may give away to a group what one may not to a user. */
	if (now.st_gid != old->st_gid && fchown(file->fd, (uid_t)-1, old->st_gid) != 0) {
		mode &= ~(mode_t)S_IRWXG;
		all = false;
	}
	if (now.st_uid != old->st_uid && fchown(file->fd, old->st_uid, (gid_t)-1) != 0)
		all = false;
	return fchmod(file->fd, mode) == 0 && all;
}

/*
 * Zeros after the end: the only room that all file systems give before it is needed, and
 * posix_fallocate() wants to read the file for it.
 */
static int write_zeros(int fd, off_t from, off_t to)
{
	static const char zeros[64 * 1024];

	while (from < to) {
		size_t len = to - from < (off_t)sizeof(zeros) ? (size_t)(to - from) : sizeof(zeros);
		ssize_t written = pwrite(fd, zeros, len, from);

		if (written < 0 && errno != EINTR)
			return errno;
		from += written > 0 ? written : 0;
	}
	return 0;
}

/* Reserves room on the disk for all of it; if there is none, nothing has changed. */
static int reserve(int fd, off_t old_size, off_t size)
{
	int error = 0;

	if (size == 0 || fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, size) == 0)
		return 0;
	error = errno;
	if (error != ENOSPC && error != EDQUOT && error != EFBIG)
		error = write_zeros(fd, old_size, size);
	if (error && ftruncate(fd, old_size) != 0)
		return errno;
	return error;
}

static int copy(int to, int from)
{
	char buffer[64 * 1024];
	off_t done = 0;
	ssize_t n;

	while ((n = pread(from, buffer, sizeof(buffer), done)) != 0) {
		int error = n < 0 ? errno : write_all(to, buffer, (size_t)n);

		if (error == EINTR && n < 0)
			continue;
		if (error)
			return error;
		done += n;
	}
	return ftruncate(to, done) == 0 ? 0 : errno;
}

/* The target becomes the same as the new file; 0 or an errno. */
static int overwrite(struct outfile *file)
{
	struct stat old, new;
	int error, fd;

	/* A link has been followed to its end; one that has come since is not one that was named. */
	if (lstat(file->target, &old) == 0 && S_ISLNK(old.st_mode))
		return EEXIST;
	fd = open(file->target, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (fstat(fd, &old) != 0 || fstat(file->fd, &new) != 0)
		error = errno;
	else if (!S_ISREG(old.st_mode))
		error = EEXIST;
	else
		error = reserve(fd, old.st_size, new.st_size);
	if (!error) {
		error = copy(fd, file->fd);
		if (error)
			file->has_name = false; /* not to be removed: no other one is whole */
	}
	if (close(fd) != 0 && !error)
		error = errno;
	return error;
}

/* The temporary file, if there is one, becomes the target or what is in it; 0 or an errno. */
static int take_place(struct outfile *file)
{
	struct stat old;
	bool exists = lstat(file->target, &old) == 0, is_kept;
	int error;

	/* It has come since. */
	if (exists && !is_replaceable(&old))
		return overwrite(file);
	is_kept = !exists || lend_rights(file, &old);
	if (is_kept && rename(file->temporary, file->target) == 0) {
		file->has_name = false;
		return 0;
	}
	error = exists ? overwrite(file) : errno;
	if (exists && !is_kept && error == EACCES && rename(file->temporary, file->target) == 0) {
		file->has_name = false;
		return 0;
	}
	return error;
}

int outfile_commit(struct outfile *file)
{
	bool in_memory = !file->is_direct && !file->temporary;
	struct stat now;
	int error = 0, twin;

	if (!file->is_direct && !in_memory)
		error = give_name(file);
	/* A network file system reports at a close what it could not write. */
	twin = !error && !file->is_direct ? dup(file->fd) : -1;
	if (twin >= 0 && close(twin) != 0)
		error = errno;
	if (!error && !file->is_direct && lstat(file->target, &now) == 0 &&
	    is_foreign(file->target, &now))
		error = OUTFILE_FOREIGN;
	if (!error && !file->is_direct)
		error = file->overwrites ? overwrite(file) : take_place(file);
	/* Standard output stays open: others may have something to say there. */
	if (file->path && close(file->fd) != 0 && !error && file->is_direct)
		error = errno;
	if (file->has_name)
		unlink(file->temporary);
	if (!error && file->denied)
		warn(file->command,
		     "%s was overwritten in place; no temporary file could be made next to it: %s",
		     file->path, strerror(file->denied));
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

/* -- printouts -------------------------------------------------------------------------- */

/*
 * True if somebody can leave a pager: standard output is the terminal of this session, which has a
 * size, and this is its foreground.  Where a program made the terminal (script, CI, docker run -t), it
 * has none of its own as a rule, and less would wait for a key for ever; in the background, it would be stopped.
 */
static bool has_keyboard(void)
{
	struct winsize size;

	return tcgetpgrp(STDOUT_FILENO) == getpgrp() &&
	       ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
}

/* True if a shell would find the program that a command begins with; if in doubt, yes. */
static bool can_run(const char *pager)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-+/";
	char path[LAUNCH_PATH], word[LAUNCH_PATH];
	size_t len = strspn(pager, plain);

	if (len == 0 || len >= sizeof(word) || (pager[len] != '\0' && pager[len] != ' '))
		return true;
	snprintf(word, sizeof(word), "%.*s", (int)len, pager);
	return launch_find(word, path, sizeof(path));
}

/* The pager reads what is written to printout->out; without it, all goes to standard output. */
static void start_pager(struct printout *printout)
{
	const char *pager = getenv("COSTGRIND_PAGER");
	int ends[2];

	if (pager == NULL)
		pager = getenv("PAGER");
	if (pager == NULL)
		pager = "less";
	if (pager[0] == '\0' || strcmp(pager, "cat") == 0 || !can_run(pager) || pipe(ends) != 0)
		return;
	fflush(stdout);
	printout->pager = fork();
	if (printout->pager == 0) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		/* As git does it: quit if it fits, colours, no clearing. */
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	if (printout->pager > 0)
		printout->out = fdopen(ends[1], "w");
	if (printout->pager < 0 || !printout->out) {
		close(ends[1]);
		printout->pager = 0;
		printout->out = stdout;
		return;
	}
	/* The user may leave the pager early; an interrupt is the pager's affair. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
}

bool printout_open(struct printout *printout, const char *command, const char *path, bool pages)
{
	int error, fd;

	*printout = (struct printout){ .out = stdout };
	if (path == NULL || strcmp(path, "-") == 0) {
		if (pages && has_keyboard())
			start_pager(printout);
		return true;
	}
	error = outfile_open(&printout->file, command, path);
	if (error) {
		complain(command, "%s: %s", path, outfile_reason(error));
		return false;
	}
	printout->path = path;
	/* The stream's own descriptor: closing it reports errors, and the file goes on. */
	fd = dup(printout->file.fd);
	printout->out = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (printout->out)
		return true;
	complain(command, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	outfile_discard(&printout->file);
	return false;
}

static void wait_for_pager(struct printout *printout)
{
	fclose(printout->out);
	while (waitpid(printout->pager, NULL, 0) < 0 && errno == EINTR)
		;
}

/* True if a signal will end this process without a word, as soon as it is let through: nobody reads any more. */
static bool has_broken_pipe(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

bool printout_close(struct printout *printout, const char *command)
{
	int error = 0;

	if (fflush(printout->out) != 0)
		error = errno;
	else if (ferror(printout->out))
		error = EIO;
	if (printout->pager > 0) {
		/* A pager that was left early is no failure. */
		wait_for_pager(printout);
		return true;
	}
	if (printout->path && fclose(printout->out) != 0 && !error)
		error = errno;
	if (printout->path && error)
		outfile_discard(&printout->file);
	else if (printout->path)
		error = outfile_commit(&printout->file);
	if (error && !has_broken_pipe())
		complain(command, "%s: %s", printout->path ? printout->path : "standard output",
			 outfile_reason(error));
	return error == 0;
}
