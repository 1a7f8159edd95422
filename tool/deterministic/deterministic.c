/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which system call is made the same by which function, once it has
 * succeeded; the rest is hooks that lead elsewhere.
 */
#include "tool/deterministic/deterministic.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/calls/state.h"
#include "tool/common/guest.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/counts/state.h"
#include "tool/deterministic/cpuinsn.h"
#include "tool/deterministic/descriptor_reads.h"
#include "tool/deterministic/nondeterminism.h"
#include "tool/deterministic/random_source.h"
#include "tool/deterministic/state.h"
#include "tool/deterministic/sysanswer.h"
#include "tool/deterministic/timeanswer.h"

static const struct {
	const HChar *name;
	const HChar *help;
} items[N_DETERMINISTIC_ITEMS] = {
#define ITEM(item, name, help) [DETERMINISTIC_##item] = { name, help },
	LEAVE_ITEMS(ITEM)
#undef ITEM
};

struct syscall_answer {
	UInt number; /* of the system call */
	enum deterministic_item item;
	void (*give)(ThreadId tid, const UWord *args, UWord result);
};

static const struct syscall_answer answers[] = {
	{ __NR_clock_gettime, DETERMINISTIC_CLOCK, time_answer_gettime },
	{ __NR_clock_gettime, DETERMINISTIC_USAGE, time_answer_gettime },
	{ __NR_clock_getres, DETERMINISTIC_CLOCK, time_answer_getres },
	{ __NR_clock_getres, DETERMINISTIC_USAGE, time_answer_getres },
	{ __NR_gettimeofday, DETERMINISTIC_CLOCK, time_answer_gettimeofday },
	{ __NR_time, DETERMINISTIC_CLOCK, time_answer_time },
	{ __NR_alarm, DETERMINISTIC_CLOCK, time_answer_alarm },
	{ __NR_setitimer, DETERMINISTIC_CLOCK, time_answer_setitimer },
	{ __NR_getitimer, DETERMINISTIC_CLOCK, time_answer_getitimer },
	{ __NR_timer_create, DETERMINISTIC_CLOCK, time_answer_timer_create },
	{ __NR_timer_gettime, DETERMINISTIC_CLOCK, time_answer_timer_gettime },
	{ __NR_timerfd_gettime, DETERMINISTIC_CLOCK, time_answer_timerfd_gettime },
	{ __NR_times, DETERMINISTIC_USAGE, time_answer_times },
	{ __NR_getrusage, DETERMINISTIC_USAGE, time_answer_getrusage },
	{ __NR_wait4, DETERMINISTIC_USAGE, time_answer_wait4 },
	{ __NR_waitid, DETERMINISTIC_USAGE, time_answer_waitid },
	{ __NR_uname, DETERMINISTIC_SYSTEM, sysanswer_uname },
	{ __NR_sysinfo, DETERMINISTIC_MEMORY, sysanswer_sysinfo },
	{ __NR_sched_getaffinity, DETERMINISTIC_CPUS, sysanswer_getaffinity },
	{ __NR_getcpu, DETERMINISTIC_CPUS, sysanswer_getcpu },
	{ __NR_getrandom, DETERMINISTIC_RANDOM, random_source_getrandom },
	{ __NR_stat, DETERMINISTIC_FILES, filetime_stat },
	{ __NR_lstat, DETERMINISTIC_FILES, filetime_stat },
	{ __NR_fstat, DETERMINISTIC_FILES, filetime_stat },
	{ __NR_newfstatat, DETERMINISTIC_FILES, filetime_newfstatat },
	{ __NR_statx, DETERMINISTIC_FILES, filetime_statx },
};

Bool deterministic_has(enum deterministic_item item)
{
	return (tool_deterministic.program.items & 1U << item) != 0;
}

static UInt find_item(const HChar *name, SizeT len)
{
	UInt item = 0;

	while (item < N_DETERMINISTIC_ITEMS && (VG_(strlen)(items[item].name) != len ||
						    VG_(strncmp)(items[item].name, name, len) != 0))
		item++;
	return item;
}

