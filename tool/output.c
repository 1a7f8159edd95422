/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"

#include "tool/message.h"
#include "tool/syscall.h"

enum {
	FILE_MODE = 0644, /* less the umask: profiles are for reading, also by others */
};

/* Descriptors from here on are the core's, out of the program's reach; not in its public headers. */
extern Int VG_(fd_hard_limit);

/* Moves a descriptor out of the program's reach; if there is no room it stays where it is. */
static Int out_of_reach(Int fd)
{
	Int safe = syscall_fcntl(fd, LINUX_F_DUPFD_CLOEXEC, (UWord)VG_(fd_hard_limit));

	if (safe < 0)
		return fd;
	syscall_close(fd);
	return safe;
}

/* The descriptor that names like /dev/stdout and /dev/fd/3 stand for, -1 for other names. */
static Int standard_descriptor(const HChar *path)
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

static Bool is_regular_file(const struct vki_stat *stat)
{
	return (stat->st_mode & VKI_S_IFMT) == VKI_S_IFREG;
}

/*
 * A directory that cannot be written is fine if the file itself is there and
 * can be: then it is held and written in place.
 */
static void check_writable(struct output *output)
{
	struct vki_stat stat;
	Int error = syscall_fstatat(output->dir, output->base, &stat, 0);
	Bool exists = error == 0;

	if (error == -LINUX_ENAMETOOLONG)
		message_fatal("%s: the %s cannot be written here: %s", output->path, output->what,
			      message_reason(-error));
	if (exists && (stat.st_mode & VKI_S_IFMT) == VKI_S_IFDIR)
		message_fatal("%s: is a directory, expected the name of a file", output->path);
	if (exists && !is_regular_file(&stat))
		error = syscall_faccessat(output->dir, output->base, LINUX_W_OK);
	else
		error = syscall_faccessat(output->dir, ".", LINUX_W_OK | LINUX_X_OK);
	if (error == 0)
		return;
	if (exists && is_regular_file(&stat)) {
		Int fd = syscall_openat(output->dir, output->base, VKI_O_WRONLY | LINUX_O_CLOEXEC,
					0);

		if (fd >= 0) {
			output->held = out_of_reach(fd);
			return;
		}
	}
	message_fatal("%s: the %s cannot be written here: %s", output->path, output->what,
		      message_reason(-error));
}

/* Not by VG_(strrchr), which does not look at the first character. */
static const HChar *base_of(const HChar *path)
{
	const HChar *base = path;

	for (const HChar *p = path; *p != '\0'; p++)
		if (*p == '/')
			base = p + 1;
	return base;
}

/* The directory of the path, with its slash; VG_(free) it. */
static HChar *directory_of(const struct output *output)
{
	SizeT len = (SizeT)(output->base - output->path);
	HChar *dir = VG_(malloc)("costgrind.dir", len + 1);

	VG_(strlcpy)(dir, output->path, len + 1);
	return dir;
}

/* Opens it; a descriptor or a negative error number. */
static Int open_directory(const struct output *output)
{
	HChar *dir = directory_of(output);
	Int fd = syscall_openat(LINUX_AT_FDCWD, dir,
				LINUX_O_PATH | LINUX_O_DIRECTORY | LINUX_O_CLOEXEC, 0);

	VG_(free)(dir);
	return fd;
}

static void set_path(struct output *output, HChar *path)
{
	output->path = path;
	output->base = base_of(path);
}

/* Whether it is a name like /dev/stdout; then it is open. */
static Bool is_direct(struct output *output)
{
	Int fd = standard_descriptor(output->path);

	if (fd < 0)
		return False;
	output->direct = syscall_fcntl(fd, LINUX_F_DUPFD_CLOEXEC, (UWord)VG_(fd_hard_limit));
	if (output->direct < 0)
		message_fatal("%s: the %s cannot be written here: %s", output->path, output->what,
			      message_reason(-output->direct));
	return True;
}

/*
 * Whether a path of the program before is what the format would give it now: the same
 * directory, unless it is relative to one that may have been left, and the same name, maybe with
 * pids behind it.
 */
