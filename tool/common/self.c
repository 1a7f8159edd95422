/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/self.h"

#include "libvex.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "valgrind.h"

#include "tool/common/message.h"
#include "tool/common/syscall.h"

struct self tool_self;

/* --- the tool under another tool's name --------------------------------------------------- */

/* The word of --tool=, which is in none of the core's public headers. */
extern const HChar *VG_(clo_toolname);

enum dropin dropin_name(void)
{
	if (VG_(strcmp)(VG_(clo_toolname), "callgrind") == 0)
		return DROPIN_CALLGRIND;
	if (VG_(strcmp)(VG_(clo_toolname), "cachegrind") == 0)
		return DROPIN_CACHEGRIND;
	return DROPIN_NONE;
}

Bool dropin_is_before_3_21(void)
{
	return __VALGRIND_MAJOR__ == 3 && __VALGRIND_MINOR__ < 21;
}

Bool dropin_describes_caches(void)
{
	return dropin_name() == DROPIN_CACHEGRIND && dropin_is_before_3_21();
}

void dropin_details(void)
{
	switch (dropin_name()) {
	case DROPIN_NONE:
		VG_(details_name)("Costgrind");
		VG_(details_version)(COSTGRIND_VERSION);
		VG_(details_description)("a profiler of instructions, caches and branches");
		break;
	case DROPIN_CALLGRIND:
		VG_(details_name)("Callgrind");
		VG_(details_description)("a call-graph generating cache profiler");
		break;
	case DROPIN_CACHEGRIND:
		/* VEX then now and then removes more loads, and Cachegrind counts those that remain. */
		VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdSpAtMemAccess;
		VG_(clo_px_file_backed) = VexRegUpdSpAtMemAccess;
		VG_(details_name)("Cachegrind");
		VG_(details_description)(dropin_is_before_3_21()
						 ? "a cache and branch-prediction profiler"
						 : "a high-precision tracing profiler");
		break;
	}
}

void dropin_greet(void)
{
	const HChar *prefix = VG_(arg_vgdb_prefix);

	if (dropin_name() != DROPIN_CALLGRIND || VG_(clo_verbosity) == 0)
		return;
	VG_(umsg)("For interactive control, run 'callgrind_control%s%s -h'.\n",
		  prefix != NULL ? " " : "", prefix != NULL ? prefix : "");
}

void dropin_print_totals(const struct event_set *events, const ULong totals[N_EVENTS])
{
	UInt n = events->n;

	if (dropin_name() != DROPIN_CALLGRIND)
		return;
	VG_(umsg)("Events    :");
	for (UInt i = 0; i < events->n; i++)
		VG_(umsg)(" %s", event_table[events->events[i]].name);
	while (n > 1 && totals[events->events[n - 1]] == 0)
		n--;
	VG_(umsg)("\nCollected :");
	for (UInt i = 0; i < n; i++)
		VG_(umsg)(" %llu", totals[events->events[i]]);
	VG_(umsg)("\n\n");
}

/* --- how it ends ---------------------------------------------------------------------------- */

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

/* --- long runs ------------------------------------------------------------------------------ */

enum {
	LONG_RUN = 10000, /* milliseconds until the user may wonder */
};

void longrun_init(void)
{
	tool_self.expects_watcher = VG_(clo_verbosity) > 0 && dropin_name() == DROPIN_NONE &&
					syscall_is_terminal(2);
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

/* --- what the program maps in it ------------------------------------------------------------- */

/* The array grows by one, a handful of times before the program runs. */
static struct {
	const struct mapping_watcher **all;
	UInt n;
} watchers;

static void on_mmap(Addr address, SizeT size, Bool r, Bool w, Bool x, ULong debug_info)
{
	(void)r;
	(void)w;
	(void)x;
	(void)debug_info;
	for (UInt i = 0; i < watchers.n; i++)
		watchers.all[i]->mapped(address, size);
}

static void on_mremap(Addr from, Addr to, SizeT size)
{
	for (UInt i = 0; i < watchers.n; i++)
		watchers.all[i]->moved(from, to, size);
}

static void on_unmap(Addr address, SizeT size)
{
	for (UInt i = 0; i < watchers.n; i++)
		watchers.all[i]->unmapped(address, size);
}

void mappings_watch(const struct mapping_watcher *watcher)
{
	if (watchers.n == 0) {
		VG_(track_new_mem_mmap)(on_mmap);
		VG_(track_copy_mem_remap)(on_mremap);
		VG_(track_die_mem_munmap)(on_unmap);
		VG_(track_die_mem_brk)(on_unmap);
	}
	watchers.all = VG_(realloc)("costgrind.mapping_watchers", watchers.all,
				    (watchers.n + 1) * sizeof(watchers.all[0]));
	watchers.all[watchers.n++] = watcher;
}
