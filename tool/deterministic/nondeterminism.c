/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/nondeterminism.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"

#include "tool/common/message.h"
#include "tool/deterministic/state.h"

/* One, and more of them. */
static const struct {
	const HChar *one, *many;
} words[N_NONDETERMINISM_KINDS] = {
	[NONDETERMINISM_THREADS] = { "thread", "threads" },
	[NONDETERMINISM_CHILDREN] = { "child process", "child processes" },
	[NONDETERMINISM_PIDS] = { "process id", "process ids" },
	[NONDETERMINISM_SIGNALS] = { "signal from outside", "signals from outside" },
	[NONDETERMINISM_TIMERS] = { "timer", "timers" },
	[NONDETERMINISM_SLEEPS] = { "sleep cut short", "sleeps cut short" },
	[NONDETERMINISM_SOCKETS] = { "read of a socket", "reads of sockets" },
	[NONDETERMINISM_PIPES] = { "read of a pipe", "reads of pipes" },
	[NONDETERMINISM_TERMINALS] = { "read of a terminal", "reads of terminals" },
	[NONDETERMINISM_DEVICES] = { "read of a device", "reads of devices" },
	[NONDETERMINISM_NOTICES] = { "notice of the kernel's", "notices of the kernel's" },
	[NONDETERMINISM_FILES] = { "file of /proc or /sys", "files of /proc or /sys" },
	[NONDETERMINISM_CLOCKS] = { "other clock", "other clocks" },
	[NONDETERMINISM_RANDOM] = { "read of real random bytes", "reads of real random bytes" },
};

void nondeterminism_note(enum nondeterminism_kind kind)
{
	tool_deterministic.nondeterminism.counts[kind]++;
}

void nondeterminism_report(const struct nondeterminism *nondeterminism)
{
	HChar text[1024] = "";
	UInt len = 0;

	for (UInt kind = 0; kind < N_NONDETERMINISM_KINDS; kind++) {
		ULong n = nondeterminism->counts[kind];

		if (n == 0 || len >= sizeof(text))
			continue;
		len += VG_(snprintf)(text + len, (Int)(sizeof(text) - len), "%s%llu %s",
				     len == 0 ? "" : ", ", n,
				     n == 1 ? words[kind].one : words[kind].many);
	}
	if (len != 0)
		message_note("may differ from run to run: %s", text);
}