static Bool goes_on(const struct output *output, const HChar *path)
{
	SizeT dir_len = (SizeT)(output->base - output->path);
	SizeT len = VG_(strlen)(output->base);
	const HChar *base = base_of(path);

	if ((output->format[0] == '/' || output->format[0] == '%') &&
	    ((SizeT)(base - path) != dir_len || VG_(strncmp)(path, output->path, dir_len) != 0))
		return False;
	if (VG_(strncmp)(base, output->base, len) != 0)
		return False;
	if (base[len] != '\0' && base[len] != '-')
		return False;
	for (const HChar *p = base + len; *p != '\0'; p++)
		if (*p != '-' && (*p < '0' || *p > '9'))
			return False;
	return True;
}

/* Takes the path instead, if its directory can be opened: its descriptor, or a negative number. */
static Int adopt(struct output *output, const HChar *path)
{
	HChar *own = output->path;
	Int fd;

	set_path(output, VG_(strdup)("costgrind.path", path));
	fd = open_directory(output);
	if (fd >= 0) {
		VG_(free)(own);
		return fd;
	}
	VG_(free)(output->path);
	set_path(output, own);
	return fd;
}

void output_init(struct output *output, const HChar *what, const HChar *format, const HChar *path)
{
	Int fd = -1;

	*output = (struct output){
		.what = what,
		.format = format,
		.dir = -1,
		.direct = -1,
		.held = -1,
	};
	set_path(output, VG_(expand_file_name)("--costgrind-out-file", format));
	if (is_direct(output))
		return;
	if (output->base[0] == '\0')
		message_fatal("%s: is a directory, expected the name of a file", output->path);
	if (goes_on(output, path))
		fd = adopt(output, path);
	output->continues = fd >= 0;
	if (fd < 0)
		fd = open_directory(output);
	if (fd < 0)
		message_fatal("%s: the %s cannot be written here: %s: %s", output->path,
			      output->what, directory_of(output), message_reason(-fd));
	output->dir = out_of_reach(fd);
	check_writable(output);
}

Bool output_is_file(const struct output *output)
{
	struct vki_stat stat;

	if (output->direct >= 0)
		return False;
	return syscall_fstatat(output->dir, output->base, &stat, 0) != 0 || is_regular_file(&stat);
}

/* Whether the format gives each process a name of its own. */
static Bool names_the_pid(const HChar *format)
{
	for (const HChar *p = VG_(strchr)(format, '%'); p != NULL; p = VG_(strchr)(p + 2, '%'))
		if (p[1] == 'p')
			return True;
	return False;
}

static HChar *join(const HChar *a, const HChar *b, const HChar *c)
{
	SizeT size = VG_(strlen)(a) + VG_(strlen)(b) + VG_(strlen)(c) + 1;
	HChar *text = VG_(malloc)("costgrind.name", size);

	VG_(snprintf)(text, (Int)size, "%s%s%s", a, b, c);
	return text;
}

/* The child's name: the format's, if that names the pid, or else with the pid behind it. */
static HChar *child_base(const struct output *output)
{
	HChar pid[16];

	if (names_the_pid(output->format)) {
		HChar *path = VG_(expand_file_name)("--costgrind-out-file", output->format);
		HChar *base = join(base_of(path), "", "");

		VG_(free)(path);
		if (VG_(strcmp)(base, output->base) != 0)
			return base;
		VG_(free)(base); /* the pid is in the directory's, which stays the same */
	}
	VG_(snprintf)(pid, sizeof(pid), "-%d", VG_(getpid)());
	return join(output->base, pid, "");
}

/* It is the parent's. */
static void forget_grown(struct output *output)
{
	struct grown_file *grown = &output->grown;

	if (grown->exists && !grown->is_regular && grown->fd != output->direct)
		syscall_close(grown->fd);
	*grown = (struct grown_file){ .exists = False };
	output->continues = False;
}

