/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls with their error numbers, which the core's wrappers for tools lose (VG_(rename), VG_(close)), and calls that it has
 * no wrapper for (openat, renameat, ...).
 */
#ifndef TOOL_COMMON_SYSCALL_H
#define TOOL_COMMON_SYSCALL_H

#include "pub_tool_basics.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

/* Parts of Linux' interface that the core's headers leave out; the same on all architectures here. */
enum {
	LINUX_ENAMETOOLONG = 36,
	LINUX_EDQUOT = 122,
	LINUX_AT_FDCWD = -100,
	LINUX_AT_SYMLINK_NOFOLLOW = 0x100,
	LINUX_AT_EMPTY_PATH = 0x1000,
	LINUX_F_DUPFD_CLOEXEC = 1030,
	LINUX_FALLOC_FL_KEEP_SIZE = 1,
	LINUX_PROC_SUPER_MAGIC = 0x9fa0,
	LINUX_PR_SET_SECCOMP = 22,
	LINUX_NAME_MAX = 255, /* bytes */
	LINUX_W_OK = 2,
	LINUX_X_OK = 1,
	LINUX_MADV_HUGEPAGE = 14,
	LINUX_CLOCK_REALTIME = 0,
	LINUX_CLOCK_MONOTONIC = 1,
	LINUX_CLOCK_THREAD_CPUTIME_ID = 3,
	LINUX_ARCH_SET_FS = 0x1002,
	LINUX_NR_OPENAT2 = 437, /* unknown to Valgrind 3.19, which reports that to the program */
};

/* Open flags, as on amd64 and x86. */
enum {
	LINUX_O_NOCTTY = 0400,
	LINUX_O_DIRECTORY = 0200000,
	LINUX_O_NOFOLLOW = 0400000,
	LINUX_O_CLOEXEC = 02000000,
	LINUX_O_PATH = 010000000,
};

/* Makes a system call with 0 as sixth argument; returns the result or a negative error number. */
static inline Word syscall_make(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e)
{
#if defined(VGP_amd64_linux)
	register UWord r10 __asm__("r10") = d;
	register UWord r8 __asm__("r8") = e;
	register UWord r9 __asm__("r9") = 0;
	Word result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#else
# error "no system calls for this platform yet"
#endif
}

static inline Int syscall_openat(Int dir, const HChar *name, Int flags, Int mode)
{
	return (Int)syscall_make(__NR_openat, (UWord)dir, (UWord)name, (UWord)flags, (UWord)mode,
				 0);
}

static inline Int syscall_close(Int fd)
{
	return (Int)syscall_make(__NR_close, (UWord)fd, 0, 0, 0, 0);
}

static inline Word syscall_write(Int fd, const void *data, SizeT len)
{
	return syscall_make(__NR_write, (UWord)fd, (UWord)data, len, 0, 0);
}

static inline Int syscall_fcntl(Int fd, Int command, UWord arg)
{
	return (Int)syscall_make(__NR_fcntl, (UWord)fd, (UWord)command, arg, 0, 0);
}

static inline Bool syscall_is_terminal(Int fd)
{
	struct vki_termios settings = { .c_iflag = 0 };

	return syscall_make(__NR_ioctl, (UWord)fd, VKI_TCGETS, (UWord)&settings, 0, 0) == 0;
}

static inline Int syscall_ftruncate(Int fd, ULong size)
{
	return (Int)syscall_make(__NR_ftruncate, (UWord)fd, size, 0, 0, 0);
}

static inline Word syscall_lseek(Int fd, Word offset, Int whence)
{
	return syscall_make(__NR_lseek, (UWord)fd, (UWord)offset, (UWord)whence, 0, 0);
}

static inline Int syscall_renameat(Int dir, const HChar *from, const HChar *to)
{
	return (Int)syscall_make(__NR_renameat, (UWord)dir, (UWord)from, (UWord)dir, (UWord)to, 0);
}

