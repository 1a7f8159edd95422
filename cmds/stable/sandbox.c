/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The new root is an empty file system in memory, with a mount of each entry of the old
 * root in it.  It is put on top of a folder that is there on all systems, becomes the
 * root, and the old root is reached below it until all is mounted.
 */
#define _GNU_SOURCE /* CLONE_NEWNS, setns() and the like */
#include "cmds/stable/stable.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = PATH_MAX + 64 };

/* Where the old root is while the new one is built; no name that a root would have. */
#define OLD_ROOT "/.costgrind-old"

pid_t sandbox_fork(const struct sandbox *sandbox)
{
	unsigned long flags = SIGCHLD;

	if (sandbox->has_user)
		flags |= CLONE_NEWUSER;
	if (sandbox->has_files)
		flags |= CLONE_NEWNS;
	if (sandbox->has_pids)
		flags |= CLONE_NEWPID;
	if (sandbox->has_host)
		flags |= CLONE_NEWUTS;
	return (pid_t)syscall(SYS_clone, flags, 0L, 0L, 0L, 0L);
}

/* Notes what went wrong; for return. */
static bool fail(struct trouble *trouble, const char *what, const char *path)
{
	trouble->error = errno;
	snprintf(trouble->what, sizeof(trouble->what), "%.40s%s%.50s", what, path ? " " : "",
		 path ? path : "");
	return false;
}

/* -- user ------------------------------------------------------------------------------ */

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t len = strlen(text);
	bool fine = fd >= 0 && write(fd, text, len) == (ssize_t)len;
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return fine;
}

static bool map_id(const char *path, unsigned inside, unsigned outside)
{
	char text[64];

	snprintf(text, sizeof(text), "%u %u 1", inside, outside);
	return write_text(path, text);
}

static bool map_user(const struct sandbox *sandbox, uid_t uid, gid_t gid, struct trouble *trouble)
{
	bool keeps = sandbox->keeps_user;

	if (!write_text("/proc/self/setgroups", "deny") && errno != ENOENT)
		return fail(trouble, "write /proc/self/setgroups", NULL);
	if (!map_id("/proc/self/uid_map", keeps ? uid : 0, uid))
		return fail(trouble, "write /proc/self/uid_map", NULL);
	if (!map_id("/proc/self/gid_map", keeps ? gid : 0, gid))
		return fail(trouble, "write /proc/self/gid_map", NULL);
	return true;
}

/* -- files ----------------------------------------------------------------------------- */

static bool make_folder(const char *path, mode_t mode, struct trouble *trouble)
{
	if (mkdir(path, mode) == 0 && chmod(path, mode) == 0)
		return true;
	return fail(trouble, "mkdir", path);
}

static bool make_file(const char *path, struct trouble *trouble)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return fail(trouble, "create", path);
	close(fd);
	return true;
}

/* Makes a place of the same kind as what is to be there, and mounts it. */
static bool bind_new(const char *from, const char *to, bool is_folder, struct trouble *trouble)
{
	return (is_folder ? make_folder(to, 0755, trouble) : make_file(to, trouble)) &&
	       (mount(from, to, NULL, MS_BIND | MS_REC, NULL) == 0 || fail(trouble, "mount", to));
}

static bool swap_roots(struct trouble *trouble)
{
	static const char *const tops[] = { "/tmp", "/usr", "/etc", "/proc" };
	const char *top = NULL;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return fail(trouble, "mount --make-rprivate /", NULL);
	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]) && !top; i++)
		if (mount("costgrind", tops[i], "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") == 0)
			top = tops[i];
		else if (errno != ENOENT)
			break;
	if (!top)
		return fail(trouble, "mount tmpfs", NULL);
	if (chdir(top) != 0 || mkdir(&OLD_ROOT[1], 0755) != 0)
		return fail(trouble, "mkdir", OLD_ROOT);
	if (syscall(SYS_pivot_root, ".", &OLD_ROOT[1]) != 0)
		return fail(trouble, "pivot_root", NULL);
	return chdir("/") == 0 || fail(trouble, "chdir", "/");
}

static bool copy_link(const char *from, const char *to, struct trouble *trouble)
{
	char link[PATH_SIZE];
	ssize_t len = readlink(from, link, sizeof(link) - 1);

	if (len < 0)
		return fail(trouble, "readlink", to);
	link[len] = '\0';
	return symlink(link, to) == 0 || fail(trouble, "symlink", to);
}