void deterministic_parse_leave(const HChar *arg, const HChar *list, UInt *left)
{
	*left = 0;
	for (;;) {
		const HChar *comma = VG_(strchr)(list, ',');
		SizeT len = comma != NULL ? (SizeT)(comma - list) : VG_(strlen)(list);
		UInt item = find_item(list, len);

		if (item == N_DETERMINISTIC_ITEMS)
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

void deterministic_parse_cpu(const HChar *arg, const HChar *value,
			     struct deterministic_options *options)
{
	if (!processor_parse(value, &options->processor))
		message_fatal("%s: expected %s", arg, processor_words());
	options->cpu = value;
}

const HChar *deterministic_cpu_text(const struct deterministic_options *options)
{
	return options->cpu != NULL ? options->cpu : "baseline";
}

void deterministic_leave_text(UInt left, HChar *text, SizeT size)
{
	SizeT len = 0;

	text[0] = '\0';
	for (UInt item = 0; item < N_DETERMINISTIC_ITEMS && len < size; item++)
		if ((left & 1U << item) != 0)
			len += VG_(snprintf)(text + len, (Int)(size - len), "%s%s",
					     len == 0 ? "" : ",", items[item].name);
}

void deterministic_usage(void)
{
	VG_(printf)("    What --deterministic=yes gives, and --leave leaves as it is:\n");
	for (UInt item = 0; item < N_DETERMINISTIC_ITEMS; item++)
		VG_(printf)("      %-36s %s\n", items[item].name, items[item].help);
}

void deterministic_init(const struct deterministic_options *options)
{
	const HChar *missing;

	if (!options->on)
		return;
	tool_deterministic.program.items = ((1U << N_DETERMINISTIC_ITEMS) - 1) & ~options->left;
	missing = cpuinsn_missing(&options->processor);
	if (deterministic_has(DETERMINISTIC_CPU) && missing != NULL)
		message_fatal(
			"--cpu=%s: Valgrind executes its code only where the processor has %s, "
			"and this one has not",
			options->cpu != NULL ? options->cpu : "baseline", missing);
	clock_init(&tool_deterministic.clock, options->clock_start, options->clock_rate);
	random_source_init(&tool_deterministic.random_source, options->seed);
	process_tree_init(&tool_deterministic.process_tree);
	auxvector_init(deterministic_has(DETERMINISTIC_RANDOM),
		       deterministic_has(DETERMINISTIC_CPU));
}

struct deterministic_thread *deterministic_thread_of(ThreadId tid)
{
	struct deterministic_program *canonical = &tool_deterministic.program;

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

void deterministic_add(IRSB *out, IRStmt *stmt)
{
	if (tool_deterministic.program.items != 0)
		stmt = cpuinsn_replace(stmt);
	addStmtToIRSB(out, stmt);
}

Bool deterministic_reads_totals(const IRStmt *stmt)
{
	return tool_deterministic.program.items != 0 && cpuinsn_reads_totals(stmt);
}

/* Arguments are in the registers, and may be changed there. */
void deterministic_end(IRSB *out)
{
	IRDirty *call;

	if (out->jumpkind != Ijk_Sys_syscall || !deterministic_has(DETERMINISTIC_CLOCK))
		return;
	call = unsafeIRDirty_0_N(1, "timedwait_begin",
				 VG_(fnptr_to_fnentry)(&timedwait_begin),
				     mkIRExprVec_1(IRExpr_GSPTR()));
	guest_declare_changed(call);
	addStmtToIRSB(out, IRStmt_Dirty(call));
}

/* A signal that the program sends to itself is no surprise. */
static void note_sent(Long target, UWord signal)
{
	if (target == VG_(getpid)() && signal < sizeof(tool_deterministic.program.sent) /
							sizeof(tool_deterministic.program.sent[0]))
		tool_deterministic.program.sent[signal]++;
}

void deterministic_before_syscall(ThreadId tid, UInt number, const UWord *args)
{
	if (tool_deterministic.program.items == 0)
		return;
	switch (number) {
	case __NR_wait4:
	case __NR_waitid:
		deterministic_thread_of(tid)->waiting =
			tool_self.sealed ? 0 : syscall_clock(LINUX_CLOCK_MONOTONIC);
		break;
	case __NR_kill:
		note_sent((Int)args[0], args[1]);
		break;
	case __NR_tgkill:
		note_sent((Int)args[0], args[2]);
		break;
	case __NR_tkill: /* of which process is not said; it may be this one's main thread */
		note_sent((Int)args[0], args[1]);
		break;
	default:
		break;
	}
}

/* Of struct siginfo, as waitid fills it: the child that it was. */
static Int pid_of(const Int *siginfo)
{
	return siginfo != NULL ? siginfo[3] : 0;
}

static void note_wait(ThreadId tid, UInt number, const UWord *args, UWord result)
{
	Int pid = number == __NR_wait4 ? (Int)result : pid_of((const Int *)args[2]);
	ULong began = deterministic_thread_of(tid)->waiting;

	if (pid > 0 && began != 0 && !tool_self.sealed)
		process_tree_waited(&tool_deterministic.process_tree, pid,
				    syscall_clock(LINUX_CLOCK_MONOTONIC) - began);
}

/* A signal has come, to a handler or to a thread that waited for it. */
static void note_signal(Int signal)
{
	if (timers_signal(signal))
		return;
	if (tool_deterministic.program.sent[signal] != 0)
		tool_deterministic.program.sent[signal]--;
	else
		nondeterminism_note(NONDETERMINISM_SIGNALS);
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
		nondeterminism_note(NONDETERMINISM_PIDS);
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
		nondeterminism_note(NONDETERMINISM_CLOCKS);
		break;
	default:
		descriptor_reads_done(number, args, result);
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
	else if (error == VKI_EAGAIN && deterministic_has(DETERMINISTIC_CLOCK))
		descriptor_reads_timed_out(number, args);
	else if (number == __NR_sched_setaffinity && error == VKI_EINVAL &&
		 deterministic_has(DETERMINISTIC_CPUS))
		sysanswer_setaffinity(tid, args);
}

void deterministic_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	if (tool_deterministic.program.items == 0)
		return;
	timedwait_end(tid, args, result);
	if (sr_isError(result)) {
		if (!tool_self.sealed)
			look_at_failure(tid, number, args, sr_Err(result));
		return;
	}
	if ((number == __NR_wait4 || number == __NR_waitid) &&
	    deterministic_has(DETERMINISTIC_CLOCK))
		note_wait(tid, number, args, sr_Res(result));
	for (UInt i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (answers[i].number == number && deterministic_has(answers[i].item)) {
			answers[i].give(tid, args, sr_Res(result));
			return;
		}
	}
	look_at(number, args, sr_Res(result));
}

void deterministic_signal(ThreadId tid, Int signal, Bool is_fault)
{
	if (tool_deterministic.program.items == 0)
		return;
	timedwait_interrupt(tid);
	/* SIGPIPE is the answer to writing. */
	if (!is_fault && signal != VKI_SIGPIPE)
		note_signal(signal);
}

void deterministic_thread(ThreadId tid)
{
	if (tool_deterministic.program.items == 0)
		return;
	deterministic_thread_of(tid)->asked = 0;
	deterministic_thread_of(tid)->begun =
		threads_instructions(&tool_calls.threads, tool_counts.hot, tid);
	nondeterminism_note(NONDETERMINISM_THREADS);
}

void deterministic_fork_parent(ThreadId tid)
{
	(void)tid;
	if (tool_deterministic.program.items == 0)
		return;
	random_source_fork_parent(&tool_deterministic.random_source);
	nondeterminism_note(NONDETERMINISM_CHILDREN);
}

void deterministic_fork_child(void)
{
	if (tool_deterministic.program.items == 0)
		return;
	random_source_fork_child(&tool_deterministic.random_source);
	clock_fork(&tool_deterministic.clock);
	timers_fork();
	VG_(memset)(&tool_deterministic.nondeterminism, 0,
		    sizeof(tool_deterministic.nondeterminism));
	VG_(memset)(tool_deterministic.program.sent, 0, sizeof(tool_deterministic.program.sent));
	for (UInt i = 0; i < tool_deterministic.program.n_threads; i++)
		if (tool_deterministic.program.threads[i] != NULL)
			*tool_deterministic.program.threads[i] =
				(struct deterministic_thread){ .begun = 0 };
}

void deterministic_exec(Bool is_traced)
{
	if (tool_deterministic.program.items != 0)
		process_tree_exec(&tool_deterministic.process_tree, is_traced);
}

void deterministic_exec_failed(void)
{
	if (tool_deterministic.program.items != 0)
		process_tree_exec_failed(&tool_deterministic.process_tree);
}

void deterministic_exit(void)
{
	if (tool_deterministic.program.items == 0)
		return;
	process_tree_exit(&tool_deterministic.process_tree);
	nondeterminism_report(&tool_deterministic.nondeterminism);
	if (tool_deterministic.clock.n_questions > CLOCK_FEW_QUESTIONS && !tool_self.forked)
		message_note("the program asked for the time %'llu times, which is a count of "
			     "instructions: what runs for a fixed time does less when it gets "
			     "slower; fix its number of iterations",
			     tool_deterministic.clock.n_questions);
}