static inline Int syscall_unlinkat(Int dir, const HChar *name)
{
	return (Int)syscall_make(__NR_unlinkat, (UWord)dir, (UWord)name, 0, 0, 0);
}

/* mode: LINUX_W_OK | LINUX_X_OK */
static inline Int syscall_faccessat(Int dir, const HChar *name, Int mode)
{
	return (Int)syscall_make(__NR_faccessat, (UWord)dir, (UWord)name, (UWord)mode, 0, 0);
}

static inline Int syscall_fstatat(Int dir, const HChar *name, struct vki_stat *stat, Int flags)
{
	return (Int)syscall_make(__NR_newfstatat, (UWord)dir, (UWord)name, (UWord)stat,
				 (UWord)flags, 0);
}

/* Returns the length of the link's text, which has no NUL; or a negative error number. */
static inline Word syscall_readlinkat(Int dir, const HChar *name, HChar *text, SizeT size)
{
	return syscall_make(__NR_readlinkat, (UWord)dir, (UWord)name, (UWord)text, size, 0);
}

static inline Word syscall_pread(Int fd, void *data, SizeT len, ULong offset)
{
	return syscall_make(__NR_pread64, (UWord)fd, (UWord)data, len, offset, 0);
}

static inline Word syscall_pwrite(Int fd, const void *data, SizeT len, ULong offset)
{
	return syscall_make(__NR_pwrite64, (UWord)fd, (UWord)data, len, offset, 0);
}

static inline Int syscall_fallocate(Int fd, Int mode, ULong offset, ULong len)
{
	return (Int)syscall_make(__NR_fallocate, (UWord)fd, (UWord)mode, offset, len, 0);
}

static inline Int syscall_fchmod(Int fd, UInt mode)
{
	return (Int)syscall_make(__NR_fchmod, (UWord)fd, mode, 0, 0, 0);
}

/* -1 leaves the owner, or the group, as it is. */
static inline Int syscall_fchown(Int fd, UInt user, UInt group)
{
	return (Int)syscall_make(__NR_fchown, (UWord)fd, user, group, 0, 0);
}

/* The kernel's number for the kind of file system, 0 if unknown. */
static inline UWord syscall_filesystem(Int fd)
{
	struct vki_statfs statfs = { .f_type = 0 };

	syscall_make(__NR_fstatfs, (UWord)fd, (UWord)&statfs, 0, 0, 0);
	return (UWord)statfs.f_type;
}

static inline Int syscall_uname(struct vki_new_utsname *names)
{
	return (Int)syscall_make(__NR_uname, (UWord)names, 0, 0, 0, 0);
}

/* The time of a clock of the kernel's, LINUX_CLOCK_..., in ns. */
static inline ULong syscall_clock(Int clock)
{
	struct vki_timespec time = { 0 };

	syscall_make(__NR_clock_gettime, (UWord)clock, (UWord)&time, 0, 0, 0);
	return (ULong)time.tv_sec * 1000000000 + (ULong)time.tv_nsec;
}

/* Asks for large pages in memory that begins at a page; ignores failure. */
static inline void syscall_advise_huge_pages(void *memory, SizeT size)
{
	syscall_make(__NR_madvise, (UWord)memory, size, LINUX_MADV_HUGEPAGE, 0, 0);
}

/*
 * Copies up to n bytes of this process, as far as its pages can be read; returns the number of bytes or a negative error number.
 * Never faults.
 */
static inline Word syscall_read_own(void *to, Addr from, SizeT n)
{
	const struct vki_iovec own = { to, n };
	SizeT first = 4096 - from % 4096;
	const struct vki_iovec theirs[] = {
		{ (void *)from, n < first ? n : first },
		{ (void *)(from + first), n < first ? 0 : n - first },
	};

	return syscall_make(__NR_process_vm_readv, (UWord)VG_(getpid)(), (UWord)&own, 1,
							      (UWord)theirs, n < first ? 1 : 2);
}

#endif
