/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/timeanswer.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "tool/common/guest.h"
#include "tool/deterministic/deterministic.h"
#include "tool/deterministic/nondeterminism.h"
#include "tool/deterministic/state.h"

enum {
	TICK = 10000000, /* ns of times() */
	PER_THREAD = 4,  /* of a clock that is named by a process or thread */
	ITIMER_OF_DATE = 0,
	OF_SELF = 0, /* what getrusage is asked for */
	OF_THREAD = 1,
	SIGEV_NONE = 1,
};

/* The thread of a kernel's thread id; not in the core's public headers. */
extern ThreadId VG_(lwpid_to_vgtid)(Int lwpid);

static ULong coarse(ULong time)
{
	return time - time % CLOCK_COARSE_STEP;
}

/*
 * A clock below 0 is one of CPU time, of a process or thread: its id is in
 * the other bits, inverted, and 0 is the one that asks.
 */
static Bool read_cpu_clock(ThreadId tid, Int clock, ULong *time)
{
	Int id = ~(clock >> 3);
	ThreadId of = id == 0 ? tid : VG_(lwpid_to_vgtid)(id);

	if ((clock & 7) == 3 || !deterministic_has(DETERMINISTIC_USAGE))
		return False; /* a descriptor */
	if ((clock & PER_THREAD) == 0) {
		*time = clock_process_time(&tool_deterministic.clock);
		return id == 0 || id == VG_(getpid)();
	}
	*time = of != VG_INVALID_THREADID ? clock_thread_time(of) : 0;
	return of != VG_INVALID_THREADID;
}

/* What a clock says; False if it is none that is made the same. */
static Bool read_clock(ThreadId tid, Int clock, ULong *time)
{
	ULong now = clock_now(&tool_deterministic.clock);
	ULong date = now + clock_date_offset(&tool_deterministic.clock);

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
		*time = clock_process_time(&tool_deterministic.clock);
		return deterministic_has(DETERMINISTIC_USAGE);
	case CLOCK_THREAD_TIME:
		*time = clock_thread_time(tid);
		return deterministic_has(DETERMINISTIC_USAGE);
	default:
		return clock < 0 && read_cpu_clock(tid, clock, time);
	}
	return deterministic_has(DETERMINISTIC_CLOCK);
}

void time_answer_gettime(ThreadId tid, const UWord *args, UWord result)
{
	struct vki_timespec *at = (struct vki_timespec *)args[1];
	ULong time;

	(void)result;
	clock_ask(&tool_deterministic.clock, tid);
	if (!read_clock(tid, (Int)args[0], &time)) {
		if (deterministic_has(DETERMINISTIC_CLOCK) &&
		    deterministic_has(DETERMINISTIC_USAGE))
			nondeterminism_note(NONDETERMINISM_CLOCKS);
		return;
	}
	at->tv_sec = (Long)(time / CLOCK_SECOND);
	at->tv_nsec = (Long)(time % CLOCK_SECOND);
}

void time_answer_getres(ThreadId tid, const UWord *args, UWord result)
{
	struct vki_timespec *at = (struct vki_timespec *)args[1];
	Int clock = (Int)args[0];
	ULong ignored;

	(void)result;
	if (at == NULL || !read_clock(tid, clock, &ignored))
		return;
	at->tv_sec = 0;
	at->tv_nsec = clock == CLOCK_COARSE || clock == CLOCK_COARSE_DATE ? CLOCK_COARSE_STEP : 1;
}

/* The date, in ns, of a program that asks for it. */
static ULong ask_date(ThreadId tid)
{
	clock_ask(&tool_deterministic.clock, tid);
	return clock_now(&tool_deterministic.clock) + clock_date_offset(&tool_deterministic.clock);
}

void time_answer_gettimeofday(ThreadId tid, const UWord *args, UWord result)
{
	struct vki_timeval *at = (struct vki_timeval *)args[0];
	struct vki_timezone *zone = (struct vki_timezone *)args[1];
	ULong date = ask_date(tid);

	(void)result;
	if (at != NULL) {
		at->tv_sec = (Long)(date / CLOCK_SECOND);
		at->tv_usec = (Long)(date % CLOCK_SECOND / 1000);
	}
	if (zone != NULL)
		*zone = (struct vki_timezone){ 0, 0 };
}

