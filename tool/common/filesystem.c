/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/filesystem.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/syscall.h"

enum {
	MAX_LINKS = 40, /* as in the kernel */
	OWNER_ONLY = 0600,
	RIGHTS = 0777, /* no set-user-id and the like */
	COPY_SIZE = 64 * 1024,
	CALL_MEMFD_CREATE = 319,
	MAX_OTHERS = 64, /* descriptors beyond the program's that the core may have */
};

/* The first descriptor that the program cannot have; in none of the core's public headers. */
extern Int VG_(fd_hard_limit);

Int resolved_path_descriptor(const HChar *path)
{
	static const HChar *const prefixes[] = { "/dev/fd/", "/proc/self/fd/" };

	if (VG_(strcmp)(path, "/dev/stdout") == 0)
		return 1;
	if (VG_(strcmp)(path, "/dev/stderr") == 0)
		return 2;
	for (UInt i = 0; i < 2; i++) {
		SizeT len = VG_(strlen)(prefixes[i]);
		HChar *end;
		Long fd;

		if (VG_(strncmp)(path, prefixes[i], len) != 0)
			continue;
		fd = VG_(strtoll10)(path + len, &end);
		if (end != path + len && *end == '\0' && fd >= 0 && fd < 1000000)
			return (Int)fd;
	}
	return -1;
}

/* A path that is being walked. */
struct path_walk {
	Int root;
	Int dir;       /* reached so far */
	Bool owns_dir; /* neither root nor the directory where the walk began */
	HChar *text;   /* allocated */
	HChar *rest;   /* in text: the names still to be walked */
	UInt n_links;
};

static void go_to(struct path_walk *walk, Int dir, Bool owned)
{
	if (walk->owns_dir)
		syscall_close(walk->dir);
	walk->dir = dir;
	walk->owns_dir = owned;
}

/* Enters the directory of that name; 0 or a positive error number. */
static Int enter(struct path_walk *walk, const HChar *name, Int flags)
{
	Int dir = syscall_openat(walk->dir, name,
				 flags | LINUX_O_PATH | LINUX_O_DIRECTORY | LINUX_O_CLOEXEC, 0);

	if (dir < 0)
		return -dir;
	go_to(walk, dir, True);
	return 0;
}

/*
 * The rule of the kernel's fs.protected_symlinks, _regular and _fifos, which may be switched off.  The
 * owner of the directory is trusted, as root is with /tmp.
 */
static Bool is_foreign(Int dir, const struct vki_stat *stat)
{
	const UInt shared = VKI_S_ISVTX | VKI_S_IWOTH;
	const UInt own = (UInt)VG_(geteuid)();
	struct vki_stat where;

	if (stat->st_uid == own || syscall_fstatat(dir, "", &where, LINUX_AT_EMPTY_PATH) != 0)
		return False;
	return (where.st_mode & shared) == shared && where.st_uid != stat->st_uid;
}

static Bool is_in_proc(Int dir)
{
	return syscall_filesystem(dir) == LINUX_PROC_SUPER_MAGIC;
}

/* Puts the text of the link before the names still to be walked. */
static Int follow(struct path_walk *walk, struct resolved_path *target, const HChar *name,
		  Bool last)
{
	HChar said[VKI_PATH_MAX], *text;
	SizeT size;
	Word len;

	if (is_foreign(walk->dir, &target->stat))
		return RESOLVED_PATH_FOREIGN;
	if (++walk->n_links > MAX_LINKS)
		return VKI_ELOOP;
	len = syscall_readlinkat(walk->dir, name, said, sizeof(said) - 1);
	if (len < 0)
		return (Int)-len;
	said[len] = '\0';
	target->descriptor = last ? resolved_path_descriptor(said) : -1;
	size = (SizeT)len + VG_(strlen)(walk->rest) + 2;
	text = VG_(malloc)("costgrind.walk", size);
	VG_(snprintf)(text, (Int)size, "%s%s%s", said, last ? "" : "/", walk->rest);
	VG_(free)(walk->text);
	walk->text = walk->rest = text;
	if (said[0] == '/')
		go_to(walk, walk->root, False);
	return 0;
}