void output_fork(struct output *output)
{
	HChar *base, *dir, *path;

	output->written = False;
	if (output->held >= 0)
		syscall_close(output->held);
	output->held = -1;
	forget_grown(output);
	if (output->direct >= 0)
		return;
	base = child_base(output);
	dir = directory_of(output);
	path = join(dir, base, "");
	VG_(free)(dir);
	VG_(free)(base);
	VG_(free)(output->path);
	set_path(output, path);
}

/* Opens what is no regular file: without waiting for a reader, but writing does wait. */
static Int begin_direct(struct output_file *file)
{
	file->kind = OUTPUT_DIRECT;
	file->fd = syscall_openat(file->output->dir, file->name,
				  VKI_O_WRONLY | VKI_O_NONBLOCK | LINUX_O_CLOEXEC, 0);
	if (file->fd < 0)
		return -file->fd;
	syscall_fcntl(file->fd, VKI_F_SETFL, 0);
	return 0;
}

static Int begin_in_place(struct output_file *file)
{
	file->kind = OUTPUT_IN_PLACE;
	file->fd = file->output->held;
	if (syscall_lseek(file->fd, 0, 0) < 0)
		return VKI_EIO;
	return -syscall_ftruncate(file->fd, 0);
}

/*
 * Another run may be writing a profile of this name at this moment, or have
 * died while it was: then the name of the partial file gets the pid too.
 */
static Int begin_renamed(struct output_file *file)
{
	const Int flags = VKI_O_WRONLY | VKI_O_CREAT | LINUX_O_NOFOLLOW | LINUX_O_CLOEXEC;
	HChar pid[32];

	file->kind = OUTPUT_RENAMED;
	VG_(snprintf)(pid, sizeof(pid), ".%d.partial", VG_(getpid)());
	if (VG_(strlen)(file->name) + VG_(strlen)(pid) + 1 > LINUX_NAME_MAX)
		file->partial = join(".costgrind", pid, "");
	else
		file->partial = join(".", file->name, ".partial");
	file->fd = syscall_openat(file->output->dir, file->partial, flags | VKI_O_EXCL, FILE_MODE);
	if (file->fd == -VKI_EEXIST) {
		VG_(free)(file->partial);
		file->partial = join(".", file->name, pid);
		file->fd = syscall_openat(file->output->dir, file->partial, flags | VKI_O_TRUNC,
					  FILE_MODE);
	}
	return file->fd < 0 ? -file->fd : 0;
}

/* The inode of a regular file that is open; 0 if it is none. */
static ULong regular_inode(Int fd)
{
	struct vki_stat stat = { .st_ino = 0 };

	if (syscall_make(__NR_fstat, (UWord)fd, (UWord)&stat, 0, 0, 0) < 0 ||
	    !is_regular_file(&stat))
		return 0;
	return stat.st_ino;
}

/* Opens the grown file, if it is still there; a descriptor, or a negative error number. */
static Int open_grown(const struct output *output)
{
	const struct grown_file *grown = &output->grown;
	Int fd;

	if (!grown->is_regular)
		return grown->fd;
	fd = syscall_openat(output->dir, output->base,
			    VKI_O_RDWR | VKI_O_NONBLOCK | LINUX_O_NOFOLLOW | LINUX_O_CLOEXEC, 0);
	if (fd < 0)
		return output->held >= 0 ? output->held : fd;
	if (regular_inode(fd) == grown->inode)
		return out_of_reach(fd);
	syscall_close(fd);
	return -VKI_ENOENT;
}

static void close_grown(const struct output *output, Int fd)
{
	if (output->grown.is_regular && fd != output->held)
		syscall_close(fd);
}

/* Cuts off what comes behind so many bytes, and goes there. */
static Int cut(const struct grown_file *grown, Int fd, ULong length)
{
	Int error = grown->is_regular ? syscall_ftruncate(fd, length) : 0;

	if (error == 0 && grown->is_regular && syscall_lseek(fd, (Word)length, VKI_SEEK_SET) < 0)
		error = -VKI_EIO;
	return -error;
}

