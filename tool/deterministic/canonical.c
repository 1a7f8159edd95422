/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which system call is made canonical by which function, once it has
 * succeeded; the rest is hooks that lead elsewhere.
 */
#include "tool/deterministic/canonical.h"

#include <stddef.h>

#include "libvex_guest_amd64.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/counts/state.h"
#include "tool/deterministic/chance.h"
#include "tool/deterministic/cpuinsn.h"
#include "tool/deterministic/outside.h"
#include "tool/deterministic/reading.h"
#include "tool/deterministic/state.h"
#include "tool/deterministic/sysanswer.h"
#include "tool/deterministic/sysfile.h"
#include "tool/deterministic/timeanswer.h"

static const struct {
	const HChar *name;
	const HChar *help;
} items[N_CANONICAL_ITEMS] = {
#define ITEM(item, name, help) [CANONICAL_##item] = { name, help },
	LEAVE_ITEMS(ITEM)
#undef ITEM
};

struct answer {
	UInt number; /* of the system call */
	enum canonical_item item;
	void (*give)(ThreadId tid, const UWord *args, UWord result);
};

static const struct answer answers[] = {
	{ __NR_clock_gettime, CANONICAL_CLOCK, time_answer_gettime },
	{ __NR_clock_gettime, CANONICAL_USAGE, time_answer_gettime },
	{ __NR_clock_getres, CANONICAL_CLOCK, time_answer_getres },
	{ __NR_clock_getres, CANONICAL_USAGE, time_answer_getres },
	{ __NR_gettimeofday, CANONICAL_CLOCK, time_answer_gettimeofday },
	{ __NR_time, CANONICAL_CLOCK, time_answer_time },
	{ __NR_alarm, CANONICAL_CLOCK, time_answer_alarm },
	{ __NR_setitimer, CANONICAL_CLOCK, time_answer_setitimer },
	{ __NR_getitimer, CANONICAL_CLOCK, time_answer_getitimer },
	{ __NR_timer_create, CANONICAL_CLOCK, time_answer_timer_create },
	{ __NR_timer_gettime, CANONICAL_CLOCK, time_answer_timer_gettime },
	{ __NR_timerfd_gettime, CANONICAL_CLOCK, time_answer_timerfd_gettime },
	{ __NR_times, CANONICAL_USAGE, time_answer_times },
	{ __NR_getrusage, CANONICAL_USAGE, time_answer_getrusage },
	{ __NR_wait4, CANONICAL_USAGE, time_answer_wait4 },
	{ __NR_waitid, CANONICAL_USAGE, time_answer_waitid },
	{ __NR_uname, CANONICAL_SYSTEM, sysanswer_uname },
	{ __NR_sysinfo, CANONICAL_MEMORY, sysanswer_sysinfo },
	{ __NR_sched_getaffinity, CANONICAL_CPUS, sysanswer_getaffinity },
	{ __NR_getcpu, CANONICAL_CPUS, sysanswer_getcpu },
	{ __NR_getrandom, CANONICAL_RANDOM, chance_getrandom },
	{ __NR_stat, CANONICAL_FILES, filetime_stat },
	{ __NR_lstat, CANONICAL_FILES, filetime_stat },
	{ __NR_fstat, CANONICAL_FILES, filetime_stat },
	{ __NR_newfstatat, CANONICAL_FILES, filetime_newfstatat },
	{ __NR_statx, CANONICAL_FILES, filetime_statx },
};

Bool canonical_has(enum canonical_item item)
{
	return (tool_deterministic.canonical.items & 1U << item) != 0;
}

static UInt find_item(const HChar *name, SizeT len)
{
	UInt item = 0;

	while (item < N_CANONICAL_ITEMS && (VG_(strlen)(items[item].name) != len ||
						VG_(strncmp)(items[item].name, name, len) != 0))
		item++;
	return item;
}

void canonical_parse_leave(const HChar *arg, const HChar *list, UInt *left)
{
	*left = 0;
	for (;;) {
		const HChar *comma = VG_(strchr)(list, ',');
		SizeT len = comma != NULL ? (SizeT)(comma - list) : VG_(strlen)(list);
		UInt item = find_item(list, len);

		if (item == N_CANONICAL_ITEMS)
			message_fatal(
				"%s: expected names from this list, commas between: cpu, tsc, "
				"random, clock, usage, cpus, system, memory, files",
				arg);
		*left |= 1U << item;
		if (comma == NULL)
			return;
		list = comma + 1;
	}
}

void canonical_parse_cpu(const HChar *arg, const HChar *value, struct canonical_options *options)
{
	if (!processor_parse(value, &options->processor))
		message_fatal("%s: expected %s", arg, processor_words());
	options->cpu = value;
}

const HChar *canonical_cpu_text(const struct canonical_options *options)
{
	return options->cpu != NULL ? options->cpu : "baseline";
}

