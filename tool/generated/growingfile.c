/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/growingfile.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/common/self.h"
#include "tool/common/syscall.h"

void growingfile_set(struct growingfile *file, const HChar *path)
{
	if (file->path != NULL)
		VG_(free)(file->path);
	*file = (struct growingfile){
		.path = path == NULL ? NULL
				     : VG_(strdup)("costgrind.growing", path),
		};
}

/* What the kernel says, of the file of its name or that a descriptor is of. */
static Bool is_trusted(const struct vki_stat *stat)
{
	return VKI_S_ISREG(stat->st_mode) &&
	       (stat->st_uid == 0 || stat->st_uid == (ULong)VG_(geteuid)());
}

static void note_identity(struct growingfile *file, const struct vki_stat *stat)
{
	if (file->device == stat->st_dev && file->inode == stat->st_ino &&
	    (ULong)stat->st_size >= file->read)
		return;
	file->device = stat->st_dev;
	file->inode = stat->st_ino;
	file->read = 0;
	file->seen = 0;
}

Int growingfile_open(struct growingfile *file, ULong not_before, ULong *size)
{
	struct vki_stat stat;
	Int fd;

	if (file->path == NULL || tool_self.sealed ||
	    syscall_fstatat(LINUX_AT_FDCWD, file->path, &stat, 0) != 0 || !is_trusted(&stat) ||
	    (ULong)stat.st_mtime < not_before)
		return -1;
	note_identity(file, &stat);
	if ((ULong)stat.st_size == file->seen)
		return -1;
	/* It may have become a pipe since. */
	fd = syscall_openat(LINUX_AT_FDCWD, file->path,
			    VKI_O_RDONLY | VKI_O_NONBLOCK | LINUX_O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (syscall_fstatat(fd, "", &stat, LINUX_AT_EMPTY_PATH) != 0 || !is_trusted(&stat)) {
		growingfile_close(fd);
		return -1;
	}
	note_identity(file, &stat);
	file->seen = (ULong)stat.st_size;
	*size = file->seen;
	return fd;
}

SizeT growingfile_read(Int fd, void *to, SizeT len, ULong offset)
{
	SizeT n = 0;

	while (n < len) {
		Word result = syscall_pread(fd, (UChar *)to + n, len - n, offset + n);

		if (result <= 0)
			break;
		n += (SizeT)result;
	}
	return n;
}

void growingfile_close(Int fd)
{
	syscall_close(fd);
}