/* One entry of the old root. */
static bool bring(const char *name, const struct sandbox *sandbox, struct trouble *trouble)
{
	char from[PATH_SIZE], to[PATH_SIZE];
	struct stat stat;

	snprintf(from, sizeof(from), "%s/%s", OLD_ROOT, name);
	snprintf(to, sizeof(to), "/%s", name);
	if (strcmp(to, SANDBOX_FOLDER) == 0) {
		errno = EEXIST;
		return fail(trouble, "the folder", SANDBOX_FOLDER);
	}
	if (lstat(from, &stat) != 0)
		return true; /* it has just gone */
	if (S_ISLNK(stat.st_mode))
		return copy_link(from, to, trouble);
	if (sandbox->has_pids && strcmp(name, "proc") == 0) {
		if (!make_folder(to, 0755, trouble))
			return false;
		return mount("proc", to, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0 ||
		       fail(trouble, "mount", to);
	}
	return bind_new(from, to, S_ISDIR(stat.st_mode), trouble);
}

static bool bring_all(const struct sandbox *sandbox, struct trouble *trouble)
{
	DIR *folder = opendir(OLD_ROOT);
	bool fine = folder != NULL || fail(trouble, "opendir", "/");
	const struct dirent *entry;

	while (fine && (entry = readdir(folder)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			fine = bring(entry->d_name, sandbox, trouble);
	if (folder)
		closedir(folder);
	return fine;
}

/*
 * Links to what is in a folder, and not a mount of it: in a build directory there are
 * links relative to it.
 */
static bool link_all(const char *from, const char *to, struct trouble *trouble)
{
	DIR *folder = opendir(from);
	bool fine = folder != NULL || fail(trouble, "opendir", from);
	const struct dirent *entry;

	fine = fine && make_folder(to, 0755, trouble);
	while (fine && (entry = readdir(folder)) != NULL) {
		char path[PATH_SIZE], link[PATH_SIZE];
		char *real;

		snprintf(path, sizeof(path), "%s/%s", from, entry->d_name);
		snprintf(link, sizeof(link), "%s/%s", to, entry->d_name);
		real = entry->d_name[0] == '.' ? NULL : realpath(path, NULL);
		fine = !real || symlink(real, link) == 0 || fail(trouble, "symlink", link);
		free(real);
	}
	if (folder)
		closedir(folder);
	return fine;
}

static bool furnish(const struct sandbox *sandbox, struct trouble *trouble)
{
	static const struct {
		const char *path;
		mode_t mode;
	} folders[] = {
		{ SANDBOX_FOLDER, 0755 },         { SANDBOX_FOLDER "/bin", 0755 },
		{ SANDBOX_FOLDER "/home", 0755 }, { SANDBOX_FOLDER "/nest", 0755 },
		{ SANDBOX_FOLDER "/tmp", 01777 },
	};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (!make_folder(folders[i].path, folders[i].mode, trouble))
			return false;
	if (sandbox->work && !bind_new(sandbox->work, SANDBOX_WORK, true, trouble))
		return false;
	if (sandbox->program &&
	    !bind_new(sandbox->program, sandbox->program_is_file ? SANDBOX_PROGRAM : SANDBOX_TREE,
		      !sandbox->program_is_file, trouble))
		return false;
	return !sandbox->library || link_all(sandbox->library, SANDBOX_LIBRARY, trouble);
}

bool sandbox_build(const struct sandbox *sandbox, uid_t uid, gid_t gid, struct trouble *trouble)
{
	static const char host[] = "localhost", last_pid[] = "/proc/sys/kernel/ns_last_pid";
	char before[32];
	mode_t mask;
	bool fine;

	if (sandbox->has_user && !map_user(sandbox, uid, gid, trouble))
		return false;
	if (sandbox->has_host && sethostname(host, sizeof(host) - 1) != 0)
		return fail(trouble, "sethostname", NULL);
	mask = umask(0);
	fine = !sandbox->has_files ||
	       (swap_roots(trouble) && bring_all(sandbox, trouble) && furnish(sandbox, trouble));
	if (fine && sandbox->has_files && umount2(OLD_ROOT, MNT_DETACH) != 0)
		fine = fail(trouble, "umount", OLD_ROOT);
	/* Busy if a copy of "/", the current directory, is mounted; then it stays, empty. */
	if (fine && sandbox->has_files && rmdir(OLD_ROOT) != 0 && errno != EBUSY)
		fine = fail(trouble, "rmdir", OLD_ROOT);
	umask(mask);
	snprintf(before, sizeof(before), "%ld", (long)sandbox->first_pid - 1);
	if (fine && sandbox->first_pid != 0 && !write_text(last_pid, before))
		fine = fail(trouble, "write /proc/sys/kernel/ns_last_pid", NULL);
	return fine;
}

/* Built in a child, which then ends; its trouble comes through a pipe. */
bool sandbox_is_allowed(struct trouble *trouble)
{
	const struct sandbox sandbox = {
		.has_user = geteuid() != 0,
		.has_files = true,
		.has_pids = true,
		.has_host = true,
	};
	uid_t uid = geteuid();
	gid_t gid = getegid();
	int ends[2];
	pid_t child;
	ssize_t n;

	*trouble = (struct trouble){ .error = 0 };
	if (pipe2(ends, O_CLOEXEC) != 0)
		return fail(trouble, "pipe", NULL);
	child = sandbox_fork(&sandbox);
	if (child == 0) {
		bool fine = sandbox_build(&sandbox, uid, gid, trouble);

		_exit(!fine && write(ends[1], trouble, sizeof(*trouble)) < 0);
	}
	if (child < 0)
		fail(trouble, "", NULL);
	close(ends[1]);
	do
		n = child < 0 ? 0 : read(ends[0], trouble, sizeof(*trouble));
	while (n < 0 && errno == EINTR);
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return trouble->error == 0;
}
