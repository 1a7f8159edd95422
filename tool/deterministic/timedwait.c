/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core reads a system call's arguments when generated code has been left,
 * and gives the tool copies only.  So a block that makes a system call ends
 * with a call of timedwait_begin(), which can change them: a pointer to a
 * moment becomes one to a translated moment, in the tool's memory.  (To
 * translate it in place would be seen by other threads, and some have it in
 * memory that they may not write.)  Before the program goes on, be it in a
 * handler, the argument is put back; a call that is started again is made by
 * the same block, and so everything is worked out anew.
 */
#include "tool/deterministic/timedwait.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/common/guest.h"
#include "tool/common/syscall.h"
#include "tool/deterministic/deterministic.h"
#include "tool/deterministic/nondeterminism.h"
#include "tool/deterministic/state.h"

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
	TIME_MILLI, /* ms, an Int, less than 0: for ever */
	TIME_TIMER, /* struct itimerspec: seconds and ns, twice */
};

/* A clock that an absolute time is of; NO_CLOCK if it is relative. */
enum { NO_CLOCK = -1, UNKNOWN_CLOCK = -2, EITHER_CLOCK = -3 };

struct timed_call {
	UInt number;
	UInt argument; /* the one that has the time */
	enum time_form form;
	Int over;        /* the result that says that the time is over: 0, or an error's number */
	Bool is_written; /* the kernel writes there what is left */
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

/* Clocks of CPU time are waited for as they are. */
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

/* Reads a time; False if the kernel would not take it. */
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

/* Reads the time of a call; False if there is none, or none that the kernel would take. */
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

/* The clock of a timer does not come with its time: it is the one that is near. */
static Int nearer_clock(ULong time)
{
	ULong now = clock_now(&tool_deterministic.clock);
	ULong date = now + clock_date_offset(&tool_deterministic.clock);

	return distance(time, date) < distance(time, now) ? CLOCK_OF_DATE : CLOCK_MONOTONIC_TIME;
}

static void change(struct timed_wait *wait, struct guest *guest, UInt argument, ULong value)
{
	ULong *at = argument_of(guest, argument);

	wait->changed[wait->n_changed++] = (struct changed_argument){ argument, *at };
	*at = value;
}

/*
 * From now on the moment is one of the kernel's clock; due and time are of the
 * program's.  That asks the kernel for the time, even where the program has
 * sealed itself off: to know a moment it had to ask itself.
 */
static void translate(struct timed_wait *wait, struct guest *guest, Int clock)
{
	ULong now = clock_now(&tool_deterministic.clock);
	ULong then = wait->time;
	ULong offset;

	if (clock == EITHER_CLOCK)
		clock = nearer_clock(then);
	offset = clock == CLOCK_OF_DATE ? clock_date_offset(&tool_deterministic.clock) : 0;
	wait->time = then > now + offset ? then - now - offset : 0;
	if (wait->call->form == TIME_TIMER) { /* relative: then it matters not of which clock */
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
	wait->due = clock_now(&tool_deterministic.clock) + wait->time;
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
 * Time was asked for by a call that was cut short.  As much of it has passed as
 * the kernel reports to the program: one that goes on to wait for the rest will get
 * to the end.
 */
static void cut_short(const struct timed_wait *wait, const UWord *args)
{
	ULong rest;

	if (!read_rest(wait, args, &rest))
		return;
	nondeterminism_note(NONDETERMINISM_SLEEPS);
	if (rest < wait->time)
		clock_wait_until(&tool_deterministic.clock, wait->due - rest);
}

/* What the kernel has written would show how long it really took. */
static void write_rest(const struct timed_wait *wait, Bool is_over)
{
	Long *at = (Long *)wait->given;

	/* The kernel passes over what it cannot write. */
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
		clock_wait_until(&tool_deterministic.clock, wait->due);
	if (is_error && sr_Err(result) == VKI_EINTR)
		cut_short(wait, args);
	else if (!is_error && wait->call->form == TIME_TIMER)
		set_timer(wait, args);
	else if (!is_error)
		write_rest(wait, is_over);
	wait->call = NULL;
}