void canonical_leave_text(UInt left, HChar *text, SizeT size)
{
	SizeT len = 0;

	text[0] = '\0';
	for (UInt item = 0; item < N_CANONICAL_ITEMS && len < size; item++)
		if ((left & 1U << item) != 0)
			len += VG_(snprintf)(text + len, (Int)(size - len), "%s%s",
					     len == 0 ? "" : ",", items[item].name);
}

void canonical_usage(void)
{
	VG_(printf)("    what --deterministic=yes gives, and --leave leaves as it is:\n");
	for (UInt item = 0; item < N_CANONICAL_ITEMS; item++)
		VG_(printf)("      %-36s %s\n", items[item].name, items[item].help);
}

void canonical_init(const struct canonical_options *options)
{
	const HChar *missing;

	if (!options->on)
		return;
	tool_deterministic.canonical.items = ((1U << N_CANONICAL_ITEMS) - 1) & ~options->left;
	missing = cpuinsn_missing(&options->processor);
	if (canonical_has(CANONICAL_CPU) && missing != NULL)
		message_fatal(
			"--cpu=%s: Valgrind executes its code only where the processor has %s, "
			"and this one has not",
			options->cpu != NULL ? options->cpu : "baseline", missing);
	clock_init(&tool_deterministic.clock, options->clock_start);
	chance_init(&tool_deterministic.chance, options->seed);
	family_init(&tool_deterministic.family);
	auxvector_init(canonical_has(CANONICAL_RANDOM), canonical_has(CANONICAL_CPU));
}

struct canonical_thread *canonical_thread_of(ThreadId tid)
{
	struct canonical *canonical = &tool_deterministic.canonical;

	if (tid >= canonical->n_threads) {
		UInt n = 2 * tid + 8;

		canonical->threads = VG_(realloc)("costgrind.canonical", canonical->threads,
						  n * sizeof(canonical->threads[0]));
		VG_(memset)(canonical->threads + canonical->n_threads, 0,
			    (n - canonical->n_threads) * sizeof(canonical->threads[0]));
		canonical->n_threads = n;
	}
	if (canonical->threads[tid] == NULL)
		canonical->threads[tid] =
			VG_(calloc)("costgrind.canonical", 1, sizeof(*canonical->threads[0]));
	return canonical->threads[tid];
}

void canonical_add(IRSB *out, IRStmt *stmt)
{
	if (tool_deterministic.canonical.items != 0)
		stmt = cpuinsn_replace(stmt);
	addStmtToIRSB(out, stmt);
}

Bool canonical_reads_totals(const IRStmt *stmt)
{
	return tool_deterministic.canonical.items != 0 && cpuinsn_reads_totals(stmt);
}

/* Arguments are in the registers, and may be changed there. */
void canonical_end(IRSB *out)
{
	IRDirty *call;

	if (out->jumpkind != Ijk_Sys_syscall || !canonical_has(CANONICAL_CLOCK))
		return;
	call = unsafeIRDirty_0_N(1, "timedwait_begin",
				 VG_(fnptr_to_fnentry)(&timedwait_begin),
				     mkIRExprVec_1(IRExpr_GSPTR()));
	call->nFxState = 1;
	VG_(memset)(&call->fxState[0], 0, sizeof(call->fxState[0]));
	call->fxState[0].fx = Ifx_Modify;
	call->fxState[0].offset = offsetof(VexGuestAMD64State, guest_RAX);
	call->fxState[0].size = offsetof(VexGuestAMD64State, guest_R15) + sizeof(ULong) -
				offsetof(VexGuestAMD64State, guest_RAX);
	addStmtToIRSB(out, IRStmt_Dirty(call));
}

/* A signal that the program sends to itself is no surprise. */
static void note_sent(Long target, UWord signal)
{
	if (target == VG_(getpid)() &&
			  signal < sizeof(tool_deterministic.canonical.sent) /
					   sizeof(tool_deterministic.canonical.sent[0]))
		tool_deterministic.canonical.sent[signal]++;
}

void canonical_before_syscall(ThreadId tid, UInt number, const UWord *args)
{
	if (tool_deterministic.canonical.items == 0)
		return;
	switch (number) {
	case __NR_wait4:
	case __NR_waitid:
		canonical_thread_of(tid)->waiting =
			tool_self.sealed ? 0 : syscall_clock(LINUX_CLOCK_MONOTONIC);
		break;
	case __NR_kill:
		note_sent((Int)args[0], args[1]);
		break;
	case __NR_tgkill:
		note_sent((Int)args[0], args[2]);
		break;
	case __NR_tkill: /* of which process is not told; it may be this one's main thread */
		note_sent((Int)args[0], args[1]);
		break;
	default:
		break;
	}
}

/* Of struct siginfo, of which waitid tells: the child that it was. */
static Int pid_of(const Int *siginfo)
{
	return siginfo != NULL ? siginfo[3] : 0;
}

static void note_wait(ThreadId tid, UInt number, const UWord *args, UWord result)
{
	Int pid = number == __NR_wait4 ? (Int)result : pid_of((const Int *)args[2]);
	ULong began = canonical_thread_of(tid)->waiting;

	if (pid > 0 && began != 0 && !tool_self.sealed)
		family_waited(&tool_deterministic.family, pid,
			      syscall_clock(LINUX_CLOCK_MONOTONIC) - began);
}