/* Cuts the next name off the rest; empty at the end.  A name with a slash after it is never last. */
static HChar *take_name(struct path_walk *walk, Bool *last)
{
	HChar *name = walk->rest, *end;

	while (*name == '/')
		name++;
	for (end = name; *end != '\0' && *end != '/';)
		end++;
	*last = *end == '\0';
	walk->rest = end;
	if (*end == '/') {
		*end = '\0';
		walk->rest = end + 1;
	}
	return name;
}

/* Walks one name, and at the end sets *found to the last name. */
static Int step(struct path_walk *walk, struct resolved_path *target, const HChar **found)
{
	Bool last;
	HChar *name = take_name(walk, &last);
	Int error;

	target->is_magic = False;
	if (name[0] == '\0' || VG_(strcmp)(name, ".") == 0) {
		*found = walk->rest[0] == '\0' ? "" : NULL;
		return 0;
	}
	error = -syscall_fstatat(walk->dir, name, &target->stat, LINUX_AT_SYMLINK_NOFOLLOW);
	if (error == VKI_ENOENT && last) {
		*found = name;
		return 0;
	}
	if (error != 0)
		return error;
	target->is_magic = VKI_S_ISLNK(target->stat.st_mode) && is_in_proc(walk->dir);
	if (VKI_S_ISLNK(target->stat.st_mode) && !target->is_magic)
		return follow(walk, target, name, last);
	if (!last || VG_(strcmp)(name, "..") == 0)
		return enter(walk, name, target->is_magic ? 0 : LINUX_O_NOFOLLOW);
	*found = name;
	target->exists = True;
	return 0;
}

/* Checks the file at the end of the walk. */
static Int look(struct path_walk *walk, struct resolved_path *target)
{
	Int flags = target->name[0] == '\0' ? LINUX_AT_EMPTY_PATH : 0;
	Int error = 0;

	if (target->exists && !target->is_magic)
		return is_foreign(walk->dir, &target->stat) ? RESOLVED_PATH_FOREIGN : 0;
	if (target->is_magic || flags != 0) {
		error = -syscall_fstatat(walk->dir, target->name, &target->stat, flags);
		target->exists = error == 0;
	}
	return error;
}

Int resolved_path_find(struct resolved_path *target, Int root, Int dir, const HChar *path)
{
	struct path_walk walk = { .root = root, .dir = path[0] == '/' ? root : dir };
	const HChar *found = NULL;
	Int error = 0;

	*target = (struct resolved_path){ .dir = -1, .descriptor = -1 };
	walk.text = walk.rest = VG_(strdup)("costgrind.walk", path);
	while (error == 0 && found == NULL && target->descriptor < 0)
		error = step(&walk, target, &found);
	target->dir = walk.dir;
	target->owns_dir = walk.owns_dir;
	target->is_link = walk.n_links != 0 || target->is_magic;
	target->name = VG_(strdup)("costgrind.name", found != NULL ? found : "");
	VG_(free)(walk.text);
	return error != 0 || target->descriptor >= 0 ? error : look(&walk, target);
}

void resolved_path_release(struct resolved_path *target)
{
	if (target->owns_dir)
		syscall_close(target->dir);
	target->owns_dir = False;
	VG_(free)(target->name);
	target->name = NULL;
}

Bool resolved_path_is_regular(const struct resolved_path *target)
{
	return target->exists && VKI_S_ISREG(target->stat.st_mode);
}

Bool resolved_path_is_replaceable(const struct resolved_path *target)
{
	if (target->is_link)
		return False;
	return !target->exists || (resolved_path_is_regular(target) && target->stat.st_nlink == 1 &&
				   target->stat.st_size > 0);
}

Int resolved_path_open(const struct resolved_path *target, Int flags)
{
	flags |= VKI_O_NONBLOCK | LINUX_O_CLOEXEC | (target->is_magic ? 0 : LINUX_O_NOFOLLOW);
	if (!target->exists)
		flags |= VKI_O_CREAT | VKI_O_EXCL;
	return syscall_openat(target->dir, target->name, flags, OWNER_ONLY);
}

Bool resolved_path_lend_rights(const struct resolved_path *target, Int fd, Bool grows)
{
	const struct vki_stat *old = &target->stat;
	UInt mode = old->st_mode & RIGHTS;
	struct vki_stat now;
	Bool all = True;

	if (syscall_fstatat(fd, "", &now, LINUX_AT_EMPTY_PATH) != 0)
		return False;
	if (now.st_gid != old->st_gid && syscall_fchown(fd, (UInt)-1, old->st_gid) != 0) {
		mode &= ~(UInt)VKI_S_IRWXG;
		all = False;
	}
	if (now.st_uid != old->st_uid && syscall_fchown(fd, old->st_uid, (UInt)-1) != 0)
		all = False;
	if (grows)
		mode |= OWNER_ONLY;
	if ((now.st_mode & RIGHTS) != mode && syscall_fchmod(fd, mode) != 0)
		all = False;
	return all;
}

