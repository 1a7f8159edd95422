/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random bytes, and what a program reads from descriptors that are no files. */
#include "tool/deterministic/state.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/common/self.h"
#include "tool/common/syscall.h"

static struct random_source *const random_source = &tool_deterministic.random_source;

void random_source_init(UInt seed)
{
	*random_source = (struct random_source){ .n_children = 0 };
	splitmix_init(&random_source->splitmix, seed, 0);
}

void random_source_fork_parent(void)
{
	random_source->n_children++;
}

/* Not seeded by its pid, which differs from run to run. */
void random_source_fork_child(void)
{
	ULong seed = random_source->splitmix.state;

	splitmix_init(&random_source->splitmix, seed, random_source->n_children + 1ULL);
	random_source->n_children = 0;
}

void answer_getrandom(const struct finished_call *call)
{
	splitmix_fill(&tool_deterministic.random_source.splitmix, (void *)call->args[0],
		      call->result);
}

/* --- descriptors ------------------------------------------------------------------------- */

/* Numbers of devices, 256 * major + minor. */
enum {
	DEVICE_NULL = 0x103,
	DEVICE_ZERO = 0x105,
	DEVICE_FULL = 0x107,
	DEVICE_RANDOM = 0x108,
	DEVICE_URANDOM = 0x109,
	DONT_WAIT = 0x40, /* of recv() */
	SOCKET_LEVEL = 1,
	RECEIVE_TIMEOUT = 20,
	MAJOR_TERMINALS = 4,
	MAJOR_CONSOLES = 5,
	MAJOR_PSEUDO_TERMINALS = 136,
};

static Bool is_random(const struct vki_stat *stat)
{
	return (stat->st_mode & VKI_S_IFMT) == VKI_S_IFCHR &&
	       (stat->st_rdev == DEVICE_RANDOM || stat->st_rdev == DEVICE_URANDOM);
}