/* A signal has come, to a handler or to who waited for it. */
static void note_signal(Int signal)
{
	if (timers_signal(signal))
		return;
	if (tool_deterministic.canonical.sent[signal] != 0)
		tool_deterministic.canonical.sent[signal]--;
	else
		outside_note(OUTSIDE_SIGNALS);
}

/* What succeeded and has no answer of its own. */
static void look_at(UInt number, const UWord *args, UWord result)
{
	switch (number) {
	case __NR_open:
	case __NR_openat:
	case 437: /* openat2 */
		sysfile_opened((Int)result);
		break;
	case __NR_getpid:
	case __NR_gettid:
	case __NR_getppid:
	case __NR_getpgid:
	case __NR_getpgrp:
	case __NR_getsid:
		outside_note(OUTSIDE_PIDS);
		break;
	case __NR_rt_sigtimedwait:
		note_signal((Int)result);
		break;
	case __NR_timer_delete:
		timers_stop(TIMER_POSIX, (Int)args[0]);
		break;
	case __NR_timerfd_create:
		timers_create(TIMER_FILE, (Int)result, 0);
		break;
	case __NR_adjtimex:
	case __NR_clock_adjtime:
		outside_note(OUTSIDE_CLOCKS);
		break;
	default:
		reading_done(number, args, result);
		break;
	}
}

static void look_at_failure(ThreadId tid, UInt number, const UWord *args, UWord error)
{
	Bool is_absent = error == VKI_ENOENT || error == VKI_EACCES;

	if (number == __NR_open && is_absent)
		sysfile_missing(tid, (const HChar *)args[0], (UInt)args[1]);
	else if (number == __NR_openat && is_absent)
		sysfile_missing(tid, (const HChar *)args[1], (UInt)args[2]);
	else if (error == VKI_EAGAIN && canonical_has(CANONICAL_CLOCK))
		reading_timed_out(number, args);
	else if (number == __NR_sched_setaffinity && error == VKI_EINVAL &&
		 canonical_has(CANONICAL_CPUS))
		sysanswer_setaffinity(tid, args);
}

void canonical_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	if (tool_deterministic.canonical.items == 0)
		return;
	timedwait_end(tid, args, result);
	if (sr_isError(result)) {
		if (!tool_self.sealed)
			look_at_failure(tid, number, args, sr_Err(result));
		return;
	}
	if ((number == __NR_wait4 || number == __NR_waitid) && canonical_has(CANONICAL_CLOCK))
		note_wait(tid, number, args, sr_Res(result));
	for (UInt i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (answers[i].number == number && canonical_has(answers[i].item)) {
			answers[i].give(tid, args, sr_Res(result));
			return;
		}
	}
	look_at(number, args, sr_Res(result));
}

void canonical_signal(ThreadId tid, Int signal, Bool is_fault)
{
	if (tool_deterministic.canonical.items == 0)
		return;
	timedwait_interrupt(tid);
	/* SIGPIPE is the answer to writing. */
	if (!is_fault && signal != VKI_SIGPIPE)
		note_signal(signal);
}

void canonical_thread(ThreadId tid)
{
	if (tool_deterministic.canonical.items == 0)
		return;
	canonical_thread_of(tid)->asked = 0;
	canonical_thread_of(tid)->begun =
		threads_instructions(&tool_calls.threads, tool_counts.hot, tid);
	outside_note(OUTSIDE_THREADS);
}

void canonical_fork_parent(ThreadId tid)
{
	(void)tid;
	if (tool_deterministic.canonical.items == 0)
		return;
	chance_fork_parent(&tool_deterministic.chance);
	outside_note(OUTSIDE_CHILDREN);
}

void canonical_fork_child(void)
{
	if (tool_deterministic.canonical.items == 0)
		return;
	chance_fork_child(&tool_deterministic.chance);
	clock_fork(&tool_deterministic.clock);
	timers_fork();
	VG_(memset)(&tool_deterministic.outside, 0, sizeof(tool_deterministic.outside));
	VG_(memset)(tool_deterministic.canonical.sent, 0,
		    sizeof(tool_deterministic.canonical.sent));
	for (UInt i = 0; i < tool_deterministic.canonical.n_threads; i++)
		if (tool_deterministic.canonical.threads[i] != NULL)
			*tool_deterministic.canonical.threads[i] =
				(struct canonical_thread){ .begun = 0 };
}

void canonical_exec(Bool is_traced)
{
	if (tool_deterministic.canonical.items != 0)
		family_exec(&tool_deterministic.family, is_traced);
}

void canonical_exec_failed(void)
{
	if (tool_deterministic.canonical.items != 0)
		family_exec_failed(&tool_deterministic.family);
}

void canonical_exit(void)
{
	if (tool_deterministic.canonical.items == 0)
		return;
	family_exit(&tool_deterministic.family);
	outside_report(&tool_deterministic.outside);
}
