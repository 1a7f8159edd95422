/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The notes are 16 bytes for each pid, in a file in memory (tool/common/memfile.h).
 */
#include "tool/deterministic/family.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"

#include "tool/common/memfile.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/deterministic/state.h"

#define NOTES_NAME "costgrind.family"

/* Of a process that has ended, or becomes another program; all 0: none. */
struct note {
	ULong now;     /* of its clock */
	ULong randoms; /* the state of its random numbers */
};

static void write_note(const struct family *family, Int pid, const struct note *note)
{
	if (family->notes >= 0 && !tool_self.sealed)
		syscall_make(__NR_pwrite64, (UWord)family->notes, (UWord)note, sizeof(*note),
			     (UWord)pid * sizeof(*note), 0);
}

/* Reads a note, and takes it away. */
static Bool take_note(const struct family *family, Int pid, struct note *note)
{
	static const struct note none = { 0, 0 };

	*note = none;
	if (family->notes < 0 || tool_self.sealed)
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

	*family = (struct family){ .notes = memfile_find(NOTES_NAME) };
	if (family->notes < 0) {
		family->notes = memfile_make(NOTES_NAME);
		return;
	}
	if (!take_note(family, VG_(getpid)(), &note))
		return;
	clock_wait_until(&tool_deterministic.clock, note.now);
	tool_deterministic.chance.randoms.state = note.randoms;
}

static void leave_note(const struct family *family)
{
	const struct note note = { clock_now(&tool_deterministic.clock),
				   tool_deterministic.chance.randoms.state };

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
		clock_wait_until(&tool_deterministic.clock, note.now);
		return;
	}
	family->waited += ns;
	seconds = family->waited / CLOCK_SECOND;
	family->waited -= seconds * CLOCK_SECOND;
	clock_wait_until(&tool_deterministic.clock,
			 clock_now(&tool_deterministic.clock) + seconds * CLOCK_SECOND);
}
