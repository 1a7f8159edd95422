/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The notes are 16 bytes for each pid, in a file in memory (tool/common/memfile.h).
 */
#include "tool/deterministic/process_tree.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"

#include "tool/common/memfile.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/deterministic/state.h"

#define NOTES_NAME "costgrind.family"

/* Of a process that has ended, or becomes another program; all 0: none. */
struct note {
	ULong now;      /* of its clock */
	ULong splitmix; /* the state of its random numbers */
};

static void write_note(const struct process_tree *process_tree, Int pid, const struct note *note)
{
	if (process_tree->notes >= 0 && !tool_self.sealed)
		syscall_make(__NR_pwrite64, (UWord)process_tree->notes, (UWord)note, sizeof(*note),
			     (UWord)pid * sizeof(*note), 0);
}

/* Reads a note, and takes it away. */
static Bool take_note(const struct process_tree *process_tree, Int pid, struct note *note)
{
	static const struct note none = { 0, 0 };

	*note = none;
	if (process_tree->notes < 0 || tool_self.sealed)
		return False;
	syscall_make(__NR_pread64, (UWord)process_tree->notes, (UWord)note, sizeof(*note),
		     (UWord)pid * sizeof(*note), 0);
	if (note->now == 0)
		return False;
	write_note(process_tree, pid, &none);
	return True;
}

void process_tree_init(struct process_tree *process_tree)
{
	struct note note;

	*process_tree = (struct process_tree){ .notes = memfile_find(NOTES_NAME) };
	if (process_tree->notes < 0) {
		process_tree->notes = memfile_make(NOTES_NAME);
		return;
	}
	if (!take_note(process_tree, VG_(getpid)(), &note))
		return;
	clock_wait_until(&tool_deterministic.clock, note.now);
	tool_deterministic.random_source.splitmix.state = note.splitmix;
}

static void leave_note(const struct process_tree *process_tree)
{
	const struct note note = { clock_now(&tool_deterministic.clock),
				   tool_deterministic.random_source.splitmix.state };

	write_note(process_tree, VG_(getpid)(), &note);
}

/* A program that is not profiled does not get the descriptor. */
static void keep_notes(const struct process_tree *process_tree, Bool keep)
{
	if (process_tree->notes >= 0)
		syscall_fcntl(process_tree->notes, VKI_F_SETFD, keep ? 0 : VKI_FD_CLOEXEC);
}

void process_tree_exec(const struct process_tree *process_tree, Bool is_traced)
{
	keep_notes(process_tree, is_traced);
	if (is_traced)
		leave_note(process_tree);
}

void process_tree_exec_failed(const struct process_tree *process_tree)
{
	struct note note;

	keep_notes(process_tree, True);
	take_note(process_tree, VG_(getpid)(), &note);
}

void process_tree_exit(const struct process_tree *process_tree)
{
	leave_note(process_tree);
}

void process_tree_waited(struct process_tree *process_tree, Int pid, ULong ns)
{
	struct note note;
	ULong seconds;

	if (take_note(process_tree, pid, &note)) {
		clock_wait_until(&tool_deterministic.clock, note.now);
		return;
	}
	process_tree->waited += ns;
	seconds = process_tree->waited / CLOCK_SECOND;
	process_tree->waited -= seconds * CLOCK_SECOND;
	clock_wait_until(&tool_deterministic.clock,
			 clock_now(&tool_deterministic.clock) + seconds * CLOCK_SECOND);
}
