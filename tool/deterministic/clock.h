/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time that a program sees with --deterministic=yes: it begins at a fixed
 * moment and goes on with what the program does.
 *
 *	an instruction			1 ns
 *	a question for the time		1 us, so that a program that waits by asking again and
 *					again is soon done
 *	sleeping, or waiting until
 *	a timeout is over		what was asked for
 *
 * At another rate than the usual one, what the program does takes more or less time: to see which counts
 * depend on how fast time passes.
 *
 * The clock never goes back, in a process and its children; a program that is
 * started anew (exec) begins at the fixed moment.
 */
#ifndef TOOL_DETERMINISTIC_CLOCK_H
#define TOOL_DETERMINISTIC_CLOCK_H

#include "pub_tool_basics.h"

struct clock {
	ULong start; /* ns since 1970 */
	UInt rate; /* CLOCK_USUAL_RATE: as above; twice that: instructions and questions take twice as long */
	ULong instructions; /* executed before the costs began anew the last time */
	ULong asked;        /* ns: for questions */
	ULong n_questions;  /* rdtsc, which takes no time, among them */
	ULong n_earlier;    /* of these, those before the costs began anew the last time */
	ULong slept;        /* ns */
	ULong inherited;    /* ns of CPU time that belong to the process that forked */
};

/* Linux' clocks, as clock_gettime numbers them. */
enum {
	CLOCK_OF_DATE = 0,
	CLOCK_MONOTONIC_TIME = 1,
	CLOCK_PROCESS_TIME = 2,
	CLOCK_THREAD_TIME = 3,
	CLOCK_RAW = 4,
	CLOCK_COARSE_DATE = 5,
	CLOCK_COARSE = 6,
	CLOCK_SINCE_BOOT = 7,
	CLOCK_DATE_ALARM = 8,
	CLOCK_BOOT_ALARM = 9,
	CLOCK_TAI_TIME = 11,
};

enum {
	CLOCK_USUAL_RATE = 1000,
	CLOCK_COARSE_STEP = 4000000, /* ns: what coarse clocks are multiples of */
};

#define CLOCK_SECOND 1000000000ULL /* ns */

void clock_init(struct clock *clock, UInt start, UInt rate);

/* Instructions executed by this process, and by those that it was forked from. */
ULong clock_instructions(const struct clock *clock);

/* What RDTSC shows: these, at the clock's rate. */
ULong clock_counter(const struct clock *clock);

/* ns since the machine was started. */
ULong clock_now(const struct clock *clock);

/* ns to add to that for the date. */
ULong clock_date_offset(const struct clock *clock);

/* ns of CPU time: of the process; of a thread. */
ULong clock_process_time(const struct clock *clock);
ULong clock_thread_time(ThreadId tid);

/* A thread has asked for the time. */
void clock_ask(struct clock *clock, ThreadId tid);

enum {
	CLOCK_FEW_QUESTIONS = 300, /* programs that do not measure time ask at most so often */
};

/* How often the time was asked for since costs were zero; 0 if it is not this clock that answers. */
static inline ULong clock_questions(const struct clock *clock)
{
	return clock->n_questions - clock->n_earlier;
}

/* It is then, if it is not later: clock_now() says so from now on. */
void clock_wait_until(struct clock *clock, ULong then);

/* All costs are zero from now on; before that there were so many instructions. */
void clock_keep(struct clock *clock, ULong instructions);

/* In the child of a fork. */
void clock_fork(struct clock *clock);

/* -- timers ---------------------------------------------------------------- */

/*
 * Timers that the program has set, under this clock: they run in real time, and when
 * one is heard of, the program's clock moves on to when it was due.
 */

enum timer_kind {
	TIMER_ALARM, /* setitimer, alarm; its id is 0 */
	TIMER_POSIX, /* timer_create */
	TIMER_FILE,  /* timerfd_create; its id is the descriptor */
};

struct timer {
	struct timer *next;
	enum timer_kind kind;
	Int id;
	Int signal;
	Bool armed;
	ULong due;      /* as clock_now() */
	ULong interval; /* ns, 0: it fires once */
};

struct timers {
	struct timer *first;
};

/* A timer sends that signal from now on. */
void timers_create(enum timer_kind kind, Int id, Int signal);

/* It is set to fire at due, and each interval after that. */
void timers_set(enum timer_kind kind, Int id, ULong due, ULong interval);

/* It is off. */
void timers_stop(enum timer_kind kind, Int id);

/* ns until a timer fires, as the program's clock has it, 0 if it will not; and its interval. */
ULong timers_left(enum timer_kind kind, Int id, ULong *interval);

/* Writes that, and the interval before it, as a struct itimerspec. */
void timers_write(enum timer_kind kind, Int id, Long *time);

/* A signal has come; returns whether it is a timer's. */
Bool timers_signal(Int signal);

/* n expirations were read from a descriptor. */
void timers_read(Int fd, ULong n);

/* In the child of a fork: it has descriptors only. */
void timers_fork(void);

#endif
