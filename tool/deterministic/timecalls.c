/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that ask for the time, or wait for it, by the clock of clock.c. */
#include "tool/deterministic/state.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/common/guest.h"
#include "tool/common/syscall.h"

enum {
	TICK = 10000000, /* ns of times() */
	PER_THREAD = 4,  /* bit of a clock that is named by a process or thread */
	ITIMER_OF_DATE = 0,
	OF_SELF = 0, /* first argument of getrusage() */
	OF_THREAD = 1,
	SIGEV_NONE = 1,
};

/* The thread with a thread id of the kernel; not in the core's public headers. */
extern ThreadId VG_(lwpid_to_vgtid)(Int lwpid);

static ULong coarse(ULong time)
{
	return time - time % CLOCK_COARSE_STEP;
}

/* A negative clock counts CPU time of a process or thread.  The other bits have its id, inverted; 0 is the one that asks. */
static Bool read_cpu_clock(ThreadId tid, Int clock, ULong *time)
{
	Int id = ~(clock >> 3);
	ThreadId of = id == 0 ? tid : VG_(lwpid_to_vgtid)(id);

	if ((clock & 7) == 3 || !deterministic_has(DETERMINISTIC_USAGE))
		return False; /* a descriptor */
	if ((clock & PER_THREAD) == 0) {
		*time = clock_process_time();
		return id == 0 || id == VG_(getpid)();
	}
	*time = of != VG_INVALID_THREADID ? clock_thread_time(of) : 0;
	return of != VG_INVALID_THREADID;
}

/* Reads a clock; False if it is not one that is made the same. */
static Bool read_clock(ThreadId tid, Int clock, ULong *time)
{
	ULong now = clock_now();
	ULong date = now + clock_date_offset();

	switch (clock) {
	case CLOCK_OF_DATE:
	case CLOCK_DATE_ALARM:
	case CLOCK_TAI_TIME:
		*time = date;
		break;
	case CLOCK_MONOTONIC_TIME:
	case CLOCK_RAW:
	case CLOCK_SINCE_BOOT:
	case CLOCK_BOOT_ALARM:
		*time = now;
		break;
	case CLOCK_COARSE_DATE:
		*time = coarse(date);
		break;
	case CLOCK_COARSE:
		*time = coarse(now);
		break;
	case CLOCK_PROCESS_TIME:
		*time = clock_process_time();
		return deterministic_has(DETERMINISTIC_USAGE);
	case CLOCK_THREAD_TIME:
		*time = clock_thread_time(tid);
		return deterministic_has(DETERMINISTIC_USAGE);
	default:
		return clock < 0 && read_cpu_clock(tid, clock, time);
	}
	return deterministic_has(DETERMINISTIC_CLOCK);
}

void answer_clock_gettime(const struct finished_call *call)
{
	struct vki_timespec *at = (struct vki_timespec *)call->args[1];
	ULong time;

	clock_ask(call->tid);
	if (!read_clock(call->tid, (Int)call->args[0], &time)) {
		if (deterministic_has(DETERMINISTIC_CLOCK) &&
		    deterministic_has(DETERMINISTIC_USAGE))
			nondeterminism_note(NONDETERMINISM_CLOCKS);
		return;
	}
	at->tv_sec = (Long)(time / CLOCK_SECOND);
	at->tv_nsec = (Long)(time % CLOCK_SECOND);
}

void answer_clock_getres(const struct finished_call *call)
{
	struct vki_timespec *at = (struct vki_timespec *)call->args[1];
	Int clock = (Int)call->args[0];
	ULong ignored;

	if (at == NULL || !read_clock(call->tid, clock, &ignored))
		return;
	at->tv_sec = 0;
	at->tv_nsec = clock == CLOCK_COARSE || clock == CLOCK_COARSE_DATE ? CLOCK_COARSE_STEP : 1;
}

/* The program asks for the date, in ns. */
static ULong ask_date(ThreadId tid)
{
	clock_ask(tid);
	return clock_now() + clock_date_offset();
}

