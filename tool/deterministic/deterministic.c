/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --deterministic=yes: its options, and where it hooks in.  Instructions that reveal the processor, time or chance are
 * replaced when they are translated; a table has the function that overwrites the result of a system call.
 */
#include "tool/deterministic/state.h"

#include "libvex.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/calls/thread.h"
#include "tool/common/guest.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"

/* --- options ----------------------------------------------------------------------------- */

static const struct {
	const HChar *name;
	const HChar *help;
} items[N_DETERMINISTIC_ITEMS] = {
#define ITEM(item, name, help) [DETERMINISTIC_##item] = { name, help },
	LEAVE_ITEMS(ITEM)
#undef ITEM
};

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

/* --- what could not be made the same ----------------------------------------------------- */

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
	tool_deterministic.nondeterminism[kind]++;
}

/* Reports in a line what there was; nothing if there was nothing. */
static void report_nondeterminism(void)
{
	HChar text[1024] = "";
	UInt len = 0;

	for (UInt kind = 0; kind < N_NONDETERMINISM_KINDS; kind++) {
		ULong n = tool_deterministic.nondeterminism[kind];

		if (n == 0 || len >= sizeof(text))
			continue;
		len += VG_(snprintf)(text + len, (Int)(sizeof(text) - len), "%s%llu %s",
				     len == 0 ? "" : ", ", n,
				     n == 1 ? words[kind].one : words[kind].many);
	}
	if (len != 0)
		message_note("may differ from run to run: %s", text);
}

/* --- where memory begins ----------------------------------------------------------------- */

/* Where brk() begins and where it is, and mappings of the program; not in public headers. */
extern Addr VG_(brk_base), VG_(brk_limit);
extern const NSegment *VG_(am_extend_into_adjacent_reservation_client)(Addr addr, SSizeT delta,
								       Bool *overflow);
extern SysRes VG_(am_mmap_anon_float_client)(SizeT length, Int prot);

/* The heap is empty, but its first page is mapped: the core relies on the page that brk is in. */
static void shift_heap(UInt bytes)
{
	Addr first = VG_ROUNDDN(VG_(brk_base), VKI_PAGE_SIZE);
	SSizeT more = (SSizeT)(VG_ROUNDDN(VG_(brk_base) + bytes, VKI_PAGE_SIZE) - first);
	Bool overflow = False;

	if (more > 0 &&
	    VG_(am_extend_into_adjacent_reservation_client)(first, more, &overflow) == NULL)
		message_fatal("--heap-shift=%u: there is no room for it", bytes);
	VG_(brk_base) += bytes;
	VG_(brk_limit) += bytes;
}

/* The core takes the lowest hole that is large enough: this takes it away. */
static void shift_mappings(UInt pages)
{
	SysRes mapped = VG_(am_mmap_anon_float_client)((SizeT)pages * VKI_PAGE_SIZE, VKI_PROT_NONE);

	if (sr_isError(mapped))
		message_fatal("--load-shift=%u: %s", pages, message_reason((Int)sr_Err(mapped)));
}

void placement_shift(UInt heap_bytes, UInt load_pages)
{
	if (heap_bytes > 0)
		shift_heap(heap_bytes);
	if (load_pages > 0)
		shift_mappings(load_pages);
}

/* --- state ------------------------------------------------------------------------------- */

