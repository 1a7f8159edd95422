/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/outside.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"

#include "tool/common/message.h"
#include "tool/deterministic/state.h"

/* One, and more of them. */
static const struct {
	const HChar *one, *many;
} words[N_OUTSIDE_KINDS] = {
	[OUTSIDE_THREADS] = { "thread", "threads" },
	[OUTSIDE_CHILDREN] = { "child process", "child processes" },
	[OUTSIDE_PIDS] = { "process id", "process ids" },
	[OUTSIDE_SIGNALS] = { "signal from outside", "signals from outside" },
	[OUTSIDE_TIMERS] = { "timer", "timers" },
	[OUTSIDE_SLEEPS] = { "sleep cut short", "sleeps cut short" },
	[OUTSIDE_SOCKETS] = { "read of a socket", "reads of sockets" },
	[OUTSIDE_PIPES] = { "read of a pipe", "reads of pipes" },
	[OUTSIDE_TERMINALS] = { "read of a terminal", "reads of terminals" },
	[OUTSIDE_DEVICES] = { "read of a device", "reads of devices" },
	[OUTSIDE_NOTICES] = { "notice of the kernel's", "notices of the kernel's" },
	[OUTSIDE_FILES] = { "file of /proc or /sys", "files of /proc or /sys" },
	[OUTSIDE_CLOCKS] = { "other clock", "other clocks" },
	[OUTSIDE_RANDOM] = { "read of real random bytes", "reads of real random bytes" },
};

void outside_note(enum outside_kind kind)
{
	tool_deterministic.outside.counts[kind]++;
}

void outside_report(const struct outside *outside)
{
	HChar text[1024] = "";
	UInt len = 0;

	for (UInt kind = 0; kind < N_OUTSIDE_KINDS; kind++) {
		ULong n = outside->counts[kind];

		if (n == 0 || len >= sizeof(text))
			continue;
		len += VG_(snprintf)(text + len, (Int)(sizeof(text) - len), "%s%llu %s",
				     len == 0 ? "" : ", ", n,
				     n == 1 ? words[kind].one : words[kind].many);
	}
	if (len != 0)
		message_note("may differ from run to run: %s", text);
}