void answer_gettimeofday(const struct finished_call *call)
{
	struct vki_timeval *at = (struct vki_timeval *)call->args[0];
	struct vki_timezone *zone = (struct vki_timezone *)call->args[1];
	ULong date = ask_date(call->tid);

	if (at != NULL) {
		at->tv_sec = (Long)(date / CLOCK_SECOND);
		at->tv_usec = (Long)(date % CLOCK_SECOND / 1000);
	}
	if (zone != NULL)
		*zone = (struct vki_timezone){ 0, 0 };
}

void answer_time(const struct finished_call *call)
{
	Long *at = (Long *)call->args[0];
	Long date = (Long)(ask_date(call->tid) / CLOCK_SECOND);

	if (at != NULL)
		*at = date;
	guest_write(call->tid, GUEST_SYSCALL_RESULT, (ULong)date);
}

void answer_times(const struct finished_call *call)
{
	struct vki_tms *at = (struct vki_tms *)call->args[0];

	clock_ask(call->tid);
	if (at != NULL)
		*at = (struct vki_tms){
			.tms_utime = (Long)(clock_process_time() / TICK),
		};
	guest_write(call->tid, GUEST_SYSCALL_RESULT, clock_now() / TICK);
}

static void write_usage(Addr at, ULong time)
{
	if (at == 0)
		return;
	*(struct vki_rusage *)at = (struct vki_rusage){
		.ru_utime = {
			.tv_sec = (Long)(time / CLOCK_SECOND),
			.tv_usec = (Long)(time % CLOCK_SECOND / 1000),
		},
	};
}

void answer_getrusage(const struct finished_call *call)
{
	ULong time = 0; /* of children */

	clock_ask(call->tid);
	if ((Int)call->args[0] == OF_SELF)
		time = clock_process_time();
	else if ((Int)call->args[0] == OF_THREAD)
		time = clock_thread_time(call->tid);
	write_usage(call->args[1], time);
}

/* What children have used is unknown. */
void answer_wait4(const struct finished_call *call)
{
	if (call->result != 0)
		write_usage(call->args[3], 0);
}

void answer_waitid(const struct finished_call *call)
{
	write_usage(call->args[4], 0);
}

/* The seconds that were left, rounded as in the kernel: never to 0. */
void answer_alarm(const struct finished_call *call)
{
	ULong interval;
	ULong left = timers_left(TIMER_ALARM, 0, &interval);
	ULong seconds = (left + CLOCK_SECOND / 2) / CLOCK_SECOND;

	guest_write(call->tid, GUEST_SYSCALL_RESULT,
		    left != 0 && seconds == 0 ? 1 : (ULong)seconds);
	if ((UInt)call->args[0] == 0)
		timers_stop(TIMER_ALARM, 0);
	else
		timers_set(TIMER_ALARM, 0, clock_now() + (UInt)call->args[0] * CLOCK_SECOND, 0);
}

static ULong ns_of(const struct vki_timeval *value)
{
	return (ULong)value->tv_sec * CLOCK_SECOND + (ULong)value->tv_usec * 1000;
}

static void write_itimer(Addr at)
{
	struct vki_itimerval *value = (struct vki_itimerval *)at;
	Long time[4];

	if (value == NULL)
		return;
	timers_write(TIMER_ALARM, 0, time);
	value->it_interval.tv_sec = time[0];
	value->it_interval.tv_usec = time[1] / 1000;
	value->it_value.tv_sec = time[2];
	value->it_value.tv_usec = time[3] / 1000;
}

void answer_setitimer(const struct finished_call *call)
{
	const struct vki_itimerval *value = (const struct vki_itimerval *)call->args[1];
	ULong time = value != NULL ? ns_of(&value->it_value) : 0;

	if (call->args[0] != ITIMER_OF_DATE) {
		nondeterminism_note(NONDETERMINISM_TIMERS);
		return;
	}
	write_itimer(call->args[2]);
	if (time == 0)
		timers_stop(TIMER_ALARM, 0);
	else
		timers_set(TIMER_ALARM, 0, clock_now() + time, ns_of(&value->it_interval));
}

