/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/output.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"

#include "tool/common/filesystem.h"
#include "tool/common/message.h"
#include "tool/common/syscall.h"

enum {
	FILE_MODE = 0600, /* less the umask: arguments, in "cmd:", may be passwords */
};

/* Descriptors from here on are the core's, out of the program's reach; not in its public headers. */
extern Int VG_(fd_hard_limit);

/* Moves a descriptor out of the program's reach, if there is room. */
static Int out_of_reach(Int fd)
{
	Int safe = syscall_fcntl(fd, LINUX_F_DUPFD_CLOEXEC, (UWord)VG_(fd_hard_limit));

	if (safe < 0)
		return fd;
	syscall_close(fd);
	return safe;
}

Int output_root(void)
{
	Int fd = syscall_openat(LINUX_AT_FDCWD, "/",
				LINUX_O_PATH | LINUX_O_DIRECTORY | LINUX_O_CLOEXEC, 0);

	return fd < 0 ? fd : out_of_reach(fd);
}

/* The inode of an open regular file; 0 if it is not regular. */
static ULong regular_inode(Int fd)
{
	struct vki_stat stat = { .st_ino = 0 };

	if (syscall_fstatat(fd, "", &stat, LINUX_AT_EMPTY_PATH) < 0 || !VKI_S_ISREG(stat.st_mode))
		return 0;
	return stat.st_ino;
}

/*
 * Opens the regular file of a name in the directory, following links.  Returns a descriptor, or a negative error
 * number.
 */
static Int open_regular(const struct output *output, const HChar *name, Int flags)
{
	struct resolved_path target;
	Int error = resolved_path_find(&target, output->root, output->dir, name);
	Int fd;

	if (error == 0 && !resolved_path_is_regular(&target))
		error = VKI_ENOENT;
	fd = error != 0 ? -error : resolved_path_open(&target, flags);
	resolved_path_release(&target);
	if (fd < 0)
		return fd;
	if (regular_inode(fd) != 0)
		return out_of_reach(fd);
	syscall_close(fd);
	return -VKI_ENOENT;
}

void output_hold(struct output *output)
{
	Int fd;

	if (output->dir < 0 || output->held >= 0)
		return;
	fd = open_regular(output, output->base, VKI_O_WRONLY);
	if (fd >= 0)
		output->held = fd;
}

/*
 * Why the target could not be written at the end, or 0.  A directory that cannot be written is fine if the file itself
 * exists and can be: then it is held, and written in place.
 */
static Int access_error(struct output *output, const struct resolved_path *target)
{
	const Int enter = LINUX_W_OK | LINUX_X_OK;
	Int directory, itself;

	itself = target->exists ? syscall_faccessat(target->dir, target->name, LINUX_W_OK)
				: syscall_faccessat(target->dir, ".", enter);
	if (target->exists && !resolved_path_is_regular(target))
		return -itself;
	directory = syscall_faccessat(output->dir, ".", enter);
	if (directory == 0 && resolved_path_is_replaceable(target))
		return 0;
	if (directory != 0 && resolved_path_is_regular(target)) {
		output_hold(output);
		return output->held >= 0 ? 0 : -directory;
	}
	return itself != 0 && directory != 0 ? -directory : -itself;
}

/* True if the path names a descriptor (fd >= 0), which is written directly; opens it. */
static Bool is_direct(struct output *output, Int fd)
{
	if (fd < 0)
		return False;
	output->direct = syscall_fcntl(fd, LINUX_F_DUPFD_CLOEXEC, (UWord)VG_(fd_hard_limit));
	if (output->direct < 0)
		message_fatal("%s: the %s cannot be written here: %s", output->path, output->what,
			      message_reason(-output->direct));
	return True;
}

static void check_writable(struct output *output)
{
	struct resolved_path target;
	Int error = resolved_path_find(&target, output->root, output->dir, output->base);

	if (error == 0 && target.exists && VKI_S_ISDIR(target.stat.st_mode))
		message_fatal("%s: is a directory, expected the name of a file", output->path);
	if (error == 0 && is_direct(output, target.descriptor)) {
		syscall_close(output->dir);
		output->dir = -1;
	} else if (error == 0) {
		error = access_error(output, &target);
	}
	if (error != 0)
		message_fatal("%s: the %s cannot be written here: %s", output->path, output->what,
			      message_reason(error));
	resolved_path_release(&target);
}