/* Writes all bytes at this offset; 0 or a positive error number. */
static Int write_at(Int fd, const HChar *bytes, SizeT len, ULong offset)
{
	while (len > 0) {
		Word n = syscall_pwrite(fd, bytes, len, offset);

		if (n == -VKI_EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? (Int)-n : VKI_EIO;
		bytes += n;
		len -= (SizeT)n;
		offset += (ULong)n;
	}
	return 0;
}

/* Zeros after the end: the one way to reserve room that every file system has. */
static Int write_zeros(Int fd, ULong from, ULong to, HChar *buffer)
{
	Int error = 0;

	VG_(memset)(buffer, 0, COPY_SIZE);
	while (error == 0 && from < to) {
		SizeT len = to - from < COPY_SIZE ? (SizeT)(to - from) : COPY_SIZE;

		error = write_at(fd, buffer, len, from);
		from += len;
	}
	return error;
}

/*
 * Reserves room for size bytes on the disk; on failure nothing has changed.  The size stays the same if
 * possible, so that a reader sees the old file meanwhile.
 */
static Int reserve(Int fd, ULong old_size, ULong size, HChar *buffer)
{
	Int error;

	do
		error = -syscall_fallocate(fd, LINUX_FALLOC_FL_KEEP_SIZE, 0, size);
	while (error == VKI_EINTR);
	if (error == 0)
		return 0;
	if (error != VKI_ENOSPC && error != LINUX_EDQUOT && error != VKI_EFBIG && error != VKI_EIO)
		error = write_zeros(fd, old_size, size, buffer);
	if (error != 0)
		syscall_ftruncate(fd, old_size);
	return error;
}

static Int copy(Int fd, Int from, ULong size, HChar *buffer)
{
	ULong done = 0;

	while (done < size) {
		Word n = syscall_pread(from, buffer, COPY_SIZE, done);
		Int error;

		if (n == -VKI_EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? (Int)-n : VKI_EIO;
		error = write_at(fd, buffer, (SizeT)n, done);
		if (error != 0)
			return error;
		done += (ULong)n;
	}
	return 0;
}

Int resolved_path_overwrite(Int fd, Int from, ULong size)
{
	struct vki_stat stat;
	HChar *buffer;
	Int error = -syscall_fstatat(fd, "", &stat, LINUX_AT_EMPTY_PATH);

	if (error == 0 && !VKI_S_ISREG(stat.st_mode))
		error = VKI_EEXIST;
	if (error != 0)
		return error;
	buffer = VG_(malloc)("costgrind.copy", COPY_SIZE);
	error = reserve(fd, (ULong)stat.st_size, size, buffer);
	if (error == 0)
		error = copy(fd, from, size, buffer);
	if (error == 0)
		error = -syscall_ftruncate(fd, size);
	VG_(free)(buffer);
	return error;
}

static Bool has_name(Int fd, const HChar *name)
{
	HChar link[64], found[64], wanted[64];
	Word len;

	VG_(snprintf)(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = syscall_make(__NR_readlink, (UWord)link, (UWord)found, sizeof(found) - 1, 0, 0);
	found[len > 0 ? len : 0] = '\0';
	VG_(snprintf)(wanted, sizeof(wanted), "/memfd:%s (deleted)", name);
	return VG_(strcmp)(found, wanted) == 0;
}

Int memfile_find(const HChar *name)
{
	for (Int fd = VG_(fd_hard_limit); fd < VG_(fd_hard_limit) + MAX_OTHERS; fd++)
		if (has_name(fd, name))
			return fd;
	return -1;
}

Int memfile_make(const HChar *name)
{
	Int fd = (Int)syscall_make(CALL_MEMFD_CREATE, (UWord)name, 0, 0, 0, 0);
	Int beyond;

	if (fd < 0)
		return -1;
	beyond = syscall_fcntl(fd, VKI_F_DUPFD, (UWord)VG_(fd_hard_limit));
	syscall_close(fd);
	return beyond;
}
