/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timers that the program has set, under the clock of tool/deterministic/clock.h: they run
 * in real time, and when one is heard of, the program's clock moves on to when it
 * was due.
 */
#ifndef TOOL_DETERMINISTIC_TIMER_H
#define TOOL_DETERMINISTIC_TIMER_H

#include "pub_tool_basics.h"

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
void timers_tell(enum timer_kind kind, Int id, Long *time);

/* A signal has come; returns whether it is a timer's. */
Bool timers_signal(Int signal);

/* n expirations were read from a descriptor. */
void timers_read(Int fd, ULong n);

/* In the child of a fork: it has descriptors only. */
void timers_fork(void);

#endif