Bool deterministic_has(enum deterministic_item item)
{
	return (tool_deterministic.program.items & 1U << item) != 0;
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

/* --- instructions ------------------------------------------------------------------------ */

/*
 * VEX makes each of these instructions a call of a helper that executes it, or that knows the answer; the call
 * goes to a function of ours instead.  Helpers are recognised by name, which VEX keeps in its intermediate
 * representation.  There is one for CPUID for each level of processors that VEX knows, and some have arguments after the
 * guest's state.
 */

/* Registers by their numbers in instructions. */
enum {
	RAX,
	RCX,
	RDX,
	RBX,
};

static ULong *general(struct guest *guest, UInt number)
{
	return guest_word(guest, guest_general(number));
}

static void answer_cpuid(struct guest *guest)
{
	uint32_t registers[N_PROCESSOR_REGISTERS];

	processor_cpuid(&tool_deterministic.options.processor, (UInt)*general(guest, RAX),
			(UInt)*general(guest, RCX), registers);
	*general(guest, RAX) = registers[PROCESSOR_EAX];
	*general(guest, RBX) = registers[PROCESSOR_EBX];
	*general(guest, RCX) = registers[PROCESSOR_ECX];
	*general(guest, RDX) = registers[PROCESSOR_EDX];
}

static ULong answer_rdtsc(void)
{
	tool_deterministic.clock.n_questions++;
	return clock_counter();
}

/* RCX is the number of the CPU. */
static void answer_rdtscp(struct guest *guest)
{
	ULong time = answer_rdtsc();

	*general(guest, RAX) = (UInt)time;
	*general(guest, RDX) = time >> 32;
	*general(guest, RCX) = 0;
}

/* 32 bits, and above them a bit that says that they are valid. */
static ULong answer_random(void)
{
	return 1ULL << 32 |
	       (splitmix_next(&tool_deterministic.random_source.splitmix) & 0xffffffff);
}

struct insn_replacement {
	const HChar *name; /* of VEX's helper, after helper_prefix */
	const HChar *own_name;
	void *own;
	enum deterministic_item item;
	Bool is_prefix;   /* several names begin with it */
	Bool takes_state; /* our function takes the guest's state; else nothing */
	Bool reads_totals;
};

static const HChar helper_prefix[] = "amd64g_dirtyhelper_";

static const struct insn_replacement replacements[] = {
	{ "CPUID_", "answer_cpuid", &answer_cpuid, DETERMINISTIC_CPU, True, True, False },
	{ "RDTSC", "answer_rdtsc", &answer_rdtsc, DETERMINISTIC_TSC, False, False, True },
	{ "RDTSCP", "answer_rdtscp", &answer_rdtscp, DETERMINISTIC_TSC, False, True, True },
	{ "RDRAND", "answer_random", &answer_random, DETERMINISTIC_RANDOM, False, False, False },
	{ "RDSEED", "answer_random", &answer_random, DETERMINISTIC_RANDOM, False, False, False },
};

static const struct insn_replacement *find_replacement(const IRStmt *stmt)
{
	SizeT prefix_len = sizeof(helper_prefix) - 1;
	const HChar *name;

	if (stmt->tag != Ist_Dirty || tool_deterministic.program.items == 0)
		return NULL;
	name = stmt->Ist.Dirty.details->cee->name;
	if (VG_(strncmp)(name, helper_prefix, prefix_len) != 0)
		return NULL;
	name += prefix_len;
	for (UInt i = 0; i < sizeof(replacements) / sizeof(replacements[0]); i++) {
		const struct insn_replacement *row = &replacements[i];
		Bool matches = row->is_prefix
			? VG_(strncmp)(name, row->name, VG_(strlen)(row->name)) == 0
				       : VG_(strcmp)(name, row->name) == 0;

		if (matches)
			return deterministic_has(row->item) ? row : NULL;
	}
	return NULL;
}

Bool deterministic_reads_totals(const IRStmt *stmt)
{
	const struct insn_replacement *replacement = find_replacement(stmt);

	return replacement != NULL && replacement->reads_totals;
}

void deterministic_add(IRSB *out, IRStmt *stmt)
{
	const struct insn_replacement *replacement = find_replacement(stmt);
	IRDirty *call;

	if (replacement == NULL) {
		addStmtToIRSB(out, stmt);
		return;
	}
	/* What the helper does to the guest's state stays declared. */
	call = emptyIRDirty();
	*call = *stmt->Ist.Dirty.details;
	call->cee = mkIRCallee(replacement->takes_state ? 1 : 0, replacement->own_name,
			       VG_(fnptr_to_fnentry)(replacement->own));
	call->args = replacement->takes_state ? mkIRExprVec_1(IRExpr_GSPTR()) : mkIRExprVec_0();
	addStmtToIRSB(out, IRStmt_Dirty(call));
}

/*
 * The feature that this machine's processor lacks, or NULL: Valgrind executes some instructions only where the
 * processor has them.
 */
static const HChar *missing_feature(const struct processor *processor)
{
	static const struct {
		UInt hwcap;
		uint32_t need;
	} rows[] = {
		{ VEX_HWCAPS_AMD64_SSE3, PROCESSOR_NEEDS_SSE3 },
		{ VEX_HWCAPS_AMD64_SSSE3, PROCESSOR_NEEDS_SSSE3 },
		{ VEX_HWCAPS_AMD64_CX16, PROCESSOR_NEEDS_CX16 },
		{ VEX_HWCAPS_AMD64_AVX, PROCESSOR_NEEDS_AVX },
		{ VEX_HWCAPS_AMD64_AVX2, PROCESSOR_NEEDS_AVX2 },
		{ VEX_HWCAPS_AMD64_BMI, PROCESSOR_NEEDS_BMI },
		{ VEX_HWCAPS_AMD64_LZCNT, PROCESSOR_NEEDS_LZCNT },
		{ VEX_HWCAPS_AMD64_F16C, PROCESSOR_NEEDS_F16C },
		{ VEX_HWCAPS_AMD64_RDRAND, PROCESSOR_NEEDS_RDRAND },
		{ VEX_HWCAPS_AMD64_RDSEED, PROCESSOR_NEEDS_RDSEED },
		{ VEX_HWCAPS_AMD64_RDTSCP, PROCESSOR_NEEDS_RDTSCP },
	};
	VexArch arch;
	VexArchInfo machine;
	uint32_t has = 0;

	VG_(machine_get_VexArchInfo)(&arch, &machine);
	for (UInt i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((machine.hwcaps & rows[i].hwcap) != 0)
			has |= rows[i].need;
	return processor_missing(processor, has);
}

/* Arguments are in the registers, and may be changed there (timecalls.c). */
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

/* --- system calls and signals ------------------------------------------------------------ */

static const struct {
	UInt number; /* of the system call */
	enum deterministic_item item;
	syscall_answer *give;
} answers[] = {
	{ __NR_clock_gettime, DETERMINISTIC_CLOCK, answer_clock_gettime },
	{ __NR_clock_gettime, DETERMINISTIC_USAGE, answer_clock_gettime },
	{ __NR_clock_getres, DETERMINISTIC_CLOCK, answer_clock_getres },
	{ __NR_clock_getres, DETERMINISTIC_USAGE, answer_clock_getres },
	{ __NR_gettimeofday, DETERMINISTIC_CLOCK, answer_gettimeofday },
	{ __NR_time, DETERMINISTIC_CLOCK, answer_time },
	{ __NR_alarm, DETERMINISTIC_CLOCK, answer_alarm },
	{ __NR_setitimer, DETERMINISTIC_CLOCK, answer_setitimer },
	{ __NR_getitimer, DETERMINISTIC_CLOCK, answer_getitimer },
	{ __NR_timer_create, DETERMINISTIC_CLOCK, answer_timer_create },
	{ __NR_timer_gettime, DETERMINISTIC_CLOCK, answer_timer_gettime },
	{ __NR_timerfd_gettime, DETERMINISTIC_CLOCK, answer_timerfd_gettime },
	{ __NR_times, DETERMINISTIC_USAGE, answer_times },
	{ __NR_getrusage, DETERMINISTIC_USAGE, answer_getrusage },
	{ __NR_wait4, DETERMINISTIC_USAGE, answer_wait4 },
	{ __NR_waitid, DETERMINISTIC_USAGE, answer_waitid },
	{ __NR_uname, DETERMINISTIC_SYSTEM, answer_uname },
	{ __NR_sysinfo, DETERMINISTIC_MEMORY, answer_sysinfo },
	{ __NR_sched_getaffinity, DETERMINISTIC_CPUS, answer_sched_getaffinity },
	{ __NR_getcpu, DETERMINISTIC_CPUS, answer_getcpu },
	{ __NR_getrandom, DETERMINISTIC_RANDOM, answer_getrandom },
	{ __NR_stat, DETERMINISTIC_FILES, answer_stat },
	{ __NR_lstat, DETERMINISTIC_FILES, answer_stat },
	{ __NR_fstat, DETERMINISTIC_FILES, answer_stat },
	{ __NR_newfstatat, DETERMINISTIC_FILES, answer_newfstatat },
	{ __NR_statx, DETERMINISTIC_FILES, answer_statx },
};

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
	case __NR_tkill: /* the thread may be this process's main one */
		note_sent((Int)args[0], args[1]);
		break;
	default:
		break;
	}
}

