/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/filetime.h"

#include "pub_tool_vki.h"

/* A time in struct statx, and where they are in it: as in the kernel's uapi/linux/stat.h. */
struct statx_time {
	Long seconds;
	UInt ns;
	Int unused;
};

struct statx_times {
	ULong before[8];
	struct statx_time read, born, status, changed;
};

static void round_times(struct vki_stat *stat)
{
	stat->st_mtime_nsec = 0;
	stat->st_ctime_nsec = 0;
	stat->st_atime_nsec = 0;
	stat->st_atime = stat->st_mtime;
}

void filetime_stat(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	round_times((struct vki_stat *)args[1]);
}

void filetime_newfstatat(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	round_times((struct vki_stat *)args[2]);
}

void filetime_statx(ThreadId tid, const UWord *args, UWord result)
{
	struct statx_times *times = (struct statx_times *)args[4];

	(void)tid;
	(void)result;
	times->changed.ns = 0;
	times->status.ns = 0;
	times->born.ns = 0;
	times->read = times->changed;
}
