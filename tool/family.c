/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The notes are 16 bytes for each pid, in a file in memory without a name: its
 * descriptor is beyond those that the program may have, so it survives
 * whatever a child closes, and exec.  The next program's tool finds it by the
 * name that /proc has for it.
 */
#include "tool/family.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"

#include "tool/syscall.h"
#include "tool/tool.h"

enum {
	CALL_MEMFD_CREATE = 319,
	MAX_OTHERS = 64, /* descriptors beyond the program's that the core may have */
};

#define NOTES_NAME "costgrind.family"

/* Of a process that has ended, or becomes another program; all 0: none. */
struct note {
	ULong now;     /* of its clock */
	ULong randoms; /* the state of its random numbers */
};

/* The first descriptor that the program cannot have; not in the core's public headers. */
extern Int VG_(fd_hard_limit);

static Bool is_notes(Int fd)
{
	HChar link[64], name[64];
	Word len;

	VG_(snprintf)(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = syscall_make(__NR_readlink, (UWord)link, (UWord)name, sizeof(name) - 1, 0, 0);
	name[len > 0 ? len : 0] = '\0';
	return VG_(strncmp)(name, "/memfd:" NOTES_NAME, sizeof("/memfd:" NOTES_NAME) - 1) == 0;
}

static Int find_notes(void)
{
	for (Int fd = VG_(fd_hard_limit); fd < VG_(fd_hard_limit) + MAX_OTHERS; fd++)
		if (is_notes(fd))
			return fd;
	return -1;
}

static Int make_notes(void)
{
	Int fd = (Int)syscall_make(CALL_MEMFD_CREATE, (UWord)NOTES_NAME, 0, 0, 0, 0);
	Int beyond;

	if (fd < 0)
		return -1;
	beyond = syscall_fcntl(fd, VKI_F_DUPFD, (UWord)VG_(fd_hard_limit));
	syscall_close(fd);
	return beyond;
}

static void write_note(const struct family *family, Int pid, const struct note *note)
{
	if (family->notes >= 0 && !tool.process.sealed)
		syscall_make(__NR_pwrite64, (UWord)family->notes, (UWord)note, sizeof(*note),
			     (UWord)pid * sizeof(*note), 0);
}

/* Reads a note, and takes it away. */
static Bool take_note(const struct family *family, Int pid, struct note *note)
{
	static const struct note none = { 0, 0 };

	*note = none;
	if (family->notes < 0 || tool.process.sealed)
		return False;
	syscall_make(__NR_pread64, (UWord)family->notes, (UWord)note, sizeof(*note),
		     (UWord)pid * sizeof(*note), 0);
	if (note->now == 0)
		return False;
	write_note(family, pid, &none);
	return True;
}

void family_init(struct family *family)
{
	struct note note;

	*family = (struct family){ .notes = find_notes() };
	if (family->notes < 0) {
		family->notes = make_notes();
		return;
	}
	if (!take_note(family, VG_(getpid)(), &note))
		return;
	clock_wait_until(&tool.clock, note.now);
	tool.chance.randoms.state = note.randoms;
}

static void leave_note(const struct family *family)
{
	const struct note note = { clock_now(&tool.clock), tool.chance.randoms.state };

	write_note(family, VG_(getpid)(), &note);
}

/* A program that is not profiled does not get the descriptor. */
static void keep_notes(const struct family *family, Bool keep)
{
	if (family->notes >= 0)
		syscall_fcntl(family->notes, VKI_F_SETFD, keep ? 0 : VKI_FD_CLOEXEC);
}

void family_exec(const struct family *family, Bool is_traced)
{
	keep_notes(family, is_traced);
	if (is_traced)
		leave_note(family);
}

void family_exec_failed(const struct family *family)
{
	struct note note;

	keep_notes(family, True);
	take_note(family, VG_(getpid)(), &note);
}

void family_exit(const struct family *family)
{
	leave_note(family);
}

void family_waited(struct family *family, Int pid, ULong ns)
{
	struct note note;
	ULong seconds;

	if (take_note(family, pid, &note)) {
		clock_wait_until(&tool.clock, note.now);
		return;
	}
	family->waited += ns;
	seconds = family->waited / CLOCK_SECOND;
	family->waited -= seconds * CLOCK_SECOND;
	clock_wait_until(&tool.clock, clock_now(&tool.clock) + seconds * CLOCK_SECOND);
}