/* Not with VG_(strrchr), which ignores the first character. */
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
	struct resolved_path target;
	Int error = resolved_path_find(&target, output->root, output->root, dir);
	Int fd = -error;

	if (error == 0 && !target.owns_dir) /* the root itself */
		fd = output_root();
	else if (error == 0)
		fd = target.dir;
	target.owns_dir = target.owns_dir && error != 0;
	resolved_path_release(&target);
	VG_(free)(dir);
	return fd;
}

static void set_path(struct output *output, HChar *path)
{
	output->path = path;
	output->base = base_of(path);
}

/*
 * True if the path of the program before is what the format gives now: the same directory, unless that is relative
 * and may have changed, and the same name, perhaps with pids appended.
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

/* Uses the path instead, if its directory can be opened.  Returns its descriptor, or a negative number. */
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

void output_init(struct output *output, Int root, const HChar *what, const HChar *format,
		 const HChar *path)
{
	Int fd = -1;

	*output = (struct output){
		.what = what,
		.format = format,
		.root = root,
		.dir = -1,
		.direct = -1,
		.held = -1,
	};
	set_path(output, VG_(expand_file_name)("--costgrind-out-file", format));
	if (is_direct(output, resolved_path_descriptor(output->path)))
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
	return syscall_fstatat(output->dir, output->base, &stat, 0) != 0 ||
	       VKI_S_ISREG(stat.st_mode);
}

/* True if the format gives each process a name of its own. */
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

/* The child's name: by the format, if that has the pid, else the parent's with the pid appended. */
static HChar *child_base(const struct output *output)
{
	HChar pid[16];

	if (names_the_pid(output->format)) {
		HChar *path = VG_(expand_file_name)("--costgrind-out-file", output->format);
		HChar *base = join(base_of(path), "", "");

		VG_(free)(path);
		if (VG_(strcmp)(base, output->base) != 0)
			return base;
		VG_(free)(base); /* the pid is in the directory, which stays the same */
	}
	VG_(snprintf)(pid, sizeof(pid), "-%d", VG_(getpid)());
	return join(output->base, pid, "");
}

/* The grown file is the parent's. */
static void forget_grown(struct output *output)
{
	struct grown_file *grown = &output->grown;

	if (grown->exists && !grown->is_regular && grown->fd != output->direct)
		syscall_close(grown->fd);
	*grown = (struct grown_file){ .exists = False };
	output->continues = False;
}

void output_fork_as(struct output *output, const HChar *base)
{
	HChar *dir, *path;

	output->written = False;
	if (output->held >= 0)
		syscall_close(output->held);
	output->held = -1;
	forget_grown(output);
	if (output->direct >= 0)
		return;
	dir = directory_of(output);
	path = join(dir, base, "");
	VG_(free)(dir);
	VG_(free)(output->path);
	set_path(output, path);
}

void output_fork(struct output *output)
{
	HChar *base = child_base(output);

	output_fork_as(output, base);
	VG_(free)(base);
}

static Bool has_no_suffix(const struct output_file *file)
{
	return VG_(strcmp)(file->name, file->output->base) == 0;
}

/* Opens a file that is not regular, without waiting for a reader; writing does wait. */
static Int begin_direct(struct output_file *file, const struct resolved_path *target)
{
	file->kind = OUTPUT_DIRECT;
	/* A duplicate shares the program's offset and flags; if it were opened again, both would write to the same place. */
	if (target->descriptor >= 0) {
		file->fd = syscall_fcntl(target->descriptor, LINUX_F_DUPFD_CLOEXEC,
					 (UWord)VG_(fd_hard_limit));
		return file->fd < 0 ? -file->fd : 0;
	}
	file->fd = resolved_path_open(target, VKI_O_WRONLY);
	if (file->fd < 0)
		return -file->fd;
	syscall_fcntl(file->fd, VKI_F_SETFL, 0);
	return 0;
}

/*
 * Opens the file itself, to be overwritten, or returns the held one if it cannot be opened any more: a descriptor, or a
 * negative error number.  error: what finding the target returned.
 */