void answer_getitimer(const struct finished_call *call)
{
	if (call->args[0] == ITIMER_OF_DATE)
		write_itimer(call->args[1]);
}

/* struct sigevent: a value of eight bytes, the signal, how it is sent. */
void answer_timer_create(const struct finished_call *call)
{
	const Int *event = (const Int *)call->args[1];
	Int signal = event == NULL ? VKI_SIGALRM : event[3] == SIGEV_NONE ? -1 : event[2];

	timers_create(TIMER_POSIX, *(const Int *)call->args[2], signal);
}

void answer_timer_gettime(const struct finished_call *call)
{
	timers_write(TIMER_POSIX, (Int)call->args[0], (Long *)call->args[1]);
}

void answer_timerfd_gettime(const struct finished_call *call)
{
	timers_write(TIMER_FILE, (Int)call->args[0], (Long *)call->args[1]);
}

/* --- times of files ---------------------------------------------------------------------- */

/* Times in struct statx: see the kernel's uapi/linux/stat.h. */
struct statx_time {
	Long seconds;
	UInt ns;
	Int unused;
};

struct statx_times {
	ULong before[8];
	struct statx_time read, born, status, changed;
};

static void round_times(struct vki_stat *stat)
{
	stat->st_mtime_nsec = 0;
	stat->st_ctime_nsec = 0;
	stat->st_atime_nsec = 0;
	stat->st_atime = stat->st_mtime;
}

void answer_stat(const struct finished_call *call)
{
	round_times((struct vki_stat *)call->args[1]);
}

void answer_newfstatat(const struct finished_call *call)
{
	round_times((struct vki_stat *)call->args[2]);
}

void answer_statx(const struct finished_call *call)
{
	struct statx_times *times = (struct statx_times *)call->args[4];

	times->changed.ns = 0;
	times->status.ns = 0;
	times->born.ns = 0;
	times->read = times->changed;
}

/* --- waiting until a time is over -------------------------------------------------------- */

/*
 * The core reads a system call's arguments when generated code has been left, and gives the tool only copies.  So a block that
 * makes a system call ends with a call of timedwait_begin(), which can change them: a pointer to a moment becomes one to a
 * translated moment, in the tool's memory.  (Other threads would see a translation in place, and some programs keep it in
 * memory that is read-only.)  Before the program goes on, be it in a handler, the argument is put back.  A call that is
 * restarted is made by the same block, so everything is computed again.
 */

enum {
	ABSOLUTE = 1, /* the flag of clock_nanosleep, timer_settime and timerfd_settime */
	FUTEX_COMMAND = 127,
	FUTEX_WAIT = 0,
	FUTEX_LOCK_PI = 6,
	FUTEX_WAIT_BITSET = 9,
	FUTEX_WAIT_REQUEUE_PI = 11,
	FUTEX_LOCK_PI2 = 13,
	FUTEX_DATE = 256,
	ETIMEDOUT_ERROR = 110,
};

/* No time is later, so that sums do not overflow: dates have some 250 years. */
static const ULong longest = 8000000000ULL * CLOCK_SECOND;

enum time_form {
	TIME_SPEC,  /* seconds and ns, in memory */
	TIME_VALUE, /* seconds and us, in memory */
	TIME_MILLI, /* ms, an Int; negative: for ever */
	TIME_TIMER, /* struct itimerspec: seconds and ns, twice */
};

/* The clock of an absolute time; NO_CLOCK: it is relative. */
enum { NO_CLOCK = -1, UNKNOWN_CLOCK = -2, EITHER_CLOCK = -3 };

struct timed_call {
	UInt number;
	UInt argument; /* the argument with the time */
	enum time_form form;
	Int over;        /* the result when the time is over: 0, or an error number */
	Bool is_written; /* the kernel writes the time that is left there */
};

