/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not by a variable, which would change the program's environment and with it counts, nor
 * by a file in a common directory, where others may put one: a file in memory comes
 * from the process that executed this program, and from no other.
 */
#include "tool/process/handover.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"

#include "tool/common/memfile.h"
#include "tool/common/syscall.h"

#define HANDOVER_NAME "costgrind.handover"

static const UInt MAGIC = 0x31484743; /* "CGH1" */

struct handover_message {
	UInt magic;
	Int pid; /* of its writer: of no other process is it true */
	struct handover handover;
};

static Bool makes_sense(const struct handover_message *message)
{
	const struct handover *handover = &message->handover;
	const HChar *path = handover->path;

	return message->magic == MAGIC &&
	       message->pid == VG_(getpid)() && (path[0] == '\0' || path[0] == '/') &&
				   path[HANDOVER_PATH_SIZE - 1] == '\0' &&
				   handover->instrumenting <= 1;
}

void handover_take(struct handover *handover)
{
	struct handover_message message;
	Int fd = memfile_find(HANDOVER_NAME);
	Word n;

	VG_(memset)(handover, 0, sizeof(*handover));
	VG_(memset)(&message, 0, sizeof(message));
	if (fd < 0)
		return;
	n = syscall_make(__NR_pread64, (UWord)fd, (UWord)&message, sizeof(message), 0, 0);
	syscall_close(fd);
	if (n == (Word)sizeof(message) && makes_sense(&message))
		*handover = message.handover;
}

Int handover_give(UInt n_parts, Bool instrumenting, const HChar *path)
{
	struct handover_message message;
	Int fd = memfile_make(HANDOVER_NAME);

	if (fd < 0)
		return -1;
	VG_(memset)(&message, 0, sizeof(message));
	message.magic = MAGIC;
	message.pid = VG_(getpid)();
	message.handover.n_parts = n_parts;
	message.handover.instrumenting = instrumenting;
	if (VG_(strlen)(path) < HANDOVER_PATH_SIZE)
		VG_(strlcpy)(message.handover.path, path, HANDOVER_PATH_SIZE);
	if (syscall_write(fd, &message, sizeof(message)) == (Word)sizeof(message))
		return fd;
	syscall_close(fd);
	return -1;
}