/* The child, in a struct siginfo as waitid() fills it. */
static Int pid_of(const Int *siginfo)
{
	return siginfo != NULL ? siginfo[3] : 0;
}

static void note_wait(ThreadId tid, UInt number, const UWord *args, UWord result)
{
	Int pid = number == __NR_wait4 ? (Int)result : pid_of((const Int *)args[2]);
	ULong began = deterministic_thread_of(tid)->waiting;

	if (pid > 0 && began != 0 && !tool_self.sealed)
		process_tree_waited(pid, syscall_clock(LINUX_CLOCK_MONOTONIC) - began);
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

/* A system call has succeeded that has no answer of its own. */
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
			answers[i].give(&(struct finished_call){ tid, args, sr_Res(result) });
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
	/* SIGPIPE follows from the program's own writing. */
	if (!is_fault && signal != VKI_SIGPIPE)
		note_signal(signal);
}

void deterministic_thread(ThreadId tid)
{
	if (tool_deterministic.program.items == 0)
		return;
	deterministic_thread_of(tid)->asked = 0;
	deterministic_thread_of(tid)->begun = threads_instructions(tid);
	nondeterminism_note(NONDETERMINISM_THREADS);
}

void deterministic_fork_parent(void)
{
	if (tool_deterministic.program.items == 0)
		return;
	random_source_fork_parent();
	nondeterminism_note(NONDETERMINISM_CHILDREN);
}