/* Numbers that the core's headers of 3.19 lack. */
enum {
	CALL_EPOLL_PWAIT2 = 441,
	CALL_FUTEX_WAITV = 449,
};

static const struct timed_call calls[] = {
	{ __NR_futex, 3, TIME_SPEC, ETIMEDOUT_ERROR, False },
	{ __NR_nanosleep, 0, TIME_SPEC, 0, False },
	{ __NR_clock_nanosleep, 2, TIME_SPEC, 0, False },
	{ __NR_poll, 2, TIME_MILLI, 0, False },
	{ __NR_ppoll, 2, TIME_SPEC, 0, True },
	{ __NR_select, 4, TIME_VALUE, 0, True },
	{ __NR_pselect6, 4, TIME_SPEC, 0, True },
	{ __NR_epoll_wait, 3, TIME_MILLI, 0, False },
	{ __NR_epoll_pwait, 3, TIME_MILLI, 0, False },
	{ CALL_EPOLL_PWAIT2, 3, TIME_SPEC, 0, False },
	{ __NR_rt_sigtimedwait, 2, TIME_SPEC, VKI_EAGAIN, False },
	{ __NR_semtimedop, 3, TIME_SPEC, VKI_EAGAIN, False },
	{ __NR_io_getevents, 4, TIME_SPEC, 0, False },
	{ __NR_mq_timedsend, 4, TIME_SPEC, ETIMEDOUT_ERROR, False },
	{ __NR_mq_timedreceive, 4, TIME_SPEC, ETIMEDOUT_ERROR, False },
	{ CALL_FUTEX_WAITV, 3, TIME_SPEC, ETIMEDOUT_ERROR, False },
	{ __NR_timer_settime, 2, TIME_TIMER, -1, False },
	{ __NR_timerfd_settime, 2, TIME_TIMER, -1, False },
};

