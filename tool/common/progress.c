/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/progress.h"

#include "pub_tool_libcproc.h"

#include "tool/common/message.h"
#include "tool/common/syscall.h"

enum {
	PATIENCE = 2000, /* milliseconds that one waits without a word */
};

void progress_begin(struct progress *progress, Bool silent)
{
	*progress = (struct progress){ .silent = silent };
	if (!silent)
		progress->told = VG_(read_millisecond_timer)();
}

void progress_at(struct progress *progress, ULong done, ULong all)
{
	UInt now;

	if (progress->silent)
		return;
	now = VG_(read_millisecond_timer)();
	if (now - progress->told < PATIENCE)
		return;
	progress->told = now;
	if (syscall_is_terminal(2))
		message_note("writing the profile: %llu %%", done * 100 / all);
}