/* The file in which the program before this one in this process has left parts. */
static Bool has_own_pid(Int fd)
{
	HChar text[256], wanted[32];
	Word n = syscall_make(__NR_pread64, (UWord)fd, (UWord)text, sizeof(text) - 1, 0, 0);

	text[n > 0 ? n : 0] = '\0';
	VG_(snprintf)(wanted, sizeof(wanted), "\npid: %d\n", VG_(getpid)());
	return VG_(strstr)(text, wanted) != NULL;
}

static void go_on_growing(struct output *output)
{
	Int fd = syscall_openat(output->dir, output->base,
				VKI_O_RDWR | VKI_O_NONBLOCK | LINUX_O_NOFOLLOW | LINUX_O_CLOEXEC,
				0);
	Word length;

	if (fd < 0)
		return;
	length = syscall_lseek(fd, 0, VKI_SEEK_END);
	if (regular_inode(fd) != 0 && length > 0 && has_own_pid(fd))
		output->grown = (struct grown_file){
			.exists = True,
			.is_regular = True,
			.inode = regular_inode(fd),
			.end = (ULong)length,
			.length = (ULong)length,
		};
	syscall_close(fd);
}

Int output_begin_dump(struct output *output)
{
	struct grown_file *grown = &output->grown;
	Int fd, error;

	for (UInt i = 0; i < output->n_finished; i++)
		VG_(free)(output->finished[i]);
	output->n_finished = 0;
	if (output->combines && output->continues && !grown->exists)
		go_on_growing(output);
	output->continues = False;
	if (!grown->exists || !grown->is_regular || grown->length == grown->end)
		return 0;
	fd = open_grown(output);
	if (fd < 0)
		return 0; /* told when it is written */
	error = cut(grown, fd, grown->end);
	close_grown(output, fd);
	if (error == 0)
		grown->length = grown->end;
	return error;
}

/* Whether the file is there to go on with; if not, it begins anew. */
static Bool begin_grown(struct output_file *file, Int *error)
{
	struct grown_file *grown = &file->output->grown;
	Int fd;

	if (!file->output->combines || !grown->exists)
		return False;
	fd = open_grown(file->output);
	if (fd == -VKI_ENOENT) {
		grown->exists = False;
		return False;
	}
	file->kind = OUTPUT_GROWN;
	file->fd = fd;
	file->replaced = grown->replaced;
	/* As if a part that is written again had never been there. */
	file->is_further = grown->length != 0 || !grown->is_regular;
	*error = fd < 0 ? -fd : cut(grown, fd, grown->length);
	return True;
}

/* The first part was written; what is no regular file stays open. */
static void add_grown(const struct output_file *file)
{
	struct grown_file *grown = &file->output->grown;
	Word length = syscall_lseek(file->fd, 0, VKI_SEEK_CUR);
	ULong inode = regular_inode(file->fd);

	*grown = (struct grown_file){
		.exists = True,
		.is_regular = inode != 0,
		.inode = inode,
		.replaced = file->replaced,
		.fd = file->fd,
		.length = length > 0 ? (ULong)length : 0,
	};
}

/* After a further part was written, or not. */
static Int end_grown(struct output_file *file, Int error)
{
	struct grown_file *grown = &file->output->grown;
	Word length;

	if (file->fd < 0)
		return error;
	if (error != 0) {
		cut(grown, file->fd, grown->length);
	} else {
		length = syscall_lseek(file->fd, 0, VKI_SEEK_CUR);
		grown->length = length > 0 ? (ULong)length : 0;
	}
	close_grown(file->output, file->fd);
	return error;
}

void output_keep(struct output *output)
{
	output->grown.end = output->grown.length;
}