static Int open_over(const struct output_file *file, const struct resolved_path *target, Int error)
{
	const struct output *output = file->output;
	Int fd = error != 0 ? -error : resolved_path_open(target, VKI_O_WRONLY);

	if (fd >= 0)
		return out_of_reach(fd);
	return output->held >= 0 && has_no_suffix(file) ? output->held : fd;
}

/* No partial file can be made: collects the profile in memory or, if that fails too, writes to the file itself. */
static Int begin_in_place(struct output_file *file, const struct resolved_path *target, Int error)
{
	Int fd = open_over(file, target, error);

	if (fd < 0)
		return -fd;
	file->kind = OUTPUT_IN_PLACE;
	file->over = fd;
	file->fd = memfile_make("costgrind.profile");
	if (file->fd >= 0)
		return 0;
	file->fd = file->over;
	return syscall_lseek(file->fd, 0, VKI_SEEK_SET) < 0 ? VKI_EIO : 0;
}

/*
 * Another run may be writing a profile of this name, or have died while it did: then the name of the partial file gets
 * the pid too.  If there is one with the pid, it is a dead process's, or a trap for us to write to: it is removed.
 */
static Int begin_partial(struct output_file *file)
{
	const Int flags = VKI_O_RDWR | VKI_O_CREAT | VKI_O_EXCL | LINUX_O_NOFOLLOW |
			  LINUX_O_CLOEXEC;
	Int dir = file->output->dir;
	HChar pid[32];
	Bool is_long;

	file->kind = OUTPUT_PARTIAL;
	VG_(snprintf)(pid, sizeof(pid), ".%d.partial", VG_(getpid)());
	is_long = VG_(strlen)(file->name) + VG_(strlen)(pid) + 1 > LINUX_NAME_MAX;
	file->partial = is_long ? join(".costgrind", pid, "") : join(".", file->name, ".partial");
	file->fd = syscall_openat(dir, file->partial, flags, FILE_MODE);
	if (file->fd == -VKI_EEXIST) {
		VG_(free)(file->partial);
		file->partial = join(".", is_long ? "costgrind" : file->name, pid);
		syscall_unlinkat(dir, file->partial);
		file->fd = syscall_openat(dir, file->partial, flags, FILE_MODE);
	}
	return file->fd < 0 ? -file->fd : 0;
}

/* Opens the grown file, if it is still there; a descriptor, or a negative error number. */
static Int open_grown(const struct output *output)
{
	const struct grown_file *grown = &output->grown;
	Int fd;

	if (!grown->is_regular)
		return grown->fd;
	fd = open_regular(output, output->base, VKI_O_WRONLY);
	if (fd < 0)
		return output->held >= 0 ? output->held : fd;
	if (regular_inode(fd) == grown->inode)
		return fd;
	syscall_close(fd);
	return -VKI_ENOENT;
}

static void close_grown(const struct output *output, Int fd)
{
	if (output->grown.is_regular && fd != output->held)
		syscall_close(fd);
}

/* Cuts the file off after length bytes, and goes there. */
static Int cut(const struct grown_file *grown, Int fd, ULong length)
{
	Int error = grown->is_regular ? syscall_ftruncate(fd, length) : 0;

	if (error == 0 && grown->is_regular && syscall_lseek(fd, (Word)length, VKI_SEEK_SET) < 0)
		error = -VKI_EIO;
	return -error;
}

/* True if the program before this one in this process has left parts in the file. */
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
	Int fd = open_regular(output, output->base, VKI_O_RDWR);
	Word length;

	if (fd < 0)
		return;
	length = syscall_lseek(fd, 0, VKI_SEEK_END);
	if (length > 0 && has_own_pid(fd))
		output->grown = (struct grown_file){
			.exists = True,
			.is_regular = True,
			.inode = regular_inode(fd),
			.end = (ULong)length,
			.length = (ULong)length,
		};
	syscall_close(fd);
}

static void forget_finished(struct output *output)
{
	for (UInt i = 0; i < output->n_finished; i++)
		VG_(free)(output->finished[i]);
	output->n_finished = 0;
}