void time_answer_time(ThreadId tid, const UWord *args, UWord result)
{
	Long *at = (Long *)args[0];
	Long date = (Long)(ask_date(tid) / CLOCK_SECOND);

	(void)result;
	if (at != NULL)
		*at = date;
	guest_write(tid, GUEST_SYSCALL_RESULT, (ULong)date);
}

void time_answer_times(ThreadId tid, const UWord *args, UWord result)
{
	struct vki_tms *at = (struct vki_tms *)args[0];

	(void)result;
	clock_ask(&tool_deterministic.clock, tid);
	if (at != NULL)
		*at = (struct vki_tms){
			.tms_utime = (Long)(clock_process_time(&tool_deterministic.clock) / TICK),
		};
	guest_write(tid, GUEST_SYSCALL_RESULT, clock_now(&tool_deterministic.clock) / TICK);
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

void time_answer_getrusage(ThreadId tid, const UWord *args, UWord result)
{
	ULong time = 0; /* of children */

	(void)result;
	clock_ask(&tool_deterministic.clock, tid);
	if ((Int)args[0] == OF_SELF)
		time = clock_process_time(&tool_deterministic.clock);
	else if ((Int)args[0] == OF_THREAD)
		time = clock_thread_time(tid);
	write_usage(args[1], time);
}

/* What children have used is not known. */
void time_answer_wait4(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	if (result != 0)
		write_usage(args[3], 0);
}

void time_answer_waitid(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	write_usage(args[4], 0);
}

/* The seconds that were left, rounded as the kernel does it: never to 0. */
void time_answer_alarm(ThreadId tid, const UWord *args, UWord result)
{
	ULong interval;
	ULong left = timers_left(TIMER_ALARM, 0, &interval);
	ULong seconds = (left + CLOCK_SECOND / 2) / CLOCK_SECOND;

	(void)result;
	guest_write(tid, GUEST_SYSCALL_RESULT, left != 0 && seconds == 0 ? 1 : (ULong)seconds);
	if ((UInt)args[0] == 0)
		timers_stop(TIMER_ALARM, 0);
	else
		timers_set(TIMER_ALARM, 0,
			   clock_now(&tool_deterministic.clock) + (UInt)args[0] * CLOCK_SECOND, 0);
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

void time_answer_setitimer(ThreadId tid, const UWord *args, UWord result)
{
	const struct vki_itimerval *value = (const struct vki_itimerval *)args[1];
	ULong time = value != NULL ? ns_of(&value->it_value) : 0;

	(void)tid;
	(void)result;
	if (args[0] != ITIMER_OF_DATE) {
		nondeterminism_note(NONDETERMINISM_TIMERS);
		return;
	}
	write_itimer(args[2]);
	if (time == 0)
		timers_stop(TIMER_ALARM, 0);
	else
		timers_set(TIMER_ALARM, 0, clock_now(&tool_deterministic.clock) + time,
			   ns_of(&value->it_interval));
}

void time_answer_getitimer(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	if (args[0] == ITIMER_OF_DATE)
		write_itimer(args[1]);
}

/* struct sigevent has the signal behind a value of eight bytes, then how it is sent. */
void time_answer_timer_create(ThreadId tid, const UWord *args, UWord result)
{
	const Int *event = (const Int *)args[1];
	Int signal = event == NULL ? VKI_SIGALRM : event[3] == SIGEV_NONE ? -1 : event[2];

	(void)tid;
	(void)result;
	timers_create(TIMER_POSIX, *(const Int *)args[2], signal);
}

void time_answer_timer_gettime(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	timers_write(TIMER_POSIX, (Int)args[0], (Long *)args[1]);
}

void time_answer_timerfd_gettime(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	timers_write(TIMER_FILE, (Int)args[0], (Long *)args[1]);
}

/* -- times of files ------------------------------------------------------------ */

/* A time in struct statx, and where they are in it: as in the kernel's uapi/linux/stat.h. */
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

void filetime_stat(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	round_times((struct vki_stat *)args[1]);
}

void filetime_newfstatat(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	round_times((struct vki_stat *)args[2]);
}

void filetime_statx(ThreadId tid, const UWord *args, UWord result)
{
	struct statx_times *times = (struct statx_times *)args[4];

	(void)tid;
	(void)result;
	times->changed.ns = 0;
	times->status.ns = 0;
	times->born.ns = 0;
	times->read = times->changed;
}
