/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/memfile.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"

#include "tool/common/syscall.h"

enum {
	CALL_MEMFD_CREATE = 319,
	MAX_OTHERS = 64, /* descriptors beyond the program's that the core may have */
};

/* The first descriptor that the program cannot have; not in the core's public headers. */
extern Int VG_(fd_hard_limit);

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