void output_begin_dump(struct output *output)
{
	struct grown_file *grown = &output->grown;
	Int fd;

	forget_finished(output);
	if (output->combines && output->continues && !grown->exists)
		go_on_growing(output);
	output->continues = False;
	if (!grown->exists || !grown->is_regular || grown->length == grown->end)
		return;
	fd = open_grown(output);
	if (fd < 0)
		return; /* reported when it is written */
	if (cut(grown, fd, grown->end) == 0)
		grown->length = grown->end;
	close_grown(output, fd);
}

/* True if the grown file is still there; if not, a new one begins. */
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
	/* A part that is written again is not counted. */
	file->is_further = grown->length != 0 || !grown->is_regular;
	*error = fd < 0 ? -fd : cut(grown, fd, grown->length);
	return True;
}

/* The first part was written, length bytes; a file that is not regular stays open. */
static void add_grown(const struct output_file *file, Word length)
{
	file->output->grown = (struct grown_file){
		.exists = True,
		.is_regular = file->inode != 0,
		.inode = file->inode,
		.replaced = file->replaced,
		.fd = file->fd,
		.length = length > 0 ? (ULong)length : 0,
	};
}

/* A further part was written, or failed. */
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

/* Opens a file that has no part yet.  error: what finding the target returned. */
static Int begin_whole(struct output_file *file, const struct resolved_path *target, Int error)
{
	Bool exists = error == 0 && target->exists;

	if (error == 0 &&
	    (target->descriptor >= 0 || (exists && !resolved_path_is_regular(target))))
		return begin_direct(file, target);
	file->replaced = exists;
	if (file->output->written && has_no_suffix(file))
		file->replaced = file->output->replaced;
	file->no_partial = begin_partial(file);
	if (file->no_partial == 0 || begin_in_place(file, target, error) != 0)
		return file->no_partial;
	return 0;
}

Int output_begin(struct output *output, const HChar *suffix, struct output_file *file)
{
	struct resolved_path target;
	Int error = 0;

	*file = (struct output_file){ .output = output, .fd = -1, .over = -1 };
	file->name = join(output->base, suffix, "");
	if (begin_grown(file, &error))
		return error;
	if (output->direct >= 0) {
		file->kind = OUTPUT_DIRECT;
		file->fd = output->direct;
		return 0;
	}
	error = resolved_path_find(&target, output->root, output->dir, file->name);
	error = begin_whole(file, &target, error);
	resolved_path_release(&target);
	if (error == 0 && file->kind != OUTPUT_IN_PLACE)
		file->fd = out_of_reach(file->fd);
	return error;
}

/* Makes a network file system report what it could not write, before anything depends on it. */
static Int flush(Int fd)
{
	Int twin = syscall_fcntl(fd, LINUX_F_DUPFD_CLOEXEC, (UWord)VG_(fd_hard_limit));

	return twin < 0 ? 0 : -syscall_close(twin);
}

/* Copies what was written to the file itself, and closes that. */
static Int overwrite(struct output_file *file, Int over)
{
	Word size = syscall_lseek(file->fd, 0, VKI_SEEK_CUR);
	Int error = VKI_EIO, closed = 0;

	if (size >= 0 && over == file->fd)
		error = -syscall_ftruncate(over, (ULong)size);
	else if (size >= 0)
		error = resolved_path_overwrite(over, file->fd, (ULong)size);
	file->inode = regular_inode(over);
	if (over != file->output->held)
		closed = syscall_close(over);
	return error != 0 ? error : -closed;
}

/* Renames the partial file to its name. */
static Int rename_partial(struct output_file *file)
{
	Int error = -syscall_renameat(file->output->dir, file->partial, file->name);

	if (error == 0)
		file->inode = regular_inode(file->fd);
	return error;
}

/* Gives the partial file, which is whole, its name.  error: what finding the target returned. */
static Int take_name(struct output_file *file, const struct resolved_path *target, Int error)
{
	Bool renames = error == 0 && resolved_path_is_replaceable(target);
	Int refused = 0, over;

	if (renames && (!target->exists ||
			resolved_path_lend_rights(target, file->fd, file->output->combines))) {
		refused = rename_partial(file);
		if (refused == 0)
			return 0;
	}
	over = open_over(file, target, error);
	if (over < 0 && refused != 0)
		return refused;
	if (over < 0) /* if it may be renamed, it keeps as many rights as possible */
		return renames ? rename_partial(file) : -over;
	error = overwrite(file, over);
	if (error == 0)
		syscall_unlinkat(file->output->dir, file->partial);
	return error;
}