void deterministic_fork_child(void)
{
	if (tool_deterministic.program.items == 0)
		return;
	random_source_fork_child();
	clock_fork();
	timers_fork();
	VG_(memset)(tool_deterministic.nondeterminism, 0,
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
		process_tree_exec(is_traced);
}

void deterministic_exec_failed(void)
{
	if (tool_deterministic.program.items != 0)
		process_tree_exec_failed();
}

void deterministic_exit(void)
{
	if (tool_deterministic.program.items == 0)
		return;
	process_tree_exit();
	report_nondeterminism();
	if (tool_deterministic.clock.n_questions > CLOCK_FEW_QUESTIONS && !tool_self.forked)
		message_note("the program asked for the time %'llu times, which is a count of "
			     "instructions: what runs for a fixed time does less when it gets "
			     "slower; fix its number of iterations",
			     tool_deterministic.clock.n_questions);
}

void deterministic_init(const struct deterministic_options *options)
{
	const HChar *missing;

	if (!options->on)
		return;
	tool_deterministic.program.items = ((1U << N_DETERMINISTIC_ITEMS) - 1) & ~options->left;
	missing = missing_feature(&options->processor);
	if (deterministic_has(DETERMINISTIC_CPU) && missing != NULL)
		message_fatal(
			"--cpu=%s: Valgrind executes its code only where the processor has %s, "
			"and this one does not",
			options->cpu != NULL ? options->cpu : "baseline", missing);
	clock_init(options->clock_start, options->clock_rate);
	random_source_init(options->seed);
	process_tree_init();
	auxvector_init(deterministic_has(DETERMINISTIC_RANDOM),
		       deterministic_has(DETERMINISTIC_CPU));
}