static const struct timed_call *find_call(ULong number)
{
	for (UInt i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

static ULong *argument_of(struct guest *guest, UInt argument)
{
	return guest_word(guest, guest_syscall_argument(argument));
}

static Int futex_clock(ULong operation)
{
	Int clock = (operation & FUTEX_DATE) != 0 ? CLOCK_OF_DATE : CLOCK_MONOTONIC_TIME;

	switch (operation & FUTEX_COMMAND) {
	case FUTEX_WAIT:
		return NO_CLOCK;
	case FUTEX_LOCK_PI:
		return CLOCK_OF_DATE;
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI2:
		return clock;
	default: /* does not wait */
		return UNKNOWN_CLOCK;
	}
}

/* Waiting by clocks of CPU time is left as it is. */
static Int sleep_clock(ULong clock, ULong flags)
{
	switch (clock) {
	case CLOCK_OF_DATE:
	case CLOCK_TAI_TIME:
	case CLOCK_DATE_ALARM:
		return (flags & ABSOLUTE) != 0 ? CLOCK_OF_DATE : NO_CLOCK;
	case CLOCK_MONOTONIC_TIME:
	case CLOCK_SINCE_BOOT:
	case CLOCK_BOOT_ALARM:
		return (flags & ABSOLUTE) != 0 ? CLOCK_MONOTONIC_TIME : NO_CLOCK;
	default:
		return UNKNOWN_CLOCK;
	}
}

/* The clock that the time of a call is of. */
static Int clock_of(const struct timed_call *call, struct guest *guest)
{
	switch (call->number) {
	case __NR_futex:
		return futex_clock(*argument_of(guest, 1));
	case __NR_clock_nanosleep:
		return sleep_clock(*argument_of(guest, 0), *argument_of(guest, 1));
	case __NR_mq_timedsend:
	case __NR_mq_timedreceive:
		return CLOCK_OF_DATE;
	case CALL_FUTEX_WAITV:
		return *argument_of(guest, 4) == CLOCK_OF_DATE ? CLOCK_OF_DATE
							       : CLOCK_MONOTONIC_TIME;
	case __NR_timer_settime:
	case __NR_timerfd_settime:
		return (*argument_of(guest, 1) & ABSOLUTE) != 0 ? EITHER_CLOCK : NO_CLOCK;
	default:
		return NO_CLOCK;
	}
}

/* Reads a time; False if the kernel would refuse it. */
static Bool to_ns(const Long *time, Long second, ULong *ns)
{
	Long limit = (Long)(longest / CLOCK_SECOND);

	if (time[0] < 0 || time[1] < 0 || time[1] >= second)
		return False;
	*ns = time[0] > limit ? longest
			      : (ULong)time[0] * CLOCK_SECOND +
					(ULong)time[1] * (CLOCK_SECOND / (ULong)second);
	return True;
}

static void from_ns(ULong ns, Long second, Long *time)
{
	time[0] = (Long)(ns / CLOCK_SECOND);
	time[1] = (Long)(ns % CLOCK_SECOND / (CLOCK_SECOND / (ULong)second));
}

static SizeT size_of_form(enum time_form form)
{
	return form == TIME_TIMER ? 32 : 16;
}

/* Reads the time of a call; False if there is none, or the kernel would refuse it. */
static Bool read_time(const struct timed_call *call, ULong argument, struct timed_wait *wait)
{
	const Long *time = (const Long *)argument;
	Int ms = (Int)argument;

	if (call->form == TIME_MILLI) {
		wait->time = (ULong)ms * 1000000;
		return ms >= 0;
	}
	if (argument == 0 ||
	    !VG_(am_is_valid_for_client)(argument, size_of_form(call->form), VKI_PROT_READ))
		return False;
	wait->given = argument;
	if (call->form == TIME_VALUE)
		return to_ns(time, 1000000, &wait->time);
	if (call->form == TIME_SPEC)
		return to_ns(time, 1000000000, &wait->time);
	return to_ns(time, 1000000000, &wait->interval) && to_ns(time + 2, 1000000000, &wait->time);
}

static ULong distance(ULong a, ULong b)
{
	return a > b ? a - b : b - a;
}

/* The call does not name the clock of a timer: it is the one that is nearer. */
static Int nearer_clock(ULong time)
{
	ULong now = clock_now();
	ULong date = now + clock_date_offset();

	return distance(time, date) < distance(time, now) ? CLOCK_OF_DATE : CLOCK_MONOTONIC_TIME;
}

static void change(struct timed_wait *wait, struct guest *guest, UInt argument, ULong value)
{
	ULong *at = argument_of(guest, argument);

	wait->changed[wait->n_changed++] = (struct changed_argument){ argument, *at };
	*at = value;
}

/*
 * Turns the moment into one of the kernel's clock; due and time stay by the program's.  This asks the kernel for the time, even
 * if the program has sealed itself off: to know a moment, it had to ask itself.
 */
static void translate(struct timed_wait *wait, struct guest *guest, Int clock)
{
	ULong now = clock_now();
	ULong then = wait->time;
	ULong offset;

	if (clock == EITHER_CLOCK)
		clock = nearer_clock(then);
	offset = clock == CLOCK_OF_DATE ? clock_date_offset() : 0;
	wait->time = then > now + offset ? then - now - offset : 0;
	if (wait->call->form == TIME_TIMER) { /* relative: then the clock does not matter */
		from_ns(wait->interval, 1000000000, wait->passed);
		from_ns(wait->time != 0 ? wait->time : 1, 1000000000, wait->passed + 2);
		change(wait, guest, 1, *argument_of(guest, 1) & ~3ULL);
	} else {
		from_ns(syscall_clock(clock) + wait->time, 1000000000, wait->passed);
	}
	change(wait, guest, wait->call->argument, (Addr)wait->passed);
}

void timedwait_begin(struct guest *guest)
{
	struct timed_wait *wait = &deterministic_thread_of(VG_(get_running_tid)())->wait;
	const struct timed_call *call = find_call(*guest_word(guest, GUEST_SYSCALL));
	Int clock;

	*wait = (struct timed_wait){ .call = NULL };
	if (call == NULL)
		return;
	clock = clock_of(call, guest);
	if (clock == UNKNOWN_CLOCK || !read_time(call, *argument_of(guest, call->argument), wait))
		return;
	wait->call = call;
	wait->stops = call->form == TIME_TIMER && wait->time == 0;
	if (clock != NO_CLOCK && !wait->stops)
		translate(wait, guest, clock);
	wait->due = clock_now() + wait->time;
}

static void put_back(ThreadId tid, struct timed_wait *wait)
{
	while (wait->n_changed != 0) {
		const struct changed_argument *changed = &wait->changed[--wait->n_changed];

		guest_write(tid, guest_syscall_argument(changed->argument), changed->given);
	}
}

void timedwait_interrupt(ThreadId tid)
{
	struct timed_wait *wait = &deterministic_thread_of(tid)->wait;

	put_back(tid, wait);
}

/* What was left when a signal came, where the kernel reports it; False if it does not. */
static Bool read_rest(const struct timed_wait *wait, const UWord *args, ULong *rest)
{
	Addr at = wait->given;

	if (wait->call->number == __NR_nanosleep)
		at = args[1];
	else if (wait->call->number == __NR_clock_nanosleep)
		at = (args[1] & ABSOLUTE) != 0 ? 0 : args[3];
	else if (!wait->call->is_written)
		at = 0;
	return at != 0 && VG_(am_is_valid_for_client)(at, 16, VKI_PROT_READ) &&
			      to_ns((const Long *)at,
				    wait->call->form == TIME_VALUE ? 1000000 : 1000000000, rest);
}

/*
 * A call that waits was cut short.  As much time has passed as the kernel reports to the program, so one that goes on to wait for the
 * rest gets to the end.
 */
static void cut_short(const struct timed_wait *wait, const UWord *args)
{
	ULong rest;

	if (!read_rest(wait, args, &rest))
		return;
	nondeterminism_note(NONDETERMINISM_SLEEPS);
	if (rest < wait->time)
		clock_wait_until(wait->due - rest);
}

/* Overwrites what the kernel has written, which shows how long it really took. */
static void write_rest(const struct timed_wait *wait, Bool is_over)
{
	Long *at = (Long *)wait->given;

	/* The kernel ignores it if it cannot write. */
	if (wait->call->is_written && at != NULL &&
	    VG_(am_is_valid_for_client)(wait->given, 16, VKI_PROT_WRITE))
		from_ns(is_over ? 0 : wait->time,
			wait->call->form == TIME_VALUE ? 1000000 : 1000000000, at);
}

/* The program may also ask when the timer would have fired before. */
static void set_timer(const struct timed_wait *wait, const UWord *args)
{
	enum timer_kind kind = wait->call->number == __NR_timer_settime ? TIMER_POSIX : TIMER_FILE;
	Int id = (Int)args[0];

	if (args[3] != 0)
		timers_write(kind, id, (Long *)args[3]);
	if (wait->stops) {
		timers_stop(kind, id);
		return;
	}
	timers_set(kind, id, wait->due, wait->interval);
}

void timedwait_end(ThreadId tid, const UWord *args, SysRes result)
{
	struct timed_wait *wait = &deterministic_thread_of(tid)->wait;
	Bool is_error = sr_isError(result);
	Bool is_over;

	if (wait->call == NULL)
		return;
	put_back(tid, wait);
	is_over = is_error ? (Int)sr_Err(result) == wait->call->over
			   : wait->call->over == 0 && sr_Res(result) == 0;
	if (is_over)
		clock_wait_until(wait->due);
	if (is_error && sr_Err(result) == VKI_EINTR)
		cut_short(wait, args);
	else if (!is_error && wait->call->form == TIME_TIMER)
		set_timer(wait, args);
	else if (!is_error)
		write_rest(wait, is_over);
	wait->call = NULL;
}