Int output_begin(struct output *output, const HChar *suffix, struct output_file *file)
{
	struct vki_stat stat;
	Bool exists;
	Int error = 0;

	*file = (struct output_file){ .output = output, .fd = -1 };
	file->name = join(output->base, suffix, "");
	if (begin_grown(file, &error))
		return error;
	if (output->direct >= 0) {
		file->kind = OUTPUT_DIRECT;
		file->fd = output->direct;
		return 0;
	}
	exists = syscall_fstatat(output->dir, file->name, &stat, 0) == 0;
	if (exists && !is_regular_file(&stat)) {
		error = begin_direct(file);
	} else {
		file->replaced = exists;
		if (suffix[0] == '\0' && output->written)
			file->replaced = output->replaced;
		error = begin_renamed(file);
		if ((error == VKI_EACCES || error == VKI_EPERM || error == VKI_EROFS) &&
		    output->held >= 0 && suffix[0] == '\0')
			error = begin_in_place(file);
	}
	if (error == 0 && file->fd != output->held)
		file->fd = out_of_reach(file->fd);
	return error;
}

int output_write(void *ctx, const void *data, size_t len)
{
	const struct output_file *file = ctx;
	const HChar *from = data;

	while (len > 0) {
		Word written = syscall_write(file->fd, from, len);

		if (written == -VKI_EINTR)
			continue;
		if (written < 0)
			return (int)-written;
		if (written == 0)
			return VKI_EIO;
		from += written;
		len -= (SizeT)written;
	}
	return 0;
}

/* A file that has no part yet, or never gets a second one. */
static Int end_whole(struct output_file *file, Int error)
{
	struct output *output = file->output;
	Bool grows = output->combines && error == 0 &&
		     (file->kind == OUTPUT_RENAMED || file->kind == OUTPUT_DIRECT);

	if (!grows && file->fd >= 0 && file->fd != output->direct && file->fd != output->held) {
		Int closed = syscall_close(file->fd); /* a full NFS disk is told here */

		if (error == 0 && closed < 0)
			error = -closed;
	}
	if (error == 0 && file->kind == OUTPUT_RENAMED)
		error = -syscall_renameat(output->dir, file->partial, file->name);
	if (grows && error == 0)
		add_grown(file);
	if (grows && file->fd != output->direct && (error != 0 || output->grown.is_regular))
		syscall_close(file->fd);
	if (error == 0 && VG_(strcmp)(file->name, output->base) == 0) { /* no suffix */
		output->written = True;
		output->replaced = file->replaced;
	}
	return error;
}

static void note_finished(struct output *output, const HChar *name)
{
	UInt n = output->n_finished;

	if (n > 0 && VG_(strcmp)(output->finished[n - 1], name) == 0)
		return;
	output->finished = VG_(realloc)("costgrind.finished", output->finished,
					(n + 1) * sizeof(output->finished[0]));
	output->finished[output->n_finished++] = VG_(strdup)("costgrind.finished", name);
}

Int output_end(struct output_file *file, Int error)
{
	error = file->kind == OUTPUT_GROWN ? end_grown(file, error) : end_whole(file, error);
	if (error == 0)
		note_finished(file->output, file->name);
	return error;
}

void output_release(struct output_file *file)
{
	VG_(free)(file->name);
	if (file->partial != NULL)
		VG_(free)(file->partial);
}

void output_hold(struct output *output)
{
	struct vki_stat stat;
	Int fd;

	if (output->dir < 0 || output->held >= 0 ||
	    syscall_fstatat(output->dir, output->base, &stat, 0) != 0 || !is_regular_file(&stat))
		return;
	fd = syscall_openat(output->dir, output->base, VKI_O_WRONLY | LINUX_O_CLOEXEC, 0);
	if (fd >= 0)
		output->held = out_of_reach(fd);
}

void output_remove(struct output *output, const HChar *suffix)
{
	HChar *name = join(output->base, suffix, "");

	syscall_unlinkat(output->dir, name);
	VG_(free)(name);
}

UInt output_free_part(struct output *output, UInt part)
{
	for (;; part++) {
		HChar suffix[16];
		struct vki_stat stat;
		HChar *name;
		Bool exists;

		VG_(snprintf)(suffix, sizeof(suffix), ".%u", part);
		name = join(output->base, suffix, "");
		exists = syscall_fstatat(output->dir, name, &stat, 0) == 0;
		VG_(free)(name);
		if (!exists)
			return part;
	}
}