/* All was written without an error: puts it where it belongs. */
static Int put_in_place(struct output_file *file)
{
	const struct output *output = file->output;
	struct resolved_path target;
	Int error;

	if (file->kind == OUTPUT_IN_PLACE)
		return overwrite(file, file->over);
	if (file->kind != OUTPUT_PARTIAL)
		return 0;
	error = flush(file->fd);
	if (error != 0)
		return error;
	file->is_whole = True;
	error = resolved_path_find(&target, output->root, output->dir, file->name);
	error = take_name(file, &target, error);
	resolved_path_release(&target);
	return error;
}

/* Ends a file that had no part yet. */
static Int end_whole(struct output_file *file, Int error)
{
	struct output *output = file->output;
	Word length = syscall_lseek(file->fd, 0, VKI_SEEK_CUR);
	Bool grows;

	if (error == 0)
		error = put_in_place(file);
	else if (file->over >= 0 && file->over != output->held)
		syscall_close(file->over);
	grows = output->combines && error == 0;
	if (grows)
		add_grown(file, length);
	if (file->fd >= 0 && file->fd != output->direct && file->fd != file->over &&
	    !(grows && !output->grown.is_regular)) {
		Int closed = syscall_close(file->fd);

		if (error == 0 && closed < 0 && file->kind == OUTPUT_DIRECT)
			error = -closed;
	}
	if (error == 0 && has_no_suffix(file)) {
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

void output_withdraw(struct output *output)
{
	for (UInt i = 0; i < output->n_finished; i++) {
		const HChar *name = output->finished[i];
		struct vki_stat stat;
		Int error = syscall_fstatat(output->dir, name, &stat, LINUX_AT_SYMLINK_NOFOLLOW);

		/* A link, a pipe or a file with several names is not ours, and was there before. */
		if (error == 0 && VKI_S_ISREG(stat.st_mode) && stat.st_nlink == 1)
			syscall_unlinkat(output->dir, name);
	}
	forget_finished(output);
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

/* --- for writers, and reports ------------------------------------------------------------ */

static void *env_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return VG_(malloc)("costgrind.writer", size);
}

static void env_release(void *ctx, void *memory)
{
	(void)ctx;
	if (memory != NULL)
		VG_(free)(memory);
}

/* Writes all bytes; returns 0 or a positive error number. */
static int write_all(void *ctx, const void *data, size_t len)
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

struct env output_env(struct output_file *file)
{
	return (struct env){ env_alloc, env_release, write_all, file };
}

void output_report_error(const struct output_file *file, const HChar *suffix, Int error,
			 Bool goes_on)
{
	const HChar *path = file->output->path;
	const Bool has_partial = file->kind == OUTPUT_PARTIAL && file->fd >= 0;
	HChar *dir;

	if (goes_on) {
		if (has_partial)
			syscall_unlinkat(file->output->dir, file->partial);
		message_error("%s%s: %s; its costs are in the next part", path, suffix,
			      message_reason(error));
		return;
	}
	if (file->kind == OUTPUT_GROWN) {
		message_error("%s%s: %s; the last part was not written, those before it are whole",
			      path, suffix, message_reason(error));
		return;
	}
	if (!has_partial) {
		message_error("%s%s: %s; no %s was written", path, suffix, message_reason(error),
			      file->output->what);
		return;
	}
	dir = directory_of(file->output);
	message_error("%s%s: %s; %s is in %s%s", path, suffix, message_reason(error),
		      file->is_whole ? "all that was to be written" : "what was written", dir,
		      file->partial);
	VG_(free)(dir);
}

void output_report_in_place(const struct output_file *file, const HChar *suffix)
{
	if (file->kind == OUTPUT_IN_PLACE)
		message_note(
			"%s%s was overwritten in place; no temporary file could be made next to it: %s",
			file->output->path, suffix, message_reason(file->no_partial));
}
