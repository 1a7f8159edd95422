/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/clock.h"

#include "tool/calls/state.h"
#include "tool/counts/state.h"
#include "tool/deterministic/deterministic.h"

enum {
	UPTIME = 1000,   /* seconds that the machine has been up when a program starts */
	QUESTION = 1000, /* ns */
};

void clock_init(struct clock *clock, UInt start)
{
	*clock = (struct clock){ .start = start * CLOCK_SECOND };
}

ULong clock_instructions(const struct clock *clock)
{
	ULong totals[N_EVENTS];

	threads_totals(&tool_calls.threads, tool_counts.hot, totals);
	return clock->instructions + totals[EVENT_IR];
}

ULong clock_now(const struct clock *clock)
{
	return UPTIME * CLOCK_SECOND + clock_instructions(clock) + clock->asked + clock->slept;
}

ULong clock_date_offset(const struct clock *clock)
{
	return clock->start - UPTIME * CLOCK_SECOND;
}

ULong clock_process_time(const struct clock *clock)
{
	return clock_instructions(clock) + clock->asked - clock->inherited;
}

ULong clock_thread_time(ThreadId tid)
{
	ULong all = threads_instructions(&tool_calls.threads, tool_counts.hot, tid);
	const struct deterministic_thread *thread = deterministic_thread_of(tid);

	/* If costs began anew in between, it is what came after that. */
	return (all > thread->begun ? all - thread->begun : all) + thread->asked;
}

void clock_ask(struct clock *clock, ThreadId tid)
{
	deterministic_thread_of(tid)->asked += QUESTION;
	clock->asked += QUESTION;
}

void clock_wait_until(struct clock *clock, ULong then)
{
	ULong now = clock_now(clock);

	if (then > now)
		clock->slept += then - now;
}

void clock_keep(struct clock *clock, ULong instructions)
{
	clock->instructions += instructions - clock_instructions(clock);
}

void clock_fork(struct clock *clock)
{
	clock->inherited = clock_instructions(clock) + clock->asked;
}
