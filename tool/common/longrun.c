/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/longrun.h"

#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"

#include "tool/common/dropin.h"
#include "tool/common/message.h"
#include "tool/common/self.h"

enum {
	LONG_RUN = 10000,    /* milliseconds until somebody may wonder */
	FILE_TYPE = 0170000, /* in a mode */
	CHARACTER_DEVICE = 0020000,
	MAJOR_SHIFT = 8, /* of a device's number, below 2^12 */
	MAJOR_MASK = 0xfff,
	/* Linux, Documentation/admin-guide/devices.txt */
	MAJOR_TTY = 4,
	MAJOR_CONSOLE = 5,
	MAJOR_PTY_FIRST = 136,
	MAJOR_PTY_LAST = 143,
};

static Bool is_terminal(Int descriptor)
{
	struct vg_stat file;
	UInt major;

	if (VG_(fstat)(descriptor, &file) != 0 || (file.mode & FILE_TYPE) != CHARACTER_DEVICE)
		return False;
	major = (UInt)(file.rdev >> MAJOR_SHIFT) & MAJOR_MASK;
	return major == MAJOR_TTY || major == MAJOR_CONSOLE ||
	       (major >= MAJOR_PTY_FIRST && major <= MAJOR_PTY_LAST);
}

void longrun_init(void)
{
	tool_self.expects_watcher = VG_(clo_verbosity) > 0 && dropin_name() == DROPIN_NONE &&
					is_terminal(2);
}

void longrun_look(void)
{
	if (!tool_self.expects_watcher || VG_(read_millisecond_timer)() < LONG_RUN)
		return;
	tool_self.expects_watcher = False;
	if (!tool_self.forked)
		message_note("still running; watch it: costgrind control --watch %d",
			     VG_(getpid)());
}
