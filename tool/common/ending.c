/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/ending.h"

#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "tool/common/self.h"

/*
 * The core calls VG_(gdbserver_report_signal)() for each signal that it is about to deliver, with or
 * without gdb, which may change the signal.  The linker redirects these calls to __wrap_...
 * (Makefile.am).  Not in the core's public headers.
 */
extern Bool __wrap_vgPlain_gdbserver_report_signal(vki_siginfo_t *info, ThreadId tid);
extern Bool __real_vgPlain_gdbserver_report_signal(vki_siginfo_t *info, ThreadId tid);

Bool __wrap_vgPlain_gdbserver_report_signal(vki_siginfo_t *info, ThreadId tid)
{
	const Bool delivers = __real_vgPlain_gdbserver_report_signal(info, tid);

	tool_self.ending.last_signal = info->si_signo;
	return delivers;
}

void ending_exit(ThreadId tid, UWord status, Bool whole)
{
	struct ending *ending = &tool_self.ending;

	ending->has_exited |= whole;
	ending->exited = tid;
	ending->status = (Int)(status & 0xff);
}

void ending_send(Int receiver, Int signal)
{
	if (signal == VKI_SIGKILL && (receiver == VG_(getpid)() || receiver == VG_(gettid)()))
		tool_self.ending.last_signal = signal;
}

void ending_handle(void)
{
	tool_self.ending.last_signal = 0;
}

void ending_thread_over(ThreadId tid)
{
	struct ending *ending = &tool_self.ending;

	ending->by_signal = !ending->has_exited && ending->exited != tid;
	ending->number = ending->by_signal ? ending->last_signal : ending->status;
	if (!ending->has_exited)
		ending->exited = VG_INVALID_THREADID;
}

const HChar *ending_text(HChar text[ENDING_TEXT])
{
	const struct ending *ending = &tool_self.ending;

	if (!ending->is_over || (ending->by_signal && ending->number == 0))
		return NULL;
	VG_(snprintf)(text, ENDING_TEXT, "%s %d", ending->by_signal ? "signal" : "exit",
		      ending->number);
	return text;
}