/* A descriptor of neither file nor device nor socket; the kernel has a name for it. */
static void note_nameless(Int fd, const UWord *args, UWord result)
{
	HChar link[64], name[64];
	Word len;

	VG_(snprintf)(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = syscall_make(__NR_readlink, (UWord)link, (UWord)name, sizeof(name) - 1, 0, 0);
	name[len > 0 ? len : 0] = '\0';
	if (VG_(strcmp)(name, "anon_inode:[timerfd]") == 0 && result == sizeof(ULong) &&
		deterministic_has(DETERMINISTIC_CLOCK))
		timers_read(fd, *(const ULong *)args[1]);
	else if (VG_(strcmp)(name, "anon_inode:[signalfd]") == 0)
		nondeterminism_note(NONDETERMINISM_SIGNALS);
	else if (VG_(strcmp)(name, "anon_inode:[eventfd]") != 0)
		nondeterminism_note(NONDETERMINISM_NOTICES);
}

static void note_device(UWord device)
{
	UWord major = device >> 8 & 0xfff;

	if (device == DEVICE_NULL || device == DEVICE_ZERO || device == DEVICE_FULL)
		return;
	if (major == MAJOR_TERMINALS || major == MAJOR_CONSOLES ||
	    (major >= MAJOR_PSEUDO_TERMINALS && major < MAJOR_PSEUDO_TERMINALS + 8))
		nondeterminism_note(NONDETERMINISM_TERMINALS);
	else
		nondeterminism_note(NONDETERMINISM_DEVICES);
}

/* A device of random bytes was read, into the memory of read() or readv(). */
static void read_random(const UWord *args, UWord result, Bool is_vector)
{
	struct splitmix *splitmix = &tool_deterministic.random_source.splitmix;
	const struct vki_iovec *vector = (const struct vki_iovec *)args[1];

	if (!deterministic_has(DETERMINISTIC_RANDOM))
		return;
	if (!is_vector) {
		splitmix_fill(splitmix, (void *)args[1], result);
		return;
	}
	for (UWord i = 0; i < args[2] && result != 0; i++) {
		SizeT len = vector[i].iov_len < result ? vector[i].iov_len : result;

		splitmix_fill(splitmix, vector[i].iov_base, len);
		result -= len;
	}
}

static void look_at_read(const UWord *args, UWord result, Bool is_vector)
{
	Int fd = (Int)args[0];
	struct vki_stat stat = { .st_mode = 0 };

	if (tool_self.sealed) {
		if (fd < DESCRIPTOR_READS_MAX_SEALED && tool_deterministic.program.is_random[fd])
			read_random(args, result, is_vector);
		return;
	}
	syscall_make(__NR_fstat, (UWord)fd, (UWord)&stat, 0, 0, 0);
	switch (stat.st_mode & VKI_S_IFMT) {
	case VKI_S_IFCHR:
		if (is_random(&stat))
			read_random(args, result, is_vector);
		else
			note_device(stat.st_rdev);
		break;
	case VKI_S_IFIFO:
		nondeterminism_note(NONDETERMINISM_PIPES);
		break;
	case VKI_S_IFSOCK:
		nondeterminism_note(NONDETERMINISM_SOCKETS);
		break;
	case 0:
		note_nameless(fd, args, result);
		break;
	default:
		break;
	}
}

/* The kernel copies bytes to where the tool does not see them; they may be really random. */
static void look_at_copy(Int fd)
{
	struct vki_stat stat = { .st_mode = 0 };

	if (tool_self.sealed || !deterministic_has(DETERMINISTIC_RANDOM))
		return;
	syscall_make(__NR_fstat, (UWord)fd, (UWord)&stat, 0, 0, 0);
	if (is_random(&stat))
		nondeterminism_note(NONDETERMINISM_RANDOM);
}

void descriptor_reads_done(UInt number, const UWord *args, UWord result)
{
	switch (number) {
	case __NR_read:
	case __NR_pread64:
		look_at_read(args, result, False);
		break;
	case __NR_readv:
	case __NR_preadv:
	case 327: /* preadv2 */
		look_at_read(args, result, True);
		break;
	case __NR_splice:
		look_at_copy((Int)args[0]);
		break;
	case __NR_sendfile:
		look_at_copy((Int)args[1]);
		break;
	case __NR_recvfrom:
	case __NR_recvmsg:
	case __NR_recvmmsg:
	case __NR_accept:
	case __NR_accept4:
		nondeterminism_note(NONDETERMINISM_SOCKETS);
		break;
	default:
		break;
	}
}

/* True if a call on a socket waits. */
static Bool does_wait(UInt number, const UWord *args)
{
	Int flags = syscall_fcntl((Int)args[0], VKI_F_GETFL, 0);

	if (number == __NR_recvfrom && (args[3] & DONT_WAIT) != 0)
		return False;
	if (number == __NR_recvmsg && (args[2] & DONT_WAIT) != 0)
		return False;
	return flags >= 0 && (flags & VKI_O_NONBLOCK) == 0;
}

void descriptor_reads_timed_out(UInt number, const UWord *args)
{
	struct vki_timeval time = { 0, 0 };
	UInt len = sizeof(time);

	if (number != __NR_read && number != __NR_readv && number != __NR_recvfrom &&
	    number != __NR_recvmsg && number != __NR_accept && number != __NR_accept4)
		return;
	if (!does_wait(number, args))
		return;
	if (syscall_make(__NR_getsockopt, args[0], SOCKET_LEVEL, RECEIVE_TIMEOUT, (UWord)&time,
			 (UWord)&len) != 0)
		return;
	clock_wait_until(clock_now() + (ULong)time.tv_sec * CLOCK_SECOND +
			 (ULong)time.tv_usec * 1000);
}

void deterministic_seal(void)
{
	if (tool_deterministic.program.items == 0)
		return;
	for (Int fd = 0; fd < DESCRIPTOR_READS_MAX_SEALED; fd++) {
		struct vki_stat stat = { .st_mode = 0 };

		syscall_make(__NR_fstat, (UWord)fd, (UWord)&stat, 0, 0, 0);
		tool_deterministic.program.is_random[fd] = is_random(&stat);
	}
}
